// Sequences of symbols compared: all maximal equal runs of two (suffix array and LCP intervals), runs made one-to-one, equal
// values of two documents, and matches joined along diagonals. Symbol 0 equals nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// left[i .. i + length) equals right[j .. j + length).
struct Block {
  u32 left, right, length;
};

// How runs are found: by size, by a suffix array, or by comparing every place with every place. The result is the same.
enum class RunRoad : u32 { SIZE, SUFFIXES, PLACES };

class RunFinder {
 public:
  // All maximal runs of at least `shortest`, in no order. Where there are more than `limit`, the shortest lengths are left out
  // altogether; returns whether that was so. O(m + n + runs) beside the sorting of suffixes, O((m + n) log(m + n)).
  bool find(std::span<const u64> a, std::span<const u64> b, u32 shortest, u64 limit, RunRoad road, std::vector<Block>& out) {
    out.clear();
    const u64 cells = static_cast<u64>(a.size()) * b.size();
    if (cells == 0) return false;
    if (road == RunRoad::PLACES || (road == RunRoad::SIZE && cells <= std::min<u64>(limit, SCAN))) {
      scan(a, b, shortest, out);
      return shorten(out, limit);
    }
    rank(a, b);
    sort_suffixes();
    u32 least = shortest;
    if (cells > limit) {
      many_.clear();
      sweep<true>(shortest, 0, out);
      u64 total = 0;
      std::sort(many_.begin(), many_.end(), std::greater<>());
      for (const auto& [length, count] : many_) {
        if (total + count > limit) {
          least = length + 1;
          break;
        }
        total += count;
      }
    }
    sweep<false>(shortest, least, out);
    return least > shortest;
  }

 private:
  // Up to so many cells comparing them all is faster than sorting suffixes.
  static constexpr u64 SCAN = 1 << 13;
  static constexpr u32 NONE = 0xFFFFFFFF;

  struct Group {  // suffixes of one interval with the same symbol before them, of either sequence, as linked lists
    u32 before;
    u32 head[2], tail[2];
    u64 count[2];
  };
  struct Node {
    u32 depth = 0;
    std::vector<Group> groups;  // by `before`
  };

  static void scan(std::span<const u64> a, std::span<const u64> b, u32 shortest, std::vector<Block>& out) {
    const auto m = static_cast<std::int64_t>(a.size()), n = static_cast<std::int64_t>(b.size());
    for (std::int64_t diagonal = 1 - n; diagonal < m; ++diagonal) {
      std::int64_t i = std::max<std::int64_t>(diagonal, 0), j = i - diagonal;
      u32 length = 0;
      const auto close = [&] {
        if (length >= shortest) out.push_back({static_cast<u32>(i) - length, static_cast<u32>(j) - length, length});
        length = 0;
      };
      for (; i < m && j < n; ++i, ++j) {
        if (a[static_cast<std::size_t>(i)] == b[static_cast<std::size_t>(j)] && a[static_cast<std::size_t>(i)] != 0) ++length;
        else close();
      }
      close();
    }
  }

  // Leaves out the shortest lengths until at most `limit` runs remain; returns whether there were more.
  static bool shorten(std::vector<Block>& out, u64 limit) {
    if (out.size() <= limit) return false;
    // The run at `limit`, longest first, is one too many: its length goes, and all shorter ones.
    const auto at = out.begin() + static_cast<std::ptrdiff_t>(limit);
    std::nth_element(out.begin(), at, out.end(), [](const Block& x, const Block& y) { return x.length > y.length; });
    const u32 gone = at->length;
    std::erase_if(out, [&](const Block& r) { return r.length <= gone; });
    return true;
  }

  // Left, a separator, right. Symbols that do not stand in both get a number of their own each.
  void rank(std::span<const u64> a, std::span<const u64> b) {
    m_ = a.size();
    sorted_[0].assign(a.begin(), a.end());
    sorted_[1].assign(b.begin(), b.end());
    for (auto& s : sorted_) {
      std::sort(s.begin(), s.end());
      s.erase(std::unique(s.begin(), s.end()), s.end());
    }
    common_.clear();
    std::set_intersection(sorted_[0].begin(), sorted_[0].end(), sorted_[1].begin(), sorted_[1].end(), std::back_inserter(common_));
    text_.clear();
    auto next = static_cast<u32>(common_.size());
    const auto put = [&](u64 x) {
      const auto at = std::lower_bound(common_.begin(), common_.end(), x);
      text_.push_back(x != 0 && at != common_.end() && *at == x ? static_cast<u32>(at - common_.begin()) : next++);
    };
    for (u64 x : a) put(x);
    text_.push_back(next++);
    for (u64 x : b) put(x);
    kinds_ = next;
  }

  // Prefix doubling with counting sorts (Manber 1993), then the LCP of neighbours (Kasai 2001).
  void sort_suffixes() {
    const std::size_t n = text_.size();
    suffix_.resize(n), order_.assign(text_.begin(), text_.end()), other_.resize(n), lcp_.assign(n, 0);
    std::vector<u32>& rank = order_;
    std::size_t kinds = kinds_;
    const auto by_rank = [&](auto&& item) {  // items come in order of their second halves
      count_.assign(kinds + 1, 0);
      for (std::size_t i = 0; i < n; ++i) ++count_[rank[i] + 1];
      for (std::size_t k = 0; k < kinds; ++k) count_[k + 1] += count_[k];
      for (std::size_t i = 0; i < n; ++i) {
        const u32 x = item(i);
        suffix_[count_[rank[x]]++] = x;
      }
    };
    by_rank([](std::size_t i) { return static_cast<u32>(i); });
    for (std::size_t half = 1; half < n; half *= 2) {
      std::size_t p = 0;
      for (std::size_t i = n - half; i < n; ++i) other_[p++] = static_cast<u32>(i);
      for (std::size_t i = 0; i < n; ++i)
        if (suffix_[i] >= half) other_[p++] = suffix_[i] - static_cast<u32>(half);
      by_rank([&](std::size_t i) { return other_[i]; });
      const auto second = [&](u32 x) { return x + half < n ? rank[x + half] : NONE; };
      u32 k = 0;
      other_[suffix_[0]] = 0;
      for (std::size_t i = 1; i < n; ++i) {
        const u32 x = suffix_[i - 1], y = suffix_[i];
        k += rank[x] != rank[y] || second(x) != second(y);
        other_[y] = k;
      }
      rank.swap(other_);
      kinds = k + 1;
      if (kinds == n) break;
    }
    for (std::size_t i = 0; i < n; ++i) rank[suffix_[i]] = static_cast<u32>(i);
    u32 h = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (rank[i] == 0) {
        h = 0;
        continue;
      }
      const std::size_t j = suffix_[rank[i] - 1];
      while (i + h < n && j + h < n && text_[i + h] == text_[j + h]) ++h;
      lcp_[rank[i]] = h;
      if (h) --h;
    }
  }

  // The intervals of equal prefixes from the longest up. When two join at a depth, suffixes of different sequences with
  // different symbols before them are the maximal runs of that length (Gusfield 1997, 7.12.3).
  template <bool COUNT>
  void sweep(u32 shortest, u32 least, std::vector<Block>& out) {
    const std::size_t n = text_.size();
    next_.assign(n, NONE);
    std::size_t top = 0;  // nodes in use
    for (std::size_t r = 0; r <= n; ++r) {
      u32 depth = r > 0 && r < n ? lcp_[r] : 0;
      if (depth < shortest) depth = 0;
      while (top > 0 && stack_[top - 1].depth > depth) {
        if (top > 1 && stack_[top - 2].depth >= depth) {
          join<COUNT>(stack_[top - 2], stack_[top - 1], least, out);
          --top;
        } else {
          if (depth == 0) --top;
          else stack_[top - 1].depth = depth;
          break;
        }
      }
      if (r == n) break;
      if (depth == 0 && (r + 1 == n || lcp_[r + 1] < shortest)) continue;  // shares nothing with either neighbour
      if (stack_.size() == top) stack_.emplace_back();
      Node& leaf = stack_[top++];
      const u32 at = suffix_[r];
      const int side = at > m_;
      leaf.depth = NONE;
      leaf.groups.assign(1, Group{at ? text_[at - 1] : kinds_, {NONE, NONE}, {NONE, NONE}, {0, 0}});
      leaf.groups[0].head[side] = leaf.groups[0].tail[side] = at;
      leaf.groups[0].count[side] = 1;
    }
  }

  template <bool COUNT>
  void join(Node& to, Node& from, u32 least, std::vector<Block>& out) {
    if constexpr (COUNT) {
      u64 all[2][2] = {{0, 0}, {0, 0}}, same = 0;
      for (int side = 0; side < 2; ++side) {
        for (const auto& g : to.groups) all[0][side] += g.count[side];
        for (const auto& g : from.groups) all[1][side] += g.count[side];
      }
      for (auto x = to.groups.begin(), y = from.groups.begin(); x != to.groups.end() && y != from.groups.end();) {
        if (x->before == y->before) same += x->count[0] * y->count[1] + x->count[1] * y->count[0], ++x, ++y;
        else if (x->before < y->before) ++x;
        else ++y;
      }
      const u64 runs = all[0][0] * all[1][1] + all[0][1] * all[1][0] - same;
      if (runs) {
        if (!many_.empty() && many_.back().first == to.depth) many_.back().second += runs;
        else many_.push_back({to.depth, runs});
      }
    } else if (to.depth >= least) {
      emit(to.groups, from.groups, to.depth, out);
      emit(from.groups, to.groups, to.depth, out);
    }
    for (const auto& g : from.groups) {
      auto at = std::lower_bound(to.groups.begin(), to.groups.end(), g.before, [](const Group& x, u32 v) { return x.before < v; });
      if (at == to.groups.end() || at->before != g.before) {
        to.groups.insert(at, g);
        continue;
      }
      for (int side = 0; side < 2; ++side) {
        if (g.count[side] == 0) continue;
        if (at->count[side]) next_[at->tail[side]] = g.head[side];
        else at->head[side] = g.head[side];
        at->tail[side] = g.tail[side];
        at->count[side] += g.count[side];
      }
    }
  }

  // Left ones of one interval with right ones of the other.
  void emit(const std::vector<Group>& lefts, const std::vector<Group>& rights, u32 length, std::vector<Block>& out) {
    some_.clear();
    for (const auto& y : rights)
      if (y.count[1]) some_.push_back(&y);
    if (some_.empty()) return;
    for (const auto& x : lefts) {
      if (x.count[0] == 0) continue;
      for (const Group* y : some_) {
        if (x.before == y->before) continue;
        for (u32 i = x.head[0]; i != NONE; i = next_[i])
          for (u32 j = y->head[1]; j != NONE; j = next_[j]) out.push_back({i, j - static_cast<u32>(m_) - 1, length});
      }
    }
  }

  std::size_t m_ = 0;
  u32 kinds_ = 0;
  std::vector<u64> sorted_[2], common_;
  std::vector<u32> text_, suffix_, order_, other_, lcp_, count_, next_;
  std::vector<Node> stack_;
  std::vector<const Group*> some_;
  std::vector<std::pair<u32, u64>> many_;  // length and how many runs have it, in pieces
};

// Runs split where the check values differ; pieces shorter than `shortest` are dropped.
inline void split_runs(std::vector<Block>& runs, std::span<const u64> a, std::span<const u64> b, u32 shortest) {
  std::vector<Block> out;
  for (const auto& r : runs) {
    u32 from = 0;
    for (u32 t = 0; t <= r.length; ++t) {
      if (t < r.length && a[r.left + t] == b[r.right + t]) continue;
      if (t - from >= shortest && t > from) out.push_back({r.left + from, r.right + from, t - from});
      from = t + 1;
    }
  }
  runs.swap(out);
}

// Places not yet taken, to the right of a place, in almost constant time.
class Free {
 public:
  void reset(std::size_t n) {
    next_.resize(n + 1);
    for (std::size_t i = 0; i <= n; ++i) next_[i] = static_cast<u32>(i);
  }
  u32 from(u32 i) {
    while (next_[i] != i) i = next_[i] = next_[next_[i]];
    return i;
  }
  void take(u32 i) { next_[i] = i + 1; }

 private:
  std::vector<u32> next_;
};

// Runs made one-to-one: the longest first (then the first on the left, then on the right) take their places; of the others
// what is not taken on either side stays, in pieces of at least `shortest`. Sorted by left.
class Placer {
 public:
  void place(std::vector<Block>& runs, std::size_t m, std::size_t n, u32 shortest) {
    std::sort(runs.begin(), runs.end(), [](const Block& x, const Block& y) {
      return std::tuple(y.length, x.left, x.right) < std::tuple(x.length, y.left, y.right);
    });
    left_.reset(m), right_.reset(n);
    kept_.clear();
    for (const auto& r : runs) {
      for (u32 t = 0; t < r.length;) {
        const u32 free = std::max(left_.from(r.left + t) - r.left, right_.from(r.right + t) - r.right);
        if (free > t) {
          t = free;
          continue;
        }
        u32 end = t + 1;  // both free from t on: how far?
        while (end < r.length && left_.from(r.left + end) == r.left + end && right_.from(r.right + end) == r.right + end) ++end;
        if (end - t >= shortest) {
          for (u32 k = t; k < end; ++k) left_.take(r.left + k), right_.take(r.right + k);
          kept_.push_back({r.left + t, r.right + t, end - t});
        }
        t = end;
      }
    }
    std::sort(kept_.begin(), kept_.end(), [](const Block& x, const Block& y) { return x.left < y.left; });
    runs.swap(kept_);
  }

 private:
  Free left_, right_;
  std::vector<Block> kept_;
};

struct MatchedBlocks {
  std::vector<std::int64_t> offsets;
  std::vector<u32> blocks;  // left, right, length of each
  std::vector<std::uint8_t> bounded;
};

// One-to-one blocks of pairs of documents; with `checks` runs of equal symbols are split where those differ.
inline MatchedBlocks matched_blocks(std::span<const u64> symbols, std::span<const u64> checks, std::span<const std::int64_t> offsets,
                                    std::span<const u32> left, std::span<const u32> right, u32 shortest, u64 limit, int threads) {
  const std::size_t pairs = left.size();
  constexpr std::int64_t GRAIN = 64;
  std::vector<std::vector<u32>> pieces((pairs + GRAIN - 1) / GRAIN);
  struct Scratch {
    RunFinder finder;
    Placer placer;
    std::vector<Block> runs;
  };
  std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(1, threads)));
  MatchedBlocks out;
  out.offsets.assign(pairs + 1, 0);
  out.bounded.assign(pairs, 0);
  const auto of = [&](std::span<const u64> v, u32 d) {
    return v.subspan(static_cast<std::size_t>(offsets[d]), static_cast<std::size_t>(offsets[d + 1] - offsets[d]));
  };
  parallel_for(static_cast<std::int64_t>(pairs), GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& s = scratches[static_cast<std::size_t>(thread)];
    auto& piece = pieces[static_cast<std::size_t>(from / GRAIN)];
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto a = of(symbols, left[p]), b = of(symbols, right[p]);
      out.bounded[p] = s.finder.find(a, b, shortest, limit, RunRoad::SIZE, s.runs);
      if (!checks.empty()) split_runs(s.runs, of(checks, left[p]), of(checks, right[p]), shortest);
      s.placer.place(s.runs, a.size(), b.size(), shortest);
      for (const auto& r : s.runs) piece.insert(piece.end(), {r.left, r.right, r.length});
      out.offsets[p + 1] = static_cast<std::int64_t>(s.runs.size());
    }
  });
  for (std::size_t p = 0; p < pairs; ++p) out.offsets[p + 1] += out.offsets[p];
  out.blocks.reserve(3 * static_cast<std::size_t>(out.offsets[pairs]));
  for (auto& p : pieces) {
    out.blocks.insert(out.blocks.end(), p.begin(), p.end());
    std::vector<u32>().swap(p);
  }
  return out;
}

struct Matches {
  std::vector<std::int64_t> offsets;
  std::vector<u32> left, right;  // places, sorted by them within a pair, no two alike
};

// Places of equal values of pairs of documents, whose values ascend, with their places ascending among equal ones. Of one value
// the first `repeats` places on either side match each with each, further ones the k-th with the k-th.
inline Matches value_matches(std::span<const u64> values, std::span<const u32> places, std::span<const std::int64_t> offsets,
                             std::span<const u32> left, std::span<const u32> right, u32 repeats, int threads) {
  const std::size_t pairs = left.size();
  constexpr std::int64_t GRAIN = 256;
  std::vector<std::vector<u32>> lefts((pairs + GRAIN - 1) / GRAIN), rights(lefts.size());
  Matches out;
  out.offsets.assign(pairs + 1, 0);
  parallel_for(static_cast<std::int64_t>(pairs), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    const auto c = static_cast<std::size_t>(from / GRAIN);
    std::vector<u64> found;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      found.clear();
      auto i = static_cast<std::size_t>(offsets[left[p]]), j = static_cast<std::size_t>(offsets[right[p]]);
      const auto m = static_cast<std::size_t>(offsets[left[p] + 1]), n = static_cast<std::size_t>(offsets[right[p] + 1]);
      while (i < m && j < n) {
        if (values[i] < values[j]) ++i;
        else if (values[j] < values[i]) ++j;
        else {
          const u64 value = values[i];
          std::size_t x = i, y = j;
          while (x < m && values[x] == value) ++x;
          while (y < n && values[y] == value) ++y;
          const std::size_t a = std::min<std::size_t>(x - i, repeats), b = std::min<std::size_t>(y - j, repeats), all = std::min(x - i, y - j);
          const auto put = [&](std::size_t k, std::size_t l) { found.push_back(static_cast<u64>(places[i + k]) << 32 | places[j + l]); };
          for (std::size_t k = 0; k < a; ++k)
            for (std::size_t l = 0; l < b; ++l) put(k, l);
          for (std::size_t k = repeats; k < all; ++k) put(k, k);
          i = x, j = y;
        }
      }
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      for (u64 f : found) lefts[c].push_back(static_cast<u32>(f >> 32)), rights[c].push_back(static_cast<u32>(f));
      out.offsets[p + 1] = static_cast<std::int64_t>(found.size());
    }
  });
  for (std::size_t p = 0; p < pairs; ++p) out.offsets[p + 1] += out.offsets[p];
  const auto all = [](std::vector<u32>& to, std::vector<std::vector<u32>>& parts) {
    for (auto& part : parts) {
      to.insert(to.end(), part.begin(), part.end());
      std::vector<u32>().swap(part);
    }
  };
  all(out.left, lefts);
  all(out.right, rights);
  return out;
}

// The run of every match, numbered within its pair by first match. Matches of a pair are sorted by (left, right), no two alike.
// A match goes on the run whose end lies before it on both sides, with at most `gap` places left out on the side that has fewer
// and the distance of both sides changed by at most `drift`: the least change first, then the nearest on the left, then the
// lesser diagonal; of the runs that end on one diagonal the last counts.
inline void diagonal_runs(std::span<const u32> left, std::span<const u32> right, std::span<const std::int64_t> offsets, u32 gap, u32 drift,
                          std::span<u32> run, int threads) {
  const auto pairs = static_cast<std::int64_t>(offsets.size()) - 1;
  parallel_for(pairs, 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    struct End {
      std::int64_t diagonal;
      u32 run;
    };
    std::vector<std::pair<std::int64_t, std::int64_t>> ends;  // of each run
    std::vector<End> last;                                    // sorted by diagonal
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      ends.clear(), last.clear();
      for (auto k = static_cast<std::size_t>(offsets[p]); k < static_cast<std::size_t>(offsets[p + 1]); ++k) {
        const std::int64_t i = left[k], j = right[k], diagonal = i - j;
        const auto near = [&](std::int64_t d) {
          return std::lower_bound(last.begin(), last.end(), d, [](const End& e, std::int64_t v) { return e.diagonal < v; });
        };
        u32 best = 0xFFFFFFFF;
        std::tuple<std::int64_t, std::int64_t> worth{std::numeric_limits<std::int64_t>::max(), 0};
        for (auto e = near(diagonal - drift); e != last.end() && e->diagonal <= diagonal + drift; ++e) {
          const auto [x, y] = ends[e->run];
          if (x - y != e->diagonal) continue;  // has gone on elsewhere
          const std::int64_t across = i - x, down = j - y;
          if (across < 1 || down < 1 || std::min(across, down) > static_cast<std::int64_t>(gap) + 1) continue;
          const std::tuple<std::int64_t, std::int64_t> here{across > down ? across - down : down - across, across};
          if (here < worth) worth = here, best = e->run;
        }
        if (best == 0xFFFFFFFF) {
          best = static_cast<u32>(ends.size());
          ends.emplace_back();
        }
        ends[best] = {i, j};
        run[k] = best;
        const auto at = near(diagonal);
        if (at != last.end() && at->diagonal == diagonal) at->run = best;
        else last.insert(at, {diagonal, best});
      }
    }
  });
}

}  // namespace quchong
