// Keys of short documents: sets of their rarest bigrams. No two documents that share enough of their bigrams are lost.
#pragma once
#include "machine/parallel.hpp"
#include "pairs/pairs.hpp"

namespace quchong {

struct ShortKeyOptions {
  u32 longest = 40;  // documents of more tokens have no keys
  u32 lacking = 4;   // bigrams a document may lack in the other
};

struct ShortKeys {
  std::vector<u64> keys;
  std::vector<std::int64_t> offsets;
};

// The distinct bigrams of a document are put in one order for all documents: those with fewer common characters or
// numbers first, then by hash. Of b of them the first min(b / 2, lacking) + 3 are taken three at a time. Two documents
// that share at least three, at least half of each one's and all but `lacking` of each one's have their three first common
// bigrams among those (the prefix filter, asked for three in common), hence a key. Half of up to five bigrams may be two:
// such documents are known by pairs of their first min(b / 2, lacking) + 2 as well. A single bigram is a key by itself.
inline ShortKeys short_keys(const Ragged& docs, std::span<const u32> common, const ShortKeyOptions& o, int threads) {
  constexpr std::size_t PAIRED = 5;
  const std::size_t n = docs.size();
  std::vector<std::uint8_t> is_common(65536, 0);
  for (u32 c : common)
    if (c < is_common.size()) is_common[c] = 1;
  const auto weight = [&](u32 t) { return static_cast<u32>(is_number(t) || (t < is_common.size() && is_common[t])); };
  constexpr std::int64_t GRAIN = 256;
  std::vector<std::vector<u64>> pieces((n + GRAIN - 1) / GRAIN);
  ShortKeys out;
  out.offsets.assign(n + 1, 0);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<u64> hashes;
    std::vector<std::pair<u32, u64>> bigrams;  // common tokens in it, hash
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto tokens = docs[d];
      if (tokens.empty() || tokens.size() > o.longest) continue;
      shingle_hashes(tokens, 2, hashes);
      bigrams.clear();
      for (std::size_t i = 0; i < hashes.size(); ++i)
        bigrams.emplace_back(weight(tokens[i]) + (i + 1 < tokens.size() ? weight(tokens[i + 1]) : 0), hashes[i]);
      std::sort(bigrams.begin(), bigrams.end());
      bigrams.erase(std::unique(bigrams.begin(), bigrams.end()), bigrams.end());
      const std::size_t b = bigrams.size(), before = piece.size();
      const std::size_t apart = std::min<std::size_t>(b / 2, o.lacking);
      const auto part = [&](std::size_t i, std::size_t place) { return bigrams[i].second * COEFFICIENTS.c[place]; };
      if (b == 1) piece.push_back(mix64(bigrams[0].second));
      if (b <= PAIRED)
        for (std::size_t j = 1; j < std::min(b, apart + 2); ++j)
          for (std::size_t i = 0; i < j; ++i) piece.push_back(mix64(part(i, 0) + part(j, 1)));
      for (std::size_t k = 2; k < std::min(b, apart + 3); ++k)
        for (std::size_t j = 1; j < k; ++j)
          for (std::size_t i = 0; i < j; ++i) piece.push_back(mix64(part(i, 0) + part(j, 1) + part(k, 2)));
      out.offsets[d + 1] = static_cast<std::int64_t>(piece.size() - before);
    }
  });
  for (std::size_t d = 0; d < n; ++d) out.offsets[d + 1] += out.offsets[d];
  std::size_t total = 0;
  for (const auto& p : pieces) total += p.size();
  out.keys.reserve(total);
  for (auto& p : pieces) {
    out.keys.insert(out.keys.end(), p.begin(), p.end());
    std::vector<u64>().swap(p);
  }
  return out;
}

}  // namespace quchong
