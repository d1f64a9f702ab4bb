// Shingles of many documents as sets of hashes, and MinHash values of any sets of hashes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "sketch.hpp"

namespace quchong {

struct RaggedHashes {
  std::vector<u64> values;
  std::vector<std::int64_t> offsets;
};

// Hashes of all w-shingles of every document, in order, repeated ones repeated. A document shorter than w is one shingle.
inline RaggedHashes ragged_shingles(const Ragged& docs, int w, int threads) {
  const std::size_t n = docs.size();
  RaggedHashes out;
  out.offsets.assign(n + 1, 0);
  for (std::size_t d = 0; d < n; ++d) {
    const auto tokens = static_cast<std::int64_t>(docs[d].size());
    out.offsets[d + 1] = out.offsets[d] + (tokens >= w ? tokens - w + 1 : tokens > 0);
  }
  out.values.resize(static_cast<std::size_t>(out.offsets[n]));
  parallel_for(static_cast<std::int64_t>(n), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<u64> h;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      shingle_hashes(docs[d], w, h);
      std::copy(h.begin(), h.end(), out.values.begin() + out.offsets[d]);
    }
  });
  return out;
}

// k-mins (Broder 1997a) of sets given as hashes: the functions of `k_mins` in sketch.hpp.
inline void set_mins(std::span<const u64> values, std::span<const std::int64_t> offsets, int num_perm, u64 seed,
                     std::span<u32> out, int threads) {
  const Minima minima(num_perm, seed);
  const auto n = static_cast<std::int64_t>(offsets.size()) - 1;
  parallel_for(n, 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto begin = static_cast<std::size_t>(offsets[d]), count = static_cast<std::size_t>(offsets[d + 1]) - begin;
      minima(values.subspan(begin, count), &out[d * static_cast<std::size_t>(num_perm)]);
    }
  });
}

}  // namespace quchong
