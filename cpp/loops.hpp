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

}  // namespace QUCHONG_LOOPS
}  // namespace quchong
