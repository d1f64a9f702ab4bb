// Where two token sequences agree: maximal equal runs, greedily from left to right of the second text.
#pragma once
#include <unordered_map>

#include "pairs.hpp"

namespace quchong {

struct Run { u32 left, right, length; };

// Runs of at least `shortest` tokens found through equal w-shingles. At every place of b the longest run starting there
// is taken (the one that continues the last run, then the first in a, on ties); then the search goes on behind it.
// Of a shingle that occurs often in a only the first 64 places are looked at.
inline void equal_runs(std::span<const u32> a, std::span<const u32> b, int w, u32 shortest, std::vector<Run>& out) {
  out.clear();
  const std::size_t m = a.size(), n = b.size();
  if (m == 0 || n == 0) return;
  if (m == n && std::equal(a.begin(), a.end(), b.begin())) {
    out.push_back({0, 0, static_cast<u32>(n)});
    return;
  }
  std::vector<u64> ha, hb;
  shingle_hashes(a, w, ha);
  shingle_hashes(b, w, hb);
  constexpr u32 NONE = ~0u;
  std::unordered_map<u64, u32> head;
  head.reserve(ha.size() * 2);
  std::vector<u32> next(ha.size(), NONE);
  for (std::size_t i = ha.size(); i-- > 0;) {
    auto [at, fresh] = head.try_emplace(ha[i], static_cast<u32>(i));
    if (!fresh) {
      next[i] = at->second;
      at->second = static_cast<u32>(i);
    }
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
    if (auto f = head.find(hb[j]); f != head.end()) {
      int looked = 0;
      for (u32 i = f->second; i != NONE && looked < 64; i = next[i], ++looked)
        if (const u32 k = measure(i); k > length) {
          best = i;
          length = k;
        }
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
