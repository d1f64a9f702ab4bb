// Shingles of tokens, their hashes, and winnowing.
#pragma once
#include <algorithm>
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

// The same of tokens that are given by their names.
inline void shingle_hashes(std::span<const u64> names, int w, std::vector<u64>& out) {
  const auto n = static_cast<std::int64_t>(names.size());
  out.clear();
  if (n == 0) return;
  const std::int64_t count = std::max<std::int64_t>(1, n - w + 1), width = std::min<std::int64_t>(w, n);
  out.resize(static_cast<std::size_t>(count));
  const u64 lacking = n < w ? static_cast<u64>(w - n) * COEFFICIENTS.c[MAX_NGRAM - 1] : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    u64 x = lacking;
    for (std::int64_t j = 0; j < width; ++j) x += names[static_cast<std::size_t>(i + j)] * COEFFICIENTS.c[j];
    out[static_cast<std::size_t>(i)] = mix64(x);
  }
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

// A set of hashes in an open table.
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

 private:
  std::vector<u64> slots_;
  std::size_t mask_ = 0;
};

// The distinct shingles of one document, for intersecting it with many. A hash only says where to look: shingles are equal where their
// tokens are. Which members were met is kept in a bit map, so that a shingle met twice counts once.
class ShingleSet {
 public:
  // Takes the shingles of `tokens` in; returns how many different ones there are. The tokens must stay where they are.
  u32 fill(std::span<const u32> tokens, int w) {
    tokens_ = tokens.data();
    width_ = std::min<std::size_t>(static_cast<std::size_t>(w), tokens.size());
    shingle_hashes(tokens, w, hashes_);
    std::size_t size = 64;
    while (size < 3 * hashes_.size()) size *= 2;
    if (slots_.size() < size) slots_.resize(size), places_.resize(size);
    std::fill(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(size), 0);
    mask_ = size - 1;
    u32 distinct = 0;
    for (std::size_t k = 0; k < hashes_.size(); ++k) {
      const u64 h = hashes_[k] + (hashes_[k] == 0);  // 0 marks an empty slot
      const std::size_t i = find(h, tokens_ + k);
      if (slots_[i]) continue;
      slots_[i] = h;
      places_[i] = static_cast<u32>(k);
      ++distinct;
    }
    return distinct;
  }
  // How many members of the set are shingles of `tokens` too, at the same width.
  u32 shared(std::span<const u32> tokens, int w) {
    if (std::min<std::size_t>(static_cast<std::size_t>(w), tokens.size()) != width_) return 0;
    shingle_hashes(tokens, w, hashes_);
    met_.assign((mask_ >> 6) + 1, 0);
    for (std::size_t k = 0; k < hashes_.size(); ++k) {
      const u64 h = hashes_[k] + (hashes_[k] == 0);
      const std::size_t i = find(h, tokens.data() + k);
      met_[i >> 6] |= static_cast<u64>(slots_[i] == h) << (i & 63);
    }
    u32 n = 0;
    for (u64 m : met_) n += static_cast<u32>(std::popcount(m));
    return n;
  }

 private:
  // The slot of a shingle, or an empty one.
  std::size_t find(u64 h, const u32* shingle) const {
    std::size_t i = h & mask_;
    while (slots_[i] != 0 && (slots_[i] != h || !std::equal(shingle, shingle + width_, tokens_ + places_[i]))) i = (i + 1) & mask_;
    return i;
  }

  const u32* tokens_ = nullptr;
  std::size_t width_ = 0, mask_ = 0;
  std::vector<u64> slots_, hashes_, met_;
  std::vector<u32> places_;
};

}  // namespace quchong
