// The hash functions of the core. Fixed for ever: stored digests and sketches depend on them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace quchong {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u64 GOLDEN = 0x9E3779B97F4A7C15ull;

// splitmix64 finaliser (Steele, Lea, Flood 2014)
constexpr u64 mix64(u64 x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// Coefficient of position j in a shingle: odd, so that one changed token always changes the sum.
constexpr u64 coefficient(int j) { return mix64(GOLDEN * static_cast<u64>(j + 1)) | 1; }

// murmur3 finaliser
constexpr u32 mix32(u32 h) {
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ h >> 16;
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 u128;
inline u64 fold128(u64 a, u64 b) {
  const u128 p = static_cast<u128>(a) * b;
  return static_cast<u64>(p) ^ static_cast<u64>(p >> 64);
}
#else
inline u64 fold128(u64 a, u64 b) {
  const u64 al = a & 0xFFFFFFFF, ah = a >> 32, bl = b & 0xFFFFFFFF, bh = b >> 32;
  const u64 ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
  const u64 mid = (ll >> 32) + (lh & 0xFFFFFFFF) + (hl & 0xFFFFFFFF);
  return ((mid << 32) | (ll & 0xFFFFFFFF)) ^ (hh + (lh >> 32) + (hl >> 32) + (mid >> 32));
}
#endif

// 64-bit hash of a sequence of characters; two seeds make the 128-bit digest of a normal form.
inline u64 sequence_hash(std::span<const u32> s, u64 seed) {
  u64 h = mix64(seed + GOLDEN);
  const std::size_t n = s.size();
  for (std::size_t i = 0; i < n; i += 4) {
    u64 w0 = 0, w1 = 0;
    if (i < n) w0 = s[i];
    if (i + 1 < n) w0 |= static_cast<u64>(s[i + 1]) << 32;
    if (i + 2 < n) w1 = s[i + 2];
    if (i + 3 < n) w1 |= static_cast<u64>(s[i + 3]) << 32;
    h = fold128(w0 ^ h ^ 0xA0761D6478BD642Full, w1 ^ 0xE7037ED1A0B428DBull) + GOLDEN * (i + 1) + (h >> 7);
  }
  return mix64(h ^ n);
}

}  // namespace quchong
