// Of every document the distinct values that come first by a key of theirs, then by themselves: fingerprints of fixed size.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"

namespace quchong {

struct LeastValues {
  std::vector<u64> values;  // of each document ascending
  std::vector<std::int64_t> offsets;
};

// A value that is repeated in a document has one key.
inline LeastValues least_by_key(std::span<const u64> values, std::span<const u64> keys, std::span<const std::int64_t> offsets,
                                std::size_t count, int threads) {
  const std::size_t n = offsets.size() - 1;
  LeastValues out;
  out.offsets.assign(n + 1, 0);
  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u64>> pieces((n + GRAIN - 1) / GRAIN);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<std::pair<u64, u64>> both;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      both.clear();
      for (auto i = static_cast<std::size_t>(offsets[d]); i < static_cast<std::size_t>(offsets[d + 1]); ++i) both.emplace_back(keys[i], values[i]);
      std::sort(both.begin(), both.end());
      both.erase(std::unique(both.begin(), both.end()), both.end());
      const std::size_t kept = std::min(count, both.size()), before = piece.size();
      for (std::size_t i = 0; i < kept; ++i) piece.push_back(both[i].second);
      std::sort(piece.begin() + static_cast<std::ptrdiff_t>(before), piece.end());
      out.offsets[d + 1] = static_cast<std::int64_t>(kept);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  for (auto& piece : pieces) {
    out.values.insert(out.values.end(), piece.begin(), piece.end());
    std::vector<u64>().swap(piece);
  }
  return out;
}

}  // namespace quchong
