// The loops worth a wide instruction set, as plain functions on pointers. Included once per instruction set,
// inside its own namespace (QUCHONG_LOOPS); no standard-library templates in here.
#include <cstdint>

namespace quchong {
namespace QUCHONG_LOOPS {

static inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

template <int W>
static void shingles_of(const std::uint32_t* t, std::int64_t count, const std::uint64_t* c, std::uint64_t* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t x = 0;
    for (int j = 0; j < W; ++j) x += t[i + j] * c[j];
    out[i] = mix(x);
  }
}

// out[i] = mix(sum over j of t[i + j] * c[j]) for i in [0, count)
void shingles(const std::uint32_t* t, std::int64_t count, int w, const std::uint64_t* c, std::uint64_t* out) {
  switch (w) {
    case 1: return shingles_of<1>(t, count, c, out);
    case 2: return shingles_of<2>(t, count, c, out);
    case 3: return shingles_of<3>(t, count, c, out);
    case 4: return shingles_of<4>(t, count, c, out);
    case 5: return shingles_of<5>(t, count, c, out);
    default:
      for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t x = 0;
        for (int j = 0; j < w; ++j) x += t[i + j] * c[j];
        out[i] = mix(x);
      }
  }
}

// In place: h[i] = min of h[i .. i + w - 1] for i in [0, count - w]; count >= w.
void window_minima(std::uint64_t* h, std::int64_t count, int w) {
  int span = 1;
  while (span * 2 <= w) {
    for (std::int64_t i = 0; i + span < count; ++i) h[i] = h[i] < h[i + span] ? h[i] : h[i + span];
    count -= span;
    span *= 2;
  }
  if (const int rest = w - span)
    for (std::int64_t i = 0; i + rest < count; ++i) h[i] = h[i] < h[i + rest] ? h[i] : h[i + rest];
}

// low[p] = min over i of v(h[i], p) for the functions p in [0, num_perm), num_perm a multiple of 16.
// v = y ^ y >> 15 with y = lo * a[p] + hi * b[p], times c[p]; lo and hi are the halves of h[i].
void k_mins(const std::uint64_t* h, std::int64_t count, const std::uint32_t* a, const std::uint32_t* b,
            const std::uint32_t* c, int num_perm, std::uint32_t* low) {
  constexpr int LANES = 32;
  for (int p0 = 0; p0 < num_perm; p0 += LANES) {
    const int width = num_perm - p0 < LANES ? num_perm - p0 : LANES;
    if (width == LANES) {
      std::uint32_t best[LANES];
      for (int p = 0; p < LANES; ++p) best[p] = low[p0 + p];
      for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t lo = static_cast<std::uint32_t>(h[i]), hi = static_cast<std::uint32_t>(h[i] >> 32);
        for (int p = 0; p < LANES; ++p) {
          std::uint32_t y = lo * a[p0 + p] + hi * b[p0 + p];
          y = (y ^ y >> 15) * c[p0 + p];
          best[p] = y < best[p] ? y : best[p];
        }
      }
      for (int p = 0; p < LANES; ++p) low[p0 + p] = best[p];
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t lo = static_cast<std::uint32_t>(h[i]), hi = static_cast<std::uint32_t>(h[i] >> 32);
        for (int p = p0; p < p0 + width; ++p) {
          std::uint32_t y = lo * a[p] + hi * b[p];
          y = (y ^ y >> 15) * c[p];
          if (y < low[p]) low[p] = y;
        }
      }
    }
  }
}

// Hashes of words of up to sixteen letters below U+0100 (FNV-1a, then mix32). The letters of word i are the bytes of letters[4 * i] and of
// the three after it, the first in the lowest byte; 0 where it has none.
void word_hashes(const std::uint32_t* letters, std::int64_t count, std::uint32_t* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t h = 0x811C9DC5u;
    for (int x = 0; x < 16; ++x) {
      const std::uint32_t c = letters[4 * i + x / 4] >> 8 * (x % 4) & 0xFF, next = (h ^ c) * 0x01000193u;
      h = c ? next : h;
    }
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    out[i] = h ^ h >> 16;
  }
}

// h[i] = mix(h[i] ^ salt)
void remix(std::uint64_t* h, std::int64_t count, std::uint64_t salt) {
  for (std::int64_t i = 0; i < count; ++i) h[i] = mix(h[i] ^ salt);
}

// Bit p of the result is set iff more than half of h[0 .. count) have it. The 64 counters are held as bit planes, eight
// lanes of them, and 64 hashes go in at a time through a tree of carry-save adders (Harley and Seal).
std::uint64_t majority(const std::uint64_t* h, std::int64_t count) {
  constexpr int LANES = 8, BLOCK = 64, PLANES = 48;
  std::uint64_t plane[PLANES][LANES];
  std::uint64_t rest[BLOCK], carry[LANES];
  int used = 3;  // planes in use
  for (int p = 0; p < used; ++p)
    for (int l = 0; l < LANES; ++l) plane[p][l] = 0;
  std::uint64_t block = 0;
  for (std::int64_t i = 0; i < count; i += BLOCK) {
    const std::uint64_t* x = h + i;
    if (count - i < BLOCK) {  // zeros add nothing
      for (int j = 0; j < BLOCK; ++j) rest[j] = j < count - i ? x[j] : 0;
      x = rest;
    }
    for (int l = 0; l < LANES; ++l) {
      std::uint64_t ones = plane[0][l], twos = plane[1][l], fours = plane[2][l], a, b, c, d, t;
#define QUCHONG_ADD(high, low, p, q) \
  t = low ^ (p);                     \
  high = (low & (p)) | (t & (q));    \
  low = t ^ (q);
      QUCHONG_ADD(a, ones, x[l], x[8 + l])
      QUCHONG_ADD(b, ones, x[16 + l], x[24 + l])
      QUCHONG_ADD(c, twos, a, b)
      QUCHONG_ADD(a, ones, x[32 + l], x[40 + l])
      QUCHONG_ADD(b, ones, x[48 + l], x[56 + l])
      QUCHONG_ADD(d, twos, a, b)
      QUCHONG_ADD(a, fours, c, d)
#undef QUCHONG_ADD
      plane[0][l] = ones;
      plane[1][l] = twos;
      plane[2][l] = fours;
      carry[l] = a;
    }
    if (++block >> (used - 3)) {  // a lane holds at most 8 * block
      for (int l = 0; l < LANES; ++l) plane[used][l] = 0;
      ++used;
    }
    for (int p = 3; p < used; ++p)
      for (int l = 0; l < LANES; ++l) {
        const std::uint64_t both = plane[p][l] & carry[l];
        plane[p][l] ^= carry[l];
        carry[l] = both;
      }
  }
  for (int half = LANES / 2; half; half /= 2) {  // lanes added to each other
    for (int l = 0; l < half; ++l) carry[l] = 0;
    for (int p = 0; p < used; ++p)
      for (int l = 0; l < half; ++l) {
        const std::uint64_t a = plane[p][l], b = plane[p][l + half], either = a ^ b;
        plane[p][l] = either ^ carry[l];
        carry[l] = (a & b) | (either & carry[l]);
      }
    for (int l = 0; l < half; ++l) plane[used][l] = carry[l];
    ++used;
  }
  std::uint64_t more = 0, equal = ~0ull;  // counter > count / 2, all 64 at once
  for (int p = used; p-- > 0;) {
    const std::uint64_t half = count / 2 >> p & 1 ? ~0ull : 0;
    more |= equal & plane[p][0] & ~half;
    equal &= ~(plane[p][0] ^ half);
  }
  return more;
}

// sums[p] += w[i] for every i whose h[i] has bit p, p in [0, 64)
void weigh(const std::uint64_t* h, const std::uint32_t* w, std::int64_t count, std::uint64_t* sums) {
  std::uint64_t own[64];
  for (int p = 0; p < 64; ++p) own[p] = sums[p];
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t x = h[i], weight = w[i];
    for (int p = 0; p < 64; ++p) own[p] += weight & (0 - (x >> p & 1));
  }
  for (int p = 0; p < 64; ++p) sums[p] = own[p];
}

}  // namespace QUCHONG_LOOPS
}  // namespace quchong
