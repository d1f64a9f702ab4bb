// Layers of two structure trees beside each other: how many of their nodes match, or what their Bloom filters share.
#pragma once
#include <bit>
#include <cmath>

#include "sets/sets.hpp"

namespace quchong {

// One layer of every document: document d owns nodes documents[d] .. documents[d + 1), node i values nodes[i] .. nodes[i + 1),
// ascending and distinct.
struct Layer {
  std::span<const u64> values;
  std::span<const std::int64_t> nodes, documents;
  std::span<const u64> node(std::size_t i) const {
    return values.subspan(static_cast<std::size_t>(nodes[i]), static_cast<std::size_t>(nodes[i + 1] - nodes[i]));
  }
};

// A Bloom filter of two bits a value: its upper and its lower half modulo the size, which is a power of two.
class LayerFilter {
 public:
  void fill(std::span<const u64> values, std::size_t bits) {
    words_.assign((bits + 63) / 64, 0);
    for (u64 v : values)
      for (u64 at : {(v >> 32) & (bits - 1), v & 0xFFFFFFFFu & (bits - 1)}) words_[at / 64] |= 1ull << (at % 64);
  }
  std::size_t count() const {
    std::size_t out = 0;
    for (u64 w : words_) out += static_cast<std::size_t>(std::popcount(w));
    return out;
  }
  std::size_t with(const LayerFilter& other) const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) out += static_cast<std::size_t>(std::popcount(words_[i] | other.words_[i]));
    return out;
  }

 private:
  std::vector<u64> words_;
};

// How many values a filter of so many set bits holds, by expectation; k = 2.
inline double held(std::size_t set, std::size_t bits) {
  const auto m = static_cast<double>(bits);
  return -(m / 2) * std::log(1 - static_cast<double>(set) / m);
}

struct FilterPair {
  double left = 0, right = 0, common = 0;
};

// What two sets hold, and share, as their filters say. Filters half full say nothing: they are made of twice as many bits
// until neither is.
inline FilterPair filtered(std::span<const u64> a, std::span<const u64> b, std::size_t bits, LayerFilter& fa, LayerFilter& fb) {
  if (a.empty() || b.empty()) return {};
  for (;; bits *= 2) {
    fa.fill(a, bits);
    fb.fill(b, bits);
    const std::size_t x = fa.count(), y = fb.count();
    if (2 * x >= bits || 2 * y >= bits) continue;
    FilterPair out{held(x, bits), held(y, bits), 0};
    out.common = std::clamp(out.left + out.right - held(fa.with(fb), bits), 0.0, std::min(out.left, out.right));
    return out;
  }
}

struct LayerMatches {
  std::vector<double> left, right, of_left, of_right;
};

enum class Match { SHARE, FILTERS, WHOLE };

// For each pair: nodes of the left layer that have a partner in the right one, the other way round, and how many nodes with
// values there are. A partner shares at least one value and `least` of the smaller node's: counted (SHARE), or by filters of
// `bits` (FILTERS). WHOLE takes all values of a layer as one set: what its filter shares, twice, and what both hold.
inline LayerMatches match_layers(const Layer& a, const Layer& b, std::span<const u32> left, std::span<const u32> right, Match how,
                                 double least, std::size_t bits, int threads) {
  LayerMatches out;
  for (auto* v : {&out.left, &out.right, &out.of_left, &out.of_right}) v->assign(left.size(), 0);
  parallel_for(static_cast<std::int64_t>(left.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<std::pair<u64, u32>> postings;
    std::vector<u32> count, touched;
    std::vector<std::uint8_t> met;
    std::vector<u64> x, y;
    LayerFilter fa, fb;
    const auto gather = [](const Layer& l, std::size_t d, std::vector<u64>& to) {
      to.assign(l.values.begin() + l.nodes[static_cast<std::size_t>(l.documents[d])], l.values.begin() + l.nodes[static_cast<std::size_t>(l.documents[d + 1])]);
      std::sort(to.begin(), to.end());
      to.erase(std::unique(to.begin(), to.end()), to.end());
    };
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      if (how == Match::WHOLE) {
        gather(a, left[p], x);
        gather(b, right[p], y);
        const auto f = filtered(x, y, bits, fa, fb);
        out.left[p] = out.right[p] = f.common;
        // Of a side alone the figure would be that of its filter; only whether there is anything matters then.
        out.of_left[p] = y.empty() ? static_cast<double>(x.size()) : f.left;
        out.of_right[p] = x.empty() ? static_cast<double>(y.size()) : f.right;
        continue;
      }
      const auto a0 = static_cast<std::size_t>(a.documents[left[p]]), a1 = static_cast<std::size_t>(a.documents[left[p] + 1]);
      const auto b0 = static_cast<std::size_t>(b.documents[right[p]]), b1 = static_cast<std::size_t>(b.documents[right[p] + 1]);
      postings.clear();
      for (std::size_t j = b0; j < b1; ++j) {
        out.of_right[p] += !b.node(j).empty();
        for (u64 v : b.node(j)) postings.emplace_back(v, static_cast<u32>(j - b0));
      }
      std::sort(postings.begin(), postings.end());
      count.assign(b1 - b0, 0);
      met.assign(b1 - b0, 0);
      for (std::size_t i = a0; i < a1; ++i) {
        const auto mine = a.node(i);
        out.of_left[p] += !mine.empty();
        touched.clear();
        for (u64 v : mine)
          for (auto q = std::lower_bound(postings.begin(), postings.end(), std::pair{v, u32{0}}); q != postings.end() && q->first == v; ++q)
            if (count[q->second]++ == 0) touched.push_back(q->second);
        bool matched = false;
        for (u32 j : touched) {
          const auto theirs = b.node(b0 + j);
          double share;
          if (how == Match::FILTERS) {
            const auto f = filtered(mine, theirs, bits, fa, fb);
            share = f.common / std::min(f.left, f.right);
          } else {
            share = static_cast<double>(count[j]) / static_cast<double>(std::min(mine.size(), theirs.size()));
          }
          count[j] = 0;
          if (share < least) continue;
          matched = true;
          met[j] = 1;
        }
        out.left[p] += matched;
      }
      for (auto m : met) out.right[p] += m;
    }
  });
  return out;
}

}  // namespace quchong
