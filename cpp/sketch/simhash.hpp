// SimHash signatures (Charikar 2002; Manku 2007): unit weights by counters held as bit planes, IDF
// weights by fixed-point sums. The specification is tests/twins/sketch.py.
#pragma once
#include <algorithm>
#include <bit>

#include "text/batches.hpp"

namespace quchong {

// The second word of a 128-bit signature takes the features' hashes through another function.
inline constexpr u64 SECOND_WORD = 0x5851F42D4C957F2Dull;
// Added once for each distinct feature of a text, so that a text of features found everywhere still has a signature.
inline constexpr u32 WEIGHT_FLOOR = 64;

// Weights of features by hash in an open table; what is not in it weighs `unknown`.
class FeatureWeights {
 public:
  FeatureWeights(std::span<const u64> features, std::span<const u32> weights, u32 unknown) : unknown_(unknown) {
    mask_ = std::bit_ceil(std::max<std::size_t>(16, 2 * features.size())) - 1;
    cells_.assign(mask_ + 1, Cell{0, 0, 0});
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::size_t at = features[i] & mask_;
      while (cells_[at].used && cells_[at].feature != features[i]) at = (at + 1) & mask_;
      cells_[at] = {features[i], weights[i], 1};
    }
  }
  u32 operator[](u64 feature) const {
    std::size_t at = feature & mask_;
    while (cells_[at].used) {
      if (cells_[at].feature == feature) return cells_[at].weight;
      at = (at + 1) & mask_;
    }
    return unknown_;
  }

 private:
  struct Cell {
    u64 feature;
    u32 weight, used;
  };
  std::vector<Cell> cells_;
  std::size_t mask_ = 0;
  u32 unknown_;
};

// Bit p is set where the features that have it weigh more than those that do not (a tie is 0).
inline u64 weighted_majority(const std::vector<u64>& hashes, const std::vector<u32>& weights, u64 total) {
  u64 sums[64] = {};
  loops().weigh(hashes.data(), weights.data(), static_cast<std::int64_t>(hashes.size()), sums);
  u64 out = 0;
  for (int p = 0; p < 64; ++p) out |= static_cast<u64>(2 * sums[p] > total) << p;
  return out;
}

// Signs token sequences one after another; the buffers of one thread.
class Signer {
 public:
  Signer(int w, int words, const FeatureWeights* table) : w_(w), words_(words), table_(table) {}

  // A shingle counts as often as it stands there. An empty document is all 0.
  template <class T>
  void sign(std::span<const T> tokens, u64* out) {
    shingle_hashes(tokens, w_, hashes_);
    u64 total = 0;
    if (table_) {
      weights_.resize(hashes_.size());
      seen_.clear(hashes_.size());
      for (std::size_t i = 0; i < hashes_.size(); ++i) {
        weights_[i] = (*table_)[hashes_[i]] + (seen_.insert(hashes_[i]) ? WEIGHT_FLOOR : 0);
        total += weights_[i];
      }
    }
    const auto n = static_cast<std::int64_t>(hashes_.size());
    for (int word = 0; word < words_; ++word) {
      if (word) loops().remix(hashes_.data(), n, SECOND_WORD);
      out[word] = table_ ? weighted_majority(hashes_, weights_, total) : loops().majority(hashes_.data(), n);
    }
  }

 private:
  int w_, words_;
  const FeatureWeights* table_;
  std::vector<u64> hashes_;
  std::vector<u32> weights_;
  HashSet seen_;
};

template <class T>
void simhash(const RaggedOf<T>& docs, int w, int words, const FeatureWeights* table, std::span<u64> out, int threads) {
  parallel_for(static_cast<std::int64_t>(docs.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    Signer signer(w, words, table);
    for (auto d = from; d < to; ++d) signer.sign(docs[static_cast<std::size_t>(d)], &out[static_cast<std::size_t>(d * words)]);
  });
}

// Texts to signatures in one pass, by the names of their tokens, which are never kept; `defined` is 0 for texts without a token.
inline void simhash_texts(const TextTables& tables, const Texts& texts, const TextOptions& options, int w, int words,
                          const FeatureWeights* table, std::span<u64> out, std::span<std::uint8_t> defined, int threads) {
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    Normaliser<false> normaliser(tables, options, s);
    Signer signer(w, words, table);
    std::vector<u64> names;
    for (auto d = from; d < to; ++d) {
      const auto text = texts[static_cast<std::size_t>(d)];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      defined[static_cast<std::size_t>(d)] = s.tokens.size() > 0;
      names.clear();
      append_names(s, names);
      signer.sign(std::span<const u64>(names), &out[static_cast<std::size_t>(d * words)]);
    }
  });
}

struct FeatureCounts {
  std::vector<u64> feature;  // ascending
  std::vector<u32> documents;
};

// In how many documents each shingle stands, by its hash.
template <class T>
FeatureCounts count_features(const RaggedOf<T>& docs, int w, int threads) {
  constexpr int PARTS = 256;
  constexpr std::int64_t GRAIN = 4096;
  const auto n = static_cast<std::int64_t>(docs.size());
  std::vector<std::vector<std::vector<u64>>> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  parallel_for(n, GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& parts = pieces[static_cast<std::size_t>(from / GRAIN)];
    parts.resize(PARTS);
    std::vector<u64> h;
    HashSet seen;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      shingle_hashes(docs[d], w, h);
      seen.clear(h.size());
      for (u64 x : h)
        if (seen.insert(x)) parts[x >> 56].push_back(x);
    }
  });
  std::vector<FeatureCounts> counted(PARTS);
  parallel_for(PARTS, 1, threads, [&](int, std::int64_t part, std::int64_t) {
    std::vector<u64> all;
    for (auto& piece : pieces) {
      auto& mine = piece[static_cast<std::size_t>(part)];
      all.insert(all.end(), mine.begin(), mine.end());
      std::vector<u64>().swap(mine);
    }
    std::sort(all.begin(), all.end());
    auto& out = counted[static_cast<std::size_t>(part)];
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i;
      while (end < all.size() && all[end] == all[i]) ++end;
      out.feature.push_back(all[i]);
      out.documents.push_back(static_cast<u32>(end - i));
      i = end;
    }
  });
  FeatureCounts out;
  for (auto& part : counted) {
    out.feature.insert(out.feature.end(), part.feature.begin(), part.feature.end());
    out.documents.insert(out.documents.end(), part.documents.begin(), part.documents.end());
    part = FeatureCounts{};
  }
  return out;
}

}  // namespace quchong
