// Sets of features, compared as such: an inverted index that counts what every two documents share, exactly.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "postings/select.hpp"
#include "sets/postings.hpp"

namespace quchong {

// Document i owns values[offsets[i] .. offsets[i + 1]), ascending and distinct; weights has one entry a value.
struct FeatureSets {
  std::span<const u64> values;
  std::span<const u32> weights;
  std::span<const std::int64_t> offsets;
  std::size_t size() const { return offsets.size() - 1; }
};

struct OwnedSets {
  std::vector<u64> values;
  std::vector<u32> weights;
  std::vector<std::int64_t> offsets;
};

// Values sorted in each document, equal ones put together; the weight is how often one occurs.
inline OwnedSets make_sets(std::span<const u64> values, std::span<const std::int64_t> offsets, int threads) {
  const std::size_t n = offsets.size() - 1;
  OwnedSets out;
  out.values.assign(values.begin(), values.end());
  out.weights.resize(values.size());
  out.offsets.assign(n + 1, 0);
  parallel_for(static_cast<std::int64_t>(n), 512, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto a = static_cast<std::size_t>(offsets[d]), b = static_cast<std::size_t>(offsets[d + 1]);
      std::sort(out.values.begin() + static_cast<std::ptrdiff_t>(a), out.values.begin() + static_cast<std::ptrdiff_t>(b));
      std::size_t k = a;
      for (std::size_t i = a; i < b; ++i) {
        if (i > a && out.values[i] == out.values[k - 1]) ++out.weights[k - 1];
        else out.values[k] = out.values[i], out.weights[k++] = 1;
      }
      out.offsets[d + 1] = static_cast<std::int64_t>(k - a);
    }
  });
  for (std::size_t d = 0; d < n; ++d) {  // closes the gaps that equal values left; a copy never goes to the right
    const auto a = static_cast<std::ptrdiff_t>(offsets[d]), k = static_cast<std::ptrdiff_t>(out.offsets[d + 1]);
    const auto to = static_cast<std::ptrdiff_t>(out.offsets[d]);
    std::copy(out.values.begin() + a, out.values.begin() + a + k, out.values.begin() + to);
    std::copy(out.weights.begin() + a, out.weights.begin() + a + k, out.weights.begin() + to);
    out.offsets[d + 1] += out.offsets[d];
  }
  out.values.resize(static_cast<std::size_t>(out.offsets[n]));
  out.weights.resize(out.values.size());
  return out;
}

inline std::vector<u64> set_sizes(const FeatureSets& s) {
  std::vector<u64> out(s.size(), 0);
  for (std::size_t d = 0; d < out.size(); ++d)
    for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i) out[d] += s.weights[static_cast<std::size_t>(i)];
  return out;
}

inline Shared shared_of(const FeatureSets& s, std::size_t a, std::size_t b) {
  Shared out;
  auto i = s.offsets[a], j = s.offsets[b];
  while (i < s.offsets[a + 1] && j < s.offsets[b + 1]) {
    const u64 x = s.values[static_cast<std::size_t>(i)], y = s.values[static_cast<std::size_t>(j)];
    if (x == y) {
      out.weight += std::min(s.weights[static_cast<std::size_t>(i++)], s.weights[static_cast<std::size_t>(j++)]);
      ++out.values;
    } else if (x < y) ++i;
    else ++j;
  }
  return out;
}

inline void shared_sets(const FeatureSets& s, std::span<const u32> left, std::span<const u32> right, std::span<u64> weight,
                        std::span<u32> values, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 1024, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto found = shared_of(s, left[p], right[p]);
      weight[p] = found.weight, values[p] = found.values;
    }
  });
}

struct MeetOptions {
  bool jaccard = false;  // else shared / the smaller one's size
  double threshold = 0.5;
  u32 min_shared = 1;  // distinct values
  u32 cap = 0;         // documents of a list that are met by those behind them; 0 for all
  std::int64_t references = 0;
  u32 most = 0;  // partners a document keeps, of the references before it and of the others; 0 for all
};

struct Meeting {
  std::vector<u32> left, right;  // left < right, sorted by right, then left
  std::int64_t capped = 0, largest = 0;
  std::int64_t bounded = 0;  // documents with more partners than `most`
};

// Pairs whose sets reach the threshold. Every document is counted against those before it along its lists. In a list longer
// than the cap a document behind the cap meets the first ones only; what it may share unseen is granted to it, so that
// only pairs that meet in no list at all are lost, and a few below the threshold come along. With `most` these are counted
// exactly, so that pairs that share too little take no place of others.
inline Meeting meet_sets(const FeatureSets& s, std::span<const u64> scope, const MeetOptions& o, int threads) {
  const std::size_t n = s.size();
  const Postings lists(
      [&](auto&& put) {
        for (std::size_t d = 0; d < n; ++d)
          for (auto i = s.offsets[d]; i < s.offsets[d + 1]; ++i) put(s.values[static_cast<std::size_t>(i)], static_cast<u32>(d), 1);
      },
      2, threads);
  const Standing standing(lists, n);
  Meeting result;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    result.largest = std::max(result.largest, static_cast<std::int64_t>(lists[l].size()));
    result.capped += o.cap > 0 && lists[l].size() > o.cap;
  }
  const auto whole = set_sizes(s);
  const std::vector<double> sizes(whole.begin(), whole.end());
  bool plain = true;  // every weight 1: the count is the weight
  for (std::size_t i = 0; plain && i < s.weights.size(); ++i) plain = s.weights[i] == 1;

  constexpr std::int64_t GRAIN = 256;
  std::vector<Meeting> pieces((n + GRAIN - 1) / GRAIN);
  std::vector<DenseCount> counts(static_cast<std::size_t>(std::max(1, threads)));
  std::vector<Selected> chosen(counts.size());
  const SelectLimits limits{o.cap ? o.cap : ~0u, o.most, 0, 0, o.references};
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& count = counts[static_cast<std::size_t>(thread)];
    auto& mine = chosen[static_cast<std::size_t>(thread)];
    count.resize(n);
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto d = std::max(from, o.references); d < to; ++d) {
      const auto me = static_cast<std::size_t>(d);
      const auto each = [&](auto&& f) {
        for (auto e = standing.offsets[me]; e < standing.offsets[me + 1]; ++e) {
          const auto [list, place] = standing.own[static_cast<std::size_t>(e)];
          const auto met = lists[list];
          f(met.first(place), met.size(), list);
        }
      };
      const auto exact = [&](u32 x, const Tally&) { return shared_of(s, x, me); };
      const SetRule<decltype(exact)> rule{exact, o.most > 0, !plain, o.jaccard, o.min_shared, o.threshold, sizes[me],
                                          scope.empty() ? 0 : scope[me], scope, sizes.data()};
      select_candidates(d, each, rule, limits, count, mine);
      out.left.insert(out.left.end(), mine.documents.begin(), mine.documents.end());
      out.right.insert(out.right.end(), mine.documents.size(), static_cast<u32>(d));
      out.bounded += mine.bounded;
    }
  });
  for (auto& p : pieces) {
    result.left.insert(result.left.end(), p.left.begin(), p.left.end());
    result.right.insert(result.right.end(), p.right.begin(), p.right.end());
    result.bounded += p.bounded;
    p = Meeting{};
  }
  return result;
}

}  // namespace quchong
