// What is left of texts without the headers that many documents share: which tokens a header covers, and whether a brief
// rest says another thing than another text.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// Marks the tokens that known shingles of `width` tokens cover, in stretches of at least `run` tokens. `known` ascends.
inline void covered_tokens(const Ragged& docs, std::span<const u64> known, int width, int run, std::span<std::uint8_t> out, int threads) {
  std::vector<bool> first(1 << 16);  // by their first bits most shingles are told apart from all known ones
  for (u64 one : known) first[one >> 48] = true;
  std::vector<u64> factors;
  for (int k = 0; k < width; ++k) factors.push_back(coefficient(k));
  parallel_for(static_cast<std::int64_t>(docs.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto tokens = docs[d];
      const auto mask = out.subspan(static_cast<std::size_t>(docs.offsets[d]), tokens.size());
      std::fill(mask.begin(), mask.end(), 0);
      const auto w = static_cast<std::size_t>(width);
      std::size_t begin = 0, end = 0;  // the stretch covered so far
      const auto close = [&] {
        if (end - begin >= static_cast<std::size_t>(run)) std::fill(mask.begin() + static_cast<std::ptrdiff_t>(begin), mask.begin() + static_cast<std::ptrdiff_t>(end), 1);
      };
      for (std::size_t i = 0; i + w <= tokens.size(); ++i) {
        u64 sum = 0;
        for (std::size_t k = 0; k < w; ++k) sum += (tokens[i + k] + 1ull) * factors[k];
        const u64 hash = mix64(sum);
        if (!first[hash >> 48] || !std::binary_search(known.begin(), known.end(), hash)) continue;
        if (i > end) close(), begin = i;
        end = i + w;
      }
      close();
    }
  });
}

struct RestRule {
  u32 gap;     // token in the place of a header
  int shift;   // tokens by which what is found may be farther from, or nearer to, its usual place
  int pieces;  // missing stretches of a block at or above which the other text has it in pieces
};

namespace rests {

// Neighbouring tokens of a text, two by two, with their places; sorted.
struct Twos {
  std::vector<std::pair<u64, std::int64_t>> places;
  static u64 key(u32 one, u32 next) { return static_cast<u64>(one) << 32 | next; }
  void fill(std::span<const u32> tokens, u32 gap) {
    places.clear();
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i] != gap && tokens[i + 1] != gap) places.emplace_back(key(tokens[i], tokens[i + 1]), static_cast<std::int64_t>(i));
    std::sort(places.begin(), places.end());
  }
};

// Whether a text lacks two neighbouring tokens of a block between headers, or has it in pieces.
class Blocks {
 public:
  bool says_other(std::span<const u32> block, const Twos& text, const RestRule& rule) {
    if (block.size() < 2) return false;
    const std::size_t n = block.size() - 1;
    found_.clear(), distances_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const u64 key = Twos::key(block[i], block[i + 1]);
      auto at = std::lower_bound(text.places.begin(), text.places.end(), std::pair{key, std::int64_t{0}});
      for (; at != text.places.end() && at->first == key; ++at) {
        found_.emplace_back(i, at->second - static_cast<std::int64_t>(i));
        distances_.push_back(found_.back().second);
      }
    }
    // The distance that most of the block have, the least of equals; what is found elsewhere is said of something else.
    std::sort(distances_.begin(), distances_.end());
    std::int64_t usual = 0;
    std::size_t most = 0;
    for (std::size_t i = 0, j; i < distances_.size(); i = j) {
      for (j = i + 1; j < distances_.size() && distances_[j] == distances_[i];) ++j;
      if (j - i > most) most = j - i, usual = distances_[i];
    }
    there_.assign(n, 0);
    for (const auto& [i, distance] : found_)
      if (std::abs(distance - usual) <= rule.shift) there_[i] = 1;
    // A token replaced breaks two of them, at an end one.
    int stretches = 0;
    for (std::size_t i = 0, j; i < n; i = j) {
      for (j = i + 1; j < n && there_[j] == there_[i];) ++j;
      if (there_[i]) continue;
      if (j - i + (i == 0) + (j == n) > 2 || ++stretches >= rule.pieces) return true;
    }
    return false;
  }

 private:
  std::vector<std::pair<std::size_t, std::int64_t>> found_;
  std::vector<std::int64_t> distances_;
  std::vector<std::uint8_t> there_;
};

}  // namespace rests

// For each pair 1 if a text says another thing than the blocks of a rest. Pairs with the same text side by side are fastest.
inline void says_other(const Ragged& docs, std::span<const u32> rest, std::span<const u32> other, const RestRule& rule,
                       std::span<std::uint8_t> out, int threads) {
  parallel_for(static_cast<std::int64_t>(rest.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    rests::Twos text;
    rests::Blocks blocks;
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      if (i == static_cast<std::size_t>(from) || other[i] != other[i - 1]) text.fill(docs[other[i]], rule.gap);
      const auto tokens = docs[rest[i]];
      bool apart = false;
      for (std::size_t begin = 0, end; begin < tokens.size() && !apart; begin = end + 1) {
        end = static_cast<std::size_t>(std::find(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.end(), rule.gap) - tokens.begin());
        apart = blocks.says_other(tokens.subspan(begin, end - begin), text, rule);
      }
      out[i] = apart;
    }
  });
}

}  // namespace quchong
