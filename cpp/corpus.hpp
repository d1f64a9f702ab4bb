// Whole batches of texts: fingerprints (digest, lengths, anchors), tokens, equal normal forms, passages, and the
// exact overlap of every text with a sample.
#pragma once
#include <cstring>
#include <optional>

#include "passages.hpp"
#include "prefetch.hpp"

namespace quchong {

// UTF-8 texts wherever they lie: Arrow's buffers, taken from without a copy.
struct Texts {
  std::span<const u64> address;
  std::span<const std::int64_t> length;
  std::int64_t size() const { return static_cast<std::int64_t>(address.size()); }
  std::span<const unsigned char> operator[](std::size_t i) const {
    return {reinterpret_cast<const unsigned char*>(address[i]), static_cast<std::size_t>(length[i])};
  }
};

inline constexpr u64 DIGEST_SEED_HIGH = 0x71756368, DIGEST_SEED_LOW = 0x6F6E6721;

struct AnchorOptions {
  int ngram = 5, short_window = 4, long_window = 16;
  u32 long_tokens = 200;  // texts of at least so many tokens take the long window
  bool anchors = true;
};

struct Fingerprints {
  std::vector<u32> tokens, singles;       // per text
  std::vector<u64> high, low;             // digest of the normal form
  std::vector<std::int64_t> offsets{0};   // of anchors
  std::vector<u64> anchors;               // in order within a text, no two neighbours equal
};

// Pieces made chunk by chunk, joined in order.
template <class T>
void append_all(std::vector<T>& to, std::vector<std::vector<T>>& pieces) {
  std::size_t n = to.size();
  for (const auto& p : pieces) n += p.size();
  to.reserve(n);
  for (auto& p : pieces) {
    to.insert(to.end(), p.begin(), p.end());
    std::vector<T>().swap(p);
  }
}

inline constexpr std::int64_t TEXT_GRAIN = 64;
inline std::size_t text_chunks(std::int64_t n) { return static_cast<std::size_t>((n + TEXT_GRAIN - 1) / TEXT_GRAIN); }

inline Fingerprints fingerprints(const TextTables& tables, const Texts& texts, const TextOptions& options,
                                 const AnchorOptions& anchor, int threads) {
  const auto n = static_cast<std::size_t>(texts.size());
  Fingerprints f;
  f.tokens.resize(n);
  f.singles.resize(n);
  f.high.resize(n);
  f.low.resize(n);
  f.offsets.resize(n + 1);
  std::vector<std::vector<u64>> pieces(text_chunks(texts.size()));
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    auto& piece = pieces[static_cast<std::size_t>(from / TEXT_GRAIN)];
    Normaliser<false> normaliser(tables, options, s);
    std::vector<u64> hashes, keys;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      f.tokens[d] = static_cast<u32>(s.tokens.size());
      f.singles[d] = static_cast<u32>(s.singles);
      u64 digest[2];
      sequence_hashes<2>(s.stream, {DIGEST_SEED_HIGH, DIGEST_SEED_LOW}, digest);
      f.high[d] = digest[0];
      f.low[d] = digest[1];
      keys.clear();
      if (anchor.anchors) {
        shingle_hashes(s.tokens, anchor.ngram, hashes);
        winnow(hashes, s.tokens.size() < anchor.long_tokens ? anchor.short_window : anchor.long_window, keys);
      }
      piece.insert(piece.end(), keys.begin(), keys.end());
      f.offsets[d + 1] = static_cast<std::int64_t>(keys.size());
    }
  });
  f.offsets[0] = 0;
  for (std::size_t d = 0; d < n; ++d) f.offsets[d + 1] += f.offsets[d];
  append_all(f.anchors, pieces);
  return f;
}

struct Tokens {
  std::vector<u32> tokens, start, end;  // start and end in characters of the text, where asked for
  std::vector<std::int64_t> offsets;
  std::vector<u32> singles;
};

template <bool OFFSETS>
Tokens tokenise(const TextTables& tables, const Texts& texts, const TextOptions& options, int threads) {
  const auto n = static_cast<std::size_t>(texts.size());
  Tokens t;
  t.offsets.resize(n + 1);
  t.singles.resize(n);
  const auto chunks = text_chunks(texts.size());
  std::vector<std::vector<u32>> tokens(chunks), start(chunks), end(chunks);
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    const auto c = static_cast<std::size_t>(from / TEXT_GRAIN);
    Normaliser<OFFSETS> normaliser(tables, options, s);
    std::size_t bytes = 0;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) bytes += texts[d].size();
    tokens[c].reserve(bytes / 3 + 1);  // a Chinese text's; it grows where there are more
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      tokens[c].insert(tokens[c].end(), s.tokens.begin(), s.tokens.end());
      if constexpr (OFFSETS) {
        start[c].insert(start[c].end(), s.token_start.begin(), s.token_start.end());
        end[c].insert(end[c].end(), s.token_end.begin(), s.token_end.end());
      }
      t.offsets[d + 1] = static_cast<std::int64_t>(s.tokens.size());
      t.singles[d] = static_cast<u32>(s.singles);
    }
  });
  t.offsets[0] = 0;
  for (std::size_t d = 0; d < n; ++d) t.offsets[d + 1] += t.offsets[d];
  append_all(t.tokens, tokens);
  append_all(t.start, start);
  append_all(t.end, end);
  return t;
}

// 1 where both texts have the same normal form, character by character: the check behind every exact pair.
inline void equal_forms(const TextTables& tables, const Texts& texts, const TextOptions& options,
                        std::span<const u32> left, std::span<const u32> right, std::span<std::uint8_t> out, int threads) {
  std::vector<Scratch> scratches(2 * static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(left.size()), 64, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto &a = scratches[2 * static_cast<std::size_t>(thread)], &b = scratches[2 * static_cast<std::size_t>(thread) + 1];
    Normaliser<false> na(tables, options, a), nb(tables, options, b);
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const auto x = texts[left[i]], y = texts[right[i]];
      if (x.size() == y.size() && (x.empty() || !std::memcmp(x.data(), y.data(), x.size()))) {
        out[i] = 1;
        continue;
      }
      na.run(x.data(), static_cast<std::int64_t>(x.size()));
      nb.run(y.data(), static_cast<std::int64_t>(y.size()));
      out[i] = a.stream == b.stream;
    }
  });
}

struct Passages {
  std::vector<std::int64_t> offsets;  // of pair i
  std::vector<std::int64_t> places;   // four a passage: left start, left end, right start, right end
};

// Passages of every pair, in characters of both texts; sorted by their place in the left text. Pairs that share their
// right text are done one after another, so that it is read once.
inline Passages passages(const TextTables& tables, const Texts& texts, const TextOptions& options,
                         std::span<const u32> left, std::span<const u32> right, std::span<const std::uint8_t> w,
                         std::span<const u32> shortest, int threads) {
  Passages p;
  p.offsets.assign(left.size() + 1, 0);
  constexpr std::int64_t GRAIN = 32;
  std::vector<std::vector<std::int64_t>> pieces(left.size());
  std::vector<u32> order(left.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<u32>(i);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return right[a] < right[b]; });
  std::vector<Scratch> scratches(2 * static_cast<std::size_t>(threads));
  std::vector<RunScratch> places(static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(left.size()), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto &a = scratches[2 * static_cast<std::size_t>(thread)], &b = scratches[2 * static_cast<std::size_t>(thread) + 1];
    Normaliser<true> na(tables, options, a), nb(tables, options, b);
    std::vector<Run> runs;
    std::size_t before = texts.address.size();  // the right text of the pair before
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      const std::size_t i = order[k];
      auto& piece = pieces[i];
      const auto x = texts[left[i]], y = texts[right[i]];
      na.run(x.data(), static_cast<std::int64_t>(x.size()));
      if (right[i] != before) nb.run(y.data(), static_cast<std::int64_t>(y.size()));
      before = right[i];
      equal_runs(b.tokens, a.tokens, w[i], shortest[i], places[static_cast<std::size_t>(thread)], runs);
      for (const auto& r : runs)
        for (std::int64_t v : {a.token_start[r.right], a.token_end[r.right + r.length - 1], b.token_start[r.left], b.token_end[r.left + r.length - 1]})
          piece.push_back(v);
      p.offsets[i + 1] = static_cast<std::int64_t>(runs.size());
    }
  });
  for (std::size_t i = 0; i < left.size(); ++i) p.offsets[i + 1] += p.offsets[i];
  append_all(p.places, pieces);
  return p;
}

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

// Exact overlap of every text with every sample document, where they share at least `least` of the smaller one's
// shingles. A pair is counted at w_long when both are long texts of mostly one-character tokens, else at w_short.
// Shingles are looked up in one table of the sample's, behind a bit map that answers "none of them" in one load.
inline Overlaps sample_overlaps(const TextTables& tables, const Texts& texts, const TextOptions& options, const Ragged& sample,
                                std::span<const std::uint8_t> sample_long, int w_short, int w_long, u32 long_tokens,
                                double least, int threads, const Stop* stop = nullptr) {
  // Shingles of some of the sample documents. Keys are sorted; `bucket` finds a key by its top bits.
  struct Index {
    std::vector<u64> bits, keys;
    std::vector<u32> first, docs;  // documents of key i: docs[first[i]..first[i + 1])
    std::vector<u32> distinct, bucket;
    u32 smallest = ~0u;  // least of the distinct counts
    u64 word_mask = 0;
    int shift = 63;
    Index(const Ragged& sample, std::span<const std::uint8_t> sample_long, std::uint8_t kind, int w) : distinct(sample.size()) {
      std::vector<std::pair<u64, u32>> rows;
      std::vector<u64> h;
      for (std::size_t d = 0; d < sample.size(); ++d) {
        if ((sample_long[d] != 0) != (kind != 0)) continue;
        shingle_hashes(sample[d], w, h);
        std::sort(h.begin(), h.end());
        h.erase(std::unique(h.begin(), h.end()), h.end());
        distinct[d] = static_cast<u32>(h.size());
        if (!h.empty()) smallest = std::min(smallest, distinct[d]);
        for (u64 x : h) rows.emplace_back(x, static_cast<u32>(d));
      }
      std::sort(rows.begin(), rows.end());
      std::size_t words = 16;
      while (words * 8 < rows.size()) words *= 2;  // small enough to stay in the second cache
      bits.assign(words, 0);
      word_mask = words - 1;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].first != rows[i - 1].first) {
          keys.push_back(rows[i].first);
          first.push_back(static_cast<u32>(i));
          bits[rows[i].first & word_mask] |= pattern(rows[i].first);
        }
        docs.push_back(rows[i].second);
      }
      first.push_back(static_cast<u32>(rows.size()));
      while (shift > 40 && (1ull << (64 - shift)) < keys.size()) --shift;
      bucket.assign((1ull << (64 - shift)) + 1, 0);
      for (u64 k : keys) ++bucket[(k >> shift) + 1];
      for (std::size_t i = 1; i < bucket.size(); ++i) bucket[i] += bucket[i - 1];
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
  std::vector<Overlaps> pieces(text_chunks(texts.size()));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& [s, h, maybe, count, touched, hits, seen] = workers[static_cast<std::size_t>(thread)];
    if (stop && stop->is_set()) return;
    count.resize(sample.size(), 0);
    Normaliser<false> normaliser(tables, options, s);
    auto& out = pieces[static_cast<std::size_t>(from / TEXT_GRAIN)];
    auto probe = [&](std::size_t d, const Index& index, int w) {
      if (index.keys.empty()) return;
      shingle_hashes(s.tokens, w, h);
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
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      const bool is_long = s.tokens.size() >= long_tokens && 2 * static_cast<std::size_t>(s.singles) >= s.tokens.size();
      is_long ? probe(d, wide, w_long) : probe(d, mixed, w_short);
      probe(d, narrow, w_short);
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
