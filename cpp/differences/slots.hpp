// Figures that replace each other in one slot of a long edit. The specification is tests/twins/differences.py.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// Tokens of listed words, in order: those that write numbers, except digits, and those beside which a figure is part of a date.
struct SlotWords {
  std::span<const u32> numerals, calendar;
};

struct SlotOptions {
  u32 frame, longest;  // as in quchong.differences.slots
};

// Edits, each with the number of equal tokens before and behind it.
struct SlotColumns {
  std::span<const u32> pair, places, before, after;
};

inline constexpr u32 NO_SLOT = 0xFFFFFFFF;

class SlotFinder {
 public:
  SlotFinder(const Ragged& docs, const Ragged& hashed, std::span<const u32> left, std::span<const u32> right, const SlotColumns& edits,
             const SlotWords& words, const SlotOptions& options, std::span<u32> out)
      : docs_(docs), hashed_(hashed), left_(left), right_(right), e_(edits), w_(words), o_(options), out_(out) {}

  // Writes the figures of edit k: where they begin and end in either stretch, or NO_SLOT four times.
  void run(std::size_t k) {
    const auto l = left_[e_.pair[k]], r = right_[e_.pair[k]];
    const auto *p = &e_.places[4 * k];
    const auto mine = docs_[l], theirs = docs_[r];
    const Side x{mine.subspan(p[0], p[1] - p[0]), hashed_[l].subspan(p[0], p[1] - p[0])};
    const Side y{theirs.subspan(p[2], p[3] - p[2]), hashed_[r].subspan(p[2], p[3] - p[2])};
    // The equal tokens beside the edit; 0 where a text begins or ends.
    const Token ahead = p[0] && p[2] ? token(mine, hashed_[l], p[0] - 1) : Token{0, 0};
    const Token behind = p[1] < mine.size() && p[3] < theirs.size() ? token(mine, hashed_[l], p[1]) : Token{0, 0};
    const bool turned = x.tokens.size() > y.tokens.size();
    const Side& few = turned ? y : x;
    Side many = turned ? x : y;
    const bool whole = many.tokens.size() <= o_.longest;
    if (!whole) many = {many.tokens.first(o_.longest), many.hashes.first(o_.longest)};
    u32 cut[4];
    auto* out = &out_[4 * k];
    if (!slot(few, many, ahead, behind, e_.before[k], e_.after[k], whole, cut)) {
      std::fill(out, out + 4, NO_SLOT);
      return;
    }
    std::copy(cut, cut + 4, out);
    if (turned) std::swap_ranges(out, out + 2, out + 2);
  }

 private:
  struct Token {
    u32 token, hash;
  };
  struct Side {
    std::span<const u32> tokens, hashes;
    std::size_t size() const { return tokens.size(); }
    Token operator[](std::size_t i) const { return {tokens[i], hashes[i]}; }
  };
  using Figure = std::pair<std::size_t, std::size_t>;

  static Token token(std::span<const u32> tokens, std::span<const u32> hashes, std::size_t i) { return {tokens[i], hashes[i]}; }
  // A word that was renumbered, as it shares its hash with another, is known by that hash.
  static bool listed(std::span<const u32> list, Token t) {
    return std::binary_search(list.begin(), list.end(), t.token) || (t.hash != t.token && std::binary_search(list.begin(), list.end(), t.hash));
  }

  // A number in digits, or a row of Chinese or English numerals.
  void figures(const Side& side, std::vector<Figure>& out) const {
    out.clear();
    bool joined = false;
    for (std::size_t k = 0; k < side.size(); ++k) {
      const bool written = listed(w_.numerals, side[k]);
      if (joined && written) out.back().second = k + 1;
      else if (written || side.tokens[k] >= 0xC0000000) out.emplace_back(k, k + 1);
      joined = written;
    }
  }

  bool slot(const Side& few, const Side& many, Token near, Token next, u32 before_edit, u32 after_edit, bool whole, u32* cut) {
    figures(few, mine_);
    if (mine_.empty()) return false;
    figures(many, theirs_);
    for (const auto& [i, j] : mine_) {
      const auto own = few.tokens.subspan(i, j - i);
      const bool known = std::any_of(theirs_.begin(), theirs_.end(), [&](const Figure& f) {
        return f.second - f.first == own.size() && std::equal(own.begin(), own.end(), many.tokens.begin() + static_cast<std::ptrdiff_t>(f.first));
      });
      if (known) continue;
      const Token before = i ? few[i - 1] : near, behind = j < few.size() ? few[j] : next;
      if (listed(w_.calendar, before) || listed(w_.calendar, behind)) continue;
      for (const auto& [k, m] : theirs_) {
        const Token ahead = k ? many[k - 1] : near, after = m < many.size() ? many[m] : (whole ? next : Token{0, 0});
        if (listed(w_.calendar, ahead) || listed(w_.calendar, after)) continue;
        // One slot: equal tokens on both sides, or both begin the edit, or both end it behind an equal token.
        const bool framed = before.token == ahead.token && ahead.token != 0 && behind.token == after.token && after.token != 0;
        const bool begins = i == 0 && k == 0 && near.token != 0 && before_edit >= o_.frame;
        const bool ends = j == few.size() && m == many.size() && whole && next.token != 0 && after_edit >= o_.frame;
        if (!(framed || begins || (ends && before.token == ahead.token))) continue;
        std::size_t a = j, b = m;  // with the equal tokens behind them: a unit, or the rest of a date
        while (a < few.size() && b < many.size() && few.tokens[a] == many.tokens[b]) ++a, ++b;
        cut[0] = static_cast<u32>(i), cut[1] = static_cast<u32>(a), cut[2] = static_cast<u32>(k), cut[3] = static_cast<u32>(b);
        return true;
      }
    }
    return false;
  }

  const Ragged &docs_, &hashed_;
  std::span<const u32> left_, right_;
  const SlotColumns& e_;
  const SlotWords& w_;
  const SlotOptions& o_;
  std::span<u32> out_;
  std::vector<Figure> mine_, theirs_;
};

// The figures in one slot of each edit: four places an edit, counted from where its stretches begin; NO_SLOT where it has none.
inline void slots(const Ragged& docs, const Ragged& hashed, std::span<const u32> left, std::span<const u32> right, const SlotColumns& edits,
                  const SlotWords& words, const SlotOptions& options, std::span<u32> out, int threads) {
  parallel_for(static_cast<std::int64_t>(edits.pair.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    SlotFinder finder(docs, hashed, left, right, edits, words, options, out);
    for (auto k = from; k < to; ++k) finder.run(static_cast<std::size_t>(k));
  });
}

}  // namespace quchong
