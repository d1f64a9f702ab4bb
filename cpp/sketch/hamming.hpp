// All pairs of signatures within a Hamming distance, by permuted block tables (Manku 2007).
// The specification is tests/twins/sketch.py.
//
// The bits are cut into z blocks, z > k. Signatures at most k bits apart agree in z - k blocks at least: for each choice
// of so many blocks a table brings together those that agree there, and every pair met is verified. A pair counts only
// under the first z - k blocks it agrees in, so that it comes once. A bucket of many is split again over the bits that
// are left; one that cannot be split holds near-equal signatures, and with a cap on the partners of each its members
// meet chosen ones only (leaders: those no earlier leader is near to), each in the first such bucket that has one.
#pragma once
#include <algorithm>
#include <bit>
#include <numeric>

#include "hash.hpp"
#include "machine/parallel.hpp"
#include "machine/prefetch.hpp"

namespace quchong {

struct HammingOptions {
  int words = 1;                // 64-bit words a signature has, 1 or 2
  int distance = 4;             // k
  int blocks = 0;               // z; 0 compares all with all
  u32 cap = 0;                  // partners before it a signature is paired with, the first in order; 0: all of them
  u32 split = 256;              // a bucket of more is split over the bits left
  u32 leaders = 1024;           // with a cap: leaders a bucket has at most
  std::int64_t references = 0;  // signatures [0, references) are not paired with each other
};

struct HammingResult {
  std::vector<u32> left, right;  // left < right, sorted by right, then left
  std::vector<u32> distance;
  std::int64_t capped = 0;        // signatures with more partners before them than the cap
  std::int64_t led = 0;           // largest bucket whose members met leaders only; 0 without one
  std::int64_t largest_group = 0;  // most signatures that are equal
};

template <int W>
struct Bits {
  u64 w[W];
  Bits operator^(const Bits& o) const { return map(o, [](u64 a, u64 b) { return a ^ b; }); }
  Bits operator&(const Bits& o) const { return map(o, [](u64 a, u64 b) { return a & b; }); }
  Bits operator|(const Bits& o) const { return map(o, [](u64 a, u64 b) { return a | b; }); }
  bool operator==(const Bits&) const = default;
  bool none() const {
    u64 any = 0;
    for (u64 x : w) any |= x;
    return any == 0;
  }
  int count() const {
    int n = 0;
    for (u64 x : w) n += std::popcount(x);
    return n;
  }
  u64 hash(u64 seed) const {
    u64 h = seed;
    for (u64 x : w) h = mix64(h ^ x) + GOLDEN;
    return h;
  }

 private:
  template <class F>
  Bits map(const Bits& o, F&& f) const {
    Bits out;
    for (int i = 0; i < W; ++i) out.w[i] = f(w[i], o.w[i]);
    return out;
  }
};

// The bits of `mask` in order, dealt out to `parts` blocks whose sizes differ by one at most, the larger ones first.
template <int W>
std::vector<Bits<W>> cut_bits(const Bits<W>& mask, int parts) {
  std::vector<Bits<W>> out(static_cast<std::size_t>(parts), Bits<W>{});
  const int total = mask.count();
  int seen = 0, part = 0, end = (total + parts - 1) / parts;
  for (int bit = 0; bit < 64 * W; ++bit) {
    if (!(mask.w[bit / 64] >> (bit % 64) & 1)) continue;
    if (seen == end) {
      ++part;
      end += (total - seen + parts - part - 1) / (parts - part);
    }
    out[static_cast<std::size_t>(part)].w[bit / 64] |= 1ull << (bit % 64);
    ++seen;
  }
  return out;
}

// Every choice of `take` of `n` things, as bit masks, in ascending order of the first things chosen.
inline std::vector<u64> choices(int n, int take) {
  std::vector<u64> out;
  std::vector<int> at(static_cast<std::size_t>(take));
  std::iota(at.begin(), at.end(), 0);
  for (;;) {
    u64 mask = 0;
    for (int i : at) mask |= 1ull << i;
    out.push_back(mask);
    int i = take - 1;
    while (i >= 0 && at[static_cast<std::size_t>(i)] == n - take + i) --i;
    if (i < 0) return out;
    ++at[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < take; ++j) at[static_cast<std::size_t>(j)] = at[static_cast<std::size_t>(j - 1)] + 1;
  }
}

struct Near {
  u32 right, left;  // groups, left < right
};

// Groups of equal signatures of one scope, numbered by their first member, and the pairs of groups found so far.
template <int W>
struct Groups {
  std::vector<Bits<W>> bits;
  std::vector<u64> scope;             // empty: one scope for all
  std::vector<std::uint8_t> settled;  // every member is a reference
  std::vector<u32> members;           // ascending within a group
  std::vector<std::int64_t> first;    // members of g are members[first[g] .. first[g + 1])
  u32 size() const { return static_cast<u32>(bits.size()); }
  std::span<const u32> of(u32 g) const {
    return {&members[static_cast<std::size_t>(first[g])], static_cast<std::size_t>(first[g + 1] - first[g])};
  }
  bool may_meet(u32 a, u32 b) const { return (scope.empty() || scope[a] == scope[b]) && !(settled[a] && settled[b]); }
};

template <int W>
Groups<W> group_equal(std::span<const u64> words, std::span<const std::uint8_t> defined, std::span<const u64> scope,
                      std::int64_t references) {
  Groups<W> out;
  const std::size_t n = defined.size(), size = std::bit_ceil(std::max<std::size_t>(16, 2 * n));
  constexpr u32 NONE = ~0u;
  std::vector<u32> table(size, NONE), group(n, NONE), count;
  constexpr std::size_t AHEAD = 64;  // places are worked out and fetched before they are needed
  std::size_t places[AHEAD];
  const auto bits_of = [&](std::size_t i) {
    Bits<W> own;
    for (int w = 0; w < W; ++w) own.w[w] = words[i * W + static_cast<std::size_t>(w)];
    return own;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i % AHEAD == 0)
      for (std::size_t j = i; j < std::min(n, i + AHEAD); ++j) {
        places[j - i] = bits_of(j).hash(mix64((scope.empty() ? 0 : scope[j]) + 1)) & (size - 1);
        fetch(&table[places[j - i]]);
      }
    if (!defined[i]) continue;
    const Bits<W> own = bits_of(i);
    const u64 code = scope.empty() ? 0 : scope[i];
    std::size_t at = places[i % AHEAD];
    while (table[at] != NONE && !(out.bits[table[at]] == own && (scope.empty() || out.scope[table[at]] == code)))
      at = (at + 1) & (size - 1);
    if (table[at] == NONE) {
      table[at] = out.size();
      out.bits.push_back(own);
      if (!scope.empty()) out.scope.push_back(code);
      out.settled.push_back(1);
      count.push_back(0);
    }
    group[i] = table[at];
    ++count[group[i]];
    if (static_cast<std::int64_t>(i) >= references) out.settled[group[i]] = 0;
  }
  out.first.assign(count.size() + 1, 0);
  for (std::size_t g = 0; g < count.size(); ++g) out.first[g + 1] = out.first[g] + count[g];
  std::vector<std::int64_t> at(out.first.begin(), out.first.end() - 1);
  out.members.resize(static_cast<std::size_t>(out.first.back()));
  for (std::size_t i = 0; i < n; ++i)
    if (group[i] != NONE) out.members[static_cast<std::size_t>(at[group[i]]++)] = static_cast<u32>(i);
  return out;
}

// One table: signatures brought together by the hash of the blocks chosen, pairs verified.
template <int W>
class BlockTable {
 public:
  BlockTable(const Groups<W>& groups, const HammingOptions& o, std::vector<Near>& out) : groups_(groups), o_(o), out_(out) {}

  void run(const std::vector<Bits<W>>& blocks, u64 chosen) {
    levels_.assign(1, Level(blocks, chosen));
    const Bits<W> mask = levels_[0].agree;
    // Buckets are made in two steps, so that each keeps to the cache: parts by the high bits of the hash, then slots.
    const u32 n = groups_.size();
    const int bits = std::bit_width(n), low = std::min(bits, 12), high = bits - low;
    const auto slot_of = [&](u32 g) {
      const u64 scope = groups_.scope.empty() ? 0 : groups_.scope[g];
      return static_cast<u32>((groups_.bits[g] & mask).hash(scope * GOLDEN) >> (64 - bits));
    };
    std::vector<u32> starts((std::size_t{1} << high) + 1, 0), ends;
    for (u32 g = 0; g < n; ++g) ++starts[(slot_of(g) >> low) + 1];
    std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
    std::vector<Item> items(n), sorted;
    {
      std::vector<u32> at(starts.begin(), starts.end() - 1);
      for (u32 g = 0; g < n; ++g) {
        const u32 slot = slot_of(g);
        items[at[slot >> low]++] = {groups_.bits[g], g, slot & ((1u << low) - 1)};
      }
    }
    for (std::size_t part = 0; part + 1 < starts.size(); ++part) {
      const std::span<const Item> own{items.data() + starts[part], starts[part + 1] - starts[part]};
      ends.assign(std::size_t{1} << low, 0);
      for (const auto& item : own) ++ends[item.slot];
      std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), 0u);
      sorted.resize(own.size());
      for (const auto& item : own) sorted[ends[item.slot]++] = item;
      u32 begin = 0;
      for (u32 end : ends) {
        if (end - begin > 1) bucket({&sorted[begin], end - begin}, mask);
        begin = end;
      }
    }
  }
  std::int64_t led() const { return led_; }

 private:
  static constexpr std::size_t DEPTH = 2;  // with a cap a bucket is split so often
  struct Item {
    Bits<W> bits;
    u32 group, slot;
  };
  // A pair counts on this level where the blocks it agrees in first are those chosen: it agrees in all of them, and
  // differs in every block before the last of them that is not.
  struct Level {
    Bits<W> agree{};
    std::vector<Bits<W>> differ;
    Level(const std::vector<Bits<W>>& blocks, u64 chosen) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (chosen >> b & 1) agree = agree | blocks[b];
        else if (chosen >> b) differ.push_back(blocks[b]);
      }
    }
    bool holds(const Bits<W>& x) const {
      if (!(x & agree).none()) return false;
      for (const auto& block : differ)
        if ((x & block).none()) return false;
      return true;
    }
  };

  bool counts_here(const Bits<W>& x) const {
    for (const auto& level : levels_)
      if (!level.holds(x)) return false;
    return true;
  }

  void bucket(std::span<Item> items, const Bits<W>& agreed) {
    if (items.size() <= o_.split) return compare(items);
    Bits<W> rest;
    for (int w = 0; w < W; ++w) rest.w[w] = ~agreed.w[w];
    const int parts = o_.distance + 1;
    if (rest.count() < parts || (o_.cap && levels_.size() > DEPTH)) return o_.cap ? lead(items) : compare(items);
    if (o_.cap && partners_.empty()) partners_.assign(groups_.size(), 0);
    const auto blocks = cut_bits(rest, parts);
    const int bits = std::bit_width(items.size());
    std::vector<Item> sorted(items.size());
    std::vector<u32> ends;
    for (int part = 0; part < parts; ++part) {
      const Bits<W> mask = agreed | blocks[static_cast<std::size_t>(part)];
      const auto slot_of = [&](const Item& item) {
        const u64 scope = groups_.scope.empty() ? 0 : groups_.scope[item.group];
        return static_cast<std::size_t>((item.bits & mask).hash(scope * GOLDEN) >> (64 - bits));
      };
      ends.assign(std::size_t{1} << bits, 0);
      for (const auto& item : items) ++ends[slot_of(item)];
      std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), 0u);
      for (const auto& item : items) sorted[ends[slot_of(item)]++] = item;
      levels_.emplace_back(blocks, 1ull << part);
      u32 begin = 0;
      for (u32 end : ends) {
        const std::span<Item> piece{sorted.data() + begin, end - begin};
        begin = end;
        if (piece.size() < 2) continue;
        if (piece.size() <= o_.split || 2 * piece.size() <= items.size()) bucket(piece, mask);
        else o_.cap ? lead(piece) : compare(piece);  // splitting does not part them
      }
      levels_.pop_back();
    }
  }

  // All with all, in order; with a cap the first partners of each.
  void compare(std::span<const Item> items) {
    const bool hot = o_.cap && levels_.size() > 1;
    for (std::size_t j = 1; j < items.size(); ++j) {
      const auto& mine = items[j];
      if (hot && partners_[mine.group] > o_.cap) continue;
      u32 met = 0;
      for (std::size_t i = 0; i < j; ++i) {
        const auto differ = items[i].bits ^ mine.bits;
        if (differ.count() > o_.distance || !counts_here(differ) || !groups_.may_meet(items[i].group, mine.group)) continue;
        out_.push_back({mine.group, items[i].group});
        if (++met == o_.cap + (o_.cap != 0)) break;  // one beyond the cap tells that there are more
      }
      if (hot) partners_[mine.group] += met;
    }
  }

  // Each with the leaders before it; one that none of them is near to becomes a leader. Pairs may come again elsewhere.
  void lead(std::span<const Item> items) {
    if (follows_.empty()) follows_.assign(groups_.size(), 0);
    led_ = std::max(led_, static_cast<std::int64_t>(items.size()));
    std::vector<Item> leaders;
    for (const auto& mine : items) {
      if (follows_[mine.group]) continue;
      u32 met = 0;
      bool alone = true;
      for (const auto& leader : leaders) {
        if ((leader.bits ^ mine.bits).count() > o_.distance) continue;
        if (!groups_.scope.empty() && groups_.scope[leader.group] != groups_.scope[mine.group]) continue;
        alone = false;
        if (!groups_.may_meet(leader.group, mine.group)) continue;
        out_.push_back({mine.group, leader.group});
        if (++met == o_.cap) break;
      }
      if (!alone) follows_[mine.group] = 1;
      else if (leaders.size() < o_.leaders) leaders.push_back(mine);
    }
  }

  const Groups<W>& groups_;
  const HammingOptions& o_;
  std::vector<Near>& out_;
  std::vector<Level> levels_;
  std::vector<std::uint8_t> follows_;  // has met a leader of this table
  std::vector<u32> partners_;          // found in buckets of this table that were split: no more than the cap are looked for
  std::int64_t led_ = 0;
};

// All groups with all before them, tile by tile.
template <int W>
std::vector<Near> all_pairs(const Groups<W>& groups, const HammingOptions& o, int threads) {
  constexpr std::int64_t ROWS = 64, TILE = 2048;
  const auto n = static_cast<std::int64_t>(groups.size());
  std::vector<std::vector<Near>> pieces(static_cast<std::size_t>((n + ROWS - 1) / ROWS));
  parallel_for(n, ROWS, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& out = pieces[static_cast<std::size_t>(from / ROWS)];
    std::vector<u32> met(static_cast<std::size_t>(to - from), 0);
    for (std::int64_t tile = 0; tile < to; tile += TILE)
      for (std::int64_t j = from; j < to; ++j) {
        auto& mine = met[static_cast<std::size_t>(j - from)];
        const auto bits = groups.bits[static_cast<std::size_t>(j)];
        for (std::int64_t i = tile; i < std::min(tile + TILE, j); ++i) {
          if ((groups.bits[static_cast<std::size_t>(i)] ^ bits).count() > o.distance) continue;
          if (!groups.may_meet(static_cast<u32>(i), static_cast<u32>(j)) || (o.cap && mine > o.cap)) continue;
          ++mine;
          out.push_back({static_cast<u32>(j), static_cast<u32>(i)});
        }
      }
  });
  std::vector<Near> all;
  for (auto& piece : pieces) {
    all.insert(all.end(), piece.begin(), piece.end());
    std::vector<Near>().swap(piece);
  }
  return all;
}

// Sorted by right, then left, each once; with a cap at most one more than it for each right.
inline void tidy(std::vector<Near>& near, std::size_t groups, u32 cap, int threads) {
  std::vector<std::int64_t> first(groups + 1, 0);
  for (const auto& p : near) ++first[p.right + 1];
  for (std::size_t g = 0; g < groups; ++g) first[g + 1] += first[g];
  std::vector<u32> lefts(near.size());
  {
    std::vector<std::int64_t> at(first.begin(), first.end() - 1);
    for (const auto& p : near) lefts[static_cast<std::size_t>(at[p.right]++)] = p.left;
  }
  std::vector<std::int64_t> kept(groups + 1, 0);
  const auto each = [&](auto&& f) {
    parallel_for(static_cast<std::int64_t>(groups), 4096, threads, [&](int, std::int64_t from, std::int64_t to) {
      for (auto g = static_cast<std::size_t>(from); g < static_cast<std::size_t>(to); ++g) f(g, &lefts[0] + first[g], &lefts[0] + first[g + 1]);
    });
  };
  if (near.empty()) return;
  each([&](std::size_t g, u32* begin, u32* end) {
    std::sort(begin, end);
    const std::int64_t n = std::unique(begin, end) - begin;
    kept[g + 1] = cap ? std::min<std::int64_t>(n, static_cast<std::int64_t>(cap) + 1) : n;
  });
  for (std::size_t g = 0; g < groups; ++g) kept[g + 1] += kept[g];
  near.resize(static_cast<std::size_t>(kept[groups]));
  each([&](std::size_t g, const u32* begin, const u32*) {
    for (auto i = kept[g]; i < kept[g + 1]; ++i) near[static_cast<std::size_t>(i)] = {static_cast<u32>(g), begin[i - kept[g]]};
  });
}

// From pairs of groups to pairs of signatures. With a cap each is paired with the first of those before it, and a group
// of more members than the cap is met in its first member only.
template <int W>
void expand_groups(const Groups<W>& groups, const std::vector<Near>& near, const HammingOptions& o, std::size_t n, int threads,
                   HammingResult& result) {
  const u32 g = groups.size();
  std::vector<std::int64_t> first(static_cast<std::size_t>(g) + 1, 0);
  for (const auto& p : near) ++first[p.left + 1], ++first[p.right + 1];
  for (u32 i = 0; i < g; ++i) first[i + 1] += first[i];
  std::vector<u32> around(2 * near.size());
  {
    std::vector<std::int64_t> at(first.begin(), first.end() - 1);
    for (const auto& p : near) {
      around[static_cast<std::size_t>(at[p.left]++)] = p.right;
      around[static_cast<std::size_t>(at[p.right]++)] = p.left;
    }
  }
  std::vector<u32> group(n, ~0u);
  for (u32 i = 0; i < g; ++i) {
    const auto members = groups.of(i);
    result.largest_group = std::max(result.largest_group, static_cast<std::int64_t>(members.size()));
    for (u32 m : members) group[m] = i;
  }
  constexpr std::int64_t GRAIN = 4096;
  std::vector<HammingResult> pieces((n + GRAIN - 1) / GRAIN);
  parallel_for(static_cast<std::int64_t>(n), GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    auto& out = pieces[static_cast<std::size_t>(from / GRAIN)];
    std::vector<u32> met;
    for (std::int64_t x = std::max(from, o.references); x < to; ++x) {
      const u32 mine = group[static_cast<std::size_t>(x)];
      if (mine == ~0u) continue;
      met.clear();
      const auto meet = [&](u32 other, bool whole) {
        const auto members = groups.of(other);
        if (members[0] >= x) return;
        if (!whole) return met.push_back(members[0]);
        const auto end = std::lower_bound(members.begin(), members.end(), static_cast<u32>(x));
        met.insert(met.end(), members.begin(), end);
      };
      const auto small = [&](u32 other) { return o.cap == 0 || groups.of(other).size() <= o.cap; };
      const bool free = small(mine);
      meet(mine, free);
      for (auto i = first[mine]; i < first[mine + 1]; ++i) {
        const u32 other = around[static_cast<std::size_t>(i)];
        meet(other, free && small(other));
      }
      std::sort(met.begin(), met.end());
      if (o.cap && met.size() > o.cap) {
        met.resize(o.cap);
        ++out.capped;
      } else if (!free && x != groups.of(mine)[0]) {
        ++out.capped;
      }
      for (u32 y : met) {
        out.left.push_back(y);
        out.right.push_back(static_cast<u32>(x));
        out.distance.push_back(static_cast<u32>((groups.bits[group[y]] ^ groups.bits[mine]).count()));
      }
    }
  });
  for (auto& piece : pieces) {
    result.left.insert(result.left.end(), piece.left.begin(), piece.left.end());
    result.right.insert(result.right.end(), piece.right.begin(), piece.right.end());
    result.distance.insert(result.distance.end(), piece.distance.begin(), piece.distance.end());
    result.capped += piece.capped;
    piece = HammingResult{};
  }
}

template <int W>
HammingResult hamming_pairs(std::span<const u64> words, std::span<const std::uint8_t> defined, std::span<const u64> scope,
                            const HammingOptions& o, int threads) {
  HammingResult result;
  const auto groups = group_equal<W>(words, defined, scope, o.references);
  std::vector<Near> near;
  if (o.distance > 0 && groups.size() > 1) {
    if (o.blocks == 0) {
      near = all_pairs(groups, o, threads);
    } else {
      Bits<W> every;
      for (u64& w : every.w) w = ~0ull;
      const auto blocks = cut_bits(every, o.blocks);
      const auto tables = choices(o.blocks, o.blocks - o.distance);
      const auto wave = static_cast<std::size_t>(std::max(8, threads));
      for (std::size_t t = 0; t < tables.size(); t += wave) {  // in waves, so that what is beyond the cap goes early
        const auto here = std::min(wave, tables.size() - t);
        std::vector<std::vector<Near>> found(here);
        std::vector<std::int64_t> led(here, 0);
        parallel_for(static_cast<std::int64_t>(here), 1, threads, [&](int, std::int64_t i, std::int64_t) {
          BlockTable<W> table(groups, o, found[static_cast<std::size_t>(i)]);
          table.run(blocks, tables[t + static_cast<std::size_t>(i)]);
          led[static_cast<std::size_t>(i)] = table.led();
        });
        for (auto& f : found) {
          near.insert(near.end(), f.begin(), f.end());
          std::vector<Near>().swap(f);
        }
        for (auto l : led) result.led = std::max(result.led, l);
        if (o.cap) tidy(near, groups.size(), o.cap, threads);
      }
    }
    if (!o.cap || !o.blocks) tidy(near, groups.size(), o.cap, threads);
  }
  expand_groups(groups, near, o, defined.size(), threads, result);
  return result;
}

// Bits in which pairs of signatures of `words` words differ.
inline void hamming_distances(std::span<const u64> bits, std::size_t words, std::span<const u32> left, std::span<const u32> right,
                              std::span<u32> out, int threads) {
  parallel_for(static_cast<std::int64_t>(out.size()), 4096, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      int n = 0;
      for (std::size_t k = 0; k < words; ++k) n += std::popcount(bits[left[i] * words + k] ^ bits[right[i] * words + k]);
      out[i] = static_cast<u32>(n);
    }
  });
}

}  // namespace quchong
