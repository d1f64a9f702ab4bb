// Where two token sequences agree: maximal equal runs, greedily from left to right of the second text; and where the runs of
// pairs of texts stand in them.
#pragma once
#include "pairs/pairs.hpp"
#include "text/words.hpp"

namespace quchong {

struct Run { u32 left, right, length; };

// Buffers of one thread, and where each shingle of `a` stands: heads of chains in an open table.
struct RunScratch {
  std::vector<u64> ha, hb;
  std::vector<u32> head, next;
  bool known = false;  // the table is that of `a` at this width: the caller resets it when either is another one
};

// Runs of at least `shortest` tokens found through equal w-shingles. At every place of b the longest run starting there
// is taken (the one that continues the last run, then the first in a, on ties); then the search goes on behind it.
// Of a shingle that occurs often in a only the first 64 places are looked at.
inline void equal_runs(std::span<const u32> a, std::span<const u32> b, int w, u32 shortest, RunScratch& s, std::vector<Run>& out) {
  out.clear();
  const std::size_t m = a.size(), n = b.size();
  if (m == 0 || n == 0) return;
  if (m == n && std::equal(a.begin(), a.end(), b.begin())) {
    out.push_back({0, 0, static_cast<u32>(n)});
    return;
  }
  auto& [ha, hb, head, next, known] = s;
  constexpr u32 NONE = ~0u;
  if (!known) shingle_hashes(a, w, ha);
  shingle_hashes(b, w, hb);
  std::size_t slots = 64;
  while (slots < 2 * ha.size()) slots *= 2;
  const auto slot = [&](u64 h) {
    std::size_t i = h & (slots - 1);
    while (head[i] != NONE && ha[head[i]] != h) i = (i + 1) & (slots - 1);
    return i;
  };
  if (!known) {
    head.assign(slots, NONE);
    next.resize(ha.size());
    for (std::size_t i = ha.size(); i-- > 0;) {
      const std::size_t at = slot(ha[i]);
      next[i] = head[at];
      head[at] = static_cast<u32>(i);
    }
    known = true;
  }
  std::size_t expected = m + 1;
  for (std::size_t j = 0; j < hb.size();) {
    u32 best = NONE, length = 0;
    auto measure = [&](std::size_t i) {
      u32 k = 0;
      while (i + k < m && j + k < n && a[i + k] == b[j + k]) ++k;
      return k;
    };
    if (expected < m) {
      length = measure(expected);
      if (length > 0) best = static_cast<u32>(expected);
    }
    int looked = 0;
    for (u32 i = head[slot(hb[j])]; i != NONE && looked < 64; i = next[i], ++looked)
      if (const u32 k = measure(i); k > length) {
        best = i;
        length = k;
      }
    if (best != NONE && length >= shortest) {
      out.push_back({best, static_cast<u32>(j), length});
      j += length;
      expected = best + length;
    } else {
      ++j;
      expected = expected < m ? expected + 1 : expected;
    }
  }
}

struct Passages {
  std::vector<std::int64_t> offsets;  // of pair i
  std::vector<std::int64_t> places;   // four a passage: left start, left end, right start, right end
};

// Passages of every pair, in characters of both texts; sorted by their place in the left text. Pairs that share their
// right text are done one after another, so that it is read once. Of two texts of the same bytes one is read.
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
    WordOrder words;
    std::size_t before = texts.address.size();  // the right text of the pair before, and its width
    int width = 0;
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      const std::size_t i = order[k];
      auto& piece = pieces[i];
      const auto x = texts[left[i]], y = texts[right[i]];
      na.run(x.data(), static_cast<std::int64_t>(x.size()));
      if (x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin())) {
        if (a.tokens.size()) {
          const std::int64_t first = a.token_start[0], last = a.token_end[a.tokens.size() - 1];
          piece = {first, last, first, last};
          p.offsets[i + 1] = 1;
        }
        continue;
      }
      auto& table = places[static_cast<std::size_t>(thread)];
      if (right[i] != before) {
        nb.run(y.data(), static_cast<std::int64_t>(y.size()));
        words.clear();
        words.number(b);
      }
      words.number(a);
      table.known &= right[i] == before && w[i] == width;
      before = right[i];
      width = w[i];
      equal_runs(b.tokens, a.tokens, w[i], shortest[i], table, runs);
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

}  // namespace quchong
