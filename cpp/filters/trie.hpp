// Gao 2014's digit trie (改进的数字 Trie): the decimal digits of squared hashes, ten ways a node. A number's digits
// beyond those that tell it from the others are not spelt out in nodes; answers are those of the trie that spells them.
// The specification is tests/twins/filters.py.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "filters/filters.hpp"

namespace quchong {

class DigitTrie {
 public:
  explicit DigitTrie(bool end_mark) : end_mark_(end_mark) { new_node(); }
  DigitTrie(const DigitTrie&) = delete;

  // roots[i]: a number of less than 2^32, whose square is looked up. mask[i] = 1: there before.
  void seen(std::span<const u32> roots, std::span<const std::uint8_t> skip, std::span<std::uint8_t> mask) {
    Digits ahead[GROUP];
    u32 at[GROUP];
    for (std::size_t first = 0; first < roots.size(); first += GROUP) {
      const std::size_t n = std::min(GROUP, roots.size() - first);
      for (std::size_t i = 0; i < n; ++i) ahead[i].square(roots[first + i]);
      // Walk all of a group level by level, so that their cache misses overlap; then one after another.
      if (nodes_ > WARM) {
        for (std::size_t i = 0; i < n; ++i) at[i] = 0;
        bool walking = true;
        for (int depth = 0; walking; ++depth) {
          walking = false;
          for (std::size_t i = 0; i < n; ++i) {
            if (at[i] == STOP || depth >= ahead[i].n) continue;
            const u32 slot = node(at[i])[ahead[i].digit[depth]];
            at[i] = slot == 0 || slot & LEAF ? STOP : slot;
            if (at[i] == STOP) {
              if (slot & LEAF) fetch_to_write(&leaf(slot & ~LEAF));
              continue;
            }
            fetch_to_write(&node(slot)[depth + 1 < ahead[i].n ? ahead[i].digit[depth + 1] : 0]);
            walking = true;
          }
        }
      }
      for (std::size_t i = 0; i < n; ++i) mask[first + i] = skip[first + i] ? 0 : !insert(ahead[i], roots[first + i]);
    }
  }

  u64 count() const { return count_; }
  u64 printed_nodes() const { return printed_nodes_; }  // of the trie that spells all digits, root left out
  u64 nodes() const { return nodes_; }
  u64 memory() const {
    return node_chunks_.size() * CHUNK * sizeof(Node) + leaf_chunks_.size() * CHUNK * sizeof(u32) + ends_.capacity() * 8;
  }

  // Numbers taken in, each by its root, in an order that makes the same trie again.
  std::vector<u32> dump() const {
    std::vector<u32> out;
    out.reserve(count_);
    for (u32 i = 0; i < leaves_; ++i) out.push_back(leaf_chunks_[i / CHUNK][i % CHUNK]);
    return out;
  }

 private:
  static constexpr u32 LEAF = 0x80000000u, STOP = 0xFFFFFFFFu;
  static constexpr std::size_t GROUP = 16, CHUNK = 1 << 12, WARM = 1 << 12;
  using Node = std::array<u32, 10>;  // 0: nothing; else a node, or a leaf

  struct Digits {
    std::uint8_t digit[20];
    int n = 0;
    void square(u64 root) {
      u64 x = root * root;
      std::uint8_t back[20];
      n = 0;
      do back[n++] = static_cast<std::uint8_t>(x % 10);
      while (x /= 10);
      for (int i = 0; i < n; ++i) digit[i] = back[n - 1 - i];
    }
  };

  u32* node(u32 i) { return node_chunks_[i / CHUNK][i % CHUNK].data(); }
  u32& leaf(u32 i) { return leaf_chunks_[i / CHUNK][i % CHUNK]; }
  bool ends(u32 i) const { return ends_[i / 64] >> i % 64 & 1; }

  u32 new_node() {
    if (nodes_ % CHUNK == 0) node_chunks_.push_back(std::make_unique<Node[]>(CHUNK));
    if (nodes_ / 64 >= ends_.size()) ends_.push_back(0);
    return nodes_++;
  }
  u32 new_leaf(u32 root) {
    if (leaves_ % CHUNK == 0) leaf_chunks_.push_back(std::make_unique_for_overwrite<u32[]>(CHUNK));
    leaf(leaves_) = root;
    return leaves_++ | LEAF;
  }

  // False: it was there. The number ends at a node (a prefix of another) without a leaf of its own only under the
  // literal rule, which then calls it present.
  bool insert(const Digits& d, u32 root) {
    u32 at = 0;
    for (int depth = 0; depth < d.n; ++depth) {
      u32* slot = &node(at)[d.digit[depth]];
      if (*slot == 0) {
        *slot = new_leaf(root);
        return took(d.n - depth);
      }
      if (!(*slot & LEAF)) {
        at = *slot;
        continue;
      }
      const u32 other_leaf = *slot, other_root = leaf(other_leaf & ~LEAF);
      if (other_root == root) return false;
      Digits other;
      other.square(other_root);
      int common = depth + 1;
      while (common < d.n && common < other.n && d.digit[common] == other.digit[common]) ++common;
      if (common == d.n && !end_mark_) return false;  // a prefix of the other: no fresh node
      // Spell the digits both have, then part.
      u32 below = new_node();
      node(at)[d.digit[depth]] = below;
      for (int k = depth + 1; k < common; ++k) {
        const u32 next = new_node();
        node(below)[d.digit[k]] = next;
        below = next;
      }
      if (common == other.n) mark(below);
      else node(below)[other.digit[common]] = other_leaf;
      if (common == d.n) {
        mark(below);
        new_leaf(root);
      } else {
        node(below)[d.digit[common]] = new_leaf(root);
      }
      return took(d.n - common);
    }
    if (!end_mark_ || ends(at)) return false;
    mark(at);
    new_leaf(root);
    return took(0);
  }
  bool took(int fresh) {
    printed_nodes_ += static_cast<u64>(fresh);
    ++count_;
    return true;
  }
  void mark(u32 i) { ends_[i / 64] |= 1ull << i % 64; }

  bool end_mark_;
  u32 nodes_ = 0, leaves_ = 0;
  u64 count_ = 0, printed_nodes_ = 0;
  std::vector<std::unique_ptr<Node[]>> node_chunks_;
  std::vector<std::unique_ptr<u32[]>> leaf_chunks_;
  std::vector<u64> ends_;
};

}  // namespace quchong
