// What has to be changed to make one token sequence of another: equal runs that keep their order are found by rare shingles,
// what lies between by a longest common subsequence. The specification, step by step under the same names, is
// tests/twins/align.py.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "pairs/pairs.hpp"

namespace quchong {

struct Edit {
  u32 a0, a1, b0, b1;  // what stands in the left one, and in its place in the right one; one of both may be empty
};

struct EditOptions {
  u32 shingle;        // tokens of the shingles that anchor
  u32 most_runs;      // of anchored runs, the longest
  std::int64_t cells; // gaps of more token cells are one edit
  bool join = true;   // edits with a short equal run between them become one
};

class Differ {
 public:
  explicit Differ(const EditOptions& options) : o_(options) {}

  // Edits in order, no two of them touching; returns how many tokens were matched.
  u32 run(std::span<const u32> a, std::span<const u32> b, std::vector<Edit>& out) {
    a_ = a;
    b_ = b;
    edits_.clear();
    between({0, static_cast<u32>(a.size()), 0, static_cast<u32>(b.size())}, true);
    u32 gone = 0;
    for (const auto& e : edits_) gone += e.a1 - e.a0;
    if (o_.join) {
      merged(out);
    } else {
      out.insert(out.end(), edits_.begin(), edits_.end());
    }
    return static_cast<u32>(a.size()) - gone;
  }

 private:
  struct Run {
    u32 a, b, length;
  };
  // Eight bytes, so that the table of a page of text stays in the nearest cache.
  struct Slot {
    u32 tag : 28 = 0;                  // of the hash, what its place in the table does not tell
    u32 mine : 2 = 0, theirs : 2 = 0;  // how often it stands on either side: 0, 1, or 2 for more
    u32 at = 0;                        // where on the side that the table holds
  };
  static constexpr u32 NOWHERE = 0xFFFFFFFF;

  // Takes equal ends away, then parts what is left at anchored runs, or walks a longest common subsequence.
  void between(Edit g, bool anchor) {
    while (g.a0 < g.a1 && g.b0 < g.b1 && a_[g.a0] == b_[g.b0]) ++g.a0, ++g.b0;
    while (g.a0 < g.a1 && g.b0 < g.b1 && a_[g.a1 - 1] == b_[g.b1 - 1]) --g.a1, --g.b1;
    if (g.a0 == g.a1 || g.b0 == g.b1) {
      if (g.a0 < g.a1 || g.b0 < g.b1) edits_.push_back(g);
      return;
    }
    if (anchor && std::min(g.a1 - g.a0, g.b1 - g.b0) >= 2 * o_.shingle) {
      const auto chain = anchored(g);
      if (!chain.empty()) {
        u32 a = g.a0, b = g.b0;
        for (const auto& r : chain) {
          between({a, r.a, b, r.b}, false);
          a = r.a + r.length;
          b = r.b + r.length;
        }
        between({a, g.a1, b, g.b1}, false);
        return;
      }
    }
    if (static_cast<std::int64_t>(g.a1 - g.a0) * (g.b1 - g.b0) > o_.cells) {
      edits_.push_back(g);
      return;
    }
    const auto a = a_.subspan(g.a0, g.a1 - g.a0), b = b_.subspan(g.b0, g.b1 - g.b0);
    lcs_.run(a, b);
    u32 i = g.a0, j = g.b0;
    Edit open{i, i, j, j};
    const auto close = [&] {
      if (open.a0 < open.a1 || open.b0 < open.b1) edits_.push_back(open);
    };
    lcs_.walk(
        a, b,
        [&] {
          close();
          ++i, ++j;
          open = {i, i, j, j};
        },
        [&](u32) { open.b1 = ++j; }, [&](u32) { open.a1 = ++i; });
    close();
  }

  // Runs at shingles that stand once on either side, each as long as it goes; of these the heaviest chain that keeps its order
  // on both sides (the start of a run that overlaps the one before it is cut off).
  std::vector<Run> anchored(const Edit& g) {
    const bool flip = g.a1 - g.a0 > g.b1 - g.b0;  // the table holds the shorter side
    const auto mine = flip ? b_.subspan(g.b0, g.b1 - g.b0) : a_.subspan(g.a0, g.a1 - g.a0);
    const auto theirs = flip ? a_.subspan(g.a0, g.a1 - g.a0) : b_.subspan(g.b0, g.b1 - g.b0);
    std::size_t size = 16;
    while (size < 2 * mine.size()) size *= 2;
    table_.assign(size, Slot{});
    const u32 w = o_.shingle;
    const auto in_a = hashed_left().subspan(g.a0, g.a1 - g.a0 - w + 1);
    shingle_hashes(b_.subspan(g.b0, g.b1 - g.b0), static_cast<int>(w), hashes_);
    const std::span<const u64> in_b = hashes_, own = flip ? in_b : in_a, others = flip ? in_a : in_b;
    for (u32 i = 0; i < own.size(); ++i) {
      Slot& s = table_[place(own[i], size)];
      if (s.mine == 0) s.tag = tag_of(own[i]), s.at = i;
      s.mine = s.mine < 2 ? s.mine + 1 : 2;
    }
    met_.resize(others.size());
    for (u32 j = 0; j < others.size(); ++j) {
      const std::size_t at = place(others[j], size);
      Slot& s = table_[at];
      met_[j] = s.mine == 1 ? static_cast<u32>(at) : NOWHERE;
      if (s.mine == 1) s.theirs = s.theirs < 2 ? s.theirs + 1 : 2;
    }
    runs_.clear();
    for (u32 j = 0; j < others.size(); ++j) {
      if (met_[j] == NOWHERE || table_[met_[j]].theirs != 1) continue;
      u32 i = table_[met_[j]].at, k = j;
      while (i > 0 && k > 0 && mine[i - 1] == theirs[k - 1]) --i, --k;
      u32 length = 0;
      while (i + length < mine.size() && k + length < theirs.size() && mine[i + length] == theirs[k + length]) ++length;
      if (length < w) continue;  // two shingles of one hash
      runs_.push_back({i, k, length});
      j = k + length - w;  // the shingles within it are its own
    }
    if (runs_.size() > o_.most_runs) {
      std::stable_sort(runs_.begin(), runs_.end(), [](const Run& x, const Run& y) { return x.length > y.length; });
      runs_.resize(o_.most_runs);
    }
    for (auto& r : runs_) {
      if (flip) std::swap(r.a, r.b);
      r.a += g.a0;
      r.b += g.b0;
    }
    std::sort(runs_.begin(), runs_.end(), [](const Run& x, const Run& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    return heaviest();
  }

  // Pairs of one left document stand side by side: it is hashed once for all of them.
  std::span<const u64> hashed_left() {
    if (hashed_.data() != a_.data() || hashed_.size() != a_.size()) {
      shingle_hashes(a_, static_cast<int>(o_.shingle), left_hashes_);
      hashed_ = a_;
    }
    return left_hashes_;
  }

  static u32 tag_of(u64 hash) { return static_cast<u32>(hash >> 36); }
  std::size_t place(u64 hash, std::size_t size) const {
    std::size_t at = hash & (size - 1);
    while (table_[at].mine && table_[at].tag != tag_of(hash)) at = (at + 1) & (size - 1);
    return at;
  }

  // How much of the start of run r lies before the end of run q on either side.
  static u32 overlap(const Run& q, const Run& r) {
    const u32 a = q.a + q.length > r.a ? q.a + q.length - r.a : 0, b = q.b + q.length > r.b ? q.b + q.length - r.b : 0;
    return std::max(a, b);
  }

  std::vector<Run> heaviest() {
    const std::size_t n = runs_.size();
    weight_.assign(n, 0);
    before_.assign(n, n);
    for (std::size_t r = 0; r < n; ++r) {
      weight_[r] = runs_[r].length;
      for (std::size_t q = 0; q < r; ++q) {
        if (runs_[q].a >= runs_[r].a || runs_[q].b >= runs_[r].b) continue;
        const u32 cut = overlap(runs_[q], runs_[r]);
        if (cut >= runs_[r].length) continue;
        if (const u64 w = weight_[q] + runs_[r].length - cut; w > weight_[r]) weight_[r] = w, before_[r] = q;
      }
    }
    std::vector<Run> out;
    if (n == 0) return out;
    auto at = static_cast<std::size_t>(std::max_element(weight_.begin(), weight_.end()) - weight_.begin());
    for (; at < n; at = before_[at]) {
      Run r = runs_[at];
      if (const std::size_t q = before_[at]; q < n) {
        const u32 cut = overlap(runs_[q], r);
        r = {r.a + cut, r.b + cut, r.length - cut};
      }
      out.push_back(r);
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  // An equal run no longer than the edits on both of its sides says nothing: it becomes part of one edit with them.
  void merged(std::vector<Edit>& out) const {
    const std::size_t first = out.size();
    for (const Edit& e : edits_) {
      Edit now = e;
      while (out.size() > first) {
        const Edit& last = out.back();
        const u32 between = now.a0 - last.a1;
        const u32 before = std::max(last.a1 - last.a0, last.b1 - last.b0), after = std::max(now.a1 - now.a0, now.b1 - now.b0);
        if (between > std::min(before, after)) break;
        now = {last.a0, now.a1, last.b0, now.b1};
        out.pop_back();
      }
      out.push_back(now);
    }
  }

  EditOptions o_;
  std::span<const u32> a_, b_, hashed_;
  std::vector<Edit> edits_;
  std::vector<Slot> table_;
  std::vector<u64> hashes_, left_hashes_, weight_;
  std::vector<u32> met_;
  std::vector<Run> runs_;
  std::vector<std::size_t> before_;
  LcsSteps lcs_;
};

struct Edits {
  std::vector<std::int64_t> offsets;
  std::vector<u32> places;   // four an edit
  std::vector<u32> matched;  // tokens a pair
};

inline Edits edits(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, const EditOptions& options, int threads) {
  const std::size_t pairs = left.size(), piece = 64, pieces = (pairs + piece - 1) / piece;
  std::vector<std::vector<Edit>> found(pieces);
  Edits out{std::vector<std::int64_t>(pairs + 1), {}, std::vector<u32>(pairs)};
  parallel_for(static_cast<std::int64_t>(pieces), 1, threads, [&](int, std::int64_t from, std::int64_t to) {
    Differ differ(options);
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k)
      for (std::size_t p = k * piece; p < std::min(pairs, (k + 1) * piece); ++p) {
        const std::size_t had = found[k].size();
        out.matched[p] = differ.run(docs[left[p]], docs[right[p]], found[k]);
        out.offsets[p + 1] = static_cast<std::int64_t>(found[k].size() - had);
      }
  });
  for (std::size_t p = 0; p < pairs; ++p) out.offsets[p + 1] += out.offsets[p];
  out.places.reserve(4 * static_cast<std::size_t>(out.offsets[pairs]));
  for (const auto& part : found)
    for (const Edit& e : part) out.places.insert(out.places.end(), {e.a0, e.a1, e.b0, e.b1});
  return out;
}

}  // namespace quchong
