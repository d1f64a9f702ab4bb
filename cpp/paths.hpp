// Sentence ends of texts, and the paths of words inside sentences that a corpus tree would have as nodes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "corpus.hpp"
#include "pairs.hpp"
#include "sets.hpp"

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

// From every token on the runs of 1 to `depth` tokens of its sentence, as distinct hashes; a path weighs what its tokens do.
// `sentence` and `weight` have one entry a token; equal numbers side by side are one sentence.
inline OwnedSets path_sets(const Ragged& docs, std::span<const u32> sentence, std::span<const u32> weight, int depth, int threads) {
  const std::size_t n = docs.size();
  constexpr std::int64_t GRAIN = 64;
  struct Path {
    u64 value;
    u32 weight;
    bool operator<(const Path& o) const { return value != o.value ? value < o.value : weight < o.weight; }
  };
  struct Piece {
    std::vector<u64> values;
    std::vector<u32> weights;
  };
  std::vector<Piece> pieces((n + GRAIN - 1) / GRAIN);
  OwnedSets out;
  out.offsets.assign(n + 1, 0);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<Path> paths;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      paths.clear();
      const auto a = static_cast<std::size_t>(docs.offsets[d]), b = static_cast<std::size_t>(docs.offsets[d + 1]);
      for (std::size_t i = a; i < b; ++i) {
        u64 x = 0;
        u32 w = 0;
        for (std::size_t j = 0; j < static_cast<std::size_t>(depth) && i + j < b && sentence[i + j] == sentence[i]; ++j) {
          x += docs.tokens[i + j] * COEFFICIENTS.c[j];
          w += weight[i + j];
          paths.push_back({mix64(x + (j + 1) * COEFFICIENTS.c[MAX_NGRAM - 1]), w});
        }
      }
      std::sort(paths.begin(), paths.end());
      const std::size_t before = piece.values.size();
      for (const auto& p : paths) {
        if (piece.values.size() > before && piece.values.back() == p.value) continue;
        piece.values.push_back(p.value);
        piece.weights.push_back(p.weight);
      }
      out.offsets[d + 1] = static_cast<std::int64_t>(piece.values.size() - before);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  out.values.reserve(static_cast<std::size_t>(out.offsets[n]));
  out.weights.reserve(static_cast<std::size_t>(out.offsets[n]));
  for (auto& p : pieces) {
    out.values.insert(out.values.end(), p.values.begin(), p.values.end());
    out.weights.insert(out.weights.end(), p.weights.begin(), p.weights.end());
    p = Piece{};
  }
  return out;
}

}  // namespace quchong
