// Inverted lists: for every key the documents that have it, in the order in which they were given.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"

namespace quchong {

struct Posting {
  u64 key;
  u32 doc, weight;
};

// Tells which keys were seen more than once; now and then it says so of one seen once. Two bits a slot, eight slots a key.
class Repeated {
 public:
  explicit Repeated(std::span<const u64> keys) : mask_(std::bit_ceil(std::max<std::size_t>(64, 8 * keys.size())) - 1), cells_(mask_ / 4 + 1, 0) {
    for (u64 key : keys) {
      const auto at = slot(key);
      auto& cell = cells_[at >> 2];
      const auto shift = 2 * (at & 3);
      if ((cell >> shift & 3) < 2) cell = static_cast<std::uint8_t>(cell + (1 << shift));
    }
  }
  bool operator()(u64 key) const {
    const auto at = slot(key);
    return (cells_[at >> 2] >> 2 * (at & 3) & 3) > 1;
  }

 private:
  std::size_t slot(u64 key) const { return static_cast<std::size_t>(mix64(key)) & mask_; }
  std::size_t mask_;
  std::vector<std::uint8_t> cells_;
};

class Postings {
 public:
  // `each(put)` calls put(key, document, weight) for every posting, twice over and in the same order; lists keep that order.
  // Lists of fewer than `least` documents are left out.
  template <class Each>
  Postings(Each&& each, std::size_t least, int threads) {
    std::vector<std::int64_t> first(PARTS + 1, 0);
    each([&](u64 key, u32, u32) { ++first[part_of(key) + 1]; });
    for (std::size_t p = 0; p < PARTS; ++p) first[p + 1] += first[p];
    std::vector<Posting> sorted(static_cast<std::size_t>(first[PARTS]));
    {
      std::vector<std::int64_t> at(first.begin(), first.end() - 1);
      each([&](u64 key, u32 doc, u32 weight) { sorted[static_cast<std::size_t>(at[part_of(key)]++)] = {key, doc, weight}; });
    }
    parallel_for(static_cast<std::int64_t>(PARTS), 1, threads, [&](int, std::int64_t p, std::int64_t) {
      std::stable_sort(sorted.begin() + first[static_cast<std::size_t>(p)], sorted.begin() + first[static_cast<std::size_t>(p) + 1],
                       [](const Posting& x, const Posting& y) { return x.key < y.key; });
    });
    part_.assign(PARTS + 1, 0);
    for (std::size_t p = 0; p < PARTS; ++p) {
      const auto b = static_cast<std::size_t>(first[p + 1]);
      for (auto i = static_cast<std::size_t>(first[p]); i < b;) {
        std::size_t j = i;
        while (j < b && sorted[j].key == sorted[i].key) ++j;
        if (j - i >= least) {
          keys_.push_back(sorted[i].key);
          begin_.push_back(docs_.size());
          for (std::size_t k = i; k < j; ++k) docs_.push_back(sorted[k].doc), weights_.push_back(sorted[k].weight);
        }
        i = j;
      }
      part_[p + 1] = keys_.size();
    }
    begin_.push_back(docs_.size());
  }

  static constexpr std::size_t NONE = ~std::size_t{0};
  std::size_t size() const { return keys_.size(); }
  std::span<const u32> operator[](std::size_t list) const {
    return {docs_.data() + begin_[list], begin_[list + 1] - begin_[list]};
  }
  // What the key weighs in each document of a list.
  std::span<const u32> weights(std::size_t list) const {
    return {weights_.data() + begin_[list], begin_[list + 1] - begin_[list]};
  }
  // The number of a key's list, or NONE.
  std::size_t find(u64 key) const {
    const std::size_t p = part_of(key);
    const auto a = keys_.begin() + static_cast<std::ptrdiff_t>(part_[p]), b = keys_.begin() + static_cast<std::ptrdiff_t>(part_[p + 1]);
    const auto at = std::lower_bound(a, b, key);
    return at == b || *at != key ? NONE : static_cast<std::size_t>(at - keys_.begin());
  }

 private:
  static constexpr std::size_t PARTS = 256;
  static std::size_t part_of(u64 key) { return static_cast<std::size_t>(mix64(key) >> 56); }
  std::vector<u64> keys_;
  std::vector<std::size_t> begin_, part_;
  std::vector<u32> docs_, weights_;
};

// Where each document stands: its entries are own[offsets[d] .. offsets[d + 1]), in the order of the lists.
struct Standing {
  struct Entry {
    u32 list, place;
  };
  std::vector<std::int64_t> offsets;
  std::vector<Entry> own;

  Standing(const Postings& lists, std::size_t documents) : offsets(documents + 1, 0) {
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (u32 d : lists[l]) ++offsets[d + 1];
    for (std::size_t d = 0; d < documents; ++d) offsets[d + 1] += offsets[d];
    own.resize(static_cast<std::size_t>(offsets[documents]));
    std::vector<std::int64_t> at(offsets.begin(), offsets.end() - 1);
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (u32 i = 0; i < lists[l].size(); ++i) own[static_cast<std::size_t>(at[lists[l][i]]++)] = {static_cast<u32>(l), i};
  }
};

// Pairs of documents found piece by piece, put in one order: by right, then left, each once.
struct PairList {
  std::vector<u32> left, right;
};

inline PairList sorted_pairs(std::vector<std::vector<u64>>& pieces) {
  std::vector<u64> all;
  for (auto& p : pieces) {
    all.insert(all.end(), p.begin(), p.end());
    std::vector<u64>().swap(p);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  PairList out;
  out.left.reserve(all.size());
  out.right.reserve(all.size());
  for (u64 p : all) {
    out.left.push_back(static_cast<u32>(p));
    out.right.push_back(static_cast<u32>(p >> 32));
  }
  return out;
}

inline u64 pair_of(u32 a, u32 b) { return static_cast<u64>(std::max(a, b)) << 32 | std::min(a, b); }

}  // namespace quchong
