// Passages two token sequences share, word for word or reworked. The specification, step by step under the same names,
// is tests/twins/align.py.
#pragma once
#include <numeric>
#include <tuple>

#include "pairs/pairs.hpp"

namespace quchong {

struct AlignOptions {
  u32 cap, skip, shingle, slack, radius, dense, chance, reach, gain, least, run, repeat, join;
};

struct AlignedSpan {
  u32 a0, a1, b0, b1;
  auto operator<=>(const AlignedSpan&) const = default;
};

struct AlignPoint { u32 a, b; };

inline constexpr int ALIGN_ROUNDS = 16;
inline constexpr u64 SEEDS_A_TOKEN = 4;
enum SeedKind { TOKENS, PAIRS, SHINGLES, LONG, SEED_KINDS };

class Aligner {
 public:
  explicit Aligner(const AlignOptions& options) : o_(options) {}

  // Spans in order; exact[k] is 1 where the tokens of span k are equal from end to end.
  void run(std::span<const u32> a, std::span<const u32> b, std::vector<AlignedSpan>& out, std::vector<std::uint8_t>& exact) {
    out.clear();
    exact.clear();
    if (a.empty() || b.empty()) return;
    const auto m = static_cast<u32>(a.size()), n = static_cast<u32>(b.size());
    if (m == n && std::equal(a.begin(), a.end(), b.begin())) {
      out.push_back({0, m, 0, n});
      exact.push_back(1);
      return;
    }
    points(a, b);
    follow(m, n);
    found_.clear();
    equal_runs(m);
    dense_points(m, n);
    groups(m);
    joined();
    for (auto& s : found_) widen(s, a, b);
    outermost(out);
    for (const auto& s : out)
      exact.push_back(s.a1 - s.a0 == s.b1 - s.b0 && std::equal(a.begin() + s.a0, a.begin() + s.a1, b.begin() + s.b0));
  }

 private:
  struct Seed {
    u64 hash;
    u32 at;
  };
  struct Match { u32 a0, a1, b0, b1; };  // seeds of one key in both texts

  u32 width(int kind) const { return kind == LONG ? o_.repeat : o_.shingle; }

  void seeds(std::span<const u32> t, int kind, std::vector<Seed>& out) {
    out.clear();
    const auto n = static_cast<u32>(t.size());
    if (kind == TOKENS) {
      for (u32 i = 0; i < n; ++i) out.push_back({mix64(t[i]), i});
    } else if (kind == PAIRS) {
      for (u32 i = 0; i < n; ++i)
        for (u32 d = 1; d <= o_.skip && i + d < n; ++d) {
          const u64 less = std::min(t[i], t[i + d]), more = std::max(t[i], t[i + d]);
          out.push_back({mix64(less * COEFFICIENTS.c[0] + more * COEFFICIENTS.c[1]), i * o_.skip + d - 1});
        }
    } else if (n >= width(kind)) {
      shingle_hashes(t, static_cast<int>(width(kind)), hashes_);
      for (u32 i = 0; i < hashes_.size(); ++i) out.push_back({hashes_[i], i});
    }
  }

  // Drops seeds whose key is surely not among `others`: one load each, before anything is sorted.
  void meet(std::vector<Seed>& mine, const std::vector<Seed>& others) {
    std::size_t words = 16;
    while (words * 8 < others.size()) words *= 2;
    bits_.assign(words, 0);
    for (const auto& s : others) bits_[s.hash >> 6 & (words - 1)] |= 1ull << (s.hash & 63);
    std::erase_if(mine, [&](const Seed& s) { return !(bits_[s.hash >> 6 & (words - 1)] >> (s.hash & 63) & 1); });
  }

  // By hash, then place: put into as many buckets as there are seeds by the top bits, where few remain to be sorted.
  void sort(std::vector<Seed>& seeds) {
    const int bits = std::bit_width(seeds.size() | 1);
    const auto bucket = [&](const Seed& s) { return static_cast<std::size_t>(s.hash >> (64 - bits)); };
    start_.assign((std::size_t{1} << bits) + 1, 0);
    for (const auto& s : seeds) ++start_[bucket(s) + 1];
    for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
    sorted_.resize(seeds.size());
    for (const auto& s : seeds) sorted_[start_[bucket(s)]++] = s;  // places stay in order; start_ holds the ends now
    const auto less = [](const Seed& s, const Seed& t) { return s.hash < t.hash; };
    for (std::size_t k = 0, first = 0; k + 1 < start_.size(); first = start_[k++]) {
      const auto from = sorted_.begin() + static_cast<std::ptrdiff_t>(first), to = sorted_.begin() + static_cast<std::ptrdiff_t>(start_[k]);
      if (to - from > 1 && !std::is_sorted(from, to, less)) std::stable_sort(from, to, less);
    }
    seeds.swap(sorted_);
  }

  // Rows of points by their place in a: row i is point_[row_[i]..row_[i + 1]), places in b rising, none twice.
  void points(std::span<const u32> a, std::span<const u32> b) {
    raw_.clear();
    for (int kind = 0; kind < SEED_KINDS; ++kind) {
      runs_.clear();
      seeds(a, kind, left_);
      seeds(b, kind, right_);
      meet(left_, right_);
      meet(right_, left_);
      sort(left_);
      sort(right_);
      matches_.clear();
      count_.assign(o_.cap + 1, 0);
      const auto x = static_cast<u32>(left_.size()), y = static_cast<u32>(right_.size());
      for (u32 i = 0, j = 0; i < x && j < y;) {
        const u64 h = left_[i].hash;
        if (h != right_[j].hash) {
          h < right_[j].hash ? ++i : ++j;
          continue;
        }
        Match m{i, i, j, j};
        while (m.a1 < x && left_[m.a1].hash == h) ++m.a1;
        while (m.b1 < y && right_[m.b1].hash == h) ++m.b1;
        if (const u64 product = u64{m.a1 - m.a0} * (m.b1 - m.b0); product <= o_.cap) count_[product] += product;
        matches_.push_back(m);
        i = m.a1;
        j = m.b1;
      }
      u64 cap = o_.cap, total = std::accumulate(count_.begin(), count_.end(), u64{0});
      for (; total > SEEDS_A_TOKEN * (a.size() + b.size()); --cap) total -= count_[cap];
      for (const auto& m : matches_) {
        if (u64{m.a1 - m.a0} * (m.b1 - m.b0) <= cap) {
          for (u32 i = m.a0; i < m.a1; ++i)
            for (u32 j = m.b0; j < m.b1; ++j) mark(a, b, kind, left_[i].at, right_[j].at);
        } else if (kind == LONG) {
          for (u32 k = 0; k < std::min(m.a1 - m.a0, m.b1 - m.b0); ++k) mark(a, b, kind, left_[m.a0 + k].at, right_[m.b0 + k].at);
        }
      }
      if (kind >= SHINGLES) spread(static_cast<u32>(a.size()), width(kind));
    }
    in_rows(static_cast<u32>(a.size()), raw_);
  }

  void mark(std::span<const u32> a, std::span<const u32> b, int kind, u32 x, u32 y) {
    if (kind == TOKENS) {
      raw_.push_back({x, y});
    } else if (kind == PAIRS) {
      const auto places = [&](std::span<const u32> t, u32 at) {
        const u32 i = at / o_.skip, j = i + at % o_.skip + 1;
        return t[i] <= t[j] ? AlignPoint{i, j} : AlignPoint{j, i};
      };
      const auto p = places(a, x), q = places(b, y);
      if (a[p.a] != b[q.a] || a[p.b] != b[q.b]) return;  // two pairs of one hash
      raw_.push_back({p.a, q.a});
      raw_.push_back({p.b, q.b});
    } else if (std::equal(a.begin() + x, a.begin() + x + width(kind), b.begin() + y)) {  // else two shingles of one hash
      runs_.push_back({x, y});
    }
  }

  // All points of shingles of which runs_ holds the first. They overlap, so each is marked once, row by row.
  void spread(u32 m, u32 width) {
    struct Going { u32 b, left; };  // where a run stands in this row, and for how many rows
    in_rows(m, runs_);
    std::vector<Going> going, next;
    for (u32 i = 0; i < m; ++i) {
      next.clear();
      std::size_t k = row_[i];
      for (const auto& g : going) {
        if (g.left == 1) continue;
        for (; k < row_[i + 1] && point_[k] < g.b + 1; ++k) next.push_back({point_[k], width});
        const bool again = k < row_[i + 1] && point_[k] == g.b + 1;
        next.push_back({g.b + 1, again ? width : g.left - 1});
        k += again;
      }
      for (; k < row_[i + 1]; ++k) next.push_back({point_[k], width});
      for (const auto& g : next) raw_.push_back({i, g.b});
      going.swap(next);
    }
  }

  void in_rows(u32 m, const std::vector<AlignPoint>& raw) {
    row_.assign(m + 2, 0);
    for (const auto& p : raw) ++row_[p.a + 2];
    for (u32 i = 2; i < m + 2; ++i) row_[i] += row_[i - 1];
    point_.resize(raw.size());
    for (const auto& p : raw) point_[row_[p.a + 1]++] = p.b;
    row_.resize(m + 1);
    std::size_t to = 0, from = 0;
    for (u32 i = 0; i < m; ++i) {
      const std::size_t end = row_[i + 1], first = to;
      std::sort(point_.begin() + static_cast<std::ptrdiff_t>(from), point_.begin() + static_cast<std::ptrdiff_t>(end));
      for (; from < end; ++from)
        if (to == first || point_[from] != point_[to - 1]) point_[to++] = point_[from];
      row_[i + 1] = to;
    }
    point_.resize(to);
  }

  // Keeps the points for which keep(k) holds; rows stay rows.
  template <class F>
  void sift(u32 m, F&& keep) {
    std::size_t to = 0, from = 0;
    for (u32 i = 0; i < m; ++i) {
      for (const std::size_t end = row_[i + 1]; from < end; ++from)
        if (keep(i, from)) point_[to++] = point_[from];
      row_[i + 1] = to;
    }
    point_.resize(to);
  }

  // Calls f(k, l) for every point l of row i that is on a diagonal with a point k of the row before.
  template <class F>
  void neighbours(u32 i, F&& f) {
    for (std::size_t k = row_[i - 1], l = row_[i]; k < row_[i] && l < row_[i + 1];) {
      if (point_[k] + 1 == point_[l]) f(k++, l++);
      else if (point_[k] + 1 < point_[l]) ++k;
      else ++l;
    }
  }

  void follow(u32 m, u32 n) {
    run_.assign(point_.size(), 1);
    for (u32 i = 1; i < m; ++i) neighbours(i, [&](std::size_t k, std::size_t l) { run_[l] = run_[k] + 1; });
    for (u32 i = m; i-- > 1;) neighbours(i, [&](std::size_t k, std::size_t l) { run_[k] = run_[l]; });
    in_b_.assign(n, 0);
    in_a_.assign(m, 0);
    for (u32 i = 0; i < m; ++i)
      for (std::size_t k = row_[i]; k < row_[i + 1]; ++k) {
        in_a_[i] = std::max(in_a_[i], run_[k]);
        in_b_[point_[k]] = std::max(in_b_[point_[k]], run_[k]);
      }
    sift(m, [&](u32 i, std::size_t k) { return run_[k] >= o_.repeat || u64{run_[k]} * o_.slack >= std::max(in_a_[i], in_b_[point_[k]]); });
  }

  // Runs of `run` points or more on a diagonal. run_ holds the points before each of them now, with itself.
  void equal_runs(u32 m) {
    run_.assign(point_.size(), 1);
    ends_.assign(point_.size(), 1);
    for (u32 i = 1; i < m; ++i)
      neighbours(i, [&](std::size_t k, std::size_t l) {
        run_[l] = run_[k] + 1;
        ends_[k] = 0;
      });
    for (u32 i = 0; i < m; ++i)
      for (std::size_t k = row_[i]; k < row_[i + 1]; ++k)
        if (const u32 n = run_[k]; ends_[k] && n >= o_.run) found_.push_back({i + 1 - n, i + 1, point_[k] + 1 - n, point_[k] + 1});
  }

  // keep_ is 1 for points with enough others in their own and the eight squares about it: a quick look before the exact one.
  void crowded(u32 m, u32 n) {
    const u32 side = o_.radius + 1, blocks = (m - 1) / side + 1;
    keep_.assign(point_.size(), 0);
    std::vector<u32> column((n - 1) / side + 3, 0);  // points of three rows of squares, by column; one more on each side
    const auto first = [&](u32 block) { return row_[std::min<u64>(u64{block} * side, m)]; };
    const auto count = [&](u32 block, u32 by) {
      for (std::size_t k = first(block); k < first(block + 1); ++k) column[point_[k] / side + 1] += by;
    };
    count(0, 1);
    for (u32 block = 0; block < blocks; ++block) {
      if (block + 1 < blocks) count(block + 1, 1);
      if (block > 1) count(block - 2, ~0u);  // less one
      for (std::size_t k = first(block); k < first(block + 1); ++k) {
        const u32 c = point_[k] / side;
        keep_[k] = column[c] + column[c + 1] + column[c + 2] >= o_.dense;
      }
    }
  }

  // Sums over places: what points beyond the first of each would put into a neighbourhood if they stood anywhere in the
  // other text, times its length.
  void by_chance(u32 m, u32 n) {
    const u64 wide = 2 * u64{o_.radius} + 1;
    chance_a_.assign(m + 1, 0);
    chance_b_.assign(n + 1, 0);
    for (u32 i = 0; i < m; ++i) {
      const u64 points = row_[i + 1] - row_[i];
      chance_a_[i + 1] = chance_a_[i] + (points ? std::min<u64>(n, (points - 1) * wide) : 0);
    }
    for (const u32 j : point_) ++chance_b_[j + 1];
    for (u32 j = 0; j < n; ++j) chance_b_[j + 1] = chance_b_[j] + (chance_b_[j + 1] ? std::min<u64>(m, (chance_b_[j + 1] - 1) * wide) : 0);
  }

  void dense_points(u32 m, u32 n) {
    const u32 r = o_.radius;
    crowded(m, n);
    by_chance(m, n);
    const auto expected = [&](const std::vector<u64>& sum, u32 i) {
      return sum[std::min<std::size_t>(sum.size() - 1, std::size_t{i} + r + 1)] - sum[i > r ? i - r : 0];
    };
    std::vector<std::size_t> at(2 * r + 1);
    for (u32 i = 0; i < m; ++i) {
      if (row_[i] == row_[i + 1]) continue;
      const u32 top = i > r ? i - r : 0, bottom = std::min(m - 1, i + r);
      for (u32 x = top; x <= bottom; ++x) at[x - top] = row_[x];
      for (std::size_t k = row_[i]; k < row_[i + 1]; ++k) {
        if (!keep_[k]) continue;
        const u32 j = point_[k], low = j > r ? j - r : 0;
        u64 columns = 0;
        u32 rows = 0;
        for (u32 x = top; x <= bottom; ++x) {
          auto& l = at[x - top];
          while (l < row_[x + 1] && point_[l] < low) ++l;
          if (l == row_[x + 1] || point_[l] - low > j + r - low) continue;
          ++rows;
          for (std::size_t q = l; q < row_[x + 1] && point_[q] <= j + r; ++q) columns |= 1ull << (point_[q] - low);
        }
        const auto places = static_cast<u32>(std::popcount(columns));
        keep_[k] = std::min(rows, places) >= o_.dense && u64{rows} * n >= o_.chance * expected(chance_a_, i) &&
                   u64{places} * m >= o_.chance * expected(chance_b_, j);
      }
    }
    sift(m, [&](u32, std::size_t k) { return keep_[k] != 0; });
  }

  void groups(u32 m) {
    const auto n = static_cast<u32>(point_.size());
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0u);
    const auto root = [&](u32 x) {
      while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
      return x;
    };
    const u32 r = o_.reach;
    std::vector<std::size_t> at(r + 1);
    for (u32 i = 0; i < m; ++i) {
      if (row_[i] == row_[i + 1]) continue;
      const u32 bottom = std::min(m - 1, i + r);
      for (u32 x = i; x <= bottom; ++x) at[x - i] = row_[x];
      for (std::size_t k = row_[i]; k < row_[i + 1]; ++k) {
        const u32 j = point_[k], low = j > r ? j - r : 0;
        for (u32 x = i; x <= bottom; ++x) {
          auto& l = at[x - i];
          while (l < row_[x + 1] && point_[l] < low) ++l;
          for (std::size_t q = l; q < row_[x + 1] && point_[q] <= j + r; ++q) {
            const u32 s = root(static_cast<u32>(k)), t = root(static_cast<u32>(q));
            if (s != t) parent_[std::max(s, t)] = std::min(s, t);
          }
        }
      }
    }
    // Points by group, groups by their first point, which is their root.
    start_.assign(n + 1, 0);
    for (u32 k = 0; k < n; ++k) ++start_[root(k) + 1];
    for (u32 k = 0; k < n; ++k) start_[k + 1] += start_[k];
    ordered_.resize(n);
    fill_.assign(start_.begin(), start_.end());
    for (u32 i = 0; i < m; ++i)
      for (std::size_t k = row_[i]; k < row_[i + 1]; ++k) ordered_[fill_[root(static_cast<u32>(k))]++] = {i, point_[k]};
    for (u32 k = 0; k < n; ++k)
      if (start_[k + 1] - start_[k] > 0)
        segments({ordered_.begin() + static_cast<std::ptrdiff_t>(start_[k]), ordered_.begin() + static_cast<std::ptrdiff_t>(start_[k + 1])});
  }

  // Score, first and last place of the best stretch of rising places, which may repeat.
  struct Stretch { std::int64_t score; u32 first, last; };
  Stretch best_stretch(const std::vector<u32>& places) const {
    std::int64_t score = 0, before = -1;
    u32 start = 0;
    Stretch best{0, 0, 0};
    for (u32 x : places) {
      if (before == x) continue;
      score -= x - before - 1;
      if (score <= 0) {
        score = 0;
        start = x;
      }
      score += o_.gain;
      before = x;
      if (score > best.score) best = {score, start, x};
    }
    return best;
  }

  void segments(std::vector<AlignPoint> group) {
    int taken = 0;
    std::vector<std::vector<AlignPoint>> waiting;
    waiting.push_back(std::move(group));
    while (!waiting.empty() && taken < ALIGN_ROUNDS) {
      const auto whole = std::move(waiting.back());
      waiting.pop_back();
      if (whole.size() * o_.gain < o_.least) continue;
      inner_ = whole;
      std::int64_t scores[2] = {0, 0};
      int same = 0, side = 0;
      for (int round = 0; round < ALIGN_ROUNDS && same < 2; ++round, side = 1 - side) {
        places_.clear();
        for (const auto& p : inner_) places_.push_back(side ? p.b : p.a);
        if (side) std::sort(places_.begin(), places_.end());
        const auto best = best_stretch(places_);
        scores[side] = best.score;
        const auto gone = std::erase_if(inner_, [&](const AlignPoint& p) {
          const u32 x = side ? p.b : p.a;
          return x < best.first || x > best.last;
        });
        same = gone ? 1 : same + 1;
      }
      if (std::min(scores[0], scores[1]) < o_.least) continue;
      AlignedSpan s{~0u, 0, ~0u, 0};
      for (const auto& p : inner_) {
        s.a0 = std::min(s.a0, p.a);
        s.a1 = std::max(s.a1, p.a + 1);
        s.b0 = std::min(s.b0, p.b);
        s.b1 = std::max(s.b1, p.b + 1);
      }
      found_.push_back(s);
      ++taken;
      std::vector<AlignPoint> before, behind;
      for (const auto& p : whole) {
        if (p.b >= s.b0 && p.b < s.b1) continue;
        if (p.a < s.a0) before.push_back(p);
        if (p.a >= s.a1) behind.push_back(p);
      }
      if (!before.empty()) waiting.push_back(std::move(before));
      if (!behind.empty()) waiting.push_back(std::move(behind));
    }
  }

  static std::int64_t apart(u32 s0, u32 s1, u32 t0, u32 t1) {
    return static_cast<std::int64_t>(std::max(s0, t0)) - std::min(s1, t1);
  }

  void joined() {
    std::sort(found_.begin(), found_.end());
    const auto n = static_cast<u32>(found_.size());
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0u);
    const auto root = [&](u32 x) {
      while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
      return x;
    };
    for (u32 x = 0; x < n; ++x)
      for (u32 y = x + 1; y < n; ++y) {
        const auto &s = found_[x], &t = found_[y];
        const std::int64_t join = o_.join, in_a = apart(s.a0, s.a1, t.a0, t.a1), in_b = apart(s.b0, s.b1, t.b0, t.b1);
        if (in_a > join) break;
        const std::int64_t shortest = std::min({s.a1 - s.a0, s.b1 - s.b0, t.a1 - t.a0, t.b1 - t.b0});
        const std::int64_t drift = (std::int64_t{t.a0} - s.a1) - (std::int64_t{t.b0} - s.b1);
        const bool twice = std::max(in_a, in_b) >= 0 && -2 * std::min(in_a, in_b) > shortest;
        if (std::max(in_a, in_b) > std::min(join, shortest / 2) || std::abs(drift) > 2 * join || twice) continue;
        const u32 p = root(x), q = root(y);
        if (p != q) parent_[std::max(p, q)] = std::min(p, q);
      }
    for (u32 x = n; x-- > 0;) {  // a root comes before all that are joined to it
      auto &s = found_[root(x)], &t = found_[x];
      s = {std::min(s.a0, t.a0), std::max(s.a1, t.a1), std::min(s.b0, t.b0), std::max(s.b1, t.b1)};
    }
    u32 to = 0;
    for (u32 x = 0; x < n; ++x)
      if (parent_[x] == x) found_[to++] = found_[x];
    found_.resize(to);
  }

  static void widen(AlignedSpan& s, std::span<const u32> a, std::span<const u32> b) {
    while (s.a0 > 0 && s.b0 > 0 && a[s.a0 - 1] == b[s.b0 - 1]) --s.a0, --s.b0;
    while (s.a1 < a.size() && s.b1 < b.size() && a[s.a1] == b[s.b1]) ++s.a1, ++s.b1;
  }

  // What lies within another span on both sides goes. In this order a span comes behind all it may lie within.
  void outermost(std::vector<AlignedSpan>& out) {
    std::sort(found_.begin(), found_.end(), [](const AlignedSpan& s, const AlignedSpan& t) {
      return std::tie(s.a0, t.a1, s.b0, t.b1) < std::tie(t.a0, s.a1, t.b0, s.b1);
    });
    std::vector<AlignedSpan> open;
    for (const auto& s : found_) {
      std::erase_if(open, [&](const AlignedSpan& t) { return t.a1 <= s.a0; });
      const auto around = [&](const AlignedSpan& t) { return s.a1 <= t.a1 && t.b0 <= s.b0 && s.b1 <= t.b1; };
      if (std::any_of(open.begin(), open.end(), around)) continue;
      open.push_back(s);
      out.push_back(s);
    }
    std::sort(out.begin(), out.end());
  }

  AlignOptions o_;
  std::vector<Seed> left_, right_, sorted_;
  std::vector<u64> hashes_, bits_, count_, chance_a_, chance_b_;
  std::vector<Match> matches_;
  std::vector<AlignPoint> raw_, runs_, ordered_, inner_;
  std::vector<std::size_t> row_, start_, fill_;
  std::vector<u32> point_, run_, in_a_, in_b_, parent_, places_;
  std::vector<std::uint8_t> keep_, ends_;
  std::vector<AlignedSpan> found_;
};

struct AlignedSpans {
  std::vector<std::int64_t> offsets;  // of pair i
  std::vector<u32> spans;             // four a span: start and end left, start and end right, in tokens
  std::vector<std::uint8_t> exact;
};

inline AlignedSpans align_tokens(const Ragged& docs, std::span<const u32> left, std::span<const u32> right,
                                 const AlignOptions& options, int threads) {
  AlignedSpans out;
  out.offsets.assign(left.size() + 1, 0);
  std::vector<std::vector<AlignedSpan>> found(left.size());
  std::vector<std::vector<std::uint8_t>> exact(left.size());
  std::vector<Aligner> aligners(static_cast<std::size_t>(threads), Aligner(options));
  parallel_for(static_cast<std::int64_t>(left.size()), 1, threads, [&](int thread, std::int64_t i, std::int64_t) {
    const auto k = static_cast<std::size_t>(i);
    aligners[static_cast<std::size_t>(thread)].run(docs[left[k]], docs[right[k]], found[k], exact[k]);
  });
  for (std::size_t k = 0; k < left.size(); ++k) {
    out.offsets[k + 1] = out.offsets[k] + static_cast<std::int64_t>(found[k].size());
    for (const auto& s : found[k]) out.spans.insert(out.spans.end(), {s.a0, s.a1, s.b0, s.b1});
    out.exact.insert(out.exact.end(), exact[k].begin(), exact[k].end());
  }
  return out;
}

}  // namespace quchong
