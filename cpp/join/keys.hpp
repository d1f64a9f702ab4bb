// From keys to candidate pairs: postings of equal keys, bounded, with a count filter.
#pragma once
#include <utility>

#include "hash.hpp"
#include "postings/select.hpp"
#include "machine/parallel.hpp"

namespace quchong {

struct JoinOptions {
  u32 cap = 64;              // postings of a key that are met, the first in document order
  u32 min_shared = 1;        // keys two documents must share
  double share = 0;          // ... and at least this share of the keys expected of the shorter one
  u32 most = 0;              // earlier documents a document is paired with, of the references and of the others; 0 for all
  u32 few = 0, crowd = 0;    // a document of more than 3 `few` that has a key of more than `crowd` documents is paired with `few`; 0 for none
  std::int64_t references = 0;  // documents [0, references) are met but not paired with each other
  double within = -1;        // documents further apart in time than this do not meet; < 0: no limit
  std::int64_t wave = 32 << 20;  // keys held a second time at once, 12 bytes each; an eighth of all where that is more
};

struct JoinResult {
  std::vector<u32> left, right, shared;  // left < right, sorted by right, then left
  std::int64_t capped_keys = 0;          // keys with more postings than the cap
  std::int64_t largest_key = 0;          // most documents under one key
  std::int64_t bounded = 0;              // documents that met more than `most`, or in a crowd more than 3 `few`
  std::vector<u32> crowded;              // those of them in a crowd, ascending
};

// Document d of the join is number order[d] of the input: it has keys[offsets[order[d]] .. offsets[order[d] + 1]). size: shingles of d; window: its winnowing window (1 without).
// time: sorted ascending when within >= 0. The expected number of shared keys of two documents that agree wholly is
// min(size) * 2 / (max(window) + 1), sizes scaled by the share of a document's keys that are distinct.
inline JoinResult join_keys(std::span<const u64> keys, std::span<const std::int64_t> offsets,
                            std::span<const std::int64_t> order, std::span<const u32> size, std::span<const u32> window,
                            std::span<const double> time, const JoinOptions& o, int threads) {
  const auto n = static_cast<std::int64_t>(order.size());
  JoinResult result;
  if (n <= 0) return result;
  // (1) Split the keys into PARTS by their highest bits, so that parts can be made into lists independently, on any thread.
  constexpr int BITS = 10, PARTS = 1 << BITS;
  // Documents are read in ranges, and each range writes to positions of its own within a part: the keys of a part stay in document order.
  std::vector<std::int64_t> first(PARTS + 1, 0);
  const std::int64_t ranges = std::clamp<std::int64_t>(threads, 1, n), step = (n + ranges - 1) / ranges;
  std::vector<std::vector<std::int64_t>> at(static_cast<std::size_t>(ranges), std::vector<std::int64_t>(PARTS, 0));
  const auto each_key = [&](std::int64_t range, auto&& f) {
    for (std::int64_t d = range * step; d < std::min(n, (range + 1) * step); ++d)
      for (auto i = static_cast<std::size_t>(offsets[order[d]]); i < static_cast<std::size_t>(offsets[order[d] + 1]); ++i)
        f(keys[i], static_cast<std::size_t>(keys[i] >> (64 - BITS)), static_cast<u32>(d));
  };
  // Count the keys of each (range, part), then turn the counts into the position where each range writes in each part.
  parallel_for(ranges, 1, threads, [&](int, std::int64_t range, std::int64_t) {
    auto& mine = at[static_cast<std::size_t>(range)];
    each_key(range, [&](u64, std::size_t part, u32) { ++mine[part]; });
  });
  for (std::size_t p = 0, place = 0; p < PARTS; ++p) {
    for (auto& mine : at) place += static_cast<std::size_t>(std::exchange(mine[p], static_cast<std::int64_t>(place)));
    first[p + 1] = static_cast<std::int64_t>(place);
  }
  // A key of two documents or more becomes a list of these documents.
  struct Part {
    std::vector<u32> docs;           // of all lists of this part, ascending within a list
    std::vector<std::int64_t> ends;  // end of each list in docs
    std::int64_t capped = 0, largest = 0;
  };
  std::vector<Part> parts(PARTS);
  // The keys of a part are counted in an open-addressing table. Rows come in document order, so that lists ascend without sorting.
  struct Cell { u64 key; u32 last, count, list, unused; };
  std::vector<std::vector<Cell>> tables(static_cast<std::size_t>(threads));
  std::vector<std::vector<u32>> cells(static_cast<std::size_t>(threads));
  // Number of repeated keys of each document: a text that repeats itself has fewer distinct keys than its length suggests, see `effective`.
  std::vector<std::atomic<u32>> repeats(static_cast<std::size_t>(n));
  std::vector<u64> part_key;
  std::vector<u32> part_doc;
  const auto make_lists = [&](std::size_t thread, std::size_t from, std::size_t to, std::size_t base) {
    auto& table = tables[thread];
    auto& cell = cells[thread];
    // For each part: pass 1 counts the documents of each key, pass 2 gives every key of two documents or more a list, pass 3 fills the
    // lists.
    constexpr u32 NONE = ~0u;
    for (auto p = from; p < to; ++p) {
      const auto begin = static_cast<std::size_t>(first[p]) - base, n_rows = static_cast<std::size_t>(first[p + 1] - first[p]);
      // Table of twice as many cells as rows, a power of two, so that probing stays short. Cells are chosen by the key bits after those
      // that chose the part.
      std::size_t size = 64;
      while (size < 2 * n_rows) size *= 2;
      table.assign(size, Cell{0, NONE, 0, NONE, 0});
      cell.resize(n_rows);
      for (std::size_t i = 0; i < n_rows; ++i) {
        const u64 key = part_key[begin + i];
        std::size_t at = (key >> (64 - BITS - 32)) & (size - 1);
        while (table[at].count && table[at].key != key) at = (at + 1) & (size - 1);
        auto& c = table[at];
        if (c.count && c.last == part_doc[begin + i]) {
          cell[i] = NONE;  // the same key twice in one document
          repeats[part_doc[begin + i]].fetch_add(1, std::memory_order_relaxed);
          continue;
        }
        c.key = key;
        c.last = part_doc[begin + i];
        ++c.count;
        cell[i] = static_cast<u32>(at);
      }
      auto& part = parts[p];
      std::int64_t total = 0;
      for (std::size_t i = 0; i < n_rows; ++i) {  // lists in the order of their first row
        if (cell[i] == NONE || table[cell[i]].count < 2) continue;
        auto& c = table[cell[i]];
        if (c.list == NONE) {
          c.list = static_cast<u32>(total);  // from here on: where the list's next document goes
          total += c.count;
          part.ends.push_back(total);
          part.capped += c.count > o.cap;
          part.largest = std::max(part.largest, static_cast<std::int64_t>(c.count));
        }
      }
      part.docs.resize(static_cast<std::size_t>(total));
      for (std::size_t i = 0; i < n_rows; ++i)
        if (cell[i] != NONE && table[cell[i]].count >= 2) part.docs[table[cell[i]].list++] = part_doc[begin + i];
    }
  };
  // (2) Make the lists in waves of parts: memory holds the keys of one wave a second time.
  const auto most_at_once = std::max(o.wave, first[PARTS] / 8);  // every wave reads all keys
  for (std::size_t wave = 0; wave < PARTS;) {
    auto end = wave + 1;
    while (end < PARTS && first[end + 1] - first[wave] <= most_at_once) ++end;
    const auto base = static_cast<std::size_t>(first[wave]);
    part_key.resize(static_cast<std::size_t>(first[end]) - base);
    part_doc.resize(part_key.size());
    parallel_for(ranges, 1, threads, [&](int, std::int64_t range, std::int64_t) {
      auto& mine = at[static_cast<std::size_t>(range)];
      each_key(range, [&](u64 key, std::size_t part, u32 d) {
        if (part < wave || part >= end) return;
        const auto to = static_cast<std::size_t>(mine[part]++) - base;
        part_key[to] = key;
        part_doc[to] = d;
      });
    });
    parallel_for(static_cast<std::int64_t>(end - wave), 1, threads, [&](int thread, std::int64_t from, std::int64_t to) {
      make_lists(static_cast<std::size_t>(thread), wave + static_cast<std::size_t>(from), wave + static_cast<std::size_t>(to), base);
    });
    wave = end;
  }
  std::vector<u64>().swap(part_key);
  std::vector<u32>().swap(part_doc);
  std::vector<std::vector<Cell>>().swap(tables);
  std::vector<std::vector<u32>>().swap(cells);

  // (3) Concatenate the lists of all parts, in the order of parts: the result does not depend on threads or waves.
  std::vector<u32> list_docs;
  std::vector<std::int64_t> list_first{0};
  std::size_t listed = 0, lists = 1;
  for (const auto& part : parts) listed += part.docs.size(), lists += part.ends.size();
  list_docs.reserve(listed);
  list_first.reserve(lists);
  for (auto& part : parts) {
    const auto base = static_cast<std::int64_t>(list_docs.size());
    list_docs.insert(list_docs.end(), part.docs.begin(), part.docs.end());
    for (std::int64_t e : part.ends) list_first.push_back(base + e);
    result.capped_keys += part.capped;
    result.largest_key = std::max(result.largest_key, part.largest);
    part = Part{};
  }
  // The inverse: for each document its lists, and its position in each. A counting sort, since lists are read in order.
  std::vector<std::int64_t> own(static_cast<std::size_t>(n) + 1, 0);
  for (u32 d : list_docs) ++own[d + 1];
  for (std::int64_t d = 0; d < n; ++d) own[static_cast<std::size_t>(d) + 1] += own[static_cast<std::size_t>(d)];
  struct Entry { u32 list, place; };
  std::vector<Entry> entries(list_docs.size());
  {
    std::vector<std::int64_t> at(own.begin(), own.end() - 1);
    for (std::size_t l = 0; l + 1 < list_first.size(); ++l)
      for (std::int64_t i = list_first[l]; i < list_first[l + 1]; ++i)
        entries[static_cast<std::size_t>(at[list_docs[static_cast<std::size_t>(i)]]++)] = {static_cast<u32>(l), static_cast<u32>(i - list_first[l])};
  }

  std::vector<double> effective(static_cast<std::size_t>(n));  // shingles, scaled by the share of keys that are distinct
  for (std::size_t d = 0; d < effective.size(); ++d) {
    const double all = static_cast<double>(offsets[order[d] + 1] - offsets[order[d]]);
    effective[d] = all > 0 ? size[d] * ((all - repeats[d].load()) / all) : size[d];
  }

  // (4) Select the candidates of each document from its lists. A thread counts in one array, and resets only the entries it touched.
  constexpr std::int64_t GRAIN = 512;
  const auto chunks = static_cast<std::size_t>((n + GRAIN - 1) / GRAIN);
  std::vector<JoinResult> pieces(chunks);
  std::vector<DenseCount> counts(static_cast<std::size_t>(threads));
  std::vector<Selected> chosen(counts.size());
  const SelectLimits limits{o.cap, o.most, o.few, o.crowd, o.references};
  parallel_for(n, GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& count = counts[static_cast<std::size_t>(thread)];
    auto& mine = chosen[static_cast<std::size_t>(thread)];
    count.resize(static_cast<std::size_t>(n));
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (std::int64_t d = from; d < to; ++d) {
      const auto me = static_cast<std::size_t>(d);
      const auto lists = [&](auto&& f) {
        for (std::int64_t e = own[me]; e < own[me + 1]; ++e) {
          const auto [list, place] = entries[static_cast<std::size_t>(e)];
          const auto begin = list_first[list];
          f(std::span<const u32>{&list_docs[static_cast<std::size_t>(begin)], place}, static_cast<std::size_t>(list_first[list + 1] - begin), list);
        }
      };
      const KeyRule rule{o.min_shared, o.share, o.within, effective[me], static_cast<double>(window[me]), time[me],
                         effective.data(), window.data(), time.data()};
      select_candidates(d, lists, rule, limits, count, mine);
      out.left.insert(out.left.end(), mine.documents.begin(), mine.documents.end());
      out.right.insert(out.right.end(), mine.documents.size(), static_cast<u32>(d));
      for (u64 shared : mine.shared) out.shared.push_back(static_cast<u32>(shared));
      if (!mine.bounded) continue;
      ++out.bounded;
      if (mine.crowded) out.crowded.push_back(static_cast<u32>(d));
    }
  });
  // (5) Concatenate the chunks in document order; each is freed at once.
  for (auto& p : pieces) {
    result.left.insert(result.left.end(), p.left.begin(), p.left.end());
    result.right.insert(result.right.end(), p.right.begin(), p.right.end());
    result.shared.insert(result.shared.end(), p.shared.begin(), p.shared.end());
    result.bounded += p.bounded;
    result.crowded.insert(result.crowded.end(), p.crowded.begin(), p.crowded.end());
    p = JoinResult{};
  }
  return result;
}

}  // namespace quchong
