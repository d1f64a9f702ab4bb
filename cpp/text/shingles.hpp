// Shingles of tokens, their hashes, and winnowing.
#pragma once
#include <bit>

#include "hash.hpp"
#include "machine/dispatch.hpp"

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

// Winnowing (Schleimer 2003): the least hash of every window of `window` shingles, in
// order, one for each stretch of windows it holds for. With fewer shingles than a window: the least of all. Destroys `hashes`.
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
}

// Winnowing with places: put(place) for the rightmost least hash of every window of `window` of them, each place once, in order.
// With fewer hashes than a window none. A window is looked through again only when its least leaves it: about two steps a hash.
template <class Put>
void rightmost_minima(std::span<const u64> hashes, std::size_t window, Put&& put) {
  std::size_t least = 0;
  bool known = false;
  for (std::size_t last = window - 1; last < hashes.size(); ++last) {
    const std::size_t first = last + 1 - window, before = least;
    if (!known || least < first) {
      least = first;
      for (std::size_t i = first + 1; i <= last; ++i)
        if (hashes[i] <= hashes[least]) least = i;
    } else if (hashes[last] <= hashes[least]) {
      least = last;
    }
    if (!known || least != before) put(least);
    known = true;
  }
}

// A set of hashes in an open table, for intersecting one document with many. Which of its members were met is kept
// in a bit map beside it, so that a shingle met twice counts once.
class HashSet {
 public:
  void clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 3 * expected) size *= 2;
    if (slots_.size() < size) slots_.resize(size);
    std::fill(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(size), 0);
    mask_ = size - 1;
  }
  bool insert(u64 h) {
    h += h == 0;  // 0 marks an empty slot
    for (std::size_t i = h & mask_;; i = (i + 1) & mask_) {
      if (slots_[i] == h) return false;
      if (slots_[i] == 0) {
        slots_[i] = h;
        return true;
      }
    }
  }
  // How many members of the set stand in `hashes`.
  u32 shared(const std::vector<u64>& hashes) {
    met_.assign((mask_ >> 6) + 1, 0);
    for (u64 h : hashes) {
      h += h == 0;
      std::size_t i = h & mask_;
      while (slots_[i] != h && slots_[i] != 0) i = (i + 1) & mask_;
      met_[i >> 6] |= static_cast<u64>(slots_[i] == h) << (i & 63);
    }
    u32 n = 0;
    for (u64 m : met_) n += static_cast<u32>(std::popcount(m));
    return n;
  }

 private:
  std::vector<u64> slots_, met_;
  std::size_t mask_ = 0;
};

}  // namespace quchong
