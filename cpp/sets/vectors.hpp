// Sparse vectors: cosines of pairs, and single-pass clustering around centroids.
// The specification is tests/twins/sets.py.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// Vector i owns terms[offsets[i] .. offsets[i + 1]), ascending and distinct, and as many weights.
struct Vectors {
  std::span<const u32> terms;
  std::span<const double> weights;
  std::span<const std::int64_t> offsets;
  std::size_t size() const { return offsets.size() - 1; }
  std::size_t first(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
};

inline void dots(const Vectors& v, std::span<const u32> left, std::span<const u32> right, std::span<double> out, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      std::size_t i = v.first(left[p]), j = v.first(right[p]);
      const std::size_t i1 = v.first(left[p] + 1), j1 = v.first(right[p] + 1);
      double sum = 0;
      while (i < i1 && j < j1) {
        if (v.terms[i] == v.terms[j]) sum += v.weights[i++] * v.weights[j++];
        else if (v.terms[i] < v.terms[j]) ++i;
        else ++j;
      }
      out[p] = sum;
    }
  });
}

struct Clustering {
  std::vector<std::int64_t> founder;  // of each vector's cluster; itself where it opened one
  std::vector<double> similarity;     // with the centroid it joined; 1 for founders
};

inline constexpr double CLOSED = 0.4;  // of the squared threshold: so little weight is left unlooked up where candidates are bounded
inline constexpr double COSINE_SLACK = 1e-9;  // rounding: a vector is as near to itself as can be

// Vectors of length 1 (or empty) one after another: each joins the cluster of the nearest centroid, the earliest of equals, if
// the cosine reaches the threshold, else it opens one. Only clusters of its own scope count (none given: all).
//
// A centroid that shares none of the vector's terms but some of total weight below the threshold cannot be near enough, so
// only the rarest terms are looked up; what they may lead to is bounded before it is counted.
inline Clustering single_pass(const Vectors& v, std::size_t terms, std::span<const u64> scope, double threshold) {
  struct Cluster {
    std::vector<u32> terms;
    std::vector<double> sums;
    double norm = 0;
    std::size_t founder = 0;
  };
  struct Posting {
    u32 cluster;
    double weight;
  };
  std::vector<Cluster> clusters;
  std::vector<std::vector<Posting>> postings(terms);
  std::vector<double> reached;
  std::vector<u32> touched;
  std::vector<std::size_t> order;
  Clustering out;
  out.founder.resize(v.size());
  out.similarity.assign(v.size(), 1.0);
  const double least = threshold - COSINE_SLACK;
  for (std::size_t d = 0; d < v.size(); ++d) {
    const std::size_t from = v.first(d), to = v.first(d + 1);
    order.resize(to - from);
    std::iota(order.begin(), order.end(), from);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto x = postings[v.terms[a]].size(), y = postings[v.terms[b]].size();
      return x != y ? x < y : a < b;
    });
    double rest = 0;
    for (std::size_t i = from; i < to; ++i) rest += v.weights[i] * v.weights[i];
    touched.clear();
    const double open = (least - COSINE_SLACK) * (least - COSINE_SLACK);
    for (std::size_t i : order) {
      if (rest < open * CLOSED) break;
      const double weight = v.weights[i];
      if (rest >= open) {
        for (const auto& p : postings[v.terms[i]]) {
          if (reached[p.cluster] == 0) touched.push_back(p.cluster);
          reached[p.cluster] += weight * p.weight;
        }
      } else if (touched.empty()) {
        break;
      } else {
        for (const auto& p : postings[v.terms[i]])
          if (reached[p.cluster] != 0) reached[p.cluster] += weight * p.weight;
      }
      rest -= weight * weight;
    }
    const double tail = std::sqrt(std::max(rest, 0.0));
    double best = -1;
    std::size_t chosen = clusters.size();
    std::sort(touched.begin(), touched.end());
    for (u32 c : touched) {
      const auto& k = clusters[c];
      const double bound = reached[c] / k.norm + tail;
      reached[c] = 0;
      if (bound < least - COSINE_SLACK || (!scope.empty() && scope[k.founder] != scope[d])) continue;
      double sum = 0;
      for (std::size_t i = from, j = 0; i < to && j < k.terms.size();) {
        if (v.terms[i] == k.terms[j]) sum += v.weights[i++] * k.sums[j++];
        else if (v.terms[i] < k.terms[j]) ++i;
        else ++j;
      }
      if (const double cosine = sum / k.norm; cosine >= least && cosine > best) best = cosine, chosen = c;
    }
    if (chosen == clusters.size()) {
      clusters.push_back({{v.terms.begin() + static_cast<std::ptrdiff_t>(from), v.terms.begin() + static_cast<std::ptrdiff_t>(to)},
                          {v.weights.begin() + static_cast<std::ptrdiff_t>(from), v.weights.begin() + static_cast<std::ptrdiff_t>(to)}, 1, d});
      reached.push_back(0);
    } else {
      auto& k = clusters[chosen];
      std::vector<u32> names;
      std::vector<double> sums;
      names.reserve(k.terms.size() + to - from);
      sums.reserve(names.capacity());
      std::size_t i = from, j = 0;
      while (i < to || j < k.terms.size()) {
        if (j == k.terms.size() || (i < to && v.terms[i] < k.terms[j])) names.push_back(v.terms[i]), sums.push_back(v.weights[i++]);
        else if (i == to || k.terms[j] < v.terms[i]) names.push_back(k.terms[j]), sums.push_back(k.sums[j++]);
        else names.push_back(v.terms[i]), sums.push_back(k.sums[j++] + v.weights[i++]);
      }
      double square = 0;
      for (double s : sums) square += s * s;
      k.terms = std::move(names);
      k.sums = std::move(sums);
      k.norm = std::sqrt(square);
      out.similarity[d] = best;
    }
    out.founder[d] = static_cast<std::int64_t>(clusters[chosen].founder);
    for (std::size_t i = from; i < to; ++i) postings[v.terms[i]].push_back({static_cast<u32>(chosen), v.weights[i]});
  }
  return out;
}

}  // namespace quchong
