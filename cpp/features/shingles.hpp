// Shingles of many documents as hashes: all of them, or winnowed with their places.
#pragma once
#include <algorithm>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "text/shingles.hpp"

namespace quchong {

// Hashes of all w-shingles of every document, in order, repeated ones repeated. A document shorter than w is one shingle.
template <class T>
RaggedHashes ragged_shingles(const RaggedOf<T>& docs, int w, int threads) {
  const std::size_t n = docs.size();
  RaggedHashes out;
  out.offsets.assign(n + 1, 0);
  for (std::size_t d = 0; d < n; ++d) {
    const auto tokens = static_cast<std::int64_t>(docs[d].size());
    out.offsets[d + 1] = out.offsets[d] + (tokens >= w ? tokens - w + 1 : tokens > 0);
  }
  out.values.resize(static_cast<std::size_t>(out.offsets[n]));
  parallel_for(static_cast<std::int64_t>(n), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<u64> h;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      shingle_hashes(docs[d], w, h);
      std::copy(h.begin(), h.end(), out.values.begin() + out.offsets[d]);
    }
  });
  return out;
}

// Winnowing with places: the rightmost least hash of every window of `window` shingles, each place once. With fewer
// shingles than a window the least of all; a document shorter than a shingle has none.
template <class T>
void window_minima(std::span<const T> tokens, int ngram, u32 window, std::vector<u64>& hashes, std::vector<u64>& values,
                          std::vector<u32>& places) {
  if (tokens.size() < static_cast<std::size_t>(ngram)) return;
  shingle_hashes(tokens, ngram, hashes);
  rightmost_minima(hashes, std::min<std::size_t>(window, hashes.size()), [&](std::size_t i) {
    values.push_back(hashes[i]);
    places.push_back(static_cast<u32>(i));
  });
}

struct PlacedHashes {
  std::vector<u64> values;
  std::vector<u32> places;  // of the shingles in their documents
  std::vector<std::int64_t> offsets;
};

template <class T>
PlacedHashes window_minima(const RaggedOf<T>& docs, int ngram, u32 window, int threads) {
  const std::size_t n = docs.size();
  PlacedHashes out;
  out.offsets.assign(n + 1, 0);
  std::vector<std::vector<u64>> values(text_chunks(static_cast<std::int64_t>(n)));
  std::vector<std::vector<u32>> places(values.size());
  parallel_for(static_cast<std::int64_t>(n), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    const auto c = static_cast<std::size_t>(from / TEXT_GRAIN);
    std::vector<u64> hashes;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const std::size_t before = places[c].size();
      window_minima(docs[d], ngram, window, hashes, values[c], places[c]);
      out.offsets[d + 1] = static_cast<std::int64_t>(places[c].size() - before);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  append_all(out.values, values);
  append_all(out.places, places);
  return out;
}

}  // namespace quchong
