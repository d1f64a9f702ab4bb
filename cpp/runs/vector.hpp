// The suffix vector (Monostori 2002): a suffix tree written along its text.
//
// A node stands in a box at the place of the text where its first occurrence ends. Its first edge needs no letters and no
// target: it goes on with the text from there. Of every other edge the places are kept where it starts and ends in the text. The
// first occurrence of a string is therefore the box it leads to less its length, and suffix links are boxes too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hash.hpp"
#include "runs/statistic.hpp"

namespace quchong {

// The tree it is written from, after Ukkonen 1995. A suffix that ends inside the tree has no leaf: its node is marked.
class SuffixTree {
 public:
  static constexpr u32 NONE = ~0u;
  std::vector<u32> start, link, parent, depth, first;  // `first`: the suffix of a leaf, NONE of inner nodes
  std::vector<std::uint8_t> ends;                      // a suffix ends at this inner node

  void build(std::span<const u32> t) {
    t_ = t;
    const auto n = static_cast<u32>(t.size());
    start.clear(), link.clear(), parent.clear(), depth.clear(), first.clear(), ends.clear();
    table_.assign(64, NONE), edges_ = 0;
    node(0, 0, NONE);
    u32 active = 0, edge = 0, length = 0, rest = 0;
    for (u32 i = 0; i <= n; ++i) {  // at n the suffixes that are left are ended
      const bool last = i == n;
      u32 waits = 0;  // the inner node whose link is the next one
      const auto linked = [&](u32 v) {
        if (waits) link[waits] = v;
        waits = v;
      };
      ++rest;
      while (rest > last) {
        if (!length) edge = i;
        if (last && !length) {
          ends[active] = 1;
          linked(active);
        } else if (const u32 child = find(active, t[edge]); child == NONE) {
          add(active, node(i, n - (i + 1 - rest), i + 1 - rest));
          linked(active);
        } else {
          const u32 size = (first[child] == NONE ? start[child] + depth[child] - depth[active] : n) - start[child];
          if (length >= size) {
            edge += size, length -= size, active = child;
            continue;
          }
          if (!last && t[start[child] + length] == t[i]) {
            ++length;
            linked(active);
            break;
          }
          const u32 split = node(start[child], depth[active] + length, NONE);
          replace(active, child, split);
          start[child] += length;
          add(split, child);
          if (last) {
            ends[split] = 1;
          } else {
            add(split, node(i, n - (i + 1 - rest), i + 1 - rest));
          }
          linked(split);
        }
        --rest;
        if (!active && length) {
          --length, edge = i + 1 - rest;
        } else {
          active = link[active];
        }
      }
    }
    std::vector<u32>().swap(table_);
  }

 private:
  u32 node(u32 from, u32 deep, u32 suffix) {
    start.push_back(from), link.push_back(0), parent.push_back(0), depth.push_back(deep), first.push_back(suffix), ends.push_back(0);
    return static_cast<u32>(start.size() - 1);
  }
  // Children stand in one table by parent and first token, which is read from the text.
  std::size_t slot(u32 v, u32 token) const { return static_cast<std::size_t>(mix64(static_cast<u64>(v) << 32 | token)) & (table_.size() - 1); }
  std::size_t place(u32 v, u32 token) const {
    std::size_t i = slot(v, token);
    while (table_[i] != NONE && !(parent[table_[i]] == v && t_[start[table_[i]]] == token)) i = (i + 1) & (table_.size() - 1);
    return i;
  }
  u32 find(u32 v, u32 token) const { return table_[place(v, token)]; }
  void add(u32 v, u32 child) {
    parent[child] = v;
    if (2 * ++edges_ > table_.size()) {
      std::vector<u32> old(2 * table_.size(), NONE);
      old.swap(table_);
      for (u32 c : old)
        if (c != NONE) table_[place(parent[c], t_[start[c]])] = c;
    }
    table_[place(v, t_[start[child]])] = child;
  }
  void replace(u32 v, u32 child, u32 by) {
    const std::size_t i = place(v, t_[start[child]]);
    parent[by] = v;
    table_[i] = by;
  }

  std::span<const u32> t_;
  std::vector<u32> table_;
  std::size_t edges_ = 0;
};

class SuffixVector {
 public:
  // `t` has to outlive it.
  void build(std::span<const u32> t, Starts starts) {
    t_ = t, starts_ = starts;
    n_ = static_cast<u32>(t.size());
    SuffixTree tree;
    tree.build(t);
    const std::size_t nodes = tree.start.size();
    std::vector<u32> inner, allowed(nodes, NONE);  // inner nodes, the deepest first
    by(tree.depth, n_, [&](u32 v) { return tree.first[v] == NONE; }, inner);
    std::reverse(inner.begin(), inner.end());
    std::vector<u32>& first = tree.first;
    std::vector<std::uint8_t> leaf(nodes, 1);
    for (u32 v : inner) leaf[v] = 0;
    const auto rise = [&](u32 v) {
      const u32 p = tree.parent[v];
      first[p] = std::min(first[p], first[v]), allowed[p] = std::min(allowed[p], allowed[v]);
    };
    for (u32 v = 1; v < nodes; ++v)
      if (leaf[v]) {
        if (starts.empty() || starts[first[v]]) allowed[v] = first[v];
        rise(v);
      }
    for (u32 v : inner) {
      if (tree.ends[v] && (starts.empty() || starts[n_ - tree.depth[v]])) allowed[v] = std::min(allowed[v], n_ - tree.depth[v]);
      if (v) rise(v);
    }
    if (!n_) first[0] = 0;
    write(tree, inner, leaf, allowed);
  }

  // Chang and Lawler: of every position of `p` the longest match, by suffix links.
  void run(std::span<const u32> p, Starts starts, std::vector<Statistic>& out) const {
    out.assign(p.size(), {});
    if (!n_) return;
    Locus at = root();
    u32 length = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (; i + length < p.size(); ++length)
        if (!step(at, p[i + length])) break;
      if (length && (starts.empty() || starts[i])) out[i] = told(at, length);
      if (!length) continue;
      --length;
      const u32 above = at.node ? depth_[at.node] - 1 : 0;  // what the link keeps of the match
      const u32 box = link_[at.node];
      at = at.node ? Locus{box, find(box, above), 0, 0, 0} : root();
      descend(at, p.subspan(i + 1 + above, length - above));
    }
  }

  // With the text it stands along.
  std::size_t memory() const {
    return 4 * (t_.size() + box_.size() + depth_.size() + next_.size() + link_.size() + offset_.size() + from_.size() + to_.size() +
                allowed_.size() + good_.size());
  }

 private:
  static constexpr u32 NONE = ~0u;
  // A node in its box, and `taken` tokens of the edge from text place `from` to `to`, fewer than it has.
  struct Locus {
    u32 box, node, from, to, taken;
  };

  template <class Take>
  static void by(const std::vector<u32>& key, u32 most, Take take, std::vector<u32>& out) {
    std::vector<u32> at(most + 2, 0);
    std::size_t count = 0;
    for (u32 v = 0; v < key.size(); ++v)
      if (take(v)) ++at[key[v] + 1], ++count;
    for (u32 k = 0; k <= most; ++k) at[k + 1] += at[k];
    out.resize(count);
    for (u32 v = 0; v < key.size(); ++v)
      if (take(v)) out[at[key[v]]++] = v;
  }

  void write(const SuffixTree& tree, const std::vector<u32>& deepest, const std::vector<std::uint8_t>& leaf, const std::vector<u32>& allowed) {
    const auto m = static_cast<u32>(deepest.size());
    const auto box = [&](u32 v) { return tree.first[v] + tree.depth[v]; };
    box_.assign(n_ + 2, 0);
    for (u32 v : deepest) ++box_[box(v) + 1];
    for (u32 k = 0; k <= n_; ++k) box_[k + 1] += box_[k];
    std::vector<u32> number(tree.start.size(), NONE), free(box_.begin(), box_.end() - 1);
    for (u32 v : deepest) number[v] = free[box(v)]++;  // of one box the deepest first; the root is number 0, alone in the first box
    depth_.resize(m), next_.resize(m), link_.resize(m), offset_.assign(m + 1, 0);
    for (u32 v : deepest) depth_[number[v]] = tree.depth[v], link_[number[v]] = box(tree.link[v]);
    for (u32 c = 1; c < number.size(); ++c) {
      const u32 p = tree.parent[c];
      if (tree.first[c] == tree.first[p]) {
        next_[number[p]] = leaf[c] ? n_ : box(c);
      } else {
        ++offset_[number[p] + 1];
      }
    }
    for (u32 k = 0; k < m; ++k) offset_[k + 1] += offset_[k];
    std::vector<u32> fill(offset_.begin(), offset_.end() - 1), child(offset_[m]);
    for (u32 c = 1; c < number.size(); ++c)
      if (const u32 p = tree.parent[c]; tree.first[c] != tree.first[p]) child[fill[number[p]]++] = c;
    from_.resize(child.size()), to_.resize(child.size());
    const auto begin = [&](u32 c) { return tree.first[c] + tree.depth[tree.parent[c]]; };
    for (u32 k = 0; k < m; ++k)
      std::sort(child.begin() + offset_[k], child.begin() + offset_[k + 1], [&](u32 a, u32 b) { return t_[begin(a)] < t_[begin(b)]; });
    for (std::size_t k = 0; k < child.size(); ++k) from_[k] = begin(child[k]), to_[k] = leaf[child[k]] ? n_ : box(child[k]);
    allowed_.clear(), good_.clear();
    if (starts_.empty()) return;
    allowed_.resize(m), good_.assign(m, 0);
    for (std::size_t k = m; k-- > 0;) {  // the nearest node above, itself mostly, that begins at an allowed place
      const u32 v = deepest[k];
      allowed_[number[v]] = allowed[v];
      good_[number[v]] = allowed[v] != NONE ? number[v] : v ? good_[number[tree.parent[v]]] : 0;
    }
  }

  Locus root() const { return {0, 0, 0, 0, 0}; }
  u32 find(u32 box, u32 depth) const {
    const auto begin = depth_.begin() + box_[box], end = depth_.begin() + box_[box + 1];
    return static_cast<u32>(std::lower_bound(begin, end, depth, std::greater<>()) - depth_.begin());
  }
  // Sets the edge of a node that begins with a token.
  bool choose(Locus& at, u32 token) const {
    if (t_[at.box] == token) {
      at.from = at.box, at.to = next_[at.node];
      return true;
    }
    const auto begin = from_.begin() + offset_[at.node], end = from_.begin() + offset_[at.node + 1];
    const auto e = std::lower_bound(begin, end, token, [&](u32 from, u32 c) { return t_[from] < c; });
    if (e == end || t_[*e] != token) return false;
    at.from = *e, at.to = to_[static_cast<std::size_t>(e - from_.begin())];
    return true;
  }
  void arrive(Locus& at) const {
    const u32 depth = depth_[at.node] + at.to - at.from;
    at = {at.to, find(at.to, depth), 0, 0, 0};
  }
  bool step(Locus& at, u32 token) const {
    if (!at.taken) {
      if (!choose(at, token)) return false;
    } else if (at.from + at.taken == n_ || t_[at.from + at.taken] != token) {
      return false;
    }
    ++at.taken;
    if (at.from + at.taken == at.to && at.to != n_) arrive(at);
    return true;
  }
  // Down by tokens that are known to be there.
  void descend(Locus& at, std::span<const u32> rest) const {
    while (!rest.empty()) {
      choose(at, rest[0]);
      const u32 size = at.to - at.from;
      if (rest.size() < size || at.to == n_) {
        at.taken = static_cast<u32>(rest.size());
        return;
      }
      arrive(at);
      rest = rest.subspan(size);
    }
  }
  Statistic told(const Locus& at, u32 length) const {
    const u32 place = at.taken ? at.from - depth_[at.node] : at.box - depth_[at.node];
    if (starts_.empty()) return {length, place};
    u32 g = at.node;
    if (at.taken) {
      if (at.to == n_) {
        if (starts_[place]) return {length, place};
      } else if (const u32 below = find(at.to, depth_[at.node] + at.to - at.from); allowed_[below] != NONE) {
        return {length, allowed_[below]};
      }
    }
    g = good_[g];
    const u32 least = depth_[g];
    return least ? Statistic{least, allowed_[g]} : Statistic{};
  }

  std::span<const u32> t_;
  Starts starts_;
  u32 n_ = 0;
  std::vector<u32> box_;                          // a place of the text: its nodes are box_[k] .. box_[k + 1]
  std::vector<u32> depth_, next_, link_, offset_;  // a node: length, end of the edge along the text, box of its link, edges
  std::vector<u32> from_, to_;                    // an edge: its places in the text, sorted by its first token
  std::vector<u32> allowed_, good_;               // a node, where starts are given
};

}  // namespace quchong
