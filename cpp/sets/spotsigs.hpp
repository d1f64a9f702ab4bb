// SpotSigs' index (Theobald 2008): length partitions, inverted lists in each, and two prunings.
#pragma once
#include "sets/postings.hpp"
#include "sets/sets.hpp"

namespace quchong {

struct SpotOptions {
  double threshold = 0.44;
  bool paper = false;  // the published rules instead of the safe ones
  u32 cap = 0;         // partners a document asks for that are kept, the first ones; 0 for all
  std::int64_t references = 0;
};

struct SpotPairs {
  PairList pairs;
  std::int64_t compared = 0;  // pairs whose multisets were gone through
  std::int64_t capped = 0, largest = 0;  // documents with more partners than the cap, and the most of one
};

// Multiset Jaccard of d and x along d's features, or less than the threshold as soon as that is certain ("safe"), or as
// soon as the published bound says so ("paper"), which is not always true of multisets.
inline bool spots_alike(const FeatureSets& s, std::size_t d, std::size_t x, u64 size_d, u64 size_x, const SpotOptions& o) {
  const double sum = static_cast<double>(size_d + size_x), longer = static_cast<double>(std::max(size_d, size_x));
  const double slack = 1e-9 * sum;
  u64 common = 0, apart = 0;
  auto j = s.offsets[x];
  for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i) {
    const u64 value = s.values[static_cast<std::size_t>(i)];
    const u32 mine = s.weights[static_cast<std::size_t>(i)];
    while (j < s.offsets[x + 1] && s.values[static_cast<std::size_t>(j)] < value) ++j;
    u32 theirs = 0;
    if (j < s.offsets[x + 1] && s.values[static_cast<std::size_t>(j)] == value) theirs = s.weights[static_cast<std::size_t>(j)];
    common += std::min(mine, theirs);
    apart += std::max(mine, theirs) - std::min(mine, theirs);
    const double a = static_cast<double>(apart);
    if (o.paper ? longer - a < o.threshold * longer - slack : sum - a < o.threshold * (sum + a) - slack) return false;
  }
  const double c = static_cast<double>(common);
  return c >= o.threshold * (sum - c) - slack;
}

// Pairs whose multisets reach the threshold by Jaccard. `ends` are the last lengths of all partitions but the last one,
// ascending. A document looks in its own partition and, where the next can hold a partner, in that one.
//
// "safe": every pair is met once, from the shorter one; a partner not met before holds nothing visited, so it shares at
// most what is left. "paper": the published list rules, from both documents inside a partition as the authors' program
// does, and the published early exit.
inline SpotPairs meet_spots(const FeatureSets& s, std::span<const u64> ends, std::span<const u64> scope, const SpotOptions& o, int threads) {
  const std::size_t n = s.size(), parts = ends.size() + 1;
  const auto sizes = set_sizes(s);
  const double t = o.threshold;
  const auto part_of = [&](u64 size) { return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), size) - ends.begin()); };
  const auto key_of = [](u64 value, std::size_t part) { return mix64(value + GOLDEN * (part + 1)); };
  std::vector<u32> order;
  for (std::size_t d = 0; d < n; ++d)
    if (sizes[d]) order.push_back(static_cast<u32>(d));
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return sizes[a] > sizes[b]; });
  std::vector<u32> rank(n, 0);  // longest first
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<u32>(i);
  std::vector<u64> longest(parts, 0);
  for (u32 d : order) longest[part_of(sizes[d])] = std::max(longest[part_of(sizes[d])], sizes[d]);
  const Postings lists(
      [&](auto&& put) {
        for (u32 d : order) {
          const auto p = part_of(sizes[d]);
          for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i)
            put(key_of(s.values[static_cast<std::size_t>(i)], p), d, s.weights[static_cast<std::size_t>(i)]);
        }
      },
      1, threads);

  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u64>> pieces((order.size() + GRAIN - 1) / GRAIN);
  struct Mine {
    std::vector<u32> met, partners;
    std::int64_t compared = 0, capped = 0, largest = 0;
  };
  std::vector<Mine> mine(static_cast<std::size_t>(std::max(1, threads)));
  struct Visit {
    std::size_t list, length;
    u64 value;
    u32 count;
  };
  parallel_for(static_cast<std::int64_t>(order.size()), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& m = mine[static_cast<std::size_t>(thread)];
    if (m.met.empty()) m.met.assign(n, ~0u);
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<Visit> visits;
    for (auto at = from; at < to; ++at) {
      const u32 d = order[static_cast<std::size_t>(at)];
      const u64 size = sizes[d];
      const double whole = static_cast<double>(size), slack = 1e-9 * whole;
      const auto home = part_of(size);
      m.partners.clear();
      for (std::size_t p = home; p < std::min(parts, home + 2); ++p) {
        if (longest[p] == 0) continue;
        const double end = p > home ? static_cast<double>(ends[home]) : 0;
        if (p > home && end - whole > (1 - t) * end + slack) continue;
        visits.clear();
        u64 before = 0;  // occurrences in d of the features visited so far; those without a list come first
        for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i) {
          const auto place = static_cast<std::size_t>(i);
          const auto list = lists.find(key_of(s.values[place], p));
          if (list == Postings::NONE) before += s.weights[place];
          else visits.push_back({list, lists[list].size(), s.values[place], s.weights[place]});
        }
        std::sort(visits.begin(), visits.end(), [](const Visit& a, const Visit& b) { return a.length != b.length ? a.length < b.length : a.value < b.value; });
        for (const auto& v : visits) {
          const double gone = static_cast<double>(before);
          if (gone > (1 - t) * (o.paper ? static_cast<double>(longest[p]) : whole) + slack) break;
          for (u32 x : lists[v.list]) {
            if (x == d) {
              if (o.paper) continue;
              break;  // the shorter ones ask for this one
            }
            if (!o.paper && p == home && rank[x] > rank[d]) break;
            if (m.met[x] == d) continue;
            const double other = static_cast<double>(sizes[x]);
            if (o.paper) {
              const double less = whole - other;
              if (less < 0 && gone - less > (1 - t) * other + slack) continue;
              if (less >= 0 && gone + less > (1 - t) * whole + slack) break;
              m.met[x] = d;
            } else {
              m.met[x] = d;  // a bound once missed stays missed
              const double most = std::min(whole - gone, other);
              if (most < t * (whole + other - most) - slack) continue;
            }
            if (static_cast<std::int64_t>(std::max(x, d)) < o.references || (!scope.empty() && scope[x] != scope[d])) continue;
            ++m.compared;
            if (spots_alike(s, d, x, size, sizes[x], o)) m.partners.push_back(x);
          }
          before += v.count;
        }
      }
      if (o.cap && m.partners.size() > o.cap) {
        ++m.capped;
        m.largest = std::max(m.largest, static_cast<std::int64_t>(m.partners.size()));
        std::nth_element(m.partners.begin(), m.partners.begin() + o.cap, m.partners.end());
        m.partners.resize(o.cap);
      }
      for (u32 x : m.partners) piece.push_back(pair_of(x, d));
    }
  });
  SpotPairs out;
  for (const auto& m : mine) {
    out.compared += m.compared;
    out.capped += m.capped;
    out.largest = std::max(out.largest, m.largest);
  }
  out.pairs = sorted_pairs(pieces);
  return out;
}

}  // namespace quchong
