// Keys of short documents: pairs of their rarest bigrams. No pair of documents that shares enough of its bigrams is lost.
#pragma once
#include "parallel.hpp"
#include "pairs.hpp"

namespace quchong {

struct PairKeyOptions {
  u32 longest = 40;  // documents of more tokens have no keys
  u32 lacking = 6;   // bigrams a document may lack in the other
};

struct PairKeys {
  std::vector<u64> keys;
  std::vector<std::int64_t> offsets;
};

// The distinct bigrams of a document are put in one order for all documents: those with fewer common characters or
// numbers first, then by hash. Of b of them the first min(b / 2, lacking) + 2 are paired with each other. Two documents
// that share at least two, at least half of each one's and all but `lacking` of each one's have their two first common
// bigrams among those (the prefix filter, asked for two in common), hence a key. A single bigram is a key by itself.
inline PairKeys pair_keys(const Ragged& docs, std::span<const u32> common, const PairKeyOptions& o, int threads) {
  const std::size_t n = docs.size();
  std::vector<std::uint8_t> is_common(65536, 0);
  for (u32 c : common)
    if (c < is_common.size()) is_common[c] = 1;
  const auto weight = [&](u32 t) { return static_cast<u32>(is_number(t) || (t < is_common.size() && is_common[t])); };
  constexpr std::int64_t GRAIN = 256;
  std::vector<std::vector<u64>> pieces((n + GRAIN - 1) / GRAIN);
  PairKeys out;
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
      if (b == 1) {
        piece.push_back(mix64(bigrams[0].second));
      } else {
        const std::size_t p = std::min<std::size_t>(b, std::min<std::size_t>(b / 2, o.lacking) + 2);
        for (std::size_t j = 1; j < p; ++j)
          for (std::size_t i = 0; i < j; ++i)
            piece.push_back(mix64(bigrams[i].second * COEFFICIENTS.c[0] + bigrams[j].second * COEFFICIENTS.c[1]));
      }
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
