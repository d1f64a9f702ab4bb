// The exact overlap of every text with a sample: what the recall of a run is measured by.
#pragma once
#include <algorithm>
#include <bit>
#include <optional>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "machine/prefetch.hpp"
#include "text/shingles.hpp"
#include "text/text.hpp"

namespace quchong {

// A lower bound of how many different hashes there are, from the first few hundred.
inline u32 distinct_at_least(const std::vector<u64>& hashes) {
  u64 met[64] = {};
  const std::size_t n = std::min<std::size_t>(hashes.size(), 256);
  for (std::size_t i = 0; i < n; ++i) met[hashes[i] & 63] |= 1ull << (hashes[i] >> 6 & 63);
  u32 distinct = 0;
  for (u64 m : met) distinct += static_cast<u32>(std::popcount(m));
  return distinct;
}

struct Overlaps {
  std::vector<u32> text, sample, shared, distinct;  // distinct shingles of the text at the pair's width
};

// The tokens of a document and how many of them are one character.
struct DocumentTokens {
  std::span<const u32> tokens;
  std::size_t singles;
};

// Documents as texts, which are made tokens one after another, in `scratch`.
struct TextDocuments {
  const TextTables& tables;
  Texts texts;
  TextOptions options;
  std::int64_t size() const { return texts.size(); }
  auto reader(Scratch& scratch) const {
    return [this, &scratch, normaliser = Normaliser<false>(tables, options, scratch)](std::size_t d) mutable {
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      return DocumentTokens{scratch.tokens, static_cast<std::size_t>(scratch.singles)};
    };
  }
};

// Some documents, in the order of `index`, of those whose tokens were kept.
struct KeptDocuments {
  Ragged docs;
  std::span<const u32> singles, index;
  std::int64_t size() const { return static_cast<std::int64_t>(index.size()); }
  auto reader(Scratch&) const {
    return [this](std::size_t d) { return DocumentTokens{docs[index[d]], singles[index[d]]}; };
  }
};

// Exact overlap of every document with every sample document, where they share at least `least` of the smaller one's
// shingles. A pair is counted at w_long when both are long texts of mostly one-character tokens, else at w_short.
// Shingles are looked up in one table of the sample's, behind a bit map that answers "none of them" in one load.
template <class Documents>
Overlaps sample_overlaps(const Documents& documents, const Ragged& sample, std::span<const std::uint8_t> sample_long, int w_short,
                         int w_long, u32 long_tokens, double least, int threads, const Stop* stop = nullptr) {
  // Shingles of some of the sample documents. Keys are sorted; `bucket` finds a key by its top bits.
  struct Index {
    std::vector<u64> bits, keys;
    std::vector<u32> first, docs;  // documents of key i: docs[first[i]..first[i + 1])
    std::vector<u32> distinct, bucket;
    u32 smallest = ~0u;  // least of the distinct counts
    u64 word_mask = 0;
    int shift = 63;
    Index(const Ragged& sample, std::span<const std::uint8_t> sample_long, std::uint8_t kind, int w) : distinct(sample.size()) {
      // (1) All shingles with their documents, repeated ones too. They are not sorted as a whole: they are dealt out to buckets by
      // their top bits, and sorted within each, which holds a few.
      std::vector<u64> every, h;
      std::vector<u32> counts(sample.size());
      for (std::size_t d = 0; d < sample.size(); ++d) {
        if ((sample_long[d] != 0) != (kind != 0)) continue;
        shingle_hashes(sample[d], w, h);
        counts[d] = static_cast<u32>(h.size());
        every.insert(every.end(), h.begin(), h.end());
      }
      while (shift > 40 && (1ull << (64 - shift)) < every.size()) --shift;
      bucket.assign((1ull << (64 - shift)) + 1, 0);
      for (u64 x : every) ++bucket[(x >> shift) + 1];
      for (std::size_t i = 1; i < bucket.size(); ++i) bucket[i] += bucket[i - 1];
      std::vector<std::pair<u64, u32>> rows(every.size());
      {
        std::vector<u32> next(bucket.begin(), bucket.end() - 1);
        std::size_t i = 0;
        for (std::size_t d = 0; d < sample.size(); ++d)
          for (const std::size_t end = i + counts[d]; i < end; ++i) rows[next[every[i] >> shift]++] = {every[i], static_cast<u32>(d)};
      }
      // (2) The rows of each key, every document once.
      docs.reserve(rows.size());
      for (std::size_t b = 0; b + 1 < bucket.size(); ++b) {
        const std::size_t from = bucket[b], to = bucket[b + 1];
        if (to - from > 1) std::sort(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.begin() + static_cast<std::ptrdiff_t>(to));
        bucket[b] = static_cast<u32>(keys.size());
        for (std::size_t i = from; i < to; ++i) {
          if (i > from && rows[i] == rows[i - 1]) continue;
          if (i == from || rows[i].first != rows[i - 1].first) {
            keys.push_back(rows[i].first);
            first.push_back(static_cast<u32>(docs.size()));
          }
          docs.push_back(rows[i].second);
          ++distinct[rows[i].second];
        }
      }
      bucket.back() = static_cast<u32>(keys.size());
      first.push_back(static_cast<u32>(docs.size()));
      for (u32 n : distinct)
        if (n) smallest = std::min(smallest, n);
      // (3) The bit map.
      std::size_t words = 16;
      while (words * 8 < docs.size()) words *= 2;  // small enough to stay in the second cache
      bits.assign(words, 0);
      word_mask = words - 1;
      for (u64 k : keys) bits[k & word_mask] |= pattern(k);
    }
    // Two bits of the key's word: a Bloom filter whose every question is one load.
    static u64 pattern(u64 h) { return 1ull << (h >> 32 & 63) | 1ull << (h >> 38 & 63); }
    bool maybe(u64 h) const {
      const u64 bit = pattern(h);
      return (bits[h & word_mask] & bit) == bit;
    }
    // Place of a key, or the number of keys.
    std::size_t find(u64 h) const {
      for (std::size_t i = bucket[h >> shift], end = bucket[(h >> shift) + 1]; i < end; ++i)
        if (keys[i] == h) return i;
      return keys.size();
    }
  };
  // Long texts against long samples; any text against the other samples; other texts against long samples.
  std::optional<Index> built[3];
  parallel_for(3, 1, threads, [&](int, std::int64_t i, std::int64_t) {
    built[i].emplace(sample, sample_long, static_cast<std::uint8_t>(i != 1), i == 0 ? w_long : w_short);
  });
  const Index &wide = *built[0], &narrow = *built[1], &mixed = *built[2];
  struct Worker {
    Scratch scratch;
    std::vector<u64> hashes, maybe;
    std::vector<u32> count, touched, hits;
    HashSet seen;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  std::vector<Overlaps> pieces(text_chunks(documents.size()));
  parallel_for(documents.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& [s, h, maybe, count, touched, hits, seen] = workers[static_cast<std::size_t>(thread)];
    if (stop && stop->is_set()) return;
    count.resize(sample.size(), 0);
    auto read = documents.reader(s);
    auto& out = pieces[static_cast<std::size_t>(from / TEXT_GRAIN)];
    auto probe = [&](std::size_t d, std::span<const u32> tokens, const Index& index, int w) {
      if (index.keys.empty()) return;
      shingle_hashes(tokens, w, h);
      // Look-ups miss the cache: each step runs over all of them and fetches ahead for the next.
      hits.clear();
      maybe.resize(h.size());
      std::size_t n_maybe = 0;
      for (u64 x : h) {
        maybe[n_maybe] = x;
        n_maybe += index.maybe(x);
      }
      maybe.resize(n_maybe);
      for (u64 x : maybe) fetch(&index.bucket[x >> index.shift]);
      for (u64 x : maybe) fetch(&index.keys[std::min<std::size_t>(index.bucket[x >> index.shift], index.keys.size() - 1)]);
      for (u64 x : maybe)
        if (const std::size_t k = index.find(x); k < index.keys.size()) {
          hits.push_back(static_cast<u32>(k));
          fetch(&index.first[k]);
        }
      // Few texts share much with a sample: bounds tell most of the others, repeated shingles counted repeatedly.
      const u32 some = distinct_at_least(h);
      if (hits.empty() || static_cast<double>(hits.size()) < least * std::min(some, index.smallest)) return;
      for (u32 k : hits) fetch(&index.docs[index.first[k]]);
      touched.clear();
      const auto count_hits = [&] {
        for (u32 k : hits)
          for (u32 i = index.first[k]; i < index.first[k + 1]; ++i)
            if (count[index.docs[i]]++ == 0) touched.push_back(index.docs[i]);
      };
      count_hits();
      const bool near = std::any_of(touched.begin(), touched.end(), [&](u32 x) {
        return count[x] >= least * std::min(some, index.distinct[x]);
      });
      for (u32 x : touched) count[x] = 0;
      if (!near) return;
      std::sort(hits.begin(), hits.end());
      hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
      touched.clear();
      count_hits();
      seen.clear(h.size());
      u32 distinct = 0;
      for (u64 x : h) distinct += seen.insert(x);
      std::sort(touched.begin(), touched.end());
      for (u32 x : touched) {
        const u32 shared = count[x];
        count[x] = 0;
        if (shared < least * std::min(distinct, index.distinct[x])) continue;
        out.text.push_back(static_cast<u32>(d));
        out.sample.push_back(x);
        out.shared.push_back(shared);
        out.distinct.push_back(distinct);
      }
    };
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto [tokens, singles] = read(d);
      const bool is_long = tokens.size() >= long_tokens && 2 * singles >= tokens.size();
      is_long ? probe(d, tokens, wide, w_long) : probe(d, tokens, mixed, w_short);
      probe(d, tokens, narrow, w_short);
    }
  });
  Overlaps all;
  for (auto& p : pieces) {
    all.text.insert(all.text.end(), p.text.begin(), p.text.end());
    all.sample.insert(all.sample.end(), p.sample.begin(), p.sample.end());
    all.shared.insert(all.shared.end(), p.shared.begin(), p.shared.end());
    all.distinct.insert(all.distinct.end(), p.distinct.begin(), p.distinct.end());
  }
  return all;
}

}  // namespace quchong
