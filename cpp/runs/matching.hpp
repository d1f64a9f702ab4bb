// Matching statistics of one token sequence through another (Chang 1994; MDR: Monostori 2000), by a suffix automaton, a
// suffix array with LCP or a suffix vector: three structures, one result.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pairs/pairs.hpp"
#include "runs/statistic.hpp"
#include "runs/vector.hpp"

namespace quchong {

// What finds matches; the numbers are those of STRUCTURES in quchong.kernels.runs.
enum class Structure : u32 { automaton, array, vector };

// The suffix automaton of a text read backwards, so that running another one through it backwards gives matches by
// their START positions. Transitions stand in one hash table: alphabets are large.
class ReversedAutomaton {
 public:
  void build(std::span<const u32> t, Starts starts) {
    const std::size_t n = t.size();
    length_.assign(1, 0), link_.assign(1, NONE), head_.assign(1, NONE), place_.assign(1, NONE);
    edges_.clear();
    table_.assign(64, NONE);
    u32 last = 0;
    for (std::size_t at = n; at-- > 0;) {
      const u32 c = t[at];
      const u32 made = state(length_[last] + 1, NONE, starts.empty() || starts[at] ? static_cast<u32>(at) : NONE);
      u32 p = last;
      for (; p != NONE && find(p, c) == NONE; p = link_[p]) add(p, c, made);
      if (p == NONE) {
        link_[made] = 0;
      } else if (const u32 q = edges_[find(p, c)].target; length_[p] + 1 == length_[q]) {
        link_[made] = q;
      } else {
        const u32 clone = state(length_[p] + 1, link_[q], NONE);
        for (u32 e = head_[q]; e != NONE; e = edges_[e].next) add(clone, edges_[e].token, edges_[e].target);
        for (; p != NONE; p = link_[p]) {
          const u32 e = find(p, c);
          if (e == NONE || edges_[e].target != q) break;
          edges_[e].target = clone;
        }
        link_[q] = link_[made] = clone;
      }
      last = made;
    }
    finish(n);
  }

  void run(std::span<const u32> p, Starts starts, std::vector<Statistic>& out) const {
    out.assign(p.size(), {});
    u32 v = 0, l = 0;
    for (std::size_t i = p.size(); i-- > 0;) {
      u32 e = find(v, p[i]);
      while (e == NONE && v) {
        v = link_[v];
        l = length_[v];
        e = find(v, p[i]);
      }
      if (e != NONE) v = edges_[e].target, ++l;
      if (!starts.empty() && !starts[i]) continue;
      const u32 g = good_[v];
      const u32 length = g == v ? l : length_[g];
      if (g && length) out[i] = {length, place_[g]};
    }
  }

  std::size_t memory() const {
    return 4 * (length_.size() + link_.size() + head_.size() + place_.size() + good_.size() + table_.size()) +
           sizeof(Edge) * edges_.size();
  }

 private:
  static constexpr u32 NONE = ~0u;
  struct Edge {
    u32 state, token, target, next;
  };

  u32 state(u32 length, u32 link, u32 place) {
    length_.push_back(length), link_.push_back(link), head_.push_back(NONE), place_.push_back(place);
    return static_cast<u32>(length_.size() - 1);
  }
  std::size_t slot(u32 state, u32 token) const {
    return static_cast<std::size_t>(mix64(static_cast<u64>(state) << 32 | token)) & (table_.size() - 1);
  }
  u32 find(u32 state, u32 token) const {
    for (std::size_t i = slot(state, token);; i = (i + 1) & (table_.size() - 1)) {
      const u32 e = table_[i];
      if (e == NONE || (edges_[e].state == state && edges_[e].token == token)) return e;
    }
  }
  void place_edge(u32 e) {
    std::size_t i = slot(edges_[e].state, edges_[e].token);
    while (table_[i] != NONE) i = (i + 1) & (table_.size() - 1);
    table_[i] = e;
  }
  void add(u32 from, u32 token, u32 target) {
    const auto e = static_cast<u32>(edges_.size());
    edges_.push_back({from, token, target, head_[from]});
    head_[from] = e;
    if (2 * edges_.size() <= table_.size()) return place_edge(e);
    table_.assign(2 * table_.size(), NONE);
    for (u32 k = 0; k <= e; ++k) place_edge(k);
  }
  // First places come from the longest strings down to their suffixes; then every state knows the nearest one above it
  // (itself, mostly) that occurs at an allowed start.
  void finish(std::size_t n) {
    const std::size_t states = length_.size();
    std::vector<u32> first(n + 2, 0), order(states);
    for (u32 l : length_) ++first[l + 1];
    for (std::size_t l = 0; l <= n; ++l) first[l + 1] += first[l];
    for (u32 v = 0; v < states; ++v) order[first[length_[v]]++] = v;
    for (std::size_t k = states; k-- > 1;) place_[link_[order[k]]] = std::min(place_[link_[order[k]]], place_[order[k]]);
    good_.assign(states, 0);
    for (std::size_t k = 1; k < states; ++k) good_[order[k]] = place_[order[k]] != NONE ? order[k] : good_[link_[order[k]]];
  }

  std::vector<u32> length_, link_, head_, place_, good_, table_;
  std::vector<Edge> edges_;
};

// The suffix array of both texts with a mark between them, its LCP, and the tree of LCP intervals: of a suffix of one
// text the lowest interval that holds a suffix of the other is its longest match.
class JointArray {
 public:
  void build(std::span<const u32> p, std::span<const u32> t, Starts p_starts, Starts t_starts) {
    m_ = static_cast<u32>(p.size());
    const std::size_t n = p.size() + 1 + t.size();
    letters(p, t);
    sort(n);
    common(n);
    tree(n, p_starts, t_starts);
  }
  // Of the left text's positions (other = 1) or the right one's (other = 0).
  void run(int other, std::size_t size, Starts starts, std::vector<Statistic>& out) const {
    out.assign(size, {});
    const std::size_t base = other ? 0 : m_ + 1;
    for (std::size_t i = 0; i < size; ++i) {
      if (!starts.empty() && !starts[i]) continue;
      const u32 g = good_[other][leaf_[base + i]];
      if (value_[g]) out[i] = {value_[g], least_[other][g]};
    }
  }
  std::size_t memory() const {
    return 4 * (text_.size() + array_.size() + rank_.size() + lcp_.size() + leaf_.size() + value_.size() + parent_.size() +
                least_[0].size() + least_[1].size() + good_[0].size() + good_[1].size() + popped_.size() + spare_.size() + count_.size());
  }

 private:
  static constexpr u32 NONE = ~0u;

  void letters(std::span<const u32> p, std::span<const u32> t) {
    spare_.assign(p.begin(), p.end());
    spare_.insert(spare_.end(), t.begin(), t.end());
    std::sort(spare_.begin(), spare_.end());
    spare_.erase(std::unique(spare_.begin(), spare_.end()), spare_.end());
    const auto dense = [&](u32 c) { return static_cast<u32>(std::lower_bound(spare_.begin(), spare_.end(), c) - spare_.begin()); };
    text_.clear();
    for (u32 c : p) text_.push_back(dense(c));
    text_.push_back(static_cast<u32>(spare_.size()));  // occurs once: no match crosses it
    for (u32 c : t) text_.push_back(dense(c));
    letters_ = static_cast<u32>(spare_.size()) + 1;
  }
  // Prefix doubling with counting sort: O(n log n), whatever the text.
  void sort(std::size_t n) {
    array_.resize(n), rank_.assign(text_.begin(), text_.end());
    std::vector<u32>& next = spare_;
    next.resize(n);
    const auto counted = [&](std::size_t keys, auto&& source) {
      count_.assign(keys + 1, 0);
      for (u32 r : rank_) ++count_[r + 1];
      for (std::size_t k = 0; k < keys; ++k) count_[k + 1] += count_[k];
      for (std::size_t k = 0; k < n; ++k) {
        const u32 i = source(k);
        array_[count_[rank_[i]]++] = i;
      }
    };
    std::size_t ranks = letters_;
    counted(ranks, [](std::size_t k) { return static_cast<u32>(k); });
    for (std::size_t width = 1; ranks < n || width == 1; width *= 2) {
      std::size_t k = 0;  // by the second half: suffixes too short for one come first
      for (std::size_t i = width < n ? n - width : 0; i < n; ++i) next[k++] = static_cast<u32>(i);
      for (u32 i : array_)
        if (i >= width) next[k++] = static_cast<u32>(i - width);
      counted(std::max(ranks, n), [&](std::size_t at) { return next[at]; });
      next[array_[0]] = 0;
      u32 r = 0;
      for (std::size_t at = 1; at < n; ++at) {
        const u32 i = array_[at], before = array_[at - 1];
        const bool same = rank_[i] == rank_[before] && (i + width < n) == (before + width < n) &&
                          (i + width >= n || rank_[i + width] == rank_[before + width]);
        next[i] = same ? r : ++r;
      }
      std::swap(rank_, next);
      ranks = r + 1;
    }
  }
  // Kasai and others 2001.
  void common(std::size_t n) {
    lcp_.assign(n + 1, 0);
    std::size_t l = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (rank_[i] == 0) {
        l = 0;
        continue;
      }
      const std::size_t j = array_[rank_[i] - 1];
      while (i + l < n && j + l < n && text_[i + l] == text_[j + l]) ++l;
      lcp_[rank_[i]] = static_cast<u32>(l);
      if (l) --l;
    }
  }
  u32 node(u32 value) {
    value_.push_back(value), parent_.push_back(0), least_[0].push_back(NONE), least_[1].push_back(NONE);
    return static_cast<u32>(value_.size() - 1);
  }
  void tree(std::size_t n, Starts p_starts, Starts t_starts) {
    value_.clear(), parent_.clear(), least_[0].clear(), least_[1].clear(), popped_.clear();
    leaf_.resize(n);
    std::vector<u32>& stack = spare_;
    stack.assign(1, node(0));
    for (std::size_t k = 0; k < n; ++k) {
      const u32 l = lcp_[k + 1];
      if (l > value_[stack.back()]) stack.push_back(node(l));
      hang(array_[k], stack.back(), p_starts, t_starts);
      while (value_[stack.back()] > l) {
        const u32 child = stack.back();
        stack.pop_back();
        if (value_[stack.back()] < l) stack.push_back(node(l));
        parent_[child] = stack.back();
        for (auto& least : least_) least[stack.back()] = std::min(least[stack.back()], least[child]);
        popped_.push_back(child);
      }
    }
    for (int side = 0; side < 2; ++side) {
      auto& good = good_[side];
      good.assign(value_.size(), 0);
      for (std::size_t k = popped_.size(); k-- > 0;) {
        const u32 v = popped_[k];
        good[v] = least_[side][v] != NONE ? v : good[parent_[v]];
      }
    }
  }
  void hang(u32 suffix, u32 at, Starts p_starts, Starts t_starts) {
    leaf_[suffix] = at;
    if (suffix == m_) return;
    const int side = suffix > m_;
    const u32 place = side ? suffix - m_ - 1 : suffix;
    const Starts& starts = side ? t_starts : p_starts;
    if (starts.empty() || starts[place]) least_[side][at] = std::min(least_[side][at], place);
  }

  u32 m_ = 0, letters_ = 0;
  std::vector<u32> text_, array_, rank_, lcp_, leaf_, value_, parent_, popped_, spare_, count_;
  std::vector<u32> least_[2], good_[2];
};

struct SharedRun {
  u32 left, right, length;
};

// Positions covered by matches of at least `least` tokens, as a union of intervals; the matches none of which lies inside
// another one before it go to `out`.
inline u32 covered_by(std::span<const Statistic> found, u32 least, std::vector<SharedRun>* out) {
  u32 end = 0, covered = 0;
  for (u32 i = 0; i < found.size(); ++i) {
    const auto [length, place] = found[i];
    if (length < least || length == 0 || i + length <= end) continue;
    covered += i + length - std::max(i, end);
    end = i + length;
    if (out) out->push_back({i, place, length});
  }
  return covered;
}

struct SharedRuns {
  std::vector<std::int64_t> offsets;       // of pair i
  std::vector<u32> runs;                   // three a run: left place, right place, length
  std::vector<u32> covered_left, covered_right;
};

// What every pair shares in runs of at least `least` tokens.
inline SharedRuns shared_runs(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, u32 least, Starts starts,
                              Structure structure, int threads) {
  SharedRuns r;
  r.offsets.assign(left.size() + 1, 0);
  r.covered_left.resize(left.size());
  r.covered_right.resize(left.size());
  struct Worker {
    ReversedAutomaton own, other;
    SuffixVector own_vector, other_vector;
    std::size_t built = ~std::size_t{0};  // the document of `own` or `own_vector`
    JointArray joint;
    std::vector<Statistic> found;
    std::vector<SharedRun> runs;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(std::max(1, threads)));
  std::vector<std::vector<u32>> pieces(left.size());
  parallel_for(static_cast<std::int64_t>(left.size()), 8, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& w = workers[static_cast<std::size_t>(thread)];
    const auto allowed = [&](u32 d) {
      return starts.empty() ? starts : starts.subspan(static_cast<std::size_t>(docs.offsets[d]), docs[d].size());
    };
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      const u32 x = left[k], y = right[k];
      const auto p = docs[x], t = docs[y];
      w.runs.clear();
      if (p.size() >= least && t.size() >= least) {
        if (structure == Structure::array) {
          w.joint.build(p, t, allowed(x), allowed(y));
          w.joint.run(0, t.size(), allowed(y), w.found);
        } else if (structure == Structure::vector) {
          if (w.built != x) w.own_vector.build(p, allowed(x));
          w.built = x;
          w.own_vector.run(t, allowed(y), w.found);
        } else {
          if (w.built != x) w.own.build(p, allowed(x));
          w.built = x;
          w.own.run(t, allowed(y), w.found);
        }
        r.covered_right[k] = covered_by(w.found, least, nullptr);
        if (r.covered_right[k]) {  // nothing of the one in the other: nothing of the other in the one
          if (structure == Structure::array) {
            w.joint.run(1, p.size(), allowed(x), w.found);
          } else if (structure == Structure::vector) {
            w.other_vector.build(t, allowed(y));
            w.other_vector.run(p, allowed(x), w.found);
          } else {
            w.other.build(t, allowed(y));
            w.other.run(p, allowed(x), w.found);
          }
          r.covered_left[k] = covered_by(w.found, least, &w.runs);
        }
      }
      for (const auto& run : w.runs) pieces[k].insert(pieces[k].end(), {run.left, run.right, run.length});
      r.offsets[k + 1] = static_cast<std::int64_t>(w.runs.size());
    }
  });
  for (std::size_t k = 0; k < left.size(); ++k) r.offsets[k + 1] += r.offsets[k];
  for (auto& piece : pieces) {
    r.runs.insert(r.runs.end(), piece.begin(), piece.end());
    std::vector<u32>().swap(piece);
  }
  return r;
}

// Matching statistics of one text through another by any of the structures; returns the bytes it took.
inline std::size_t matching_statistics(std::span<const u32> text, std::span<const u32> other, std::span<const std::uint8_t> text_starts,
                                       std::span<const std::uint8_t> other_starts, Structure structure,
                                       std::vector<Statistic>& found) {
  if (structure == Structure::array) {
    JointArray joint;
    joint.build(text, other, text_starts, other_starts);
    joint.run(1, text.size(), text_starts, found);
    return joint.memory();
  }
  if (structure == Structure::vector) {
    SuffixVector vector;
    vector.build(other, other_starts);
    vector.run(text, text_starts, found);
    return vector.memory();
  }
  ReversedAutomaton automaton;
  automaton.build(other, other_starts);
  automaton.run(text, text_starts, found);
  return automaton.memory();
}

}  // namespace quchong
