// Shingles of many documents as sets of hashes, and MinHash values of any sets of hashes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "pairs.hpp"

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

// k-mins (Broder 1997) of sets given as hashes: the functions of `k_mins` in sketch.hpp.
inline void set_mins(std::span<const u64> values, std::span<const std::int64_t> offsets, int num_perm, u64 seed,
                     std::span<u32> out, int threads) {
  const auto perms = static_cast<std::size_t>(num_perm);
  std::vector<u32> a(perms), b(perms), c(perms);
  for (std::size_t p = 0; p < perms; ++p) {
    a[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 1))) | 1;
    b[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 2))) | 1;
    c[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 3))) | 1;
  }
  const auto n = static_cast<std::int64_t>(offsets.size()) - 1;
  parallel_for(n, 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      u32* low = &out[d * perms];
      std::fill(low, low + perms, ~0u);
      loops().k_mins(values.data() + offsets[d], offsets[d + 1] - offsets[d], a.data(), b.data(), c.data(), num_perm, low);
    }
  });
}

}  // namespace quchong
