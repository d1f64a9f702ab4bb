// Pairs of weighted sets of which the lighter one lies mostly in the other: no such pair is lost.
#pragma once
#include <numeric>

#include "sets/postings.hpp"
#include "sets/sets.hpp"

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
  std::vector<u32> order(n);  // the heaviest first: who stands behind a cap still meets those that may hold it
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return sizes[a] > sizes[b]; });
  const Postings lists = [&] {
    const Repeated repeated(s.values);  // most values stand in one document only, and make no list
    return Postings(
        [&](auto&& put) {
          for (u32 d : order)
            for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i)
              if (const u64 value = s.values[static_cast<std::size_t>(i)]; repeated(value)) put(value, d, s.weights[static_cast<std::size_t>(i)]);
        },
        2, threads);
  }();
  ContainedPairs out;
  const Standing standing(lists, n);
  struct Entry {
    u32 list, weight, length;
  };
  std::vector<Entry> entries(standing.own.size());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [list, place] = standing.own[e];
    entries[e] = {list, lists.weights(list)[place], static_cast<u32>(lists[list].size())};
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
      const auto a = entries.begin() + standing.offsets[d], b = entries.begin() + standing.offsets[d + 1];
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
