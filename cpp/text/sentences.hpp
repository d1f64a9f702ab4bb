// Where the sentences of texts stand, and where they end.
#pragma once
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "text/utf8.hpp"

namespace quchong {

struct SentenceBreaks {
  std::vector<u32> places;  // characters of the text before the break
  std::vector<std::int64_t> offsets;
};

// White space as Python's \s has it.
inline bool is_space(u32 c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Behind every terminator 。！？!?…, behind a line end, and behind a full stop (and what closes after it) before white space
// or the end of the text. Breaks of a run of terminators follow each other: no letter stands between them.
inline SentenceBreaks sentence_breaks(const Texts& texts, int threads) {
  const std::int64_t n = texts.size();
  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u32>> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  SentenceBreaks out;
  out.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  const auto closes = [](u32 c) { return c == 0x201D || c == 0x2019 || c == '"' || c == '\'' || c == ')' || c == ']'; };
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const Utf8 text{reinterpret_cast<const unsigned char*>(texts[d].data()), static_cast<std::int64_t>(texts[d].size())};
      const std::size_t start = piece.size();
      bool pending = false;  // a full stop, and only closers since
      u32 place = 0;
      for (std::int64_t i = 0; i < text.n; ++place) {
        int length;
        const u32 c = text.at(i, length);
        i += length;
        if (pending && is_space(c)) piece.push_back(place);
        if (c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == '!' || c == '?' || c == 0x2026 || c == '\n') piece.push_back(place + 1);
        pending = c == '.' || (pending && closes(c));
      }
      out.offsets[d + 1] = static_cast<std::int64_t>(piece.size() - start);
    }
  });
  for (std::size_t d = 0; d < static_cast<std::size_t>(n); ++d) out.offsets[d + 1] += out.offsets[d];
  out.places.reserve(static_cast<std::size_t>(out.offsets.back()));
  for (auto& p : pieces) out.places.insert(out.places.end(), p.begin(), p.end());
  return out;
}

struct SentencePlaces {
  std::vector<u32> start, end;  // characters of the text, half open, without white space around
  std::vector<std::int64_t> offsets;
};

inline bool ends_sentence(u32 c) {
  return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == '!' || c == '?' || c == 0x2026;
}
// Closing quotes and brackets: behind a full stop before white space, and (with the wide ones) behind other terminators.
inline bool closes_narrow(u32 c) { return c == 0x201D || c == 0x2019 || c == '"' || c == '\'' || c == ')' || c == ']'; }
inline bool closes_wide(u32 c) { return closes_narrow(c) || c == 0x300D || c == 0x300F || c == 0xFF09 || c == 0x3011 || c == 0x300B; }

template <class F>
void each_sentence(const std::vector<u32>& text, F&& put) {
  const std::size_t n = text.size();
  std::size_t start = 0;
  const auto cut = [&](std::size_t end) {
    std::size_t a = start, b = end;
    while (a < b && is_space(text[a])) ++a;
    while (b > a && is_space(text[b - 1])) --b;
    if (a < b) put(static_cast<u32>(a), static_cast<u32>(b));
    start = end;
  };
  for (std::size_t i = 0; i < n;) {
    std::size_t e = i + 1;
    if (ends_sentence(text[i])) {
      while (e < n && ends_sentence(text[e])) ++e;
      while (e < n && closes_wide(text[e])) ++e;
      cut(e);
    } else if (text[i] == '.') {
      while (e < n && closes_narrow(text[e])) ++e;
      if (e == n || is_space(text[e])) cut(e);
      else e = i + 1;
    } else if (text[i] == '\n') {
      cut(e);
    }
    i = e;
  }
  cut(n);
}

inline SentencePlaces sentence_places(const Texts& texts, int threads) {
  const auto n = static_cast<std::size_t>(texts.size());
  const auto chunks = text_chunks(texts.size());
  std::vector<std::vector<u32>> start(chunks), end(chunks);
  SentencePlaces out;
  out.offsets.assign(n + 1, 0);
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    const auto c = static_cast<std::size_t>(from / TEXT_GRAIN);
    std::vector<u32> characters;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const Utf8 text{texts[d].data(), static_cast<std::int64_t>(texts[d].size())};
      characters.clear();
      for (std::int64_t i = 0; i < text.n;) {
        int length;
        characters.push_back(text.at(i, length));
        i += length;
      }
      const std::size_t before = start[c].size();
      each_sentence(characters, [&](u32 a, u32 b) { start[c].push_back(a), end[c].push_back(b); });
      out.offsets[d + 1] = static_cast<std::int64_t>(start[c].size() - before);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  append_all(out.start, start);
  append_all(out.end, end);
  return out;
}

}  // namespace quchong
