// The exact set join by prefixes (Xiao 2008: PPJoin, PPJoin+): all pairs of sets whose Jaccard reaches a
// threshold. No cap: what bounds it is that rare tokens come first, so that lists of common ones are hardly ever read.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"
#include "sets/postings.hpp"

namespace quchong {

// A pair reaches the threshold where shared / (a + b - shared), divided as float64, does: the very comparison that decides
// later. Rounding is monotone, so the bounds below are exact whole numbers for it; no epsilon is needed.

// Least m with m / size >= t: a partner's least size, and what a record of this size shares at least with any partner.
inline u32 least_share(double t, u32 size) {
  auto m = static_cast<u32>(std::min<double>(size, std::ceil(t * size)));
  while (m > 1 && static_cast<double>(m - 1) / size >= t) --m;
  while (m < 1 || static_cast<double>(m) / size < t) ++m;
  return m;
}

// Least shared tokens of records of these sizes; more than the lesser size where they cannot be alike.
inline u32 least_overlap(double t, u32 a, u32 b) {
  const double both = static_cast<double>(a) + b;
  const auto enough = [&](double s) { return s / (both - s) >= t; };
  double s = std::ceil(t / (1 + t) * both);
  while (s > 1 && enough(s - 1)) --s;
  while (s < 1 || !enough(s)) ++s;
  return static_cast<u32>(s);
}

// How many tokens from the front a record looks up, and how many of a record no longer one are listed.
inline u32 probing_prefix(double t, u32 size) { return size - least_share(t, size) + 1; }
inline u32 indexing_prefix(double t, u32 size) { return size - least_overlap(t, size, size) + 1; }

// Lower bound of how many tokens stand in one of two ascending records only: halves both around the middle token of the
// second, `depth` times over (the paper's suffix filter). Ends early with anything above `most`.
inline std::int64_t different_at_least(std::span<const u32> x, std::span<const u32> y, int depth, std::int64_t most) {
  const auto apart = [](std::size_t a, std::size_t b) { return static_cast<std::int64_t>(a > b ? a - b : b - a); };
  if (depth == 0 || x.empty() || y.empty() || apart(x.size(), y.size()) > most) return apart(x.size(), y.size());
  const std::size_t middle = (y.size() - 1) / 2;
  const auto at = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), y[middle]) - x.begin());
  const bool found = at < x.size() && x[at] == y[middle];
  const auto x_behind = x.subspan(at + found), y_behind = y.subspan(middle + 1);
  const std::int64_t behind = apart(x_behind.size(), y_behind.size()) + !found;
  if (apart(at, middle) + behind > most) return apart(at, middle) + behind;
  const std::int64_t before = different_at_least(x.first(at), y.first(middle), depth - 1, most - behind);
  if (before + behind > most) return before + behind;
  return before + !found + different_at_least(x_behind, y_behind, depth - 1, most - before - !found);
}

// What two records share, given `shared` of the tokens before x and y; 0 as soon as `least` is out of reach.
inline u32 shared_rest(std::span<const u32> x, std::span<const u32> y, u32 shared, u32 least) {
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    if (x[i] == y[j]) ++shared, ++i, ++j;
    else {
      if (shared + std::min(x.size() - i, y.size() - j) < least) return 0;
      if (x[i] < y[j]) ++i;
      else ++j;
    }
  }
  return shared >= least ? shared : 0;
}

// Distinct tokens ascending, and in how many documents each stands.
struct TokenCounts {
  std::vector<u64> values;
  std::vector<u32> counts;
};

// Sorts values (distinct in a document) with their places, part by part of their leading bits and some parts at a time, so
// that few are held twice. f(part, entries): entries of all parts come in ascending order of parts, each sorted by value.
class SortedParts {
 public:
  static constexpr int BITS = 10;
  static constexpr std::size_t PARTS = std::size_t{1} << BITS;
  struct Entry {
    u64 value;
    u64 place;
  };
  static std::size_t part_of(u64 value) { return static_cast<std::size_t>(value >> (64 - BITS)); }

  template <class F>
  static void visit(std::span<const u64> values, int threads, std::int64_t wave, F&& f) {
    const auto n = static_cast<std::int64_t>(values.size());
    if (n == 0) return;
    const std::int64_t ranges = std::clamp<std::int64_t>(threads, 1, n), step = (n + ranges - 1) / ranges;
    std::vector<std::vector<std::int64_t>> at(static_cast<std::size_t>(ranges), std::vector<std::int64_t>(PARTS, 0));
    parallel_for(ranges, 1, threads, [&](int, std::int64_t r, std::int64_t) {
      for (auto i = r * step; i < std::min(n, (r + 1) * step); ++i) ++at[static_cast<std::size_t>(r)][part_of(values[static_cast<std::size_t>(i)])];
    });
    std::vector<std::int64_t> first(PARTS + 1, 0);
    for (std::size_t p = 0, place = 0; p < PARTS; ++p) {
      for (auto& mine : at) place += static_cast<std::size_t>(std::exchange(mine[p], static_cast<std::int64_t>(place)));
      first[p + 1] = static_cast<std::int64_t>(place);
    }
    std::vector<Entry> entries;
    for (std::size_t from = 0; from < PARTS;) {
      auto end = from + 1;
      while (end < PARTS && first[end + 1] - first[from] <= wave) ++end;
      const std::int64_t base = first[from];
      entries.resize(static_cast<std::size_t>(first[end] - base));
      parallel_for(ranges, 1, threads, [&](int, std::int64_t r, std::int64_t) {
        auto& mine = at[static_cast<std::size_t>(r)];
        for (auto i = static_cast<std::size_t>(r * step); i < static_cast<std::size_t>(std::min(n, (r + 1) * step)); ++i)
          if (const auto p = part_of(values[i]); p >= from && p < end) entries[static_cast<std::size_t>(mine[p]++ - base)] = {values[i], i};
      });
      parallel_for(static_cast<std::int64_t>(end - from), 1, threads, [&](int, std::int64_t k, std::int64_t) {
        const std::size_t p = from + static_cast<std::size_t>(k);
        const std::span<Entry> mine(entries.data() + (first[p] - base), static_cast<std::size_t>(first[p + 1] - first[p]));
        std::sort(mine.begin(), mine.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
        f(p, std::span<const Entry>(mine));
      });
      from = end;
    }
  }
};

// f(value, first, last) for every distinct value: entries[first .. last) have it.
template <class F>
void each_value(std::span<const SortedParts::Entry> entries, F&& f) {
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i;
    while (j < entries.size() && entries[j].value == entries[i].value) ++j;
    f(entries[i].value, i, j);
    i = j;
  }
}

// Tokens that stand in `least` documents or more.
inline TokenCounts count_tokens(std::span<const u64> values, u32 least, std::int64_t wave, int threads) {
  std::vector<TokenCounts> parts(SortedParts::PARTS);
  SortedParts::visit(values, threads, wave, [&](std::size_t p, std::span<const SortedParts::Entry> entries) {
    each_value(entries, [&](u64 value, std::size_t i, std::size_t j) {
      if (j - i < least) return;
      parts[p].values.push_back(value);
      parts[p].counts.push_back(static_cast<u32>(j - i));
    });
  });
  TokenCounts out;
  for (auto& p : parts) {
    out.values.insert(out.values.end(), p.values.begin(), p.values.end());
    out.counts.insert(out.counts.end(), p.counts.begin(), p.counts.end());
    p = TokenCounts{};
  }
  return out;
}

// Documents as ascending numbers of tokens, counted in the order of their document frequency, ties by token.
struct OrderedSets {
  std::vector<u32> tokens;
  std::int64_t distinct = 0;
};

// The places 0 .. n in the order of their frequency, ties in their own order: two passes over 16 bits each.
inline std::vector<u32> rank_by_frequency(const std::vector<u32>& frequency) {
  const std::size_t n = frequency.size();
  std::vector<u32> by(n), next;
  std::iota(by.begin(), by.end(), 0u);
  const u32 most = n ? *std::max_element(frequency.begin(), frequency.end()) : 0;
  for (int shift = 0; shift < 32 && most >> shift; shift += 16) {
    std::vector<std::size_t> at(65537, 0);
    for (u32 f : frequency) ++at[(f >> shift & 0xFFFF) + 1];
    std::partial_sum(at.begin(), at.end(), at.begin());
    next.resize(n);
    for (u32 id : by) next[at[frequency[id] >> shift & 0xFFFF]++] = id;
    std::swap(by, next);
  }
  next.resize(n);
  for (std::size_t r = 0; r < n; ++r) next[by[r]] = static_cast<u32>(r);
  return next;
}

// `known` (ascending) and `counts` freeze the frequencies: a token not among them has 1. Without, they are counted here.
inline OrderedSets order_sets(std::span<const u64> values, std::span<const std::int64_t> offsets, std::span<const u64> known,
                              std::span<const u32> counts, bool frozen, std::int64_t wave, int threads) {
  OrderedSets out;
  out.tokens.resize(values.size());
  std::vector<std::vector<u32>> parts(SortedParts::PARTS);  // the frequency of each distinct value
  SortedParts::visit(values, threads, wave, [&](std::size_t p, std::span<const SortedParts::Entry> entries) {
    auto k = entries.empty() ? known.begin() : std::lower_bound(known.begin(), known.end(), entries.front().value);
    each_value(entries, [&](u64 value, std::size_t i, std::size_t j) {
      auto frequency = static_cast<u32>(j - i);
      if (frozen) {
        while (k != known.end() && *k < value) ++k;
        frequency = k != known.end() && *k == value ? counts[static_cast<std::size_t>(k - known.begin())] : 1;
      }
      for (; i < j; ++i) out.tokens[static_cast<std::size_t>(entries[i].place)] = static_cast<u32>(parts[p].size());
      parts[p].push_back(frequency);
    });
  });
  std::vector<u32> frequency, base(SortedParts::PARTS, 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    base[p] = static_cast<u32>(frequency.size());
    frequency.insert(frequency.end(), parts[p].begin(), parts[p].end());
    std::vector<u32>().swap(parts[p]);
  }
  if (frequency.size() >= 0xFFFFFFFFu) throw std::length_error("more than 2**32 - 2 distinct tokens");
  out.distinct = static_cast<std::int64_t>(frequency.size());
  const auto rank = rank_by_frequency(frequency);
  parallel_for(static_cast<std::int64_t>(offsets.size()) - 1, 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
      const auto a = static_cast<std::size_t>(offsets[d]), b = static_cast<std::size_t>(offsets[d + 1]);
      for (auto i = a; i < b; ++i) out.tokens[i] = rank[base[SortedParts::part_of(values[i])] + out.tokens[i]];
      std::sort(out.tokens.begin() + static_cast<std::ptrdiff_t>(a), out.tokens.begin() + static_cast<std::ptrdiff_t>(b));
    }
  });
  return out;
}

// Records as ascending token numbers.
struct Records {
  std::span<const u32> tokens;
  std::span<const std::int64_t> offsets;
  std::size_t count() const { return offsets.size() - 1; }
  u32 size(std::size_t d) const { return static_cast<u32>(offsets[d + 1] - offsets[d]); }
  std::span<const u32> operator[](std::size_t d) const { return tokens.subspan(static_cast<std::size_t>(offsets[d]), size(d)); }
};

struct JoinSetOptions {
  double threshold = 0.8;
  int suffix_depth = 0;  // 0: PPJoin; 2: PPJoin+ as published
  u32 min_size = 1;      // smaller records take no part
  std::int64_t references = 0;
};

struct SetJoin {
  std::vector<u32> left, right;  // left < right, sorted by right, then left
  // Pairs that meet under a token of both prefixes and whose sizes allow it; of these thrown out by position, by suffix.
  std::int64_t candidates = 0, by_position = 0, by_suffix = 0, verified = 0;
};

// One pair on its way through the filters: x the record that looks up, y the one listed, of at most its size.
struct PairBound {
  std::size_t x_size, y_size;
  u32 least;

  // The token at x[i] is y[j] (from 0), `shared` met before it: can enough still come?
  bool position(u32 shared, std::size_t i, std::size_t j) const { return shared + std::min(x_size - i, y_size - j) >= least; }
  // At the first token met: nothing before it is shared, so all of that is different.
  bool suffix(std::span<const u32> x, std::span<const u32> y, std::size_t i, std::size_t j, int depth) const {
    const auto most = static_cast<std::int64_t>(x_size + y_size) - 2 * static_cast<std::int64_t>(least) - static_cast<std::int64_t>(i + j);
    return different_at_least(x.subspan(i + 1), y.subspan(j + 1), depth, most) <= most;
  }
};

// Shared tokens of a pair that passed, `met` of them in the prefixes; 0 where they are too few. Whose prefix ends at the
// lesser token has met there all it can: only what stands behind is counted.
inline u32 verified_overlap(std::span<const u32> x, std::span<const u32> y, std::size_t x_prefix, std::size_t y_prefix, u32 met, u32 least) {
  const u32 x_last = x[x_prefix - 1], y_last = y[y_prefix - 1];
  const auto behind = [](std::span<const u32> a, std::size_t from, u32 last) {
    return a.subspan(static_cast<std::size_t>(std::upper_bound(a.begin() + static_cast<std::ptrdiff_t>(from), a.end(), last) - a.begin()));
  };
  if (x_last < y_last) return shared_rest(x.subspan(x_prefix), behind(y, met, x_last), met, least);
  return shared_rest(behind(x, met, y_last), y.subspan(y_prefix), met, least);
}

inline SetJoin join_sets(const Records& s, std::size_t distinct, std::span<const u64> scope, const JoinSetOptions& o, int threads) {
  const double t = o.threshold;
  std::vector<u32> order;  // record k of the join is document order[k]: by increasing size
  for (std::size_t d = 0; d < s.count(); ++d)
    if (s.size(d) >= std::max(1u, o.min_size)) order.push_back(static_cast<u32>(d));
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return s.size(a) < s.size(b); });
  const std::size_t n = order.size();
  std::vector<u32> size(n), listed(n);
  for (std::size_t k = 0; k < n; ++k) {
    size[k] = s.size(order[k]);
    listed[k] = k && size[k] == size[k - 1] ? listed[k - 1] : indexing_prefix(t, size[k]);
  }

  struct Listed {
    u32 record, place;
  };
  std::vector<u32> first(distinct + 1, 0);
  std::vector<Listed> lists(std::accumulate(listed.begin(), listed.end(), std::size_t{0}));
  if (lists.size() >= 0xFFFFFFFFu) throw std::length_error("more than 2**32 - 2 tokens of prefixes");
  for (std::size_t k = 0; k < n; ++k)
    for (u32 token : s[order[k]].first(listed[k])) ++first[token];
  for (std::size_t token = 0, at = 0; token <= distinct; ++token) {
    const u32 here = first[token];
    first[token] = static_cast<u32>(at);
    at += here;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto tokens = s[order[k]];
    for (u32 j = 0; j < listed[k]; ++j) lists[first[tokens[j]]++] = {static_cast<u32>(k), j};
  }
  for (std::size_t token = distinct; token > 0; --token) first[token] = first[token - 1];  // filling moved each to its end
  first[0] = 0;

  constexpr std::int64_t GRAIN = 128;
  constexpr u32 DEAD = ~0u;
  struct Piece {
    std::vector<u64> pairs;
    std::int64_t candidates = 0, by_position = 0, by_suffix = 0, verified = 0;
  };
  std::vector<Piece> pieces((n + GRAIN - 1) / GRAIN);
  std::vector<std::vector<u32>> counts(static_cast<std::size_t>(std::max(1, threads)));
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& met = counts[static_cast<std::size_t>(thread)];
    if (met.empty()) met.assign(n, 0);
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<u32> touched, least;
    for (auto me = static_cast<u32>(from); me < static_cast<u32>(to); ++me) {
      const u32 doc = order[me], mine = size[me];
      const auto x = s[doc];
      const u32 shortest = least_share(t, mine), prefix = mine - shortest + 1;
      const auto start = static_cast<u32>(std::lower_bound(size.begin(), size.begin() + me, shortest) - size.begin());
      if (start == me) continue;
      least.clear();  // by a partner's size, from `shortest` on
      touched.clear();
      for (u32 i = 0; i < prefix; ++i) {
        const auto end = lists.begin() + first[x[i] + 1];
        auto e = lists.begin() + first[x[i]];
        if (e == end || e->record >= me) continue;
        e = std::lower_bound(e, end, start, [](const Listed& l, u32 k) { return l.record < k; });
        for (; e != end && e->record < me; ++e) {
          u32& state = met[e->record];
          if (state == DEAD) continue;
          if (least.empty())
            for (u32 other = shortest; other <= mine; ++other) least.push_back(least_overlap(t, mine, other));
          const u32 its = size[e->record];
          const PairBound bound{mine, its, least[its - shortest]};
          if (state == 0) {
            touched.push_back(e->record);
            const u32 other = order[e->record];
            if ((doc < o.references && other < o.references) || (!scope.empty() && scope[doc] != scope[other])) {
              state = DEAD;
              continue;
            }
            ++out.candidates;
          }
          if (!bound.position(state, i, e->place)) {
            state = DEAD;
            ++out.by_position;
          } else if (state == 0 && o.suffix_depth > 0 && !bound.suffix(x, s[order[e->record]], i, e->place, o.suffix_depth)) {
            state = DEAD;
            ++out.by_suffix;
          } else {
            ++state;
          }
        }
      }
      for (u32 k : touched) {
        const u32 shared = std::exchange(met[k], 0u);
        if (shared == DEAD) continue;
        ++out.verified;
        if (verified_overlap(x, s[order[k]], prefix, listed[k], shared, least[size[k] - shortest])) out.pairs.push_back(pair_of(doc, order[k]));
      }
    }
  });
  SetJoin result;
  std::vector<std::vector<u64>> found;
  for (auto& p : pieces) {
    result.candidates += p.candidates, result.by_position += p.by_position;
    result.by_suffix += p.by_suffix, result.verified += p.verified;
    found.push_back(std::move(p.pairs));
  }
  auto pairs = sorted_pairs(found);
  result.left = std::move(pairs.left);
  result.right = std::move(pairs.right);
  return result;
}

// How far a pair comes, in the order of the filters.
enum class Stage : std::uint8_t { size, prefix, position, suffix, overlap, similar };

struct Screened {
  std::vector<std::uint8_t> stage;
  std::vector<u32> shared;  // where similar, else 0
  std::vector<u32> first;   // place in the left record of the first token both prefixes have; NO_TOKEN where none
};
constexpr u32 NO_TOKEN = ~0u;

// The same filters on pairs given: what a join on many machines asks of the pairs that meet under a token.
inline Screened screen_pairs(const Records& s, std::span<const u32> left, std::span<const u32> right, const JoinSetOptions& o, int threads) {
  Screened out{std::vector<std::uint8_t>(left.size()), std::vector<u32>(left.size(), 0), std::vector<u32>(left.size(), NO_TOKEN)};
  parallel_for(static_cast<std::int64_t>(left.size()), 512, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto said = [&](Stage stage) { out.stage[p] = static_cast<std::uint8_t>(stage); };
      const bool turned = s.size(left[p]) < s.size(right[p]) || (s.size(left[p]) == s.size(right[p]) && left[p] < right[p]);
      const auto x = s[turned ? right[p] : left[p]], y = s[turned ? left[p] : right[p]];
      said(Stage::size);
      if (y.size() < std::max(1u, o.min_size) || y.size() < least_share(o.threshold, static_cast<u32>(x.size()))) continue;
      const u32 x_size = static_cast<u32>(x.size()), y_size = static_cast<u32>(y.size());
      const PairBound bound{x_size, y_size, least_overlap(o.threshold, x_size, y_size)};
      const std::size_t x_prefix = probing_prefix(o.threshold, x_size), y_prefix = indexing_prefix(o.threshold, y_size);
      said(Stage::prefix);
      u32 met = 0;
      bool alive = true;
      for (std::size_t i = 0, j = 0; alive && i < x_prefix && j < y_prefix;) {
        if (x[i] != y[j]) {
          ++(x[i] < y[j] ? i : j);
          continue;
        }
        if (met == 0) out.first[p] = static_cast<u32>(turned ? j : i);
        if (!bound.position(met, i, j)) said(Stage::position), alive = false;
        else if (met == 0 && o.suffix_depth > 0 && !bound.suffix(x, y, i, j, o.suffix_depth)) said(Stage::suffix), alive = false;
        else ++met, ++i, ++j;
      }
      if (!alive || met == 0) continue;
      out.shared[p] = verified_overlap(x, y, x_prefix, y_prefix, met, bound.least);
      said(out.shared[p] ? Stage::similar : Stage::overlap);
    }
  });
  return out;
}

}  // namespace quchong
