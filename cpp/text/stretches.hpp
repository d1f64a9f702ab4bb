// Where stretches of tokens stand in their texts, and what is written there.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>

#include "text/batches.hpp"

namespace quchong {

struct Stretches {
  std::vector<u32> places;            // four a stretch: the window's start, the stretch's start and end, the window's end, in characters
  std::vector<std::int64_t> offsets;  // bytes of each window
  std::vector<std::uint8_t> bytes;
};

// How many characters begin in the 64 bytes from here, or in what is left.
inline u32 begun(std::span<const std::uint8_t> text, std::size_t from) {
  std::uint8_t out = 0;
  if (text.size() - from >= 64)
    for (std::size_t k = 0; k < 64; ++k) out += (text[from + k] & 0xC0) != 0x80;
  else
    for (std::size_t k = from; k < text.size(); ++k) out += (text[k] & 0xC0) != 0x80;
  return out;
}

// How many characters begin in the eight bytes from here.
inline u32 begun_of_eight(const unsigned char* at) {
  u64 eight;
  std::memcpy(&eight, at, 8);
  return static_cast<u32>(std::popcount((~eight >> 7 | eight >> 6) & 0x0101010101010101u));  // all bytes but 10xxxxxx
}

struct Asked {
  std::span<const u32> text, first, last;
  std::span<const std::uint8_t> margin;
};

// A stretch is tokens first to last (not included) of a text, its window `margin` tokens more on both sides. They come in any order:
// the places of the tokens of each text are made once for all of its own. An empty stretch stands before the token that follows it,
// behind the last one at the end of the text. A thread makes its own
// reader by make_reader(scratch); reader(text) fills token_start and token_end of the scratch.
template <class MakeReader>
Stretches stretches(const Texts& texts, const Asked& asked, int threads, MakeReader&& make_reader) {
  const auto& [text, first, last, margin] = asked;
  const std::size_t n = text.size();
  std::vector<u32> order(n), next(static_cast<std::size_t>(texts.size()) + 1);  // by text, those of one text in the order they came in
  for (u32 t : text) ++next[t + 1];
  for (std::size_t t = 1; t < next.size(); ++t) next[t] += next[t - 1];
  for (std::size_t k = 0; k < n; ++k) order[next[text[k]]++] = static_cast<u32>(k);
  const auto text_at = [&](std::size_t i) { return text[order[i]]; };
  std::vector<std::size_t> starts;  // pieces begin where a text does
  for (std::size_t i = 0; i < n; ++i)
    if (i == 0 || (text_at(i) != text_at(i - 1) && i - starts.back() >= 256)) starts.push_back(i);
  starts.push_back(n);
  Stretches out{std::vector<u32>(4 * n), std::vector<std::int64_t>(n + 1), {}};
  std::vector<std::int64_t> begins(n);  // bytes of the texts
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(starts.size() - 1), 1, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    auto&& read = make_reader(s);
    std::vector<u32> marks;  // characters that begin before every 64th byte
    u32 characters = 0;      // of the text
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p)
      for (std::size_t i = starts[p]; i < starts[p + 1]; ++i) {
        const std::size_t k = order[i];
        const auto t = texts[text[k]];
        if (i == starts[p] || text_at(i) != text_at(i - 1)) {
          read(text[k]);
          marks.clear();
          characters = 0;
          for (std::size_t byte = 0; byte < t.size(); byte += 64) {
            marks.push_back(characters);
            characters += begun(t, byte);
          }
        }
        const auto tokens = static_cast<u32>(s.token_start.size());
        const u32 a = std::min(first[k], tokens), b = std::clamp(last[k], a, tokens);
        const u32 wa = a - std::min<u32>(a, margin[k]), wb = std::min<u32>(tokens, b + margin[k]);
        const u32 behind = tokens ? s.token_end[tokens - 1] : 0;  // the last token's end
        u32* o = &out.places[4 * k];
        o[1] = a < tokens ? s.token_start[a] : behind;
        o[2] = b > a ? s.token_end[b - 1] : o[1];
        o[0] = wa < a ? s.token_start[wa] : o[1];
        o[3] = wb > b ? s.token_end[wb - 1] : o[2];
        if (o[3] <= o[0]) continue;  // nothing is written there
        const auto after = [&](std::size_t byte, u32 number, u32 character) {  // its first byte, from the one where `number` begins
          for (u32 more; byte + 8 <= t.size() && number + (more = begun_of_eight(&t[byte])) <= character; byte += 8) number += more;
          for (; byte < t.size(); ++byte)
            if ((t[byte] & 0xC0) != 0x80 && number++ == character) break;
          return byte;
        };
        const auto at = [&](u32 character) {
          if (characters == t.size()) return std::min<std::size_t>(character, t.size());
          const auto block = static_cast<std::size_t>(std::upper_bound(marks.begin(), marks.end(), character) - marks.begin());
          return block == 0 ? t.size() : after(64 * (block - 1), marks[block - 1], character);
        };
        const std::size_t begin = at(o[0]), end = o[3] - o[0] < 64 && characters != t.size() ? after(begin, o[0], o[3]) : at(o[3]);
        begins[k] = static_cast<std::int64_t>(begin);
        out.offsets[k + 1] = static_cast<std::int64_t>(end > begin ? end - begin : 0);
      }
  });
  for (std::size_t k = 0; k < n; ++k) out.offsets[k + 1] += out.offsets[k];
  out.bytes.resize(static_cast<std::size_t>(out.offsets[n]));
  parallel_for(static_cast<std::int64_t>(n), 4096, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k)
      std::copy_n(texts[text[k]].data() + begins[k], out.offsets[k + 1] - out.offsets[k], out.bytes.data() + out.offsets[k]);
  });
  return out;
}

// Of texts that are normalised for it.
inline Stretches stretches(const TextTables& tables, const TextOptions& options, const Texts& texts, const Asked& asked, int threads) {
  return stretches(texts, asked, threads, [&](Scratch& s) {
    return [&, normaliser = Normaliser<true>(tables, options, s)](u32 text) mutable {
      normaliser.run(texts[text].data(), static_cast<std::int64_t>(texts[text].size()));
    };
  });
}

// Of texts whose places were kept.
inline Stretches stretches(const PlacesView& places, const Texts& texts, const Asked& asked, int threads) {
  return stretches(texts, asked, threads, [&](Scratch& s) { return [&](u32 text) { places.read(text, s.token_start, s.token_end); }; });
}

}  // namespace quchong
