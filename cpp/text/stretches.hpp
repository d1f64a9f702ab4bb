// Where stretches of tokens stand in their texts, and what is written there.
#pragma once
#include "text/batches.hpp"

namespace quchong {

struct Stretches {
  std::vector<u32> places;            // four a stretch: the window's start, the stretch's start and end, the window's end, in characters
  std::vector<std::int64_t> offsets;  // bytes of each window
  std::vector<std::uint8_t> bytes;
};

// A stretch is tokens first to last (not included) of a text, its window `margin` tokens more on both sides. Those of one text stand
// side by side. An empty stretch stands before the token that follows it, behind the last one at the end of the text.
inline Stretches stretches(const TextTables& tables, const Texts& texts, const TextOptions& options, std::span<const u32> text,
                           std::span<const u32> first, std::span<const u32> last, std::span<const std::uint8_t> margin, int threads) {
  const std::size_t n = text.size();
  std::vector<std::size_t> starts;  // pieces begin where a text does
  for (std::size_t k = 0; k < n; ++k)
    if (k == 0 || (text[k] != text[k - 1] && k - starts.back() >= 256)) starts.push_back(k);
  starts.push_back(n);
  const std::size_t pieces = starts.size() - 1;
  Stretches out{std::vector<u32>(4 * n), std::vector<std::int64_t>(n + 1), {}};
  std::vector<std::vector<std::uint8_t>> bytes(pieces);
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(pieces), 1, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    Normaliser<true> normaliser(tables, options, s);
    std::vector<u32> marks;  // byte of every 64th character
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p)
      for (std::size_t k = starts[p]; k < starts[p + 1]; ++k) {
        const auto t = texts[text[k]];
        if (k == starts[p] || text[k] != text[k - 1]) {
          normaliser.run(t.data(), static_cast<std::int64_t>(t.size()));
          marks.clear();
          u32 characters = 0;
          for (std::size_t i = 0; i < t.size(); ++i)
            if ((t[i] & 0xC0) != 0x80 && characters++ % 64 == 0) marks.push_back(static_cast<u32>(i));
        }
        const auto tokens = static_cast<u32>(s.tokens.size());
        const u32 a = std::min(first[k], tokens), b = std::clamp(last[k], a, tokens);
        const u32 wa = a - std::min<u32>(a, margin[k]), wb = std::min<u32>(tokens, b + margin[k]);
        const u32 behind = tokens ? s.token_end[tokens - 1] : 0;  // the last token's end
        u32* o = &out.places[4 * k];
        o[1] = a < tokens ? s.token_start[a] : behind;
        o[2] = b > a ? s.token_end[b - 1] : o[1];
        o[0] = wa < a ? s.token_start[wa] : o[1];
        o[3] = wb > b ? s.token_end[wb - 1] : o[2];
        const auto at = [&](u32 character) {
          std::size_t i = character / 64 < marks.size() ? marks[character / 64] : t.size();
          for (u32 left = character % 64; left > 0 && i < t.size(); --left)
            for (++i; i < t.size() && (t[i] & 0xC0) == 0x80;) ++i;
          return i;
        };
        const std::size_t begin = at(o[0]), end = at(o[3]);
        bytes[p].insert(bytes[p].end(), t.begin() + static_cast<std::ptrdiff_t>(begin), t.begin() + static_cast<std::ptrdiff_t>(std::max(begin, end)));
        out.offsets[k + 1] = static_cast<std::int64_t>(end > begin ? end - begin : 0);
      }
  });
  for (std::size_t k = 0; k < n; ++k) out.offsets[k + 1] += out.offsets[k];
  append_all(out.bytes, bytes);
  return out;
}

}  // namespace quchong
