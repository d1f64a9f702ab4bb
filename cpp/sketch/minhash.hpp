// MinHash signatures of shingle sets and of any sets of hashes: exact k-mins, and one permutation with optimal densification.
#pragma once
#include "pairs/pairs.hpp"

namespace quchong {

// The functions of k-mins, and the least value of each over some hashes.
class Minima {
 public:
  Minima(int num_perm, u64 seed) : a_(static_cast<std::size_t>(num_perm)), b_(a_.size()), c_(a_.size()) {
    for (std::size_t p = 0; p < a_.size(); ++p) {
      a_[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 1))) | 1;
      b_[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 2))) | 1;
      c_[p] = static_cast<u32>(mix64(seed + GOLDEN * (3 * p + 3))) | 1;
    }
  }
  void operator()(std::span<const u64> hashes, u32* low) const {
    std::fill(low, low + a_.size(), ~0u);
    loops().k_mins(hashes.data(), static_cast<std::int64_t>(hashes.size()), a_.data(), b_.data(), c_.data(), static_cast<int>(a_.size()), low);
  }

 private:
  std::vector<u32> a_, b_, c_;
};

// k-mins (Broder 1997a): value p is the least of function p over the shingles.
inline void k_mins(const Ragged& docs, int w, int num_perm, u64 seed, std::span<u32> out, int threads) {
  const Minima minima(num_perm, seed);
  parallel_for(static_cast<std::int64_t>(docs.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<u64> h;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      shingle_hashes(docs[d], w, h);
      minima(h, &out[d * static_cast<std::size_t>(num_perm)]);
    }
  });
}

// One permutation hashing (Li 2012) with optimal densification (Shrivastava 2017): the range is cut into
// num_perm bins, each keeps its least value; an empty bin borrows from bins drawn by its own fixed sequence.
inline void one_permutation(const Ragged& docs, int w, int num_perm, u64 seed, std::span<u32> out, int threads) {
  const auto perms = static_cast<std::size_t>(num_perm);
  const u64 salt = mix64(seed + GOLDEN);
  parallel_for(static_cast<std::int64_t>(docs.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<u64> h;
    std::vector<std::uint8_t> filled(perms);
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      shingle_hashes(docs[d], w, h);
      u32* low = &out[d * perms];
      std::fill(low, low + perms, ~0u);
      if (h.empty()) continue;
      std::fill(filled.begin(), filled.end(), 0);
      for (u64 x : h) {
        const u64 y = mix64(x ^ salt);
        const auto bin = static_cast<std::size_t>((y >> 32) * perms >> 32);
        const u32 value = static_cast<u32>(y);
        if (value < low[bin]) low[bin] = value;
        filled[bin] = 1;
      }
      for (std::size_t bin = 0; bin < perms; ++bin) {
        if (filled[bin]) continue;
        for (u64 attempt = 1;; ++attempt) {
          const auto from_bin = static_cast<std::size_t>((mix64(seed + (static_cast<u64>(bin) << 32 | attempt) * GOLDEN) >> 32) * perms >> 32);
          if (filled[from_bin]) {
            low[bin] = low[from_bin];
            break;
          }
        }
      }
    }
  });
}

// Keys of the bands of signatures: band b hashes rows values and its own number.
inline void band_keys(std::span<const u32> signatures, std::size_t n, int num_perm, int bands, int rows, std::span<u64> out, int threads) {
  parallel_for(static_cast<std::int64_t>(n), 1024, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d)
      for (int b = 0; b < bands; ++b)
        out[d * static_cast<std::size_t>(bands) + static_cast<std::size_t>(b)] =
            sequence_hash(signatures.subspan(d * static_cast<std::size_t>(num_perm) + static_cast<std::size_t>(b * rows), static_cast<std::size_t>(rows)),
                          static_cast<u64>(b));
  });
}

// k-mins (Broder 1997a) of sets given as hashes: the functions of `k_mins`.
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
