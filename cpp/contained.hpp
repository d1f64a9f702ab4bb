// Pairs of weighted sets of which the lighter one lies mostly in the other: no such pair is lost.
#pragma once
#include <numeric>

#include "postings.hpp"
#include "sets.hpp"

namespace quchong {

struct ContainedOptions {
  double threshold = 0.6;
  u32 cap = 0;  // documents of a list that are met, the heaviest ones; 0 for all
  std::int64_t references = 0;
};

struct ContainedPairs {
  PairList pairs;
  std::int64_t capped = 0, largest = 0, compared = 0;
};

// Every document asks, as the lighter one, for those that hold at least `threshold` of its weight. It visits its lists from
// the shortest on until what is left unvisited could not make the threshold by itself: whoever has not been met by then
// cannot hold enough. Those met are compared exactly where what was seen and what is left together could suffice.
inline ContainedPairs meet_contained(const FeatureSets& s, std::span<const u64> scope, const ContainedOptions& o, int threads) {
  const std::size_t n = s.size();
  const auto sizes = set_sizes(s);
  std::vector<Posting> given;
  {
    std::vector<u32> order(n);  // the heaviest first: who stands behind a cap still meets those that may hold it
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return sizes[a] > sizes[b]; });
    const Repeated repeated(s.values);  // most values stand in one document only, and make no list
    for (u32 d : order)
      for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i)
        if (const u64 value = s.values[static_cast<std::size_t>(i)]; repeated(value)) given.push_back({value, d, s.weights[static_cast<std::size_t>(i)]});
  }
  const Postings lists(std::move(given), 2, threads);
  ContainedPairs out;
  std::vector<std::int64_t> own(n + 1, 0);
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (u32 d : lists[l]) ++own[d + 1];
  for (std::size_t d = 0; d < n; ++d) own[d + 1] += own[d];
  struct Entry {
    u32 list, weight, length;
  };
  std::vector<Entry> entries(static_cast<std::size_t>(own[n]));
  {
    std::vector<std::int64_t> at(own.begin(), own.end() - 1);
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (std::size_t i = 0; i < lists[l].size(); ++i)
        entries[static_cast<std::size_t>(at[lists[l][i]]++)] = {static_cast<u32>(l), lists.weights(l)[i], static_cast<u32>(lists[l].size())};
  }
  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u64>> pieces((n + GRAIN - 1) / GRAIN);
  struct Mine {
    std::vector<u64> seen;
    std::vector<std::uint8_t> capped;
    std::int64_t compared = 0, largest = 0;
  };
  std::vector<Mine> mine(static_cast<std::size_t>(std::max(1, threads)));
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& m = mine[static_cast<std::size_t>(thread)];
    if (m.seen.empty()) m.seen.assign(n, 0), m.capped.assign(lists.size(), 0);
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<u32> touched;
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto a = entries.begin() + own[d], b = entries.begin() + own[d + 1];
      const double whole = static_cast<double>(sizes[d]), need = o.threshold * whole - 1e-9 * whole;
      u64 rest = 0, unseen = 0;
      for (auto e = a; e < b; ++e) rest += e->weight;
      touched.clear();
      const auto longer = [](const Entry& x, const Entry& y) { return x.length != y.length ? x.length > y.length : x.list > y.list; };
      const bool possible = static_cast<double>(rest) >= need;
      if (possible) std::make_heap(a, b, longer);
      for (auto e = b; possible && e > a && static_cast<double>(rest) >= need && rest > 0;) {
        std::pop_heap(a, e--, longer);  // the shortest list left
        const auto list = lists[e->list];
        auto end = list.size();
        if (o.cap && end > o.cap) {
          m.capped[e->list] = 1;
          m.largest = std::max(m.largest, static_cast<std::int64_t>(end));
          end = o.cap;
          unseen += e->weight;
        }
        for (std::size_t i = 0; i < end; ++i) {
          if (m.seen[list[i]] == 0) touched.push_back(list[i]);
          m.seen[list[i]] += e->weight;
        }
        rest -= e->weight;
      }
      for (u32 x : touched) {
        const u64 seen = m.seen[x];
        m.seen[x] = 0;
        if (x == d || sizes[x] < sizes[d] || (sizes[x] == sizes[d] && x > d)) continue;  // met from the lighter one, of equal ones from the later
        if (static_cast<std::int64_t>(std::max<std::size_t>(x, d)) < o.references) continue;
        if (!scope.empty() && scope[x] != scope[d]) continue;
        if (static_cast<double>(seen + rest + unseen) < need) continue;
        ++m.compared;
        if (static_cast<double>(shared_of(s, x, d).weight) >= need) piece.push_back(pair_of(x, static_cast<u32>(d)));
      }
    }
  });
  std::vector<std::uint8_t> capped(lists.size(), 0);
  for (const auto& m : mine) {
    out.compared += m.compared;
    out.largest = std::max(out.largest, m.largest);
    for (std::size_t l = 0; l < m.capped.size(); ++l) capped[l] |= m.capped[l];
  }
  out.capped = std::accumulate(capped.begin(), capped.end(), std::int64_t{0});
  out.pairs = sorted_pairs(pieces);
  return out;
}

}  // namespace quchong
