// Greedy string tiling (Wise 1993, 1996: YAP3): the longest run common to two token sequences becomes a tile, then the
// longest of what is left, until none has `shortest` tokens; of equal lengths the first in the left text, then in the right.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/pairs.hpp"

namespace quchong {

struct Tile {
  u32 left, right, length;
};

// Hashes of windows of any length (Karp 1987), modulo 2^61 - 1.
class WindowHashes {
 public:
  void build(std::span<const u32> tokens) {
    sums_.resize(tokens.size() + 1);
    sums_[0] = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) sums_[i + 1] = reduce(product(sums_[i], BASE) + tokens[i] + 1);
  }
  u64 operator()(u32 at, u32 length, u64 power) const {
    return reduce(sums_[at + length] + PRIME - product(sums_[at], power));
  }
  static u64 power(u32 length) {
    u64 out = 1, square = BASE;
    for (; length; length >>= 1, square = product(square, square))
      if (length & 1) out = product(out, square);
    return out;
  }

 private:
  static constexpr u64 PRIME = (u64{1} << 61) - 1, BASE = 0x0B5297A4D1B54A33ull;
  static u64 reduce(u64 x) {
    x = (x & PRIME) + (x >> 61);
    return x >= PRIME ? x - PRIME : x;
  }
  static u64 product(u64 a, u64 b) {
#if defined(__SIZEOF_INT128__)
    const u128 p = static_cast<u128>(a) * b;
    return reduce((static_cast<u64>(p) & PRIME) + static_cast<u64>(p >> 61));
#else
    const u64 al = a & 0xFFFFFFFF, ah = a >> 32, bl = b & 0xFFFFFFFF, bh = b >> 32;
    const u64 mid = reduce(reduce(al * bh) + reduce(ah * bl));  // times 2^32
    const u64 high = reduce(8 * (ah * bh));                     // 2^64 = 8
    return reduce(reduce(reduce(al * bl) + high) + reduce((mid >> 29) + ((mid & ((u64{1} << 29) - 1)) << 32)));
#endif
  }
  std::vector<u64> sums_;
};

class Tiler {
 public:
  // Running Karp-Rabin matching from `start` tokens downwards. Repetitive texts have a square of maximal matches: beyond a
  // budget of steps, linear in the texts, the rest is tiled length by length, to the same result.
  void run(std::span<const u32> a, std::span<const u32> b, u32 shortest, u32 start, std::vector<Tile>& out) {
    a_ = a, b_ = b, out_ = &out;
    out.clear();
    if (a.size() < shortest || b.size() < shortest) return;
    hash_a_.build(a), hash_b_.build(b);
    taken_a_.assign(a.size(), 0), taken_b_.assign(b.size(), 0);
    work_ = 0;
    budget_ = 32 * (a.size() + b.size()) + 4096;
    for (u32 s = std::max(start, shortest);;) {
      const u32 longer = matches(s);
      if (work_ > budget_) break;
      if (longer) {
        s = longer;
        continue;
      }
      mark(s);
      if (work_ > budget_) break;
      if (s == shortest) return sort();
      s = s > 2 * shortest ? s / 2 : shortest;
    }
    by_length(shortest);
    sort();
  }

 private:
  static constexpr u32 NONE = ~0u;

  void sort() {
    std::sort(out_->begin(), out_->end(), [](const Tile& x, const Tile& y) { return x.left < y.left; });
  }
  // How many free tokens stand from each place on.
  static void free_runs(const std::vector<std::uint8_t>& taken, std::vector<u32>& out) {
    out.resize(taken.size());
    u32 run = 0;
    for (std::size_t i = taken.size(); i-- > 0;) out[i] = run = taken[i] ? 0 : run + 1;
  }
  // Chains of the free windows of the right text, each in ascending order.
  void index(u32 s) {
    free_runs(taken_a_, free_a_), free_runs(taken_b_, free_b_);
    power_ = WindowHashes::power(s);
    std::size_t slots = 64;
    while (slots < 2 * b_.size()) slots *= 2;
    head_.assign(slots, NONE), key_.resize(slots), next_.resize(b_.size());
    for (std::size_t j = b_.size(); j-- > 0;) {
      if (free_b_[j] < s) continue;
      const u64 h = hash_b_(static_cast<u32>(j), s, power_);
      const std::size_t at = slot(h);
      next_[j] = head_[at];
      head_[at] = static_cast<u32>(j);
      key_[at] = h;
    }
  }
  std::size_t slot(u64 h) const {
    std::size_t i = static_cast<std::size_t>(mix64(h)) & (head_.size() - 1);
    while (head_[i] != NONE && key_[i] != h) i = (i + 1) & (head_.size() - 1);
    return i;
  }

  // Maximal matches of free tokens of at least s; the length of the first one longer than 2 s ends the search.
  u32 matches(u32 s) {
    found_.clear();
    index(s);
    for (u32 i = 0; i < a_.size(); ++i) {
      if (free_a_[i] < s) continue;
      for (u32 j = head_[slot(hash_a_(i, s, power_))]; j != NONE; j = next_[j]) {
        ++work_;
        if (i && j && !taken_a_[i - 1] && !taken_b_[j - 1] && a_[i - 1] == b_[j - 1]) continue;  // part of a longer one
        const u32 most = std::min(free_a_[i], free_b_[j]);
        u32 k = 0;
        while (k < most && a_[i + k] == b_[j + k]) ++k;
        work_ += k / 8;
        if (k < s) continue;  // equal hashes of unequal windows
        if (k > 2 * s) return k;
        found_.push_back({i, j, k});
      }
      if (work_ > budget_) return 0;
    }
    return 0;
  }
  static bool later(const Tile& x, const Tile& y) {
    if (x.length != y.length) return x.length < y.length;
    return x.left != y.left ? x.left > y.left : x.right > y.right;
  }
  void take(const Tile& t) {
    std::fill_n(taken_a_.begin() + t.left, t.length, 1);
    std::fill_n(taken_b_.begin() + t.right, t.length, 1);
    out_->push_back(t);
  }
  // Longest first. What is left of a match when others took from it queues again.
  void mark(u32 s) {
    std::make_heap(found_.begin(), found_.end(), later);
    while (!found_.empty() && work_ <= budget_) {
      std::pop_heap(found_.begin(), found_.end(), later);
      const Tile t = found_.back();
      found_.pop_back();
      work_ += 1 + t.length / 8;
      u32 from = 0, k = 0;
      for (; k <= t.length; ++k) {
        if (k < t.length && !taken_a_[t.left + k] && !taken_b_[t.right + k]) continue;
        if (k - from == t.length) {
          take(t);
        } else if (k - from >= s) {
          found_.push_back({t.left + from, t.right + from, k - from});
          std::push_heap(found_.begin(), found_.end(), later);
        }
        from = k + 1;
      }
    }
  }

  bool equal(u32 i, u32 j, u32 length) const {
    return std::equal(a_.begin() + i, a_.begin() + i + length, b_.begin() + j);
  }
  bool any(u32 length) {
    index(length);
    for (u32 i = 0; i < a_.size(); ++i) {
      if (free_a_[i] < length) continue;
      for (u32 j = head_[slot(hash_a_(i, length, power_))]; j != NONE; j = next_[j])
        if (equal(i, j, length)) return true;
    }
    return false;
  }
  // The longest length of which there is a match, by growing steps and halving; then all tiles of it in one pass, for its windows only ever
  // become fewer. Tiles of k lengths have k^2 / 2 tokens together, so there are at most sqrt(2 n) rounds: O(n^1.5 log n).
  void by_length(u32 shortest) {
    auto most = static_cast<u32>(std::min(a_.size(), b_.size()));
    while (most >= shortest) {
      free_runs(taken_a_, free_a_), free_runs(taken_b_, free_b_);
      most = std::min({most, *std::max_element(free_a_.begin(), free_a_.end()), *std::max_element(free_b_.begin(), free_b_.end())});
      if (most < shortest || !any(shortest)) return;
      u32 yes = most, no = most + 1;
      for (u32 step = 1; !any(yes); step *= 2) {  // the next length is mostly near
        no = yes;
        yes = yes - shortest > step ? yes - step : shortest;
      }
      while (no - yes > 1) {
        const u32 half = yes + (no - yes) / 2;
        (any(half) ? yes : no) = half;
      }
      index(yes);
      for (u32 i = 0; i < a_.size();) {
        const u32 j = free_a_[i] < yes ? NONE : partner(i, yes);
        if (j == NONE) {
          ++i;
        } else {
          take({i, j, yes});
          i += yes;
        }
      }
      most = yes - 1;
    }
  }
  bool free_window(u32 j, u32 length) const { return !taken_b_[j] && !taken_b_[j + length - 1]; }
  // The first free window of the right text that equals that of the left at i; those taken meanwhile leave the chain, but
  // for the last one: an empty slot would end the probing for others.
  u32 partner(u32 i, u32 length) {
    u32& first = head_[slot(hash_a_(i, length, power_))];
    if (first == NONE) return NONE;
    while (!free_window(first, length)) {
      if (next_[first] == NONE) return NONE;
      first = next_[first];
    }
    for (u32 j = first; j != NONE; j = next_[j])
      if (free_window(j, length) && equal(i, j, length)) return j;
    return NONE;
  }

  std::span<const u32> a_, b_;
  std::vector<Tile>* out_ = nullptr;
  WindowHashes hash_a_, hash_b_;
  std::vector<std::uint8_t> taken_a_, taken_b_;
  std::vector<u32> free_a_, free_b_, head_, next_;
  std::vector<u64> key_;
  std::vector<Tile> found_;
  u64 power_ = 0;
  std::uint64_t work_ = 0, budget_ = 0;
};

struct Tiles {
  std::vector<std::int64_t> offsets;  // of pair i
  std::vector<u32> tiles;             // three a tile: left place, right place, length; by left place
};

inline Tiles tiles(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, std::span<const u32> shortest,
                   u32 start, int threads) {
  Tiles r;
  r.offsets.assign(left.size() + 1, 0);
  std::vector<std::vector<u32>> pieces(left.size());
  std::vector<Tiler> tilers(static_cast<std::size_t>(std::max(1, threads)));
  parallel_for(static_cast<std::int64_t>(left.size()), 8, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    std::vector<Tile> found;
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      tilers[static_cast<std::size_t>(thread)].run(docs[left[k]], docs[right[k]], shortest[k], start, found);
      for (const auto& t : found) pieces[k].insert(pieces[k].end(), {t.left, t.right, t.length});
      r.offsets[k + 1] = static_cast<std::int64_t>(found.size());
    }
  });
  for (std::size_t k = 0; k < left.size(); ++k) r.offsets[k + 1] += r.offsets[k];
  for (auto& piece : pieces) {
    r.tiles.insert(r.tiles.end(), piece.begin(), piece.end());
    std::vector<u32>().swap(piece);
  }
  return r;
}

}  // namespace quchong
