// The paths of words inside sentences that a corpus tree would have as nodes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "pairs/pairs.hpp"
#include "sets/sets.hpp"
#include "text/batches.hpp"

namespace quchong {

// From every token on the runs of 1 to `depth` tokens of its sentence, as distinct hashes; a path weighs what its tokens do.
// `sentence` and `weight` have one entry a token; equal numbers side by side are one sentence.
template <class T>
OwnedSets path_sets(const RaggedOf<T>& docs, std::span<const u32> sentence, std::span<const u32> weight, int depth, int threads) {
  const std::size_t n = docs.size();
  constexpr std::int64_t GRAIN = 64;
  struct Path {
    u64 value;
    u32 weight;
    bool operator<(const Path& o) const { return value != o.value ? value < o.value : weight < o.weight; }
  };
  struct Piece {
    std::vector<u64> values;
    std::vector<u32> weights;
  };
  std::vector<Piece> pieces((n + GRAIN - 1) / GRAIN);
  OwnedSets out;
  out.offsets.assign(n + 1, 0);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<Path> paths;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      paths.clear();
      const auto a = static_cast<std::size_t>(docs.offsets[d]), b = static_cast<std::size_t>(docs.offsets[d + 1]);
      for (std::size_t i = a; i < b; ++i) {
        u64 x = 0;
        u32 w = 0;
        for (std::size_t j = 0; j < static_cast<std::size_t>(depth) && i + j < b && sentence[i + j] == sentence[i]; ++j) {
          x += docs.tokens[i + j] * COEFFICIENTS.c[j];
          w += weight[i + j];
          paths.push_back({mix64(x + (j + 1) * COEFFICIENTS.c[MAX_NGRAM - 1]), w});
        }
      }
      std::sort(paths.begin(), paths.end());
      const std::size_t before = piece.values.size();
      for (const auto& p : paths) {
        if (piece.values.size() > before && piece.values.back() == p.value) continue;
        piece.values.push_back(p.value);
        piece.weights.push_back(p.weight);
      }
      out.offsets[d + 1] = static_cast<std::int64_t>(piece.values.size() - before);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  out.values.reserve(static_cast<std::size_t>(out.offsets[n]));
  out.weights.reserve(static_cast<std::size_t>(out.offsets[n]));
  for (auto& p : pieces) {
    out.values.insert(out.values.end(), p.values.begin(), p.values.end());
    out.weights.insert(out.weights.end(), p.weights.begin(), p.weights.end());
    p = Piece{};
  }
  return out;
}

}  // namespace quchong
