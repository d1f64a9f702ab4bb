// Shingles of tokens, their hashes, and winnowing.
#pragma once
#include "dispatch.hpp"
#include "hash.hpp"

namespace quchong {

inline constexpr int MAX_NGRAM = 64;

struct Coefficients {
  u64 c[MAX_NGRAM];
  constexpr Coefficients() : c() {
    for (int j = 0; j < MAX_NGRAM; ++j) c[j] = coefficient(j);
  }
};
inline constexpr Coefficients COEFFICIENTS;

// Hashes of all w-shingles in order. A text shorter than w is one shingle; an empty one has none.
inline void shingle_hashes(std::span<const u32> tokens, int w, std::vector<u64>& out) {
  const auto n = static_cast<std::int64_t>(tokens.size());
  if (n >= w) {
    out.resize(static_cast<std::size_t>(n - w + 1));
    loops().shingles(tokens.data(), n - w + 1, w, COEFFICIENTS.c, out.data());
    return;
  }
  out.clear();
  if (n == 0) return;
  u64 x = static_cast<u64>(w - n) * COEFFICIENTS.c[MAX_NGRAM - 1];
  for (std::int64_t j = 0; j < n; ++j) x += tokens[static_cast<std::size_t>(j)] * COEFFICIENTS.c[j];
  out.push_back(mix64(x));
}

// Winnowing (Schleimer, Wilkerson, Aiken 2003): the least hash of every window of `window` shingles, distinct,
// ascending. With fewer shingles than a window: the least of all. Destroys `hashes`.
inline void winnow(std::vector<u64>& hashes, int window, std::vector<u64>& out) {
  out.clear();
  const auto n = static_cast<std::int64_t>(hashes.size());
  if (n == 0) return;
  if (n < window) {
    out.push_back(*std::min_element(hashes.begin(), hashes.end()));
    return;
  }
  loops().window_minima(hashes.data(), n, window);
  // A minimum holds for several windows: keep the first of each stretch, without a branch to mispredict.
  const auto windows = static_cast<std::size_t>(n - window + 1);
  out.resize(windows);
  u64* to = out.data();
  u64 before = ~hashes[0];
  for (std::size_t i = 0; i < windows; ++i) {
    *to = hashes[i];
    to += hashes[i] != before;
    before = hashes[i];
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

// A set of hashes that is emptied in no time: for intersecting one document with many.
class HashSet {
 public:
  void clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    if (slots_.size() < size) {
      slots_.assign(size, Slot{});
      epoch_ = 0;
    }
    mask_ = slots_.size() - 1;
    // A small set after a large one uses the front of the table only: it stays in the cache.
    mask_ = std::min(mask_, size - 1);
    if (++epoch_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{});
      epoch_ = 1;
    }
  }
  bool insert(u64 h) {
    for (std::size_t i = h & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].epoch != epoch_) {
        slots_[i] = {h, epoch_, 0};
        return true;
      }
      if (slots_[i].hash == h) return false;
    }
  }
  // True the first time `visitor` meets a hash of the set.
  bool meet(u64 h, u32 visitor) {
    for (std::size_t i = h & mask_; slots_[i].epoch == epoch_; i = (i + 1) & mask_)
      if (slots_[i].hash == h) {
        if (slots_[i].visitor == visitor) return false;
        slots_[i].visitor = visitor;
        return true;
      }
    return false;
  }

 private:
  struct Slot {
    u64 hash = 0;
    u32 epoch = 0, visitor = 0;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  u32 epoch_ = 0;
};

}  // namespace quchong
