// Which edits may state a fact, by what their tokens are: most need no reading. The specification is tests/twins/differences.py.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// Marks of tokens, as in quchong.differences.marks; the first eight, of characters, come in a table.
// Within a struct, as text/unicode.hpp has constants of the same names.
struct TokenMark {
  enum Bits : u32 { NEGATION = 1, SURNAME = 2, NUMERAL = 4, RELATIVE = 8, SUFFIX = 16, FOREIGN = 32, NUMBER = 64, SYMBOL = 128, WORD = 256, HAN = 512 };
};
// Why an edit is read.
enum Reason : std::uint8_t { STATED = 1, LISTED = 2, NEGATED = 4, NAMED = 8, WORDED = 16, SYMBOLIC = 32 };
// In the table of lists: what a word of Latin letters tells; the bits below are lists.
enum WordMark : std::uint8_t { LISTS = 15, NEGATES = 16, STATES = 32 };

struct MarkTables {
  std::span<const std::uint8_t> characters;  // marks of the characters of the basic plane
  std::span<const std::uint8_t> listed;       // lists whose words a token, or two in a row, stand in, and marks of words, by their hash
};

struct ReasonOptions {
  u32 read, anchored, unit, name, scattered, negated;  // as in quchong.differences.kinds
};

// Edits of pairs, those of one pair side by side.
struct EditColumns {
  std::span<const u32> pair, places, around;  // four places an edit; equal tokens before and behind it
  std::span<const std::uint8_t> slip;
};

class ReasonFinder {
 public:
  // hashed: the tokens as hashes of their letters, by which lists of words are looked up.
  ReasonFinder(const Ragged& docs, const Ragged& hashed, std::span<const u32> left, std::span<const u32> right, const EditColumns& edits,
               const MarkTables& tables, const ReasonOptions& options, std::span<std::uint8_t> out)
      : docs_(docs), hashed_(hashed), left_(left), right_(right), e_(edits), t_(tables), o_(options), out_(out) {}

  // Edits first to last are those of one pair.
  void run(std::size_t first, std::size_t last) {
    const auto mine = docs_[left_[e_.pair[first]]], theirs = docs_[right_[e_.pair[first]]];
    // Of a pair: how many stretches are replaced, and how many different single tokens.
    u32 replaced = 0;
    singles_.clear();
    for (std::size_t k = first; k < last; ++k) {
      if (!near(k) || a(k) == 0 || b(k) == 0) continue;
      ++replaced;
      if (a(k) == 1 && b(k) == 1) singles_.push_back(u64{mine[e_.places[4 * k]]} << 32 | theirs[e_.places[4 * k + 2]]);
    }
    std::sort(singles_.begin(), singles_.end());
    const auto different = static_cast<u32>(std::unique(singles_.begin(), singles_.end()) - singles_.begin());
    const auto my_words = hashed_[left_[e_.pair[first]]], their_words = hashed_[right_[e_.pair[first]]];
    for (std::size_t k = first; k < last; ++k)
      if (near(k)) out_[k] = of(k, my_words, their_words, replaced < o_.scattered, different >= o_.scattered);
  }

 private:
  using enum TokenMark::Bits;

  u32 a(std::size_t k) const { return e_.places[4 * k + 1] - e_.places[4 * k]; }
  u32 b(std::size_t k) const { return e_.places[4 * k + 3] - e_.places[4 * k + 2]; }
  bool near(std::size_t k) const { return a(k) <= o_.read && b(k) <= o_.read && e_.around[k] >= o_.anchored; }

  u32 mark(u32 token) const {
    if (token < 0x80000000)
      return t_.characters[std::min<u32>(token, 0xFFFF)] | (token >= 0x3400 && token < 0xA000 ? HAN : 0u) | (token >= 0x1F000 && token < 0x20000 ? SYMBOL : 0u);
    const u32 word = slot(token, 0);
    return (token >= 0xC0000000 ? NUMBER : WORD) | (word & NEGATES ? NEGATION : 0u) | (word & STATES ? NUMERAL : 0u);
  }
  // The marks that some token of [from, to) has, as far as it lies in the text.
  u32 marks(std::span<const u32> text, std::int64_t from, std::int64_t to) const {
    u32 out = 0;
    for (auto i = std::max<std::int64_t>(from, 0); i < std::min<std::int64_t>(to, static_cast<std::int64_t>(text.size())); ++i)
      out |= mark(text[static_cast<std::size_t>(i)]);
    return out;
  }

  // May the stretch be of a name: with or behind a surname, in letters of foreign names, before a suffix?
  bool nameable(std::span<const u32> text, std::int64_t from, std::int64_t to, u32 own) const {
    return (own & (SURNAME | FOREIGN | SUFFIX)) || (marks(text, from - 1, from) & SURNAME) || (marks(text, to, to + 2) & SUFFIX);
  }

  u32 slot(u32 x, u32 y) const {
    return t_.listed[(x * 0x9E3779B97F4A7C15ull + y * 0xC2B2AE3D27D4EB4Full) >> (64 - 20)];
  }
  // The lists in a word of which the stretch may have a part: a word of one token stands in it, of a longer one two tokens in a row.
  u32 listed(std::span<const u32> text, std::int64_t from, std::int64_t to) const {
    u32 out = 0;
    for (auto i = from; i < to; ++i) out |= slot(text[static_cast<std::size_t>(i)], 0);
    const auto end = std::min<std::int64_t>(to + 1, static_cast<std::int64_t>(text.size()));
    for (auto i = std::max<std::int64_t>(from - 1, 0); i + 1 < end; ++i)
      out |= slot(text[static_cast<std::size_t>(i)], text[static_cast<std::size_t>(i) + 1]);
    return out & LISTS;
  }

  std::uint8_t of(std::size_t k, std::span<const u32> mine, std::span<const u32> theirs, bool few, bool scattered) const {
    constexpr u32 FIGURES = NUMBER | NUMERAL, DATED = FIGURES | RELATIVE;
    const std::int64_t a0 = e_.places[4 * k], a1 = e_.places[4 * k + 1], b0 = e_.places[4 * k + 2], b1 = e_.places[4 * k + 3];
    const u32 x = marks(mine, a0, a1), y = marks(theirs, b0, b1), longer = std::max(a(k), b(k));
    const bool replaced = a(k) > 0 && b(k) > 0, quiet = scattered && a(k) == 1 && b(k) == 1;
    std::uint8_t out = 0;
    const u32 before = marks(mine, a0 - 1, a0), beside = before | marks(mine, a1, a1 + 1);
    if (replaced ? (x & DATED && y & DATED) || (longer <= o_.unit && (before | (x & y & WORD ? beside : 0u)) & NUMBER)
                 : ((x | y) & (FIGURES | WORD)) && beside & (FIGURES | WORD) && (x | y | beside) & FIGURES)
      out |= STATED;
    if ((x | y) & NEGATION && longer <= o_.negated) out |= NEGATED;
    if ((x | y) & SYMBOL) out |= SYMBOLIC;
    if (!replaced) return out;
    if ((x | y) & WORD && x & (DATED | WORD) && y & (DATED | WORD)) out |= WORDED;
    if (listed(mine, a0, a1) & listed(theirs, b0, b1)) out |= LISTED;
    if (x & y & HAN && !e_.slip[k] && !quiet && longer <= o_.name &&
        ((nameable(mine, a0, a1, x) && nameable(theirs, b0, b1, y)) || (few && longer >= 2)))
      out |= NAMED;
    return out;
  }

  const Ragged &docs_, &hashed_;
  std::span<const u32> left_, right_;
  const EditColumns& e_;
  const MarkTables& t_;
  const ReasonOptions& o_;
  std::span<std::uint8_t> out_;
  std::vector<u64> singles_;
};

// Why each edit is read, as bits; 0 where it says nothing that decides.
inline void reasons(const Ragged& docs, const Ragged& hashed, std::span<const u32> left, std::span<const u32> right, const EditColumns& edits,
                    const MarkTables& tables, const ReasonOptions& options, std::span<std::uint8_t> out, int threads) {
  const std::size_t n = edits.pair.size();
  std::vector<std::size_t> starts;  // pieces of some edits, cut where a pair begins
  for (std::size_t k = 0; k < n; ++k)
    if (k == 0 || (edits.pair[k] != edits.pair[k - 1] && k - starts.back() >= 4096)) starts.push_back(k);
  starts.push_back(n);
  parallel_for(static_cast<std::int64_t>(starts.size()) - 1, 1, threads, [&](int, std::int64_t from, std::int64_t to) {
    ReasonFinder finder(docs, hashed, left, right, edits, tables, options, out);
    for (auto k = starts[static_cast<std::size_t>(from)]; k < starts[static_cast<std::size_t>(to)];) {
      auto last = k + 1;
      while (last < n && edits.pair[last] == edits.pair[k]) ++last;
      finder.run(k, last);
      k = last;
    }
  });
}

}  // namespace quchong
