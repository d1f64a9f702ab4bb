// Where two token sequences agree: maximal equal runs, greedily from left to right of the second text.
#pragma once
#include "pairs.hpp"

namespace quchong {

struct Run { u32 left, right, length; };

// Buffers of one thread, and where each shingle of `a` stands: heads of chains in an open table.
struct RunScratch {
  std::vector<u64> ha, hb;
  std::vector<u32> head, next;
};

// Runs of at least `shortest` tokens found through equal w-shingles. At every place of b the longest run starting there
// is taken (the one that continues the last run, then the first in a, on ties); then the search goes on behind it.
// Of a shingle that occurs often in a only the first 64 places are looked at.
inline void equal_runs(std::span<const u32> a, std::span<const u32> b, int w, u32 shortest, RunScratch& s, std::vector<Run>& out) {
  out.clear();
  const std::size_t m = a.size(), n = b.size();
  if (m == 0 || n == 0) return;
  if (m == n && std::equal(a.begin(), a.end(), b.begin())) {
    out.push_back({0, 0, static_cast<u32>(n)});
    return;
  }
  auto& [ha, hb, head, next] = s;
  shingle_hashes(a, w, ha);
  shingle_hashes(b, w, hb);
  constexpr u32 NONE = ~0u;
  std::size_t slots = 64;
  while (slots < 2 * ha.size()) slots *= 2;
  head.assign(slots, NONE);
  next.resize(ha.size());
  const auto slot = [&](u64 h) {
    std::size_t i = h & (slots - 1);
    while (head[i] != NONE && ha[head[i]] != h) i = (i + 1) & (slots - 1);
    return i;
  };
  for (std::size_t i = ha.size(); i-- > 0;) {
    const std::size_t at = slot(ha[i]);
    next[i] = head[at];
    head[at] = static_cast<u32>(i);
  }
  std::size_t expected = m + 1;
  for (std::size_t j = 0; j < hb.size();) {
    u32 best = NONE, length = 0;
    auto measure = [&](std::size_t i) {
      u32 k = 0;
      while (i + k < m && j + k < n && a[i + k] == b[j + k]) ++k;
      return k;
    };
    if (expected < m) {
      length = measure(expected);
      if (length > 0) best = static_cast<u32>(expected);
    }
    int looked = 0;
    for (u32 i = head[slot(hb[j])]; i != NONE && looked < 64; i = next[i], ++looked)
      if (const u32 k = measure(i); k > length) {
        best = i;
        length = k;
      }
    if (best != NONE && length >= shortest) {
      out.push_back({best, static_cast<u32>(j), length});
      j += length;
      expected = best + length;
    } else {
      ++j;
      expected = expected < m ? expected + 1 : expected;
    }
  }
}

}  // namespace quchong
