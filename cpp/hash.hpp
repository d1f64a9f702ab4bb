// The hash functions of the core. Fixed for ever: stored digests and sketches depend on them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace quchong {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u64 GOLDEN = 0x9E3779B97F4A7C15ull;

// splitmix64 finaliser (Steele 2014)
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

// The hash of a word: FNV-1a over its letters, then mix32. `letter_hash` takes in one more letter.
inline constexpr u32 WORD_SEED = 0x811C9DC5u;
constexpr u32 letter_hash(u32 h, u32 letter) { return (h ^ letter) * 0x01000193u; }
constexpr u32 word_hash(std::span<const u32> word) {
  u32 h = WORD_SEED;
  for (u32 c : word) h = letter_hash(h, c);
  return mix32(h);
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

// One step of the sequence hash over four characters.
inline u64 absorb(u64 h, u64 w0, u64 w1, std::size_t i) {
  return fold128(w0 ^ h ^ 0xA0761D6478BD642Full, w1 ^ 0xE7037ED1A0B428DBull) + GOLDEN * (i + 1) + (h >> 7);
}

// 64-bit hashes of a sequence of characters, one for each seed, in one pass. Two make the digest of a normal form.
template <std::size_t N>
inline void sequence_hashes(std::span<const u32> s, const u64 (&seeds)[N], u64 (&out)[N]) {
  for (std::size_t k = 0; k < N; ++k) out[k] = mix64(seeds[k] + GOLDEN);
  const std::size_t n = s.size(), whole = n & ~std::size_t{3};
  for (std::size_t i = 0; i < whole; i += 4) {
    const u64 w0 = s[i] | static_cast<u64>(s[i + 1]) << 32, w1 = s[i + 2] | static_cast<u64>(s[i + 3]) << 32;
    for (std::size_t k = 0; k < N; ++k) out[k] = absorb(out[k], w0, w1, i);
  }
  if (whole < n) {
    const u64 w0 = s[whole] | (whole + 1 < n ? static_cast<u64>(s[whole + 1]) << 32 : 0), w1 = whole + 2 < n ? s[whole + 2] : 0;
    for (std::size_t k = 0; k < N; ++k) out[k] = absorb(out[k], w0, w1, whole);
  }
  for (std::size_t k = 0; k < N; ++k) out[k] = mix64(out[k] ^ n);
}

inline u64 sequence_hash(std::span<const u32> s, u64 seed) {
  u64 out[1];
  sequence_hashes<1>(s, {seed}, out);
  return out[0];
}

}  // namespace quchong
