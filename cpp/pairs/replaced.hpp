// What one of two short texts has in the place of the other's words.
#pragma once
#include "pairs/pairs.hpp"

namespace quchong {

// Per pair: one longest common subsequence is walked, and between two of its tokens (or at an end) what only the left has
// stands against what only the right has. The most one-character tokens that both sides of such a place have, or, if that
// is more, those only the left has at one place and only the right at another: moved. 0 where words are but added. Pairs with more than `max_cells` cells are left at 0.
inline void replaced_words(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, std::span<u32> out,
                           std::int64_t max_cells, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    LcsSteps lcs;
    std::vector<u32> all_gone, all_come, moved;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto a = docs[left[p]], b = docs[right[p]];
      const std::size_t m = a.size(), n = b.size();
      out[p] = 0;
      if (m == 0 || n == 0 || static_cast<std::int64_t>(m) * static_cast<std::int64_t>(n) > max_cells) continue;
      lcs.run(a, b);
      u32 gone = 0, come = 0;
      all_gone.clear();
      all_come.clear();
      const auto close = [&] {
        out[p] = std::max(out[p], std::min(gone, come));
        gone = come = 0;
      };
      lcs.walk(
          a, b, close,
          [&](u32 t) { if (is_single(t)) ++come, all_come.push_back(t); },
          [&](u32 t) { if (is_single(t)) ++gone, all_gone.push_back(t); });
      close();
      std::sort(all_gone.begin(), all_gone.end());
      std::sort(all_come.begin(), all_come.end());
      moved.clear();
      std::set_intersection(all_gone.begin(), all_gone.end(), all_come.begin(), all_come.end(), std::back_inserter(moved));
      out[p] = std::max(out[p], static_cast<u32>(moved.size()));
    }
  });
}

}  // namespace quchong
