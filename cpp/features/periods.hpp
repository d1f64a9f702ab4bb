// What stands before (and after) each Chinese full stop, as features.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "text/batches.hpp"

namespace quchong {

inline constexpr u64 PERIOD_SEED = 0x3002;
inline constexpr u32 FULL_STOP = 0x3002, HALF_STOP = 0xFF61;

// White space as Unicode has it, and what browsers treat as such.
inline bool is_blank(u32 c) {
  return c <= 0x20 || c == 0x7F || (c >= 0x80 && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200D) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x2060 || c == 0x3000 || c == 0xFEFF;
}

// What closes a quotation or a bracket behind a full stop: it belongs to what stands before.
inline bool is_closer(u32 c) {
  for (u32 k : {0x201Du, 0x2019u, 0x300Du, 0x300Fu, 0x300Bu, 0x3009u, 0x3011u, 0xFF09u, 0x29u, 0x22u, 0x27u, 0x5Du, 0xFF3Du, 0x3015u})
    if (c == k) return true;
  return false;
}

struct PeriodFeatures {
  std::vector<u64> values;
  std::vector<std::int64_t> offsets;
};

// For every full stop the `before` characters before it, as far back as the one before, and the `after` ones behind it, as
// far as the next. White space counts nowhere; closers right behind a full stop are left out. Nothing before: no feature.
inline PeriodFeatures period_features(const Texts& texts, int before, int after, int threads) {
  const std::int64_t n = texts.size();
  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u64>> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  PeriodFeatures out;
  out.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<u32> s, feature;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const Utf8 text{reinterpret_cast<const unsigned char*>(texts[d].data()), static_cast<std::int64_t>(texts[d].size())};
      s.clear();
      bool closing = false;
      for (std::int64_t i = 0; i < text.n;) {
        int length;
        u32 c = text.at(i, length);
        i += length;
        if (is_blank(c)) continue;
        if (closing && is_closer(c)) continue;
        if (c == HALF_STOP) c = FULL_STOP;
        closing = c == FULL_STOP;
        s.push_back(c);
      }
      const std::size_t start = piece.size();
      std::size_t segment = 0;  // where the text since the last full stop begins
      for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] != FULL_STOP) continue;
        if (i > segment) {
          const std::size_t first = std::max(segment, i - std::min<std::size_t>(i, static_cast<std::size_t>(before)));
          feature.assign(s.begin() + static_cast<std::ptrdiff_t>(first), s.begin() + static_cast<std::ptrdiff_t>(i));
          if (after > 0) {
            feature.push_back(FULL_STOP);
            for (std::size_t j = i + 1; j < s.size() && j <= i + static_cast<std::size_t>(after) && s[j] != FULL_STOP; ++j) feature.push_back(s[j]);
          }
          piece.push_back(sequence_hash(feature, PERIOD_SEED));
        }
        segment = i + 1;
      }
      out.offsets[d + 1] = static_cast<std::int64_t>(piece.size() - start);
    }
  });
  for (std::size_t d = 0; d < static_cast<std::size_t>(n); ++d) out.offsets[d + 1] += out.offsets[d];
  out.values.reserve(static_cast<std::size_t>(out.offsets.back()));
  for (auto& p : pieces) out.values.insert(out.values.end(), p.begin(), p.end());
  return out;
}

}  // namespace quchong
