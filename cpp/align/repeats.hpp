// Passages that stand in two documents of a corpus: maximal equal runs of tokens, found through winnowing fingerprints.
//
// A fingerprint is taken of `gram` tokens; of every `window` of them in a row the least is an anchor (the rightmost of
// equal ones), so that two places that agree over gram + window - 1 tokens have an anchor at the same distance
// (Schleimer 2003). Anchors with one hash are met in document order and extended to both sides.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"
#include "text/shingles.hpp"

namespace quchong {

struct RepeatOptions {
  u32 shortest;           // tokens of a passage
  u32 partners, tries;    // of an anchor: earlier places met that are passages, and places looked at
  std::int64_t compared;  // places looked at in counting the documents of all passages with one anchor, at most
};

struct Repeats {
  std::vector<u32> doc, other;          // other < doc
  std::vector<u32> start, other_start;  // tokens
  std::vector<u32> length, passage;     // passage: number of the distinct token sequence
  std::vector<u32> documents;           // of each passage: documents that hold it
  std::vector<double> share;            // of each passage: tokens of it / tokens of these documents, the mean
  std::int64_t bounded = 0;             // anchors whose earlier places were not all looked at
};

namespace repeats {

inline constexpr u32 NONE = ~0u;

// Rolling hash of `gram` tokens: a polynomial modulo 2^64, mixed, so that its least value is as good as any.
class Rolling {
 public:
  Rolling(std::span<const u32> tokens, u32 gram) : tokens_(tokens), gram_(gram) {
    for (u32 i = 0; i + 1 < gram; ++i) top_ *= BASE;
    for (u32 i = 0; i < gram; ++i) hash_ = hash_ * BASE + value(i);
  }
  u64 operator()() const { return mix64(hash_); }
  void next() {
    hash_ = (hash_ - value(at_) * top_) * BASE + value(at_ + gram_);
    ++at_;
  }

 private:
  static constexpr u64 BASE = 0x9FB21C651E98DF25ull;
  u64 value(std::size_t i) const { return (tokens_[i] + 1ull) * GOLDEN; }
  std::span<const u32> tokens_;
  u32 gram_;
  std::size_t at_ = 0;
  u64 hash_ = 0, top_ = 1;
};

// Anchors of one document: place and hash of the least fingerprint of every window, each place once, in order.
template <class Put>
void anchors(std::span<const u32> tokens, u32 gram, u32 window, std::vector<u64>& hashes, Put&& put) {
  if (tokens.size() < gram + window - 1ull) return;
  const std::size_t n = tokens.size() - gram + 1;
  hashes.resize(n);
  Rolling rolling(tokens, gram);
  for (std::size_t i = 0; i < n; ++i) {
    hashes[i] = rolling();
    if (i + 1 < n) rolling.next();
  }
  rightmost_minima(hashes, window, [&](std::size_t i) { put(i, hashes[i]); });
}

// Anchors whose hash stands in two documents or more, in order, and for each those with its hash: place k of group g is
// postings[first[g] + k]. All others lead nowhere, and are let go as soon as that is known.
struct Anchors {
  std::vector<u32> at;                // token of its document
  std::vector<u32> doc, group;
  std::vector<std::int64_t> offsets;  // of document
  std::vector<u32> postings;
  std::vector<std::int64_t> first;

  Anchors(std::span<const u32> tokens, std::span<const std::int64_t> docs, u32 gram, u32 window, int threads) {
    std::vector<u64> hash;
    find(tokens, docs, gram, window, threads, hash);
    join(hash, threads);
    std::vector<u64>().swap(hash);
    keep_joined();
  }

 private:
  struct Entry {
    u64 hash;
    u32 anchor;
    bool operator<(const Entry& other) const { return hash != other.hash ? hash < other.hash : anchor < other.anchor; }
  };
  struct Piece {
    std::vector<u32> at, count;
    std::vector<u64> hash;
  };

  // Documents are looked at in rounds, so that what a round finds is small beside all of it.
  void find(std::span<const u32> tokens, std::span<const std::int64_t> docs, u32 gram, u32 window, int threads, std::vector<u64>& hash) {
    const auto n = static_cast<std::int64_t>(docs.size()) - 1;
    constexpr std::int64_t GRAIN = 16, ROUND = 1 << 20;  // documents, tokens
    const std::size_t expected = tokens.size() * 2 / (window + 1) + tokens.size() / 100;
    offsets.assign(static_cast<std::size_t>(n) + 1, 0);
    at.reserve(expected), hash.reserve(expected), doc.reserve(expected);
    std::vector<Piece> pieces;
    std::vector<std::vector<u64>> scratch(static_cast<std::size_t>(std::max(threads, 1)));
    std::size_t d = 0;
    for (std::int64_t start = 0, count; start < n; start += count) {
      const auto after = std::upper_bound(docs.begin() + start + 1, docs.end() - 1, docs[static_cast<std::size_t>(start)] + ROUND);
      count = (after - docs.begin()) - start;
      pieces.assign(static_cast<std::size_t>((count + GRAIN - 1) / GRAIN), {});
      parallel_for(count, GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
        auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
        for (auto k = static_cast<std::size_t>(start + from); k < static_cast<std::size_t>(start + to); ++k) {
          const std::size_t before = piece.at.size();
          const auto length = static_cast<std::size_t>(docs[k + 1] - docs[k]);
          anchors(tokens.subspan(static_cast<std::size_t>(docs[k]), length), gram, window, scratch[static_cast<std::size_t>(thread)],
                  [&](std::size_t i, u64 h) {
                    piece.at.push_back(static_cast<u32>(i));
                    piece.hash.push_back(h);
                  });
          piece.count.push_back(static_cast<u32>(piece.at.size() - before));
        }
      });
      for (auto& p : pieces) {
        at.insert(at.end(), p.at.begin(), p.at.end());
        hash.insert(hash.end(), p.hash.begin(), p.hash.end());
        for (u32 c : p.count) {
          doc.insert(doc.end(), c, static_cast<u32>(d));
          ++d;
          offsets[d] = offsets[d - 1] + c;
        }
        p = Piece{};
      }
    }
  }

  // Hashes are sorted in passes, each over a stretch of their values, so that few of them lie twice in memory.
  void join(const std::vector<u64>& hash, int threads) {
    constexpr std::size_t PARTS = 256;
    const std::size_t passes = hash.size() < (1u << 16) ? 1 : 8, of_pass = PARTS / passes;
    std::vector<std::size_t> start(PARTS + 1, 0);
    for (u64 h : hash) ++start[(h >> 56) + 1];
    for (std::size_t p = 0; p < PARTS; ++p) start[p + 1] += start[p];
    group.assign(hash.size(), NONE);
    first.push_back(0);
    std::vector<Entry> entries;
    for (std::size_t begin = 0; begin < PARTS; begin += of_pass) {
      const std::size_t end = begin + of_pass, base = start[begin];
      entries.resize(start[end] - base);
      std::vector<std::size_t> next(start.begin() + static_cast<std::ptrdiff_t>(begin), start.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t i = 0; i < hash.size(); ++i) {
        const std::size_t part = hash[i] >> 56;
        if (part >= begin && part < end) entries[next[part - begin]++ - base] = {hash[i], static_cast<u32>(i)};
      }
      parallel_for(static_cast<std::int64_t>(of_pass), 1, threads, [&](int, std::int64_t p, std::int64_t) {
        const std::size_t k = begin + static_cast<std::size_t>(p);
        std::sort(entries.begin() + static_cast<std::ptrdiff_t>(start[k] - base), entries.begin() + static_cast<std::ptrdiff_t>(start[k + 1] - base));
      });
      for (std::size_t i = 0, j; i < entries.size(); i = j) {
        for (j = i + 1; j < entries.size() && entries[j].hash == entries[i].hash;) ++j;
        if (doc[entries[i].anchor] == doc[entries[j - 1].anchor]) continue;
        const auto g = static_cast<u32>(first.size() - 1);
        for (std::size_t k = i; k < j; ++k) {
          group[entries[k].anchor] = g;
          postings.push_back(entries[k].anchor);
        }
        first.push_back(static_cast<std::int64_t>(postings.size()));
      }
    }
  }

  // Let go of the anchors without a group; the others keep their order.
  void keep_joined() {
    std::vector<u32> number(group.size());
    std::size_t kept = 0;
    for (std::size_t d = 0, i = 0; d + 1 < offsets.size(); ++d) {
      for (const auto end = static_cast<std::size_t>(offsets[d + 1]); i < end; ++i) {
        if (group[i] == NONE) continue;
        number[i] = static_cast<u32>(kept);
        at[kept] = at[i], doc[kept] = doc[i], group[kept] = group[i];
        ++kept;
      }
      offsets[d + 1] = static_cast<std::int64_t>(kept);
    }
    for (auto* column : {&at, &doc, &group}) column->resize(kept), column->shrink_to_fit();
    for (u32& anchor : postings) anchor = number[anchor];
  }
};

// How far a diagonal (the distance of two places) has been looked at: open addressing, emptied at once.
class Diagonals {
 public:
  struct Slot {
    u64 diagonal, end;
    u32 round;
    bool passage;
  };
  Diagonals() : slots_(256) {}
  void clear() {
    ++round_;
    used_ = 0;
  }
  Slot& at(u64 diagonal) {
    if (Slot& known = find(diagonal); known.round == round_) return known;
    if (2 * ++used_ > slots_.size()) grow();
    return find(diagonal) = {diagonal, 0, round_, false};
  }

 private:
  Slot& find(u64 diagonal) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = mix64(diagonal) & mask;
    while (slots_[i].round == round_ && slots_[i].diagonal != diagonal) i = (i + 1) & mask;
    return slots_[i];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.round == round_) find(s.diagonal) = s;
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  u32 round_ = 1;
};

struct Match {
  u32 doc, other, start, other_start, length;
};

// Of the passages of one document with one other those that lie within another one (in this document) are left out.
inline void drop_inner(std::vector<Match>& of_doc, std::vector<Match>& out) {
  std::sort(of_doc.begin(), of_doc.end(), [](const Match& a, const Match& b) {
    if (a.other != b.other) return a.other < b.other;
    if (a.start != b.start) return a.start < b.start;
    if (a.length != b.length) return a.length > b.length;
    return a.other_start < b.other_start;
  });
  u32 other = NONE, end = 0;
  for (const Match& m : of_doc) {
    if (m.other == other && m.start + m.length <= end) continue;
    if (m.other != other) end = 0;
    other = m.other;
    end = m.start + m.length;
    out.push_back(m);
  }
}

}  // namespace repeats

// All maximal equal runs of at least `shortest` tokens between two documents, each document with earlier ones; sorted by
// document, other, start. Tokens of document d: tokens[docs[d] .. docs[d + 1]).
inline Repeats repeated_passages(std::span<const u32> tokens, std::span<const std::int64_t> docs, const RepeatOptions& options,
                                 int threads) {
  using namespace repeats;
  const u32 gram = (options.shortest + 1) / 2, window = options.shortest - gram + 1;
  const Anchors anchors(tokens, docs, gram, window, threads);
  const auto n = static_cast<std::int64_t>(docs.size()) - 1;
  const auto bound = [&](u32 d) { return std::pair{static_cast<u64>(docs[d]), static_cast<u64>(docs[d + 1])}; };
  constexpr std::int64_t GRAIN = 16;
  std::vector<std::vector<Match>> pieces(static_cast<std::size_t>((n + GRAIN - 1) / GRAIN));
  std::vector<std::int64_t> bounded(pieces.size(), 0);
  std::vector<Diagonals> seen(static_cast<std::size_t>(threads));
  parallel_for(n, GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& diagonals = seen[static_cast<std::size_t>(thread)];
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<Match> mine;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto [begin, end] = bound(static_cast<u32>(d));
      diagonals.clear();
      mine.clear();
      for (auto a = anchors.offsets[d]; a < anchors.offsets[d + 1]; ++a) {
        const u32 g = anchors.group[static_cast<std::size_t>(a)];
        const u64 p = begin + anchors.at[static_cast<std::size_t>(a)];
        u32 partners = 0, tries = 0;
        for (auto k = anchors.first[g]; k < anchors.first[g + 1]; ++k) {
          const u32 other = anchors.postings[static_cast<std::size_t>(k)];
          const u32 e = anchors.doc[other];
          if (e >= d) break;
          if (partners == options.partners || tries++ == options.tries) {
            ++bounded[static_cast<std::size_t>(from / GRAIN)];
            break;
          }
          const u64 q = static_cast<u64>(docs[e]) + anchors.at[other];
          auto& slot = diagonals.at(p - q);
          if (slot.end <= p) {
            const auto [other_begin, other_end] = bound(e);
            u64 left = 0, right = 0;
            while (p - left > begin && q - left > other_begin && tokens[p - left - 1] == tokens[q - left - 1]) ++left;
            while (p + right < end && q + right < other_end && tokens[p + right] == tokens[q + right]) ++right;
            slot.passage = left + right >= options.shortest;
            slot.end = p + std::max<u64>(right, 1);
            if (slot.passage)
              mine.push_back({static_cast<u32>(d), e, static_cast<u32>(p - left - begin), static_cast<u32>(q - left - other_begin),
                              static_cast<u32>(left + right)});
          }
          partners += slot.passage;
        }
      }
      drop_inner(mine, piece);
    }
  });
  Repeats out;
  std::vector<Match> all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    out.bounded += bounded[i];
    all.insert(all.end(), pieces[i].begin(), pieces[i].end());
    std::vector<Match>().swap(pieces[i]);
  }

  // Passages with equal tokens, put together by a 128-bit hash; each by its first place.
  struct Key {
    u64 high, low;
    u32 match;
    bool same(const Key& other) const { return high == other.high && low == other.low; }
  };
  std::vector<Key> keys(all.size());
  const auto text = [&](const Match& m) { return tokens.subspan(static_cast<std::size_t>(docs[m.doc]) + m.start, m.length); };
  parallel_for(static_cast<std::int64_t>(all.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      u64 h[2];
      sequence_hashes<2>(text(all[i]), {1, 2}, h);
      keys[i] = {h[0], h[1], static_cast<u32>(i)};
    }
  });
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.high != b.high ? a.high < b.high : a.low != b.low ? a.low < b.low : a.match < b.match;
  });
  std::vector<u32> of(all.size()), leader;
  for (std::size_t i = 0, j; i < keys.size(); i = j) {
    for (j = i; j < keys.size() && keys[j].same(keys[i]); ++j) of[keys[j].match] = keys[i].match;
  }
  std::vector<u32> number(all.size());
  for (u32 i = 0; i < all.size(); ++i) {
    if (of[i] == i) {
      number[i] = static_cast<u32>(leader.size());
      leader.push_back(i);
    }
    out.passage.push_back(number[of[i]]);
    out.doc.push_back(all[i].doc);
    out.other.push_back(all[i].other);
    out.start.push_back(all[i].start);
    out.other_start.push_back(all[i].other_start);
    out.length.push_back(all[i].length);
  }

  // The anchor of a passage's first window is one in every document that holds the passage: it leads to all of them.
  struct Lead {
    u32 group, before;  // tokens of the passage before the anchor
  };
  std::vector<Lead> leads(leader.size());
  std::vector<u32> of_group(anchors.first.size() - 1, 0);
  parallel_for(static_cast<std::int64_t>(leader.size()), 64, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<u64> hashes;
    for (auto c = static_cast<std::size_t>(from); c < static_cast<std::size_t>(to); ++c) {
      const Match& m = all[leader[c]];
      u32 before = NONE;
      repeats::anchors(text(m).first(options.shortest), gram, window, hashes, [&](std::size_t i, u64) { before = static_cast<u32>(i); });
      const u32 at = m.start + before;
      const auto begin = anchors.at.begin() + anchors.offsets[m.doc], end = anchors.at.begin() + anchors.offsets[m.doc + 1];
      leads[c] = {anchors.group[static_cast<std::size_t>(std::lower_bound(begin, end, at) - anchors.at.begin())], before};
    }
  });
  for (const auto& l : leads) ++of_group[l.group];
  out.documents.assign(leader.size(), 0);
  out.share.assign(leader.size(), 0);
  parallel_for(static_cast<std::int64_t>(leader.size()), 16, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto c = static_cast<std::size_t>(from); c < static_cast<std::size_t>(to); ++c) {
      const Match& m = all[leader[c]];
      const auto [group, before] = leads[c];
      const auto passage = text(m);
      const auto places = std::max<std::int64_t>(1000, options.compared / of_group[group]);
      const auto last = std::min(anchors.first[group + 1], anchors.first[group] + places);
      u32 counted = NONE;
      double share = 0;
      for (auto k = anchors.first[group]; k < last; ++k) {
        const u32 other = anchors.postings[static_cast<std::size_t>(k)], e = anchors.doc[other];
        const auto [begin, end] = bound(e);
        const u64 q = begin + anchors.at[other];
        if (e == counted || q < begin + before || q - before + m.length > end) continue;
        if (!std::equal(passage.begin(), passage.end(), tokens.begin() + static_cast<std::ptrdiff_t>(q - before))) continue;
        counted = e;
        ++out.documents[c];
        share += static_cast<double>(m.length) / static_cast<double>(end - begin);
      }
      out.share[c] = share / std::max(out.documents[c], 1u);
    }
  });
  return out;
}

}  // namespace quchong
