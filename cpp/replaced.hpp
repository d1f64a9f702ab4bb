// What one of two short texts has in the place of the other's words.
#pragma once
#include "pairs.hpp"

namespace quchong {

// Per pair: one longest common subsequence is walked, and between two of its tokens (or at an end) what only the left has
// stands against what only the right has. The most one-character tokens that both sides of such a place have: 0 where
// nothing is replaced. Pairs with more than `max_cells` cells are left at 0.
inline void replaced_words(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, std::span<u32> out,
                           std::int64_t max_cells, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    LcsSteps lcs;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto a = docs[left[p]], b = docs[right[p]];
      const std::size_t m = a.size(), n = b.size();
      out[p] = 0;
      if (m == 0 || n == 0 || static_cast<std::int64_t>(m) * static_cast<std::int64_t>(n) > max_cells) continue;
      lcs.run(a, b);
      u32 gone = 0, come = 0;
      const auto close = [&] {
        out[p] = std::max(out[p], std::min(gone, come));
        gone = come = 0;
      };
      std::size_t i = 0, j = 0;
      while (i < m || j < n) {
        if (i < m && j < n && a[i] == b[j]) {
          close();
          ++i, ++j;
        } else if (j < n && (i == m || !lcs.steps(i, j))) {
          come += is_single(b[j++]);
        } else {
          gone += is_single(a[i++]);
        }
      }
      close();
    }
  });
}

}  // namespace quchong
