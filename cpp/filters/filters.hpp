// Filters of exact repeats: the Bloom filter Gao 2014 prints, a blocked one that grows by slices, and a set of digests.
// Each answers text by text whether it was there before, and takes it in. The specification is
// tests/twins/filters.py.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "machine/prefetch.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace quchong {

// floor(x * n / 2^64): a fair place in [0, n), rising with x.
inline u64 place_of(u64 x, u64 n) {
#if defined(__SIZEOF_INT128__)
  return static_cast<u64>(static_cast<u128>(x) * n >> 64);
#else
  const u64 xl = x & 0xFFFFFFFF, xh = x >> 32, nl = n & 0xFFFFFFFF, nh = n >> 32;
  const u64 mid = xh * nl + (xl * nl >> 32);
  return xh * nh + (mid >> 32) + ((xl * nh + (mid & 0xFFFFFFFF)) >> 32);
#endif
}

inline constexpr std::size_t AHEAD = 24;  // texts whose cache line is asked for before it is needed

struct FreeAligned {
  std::size_t align = 64;
  void operator()(u64* p) const { ::operator delete(p, std::align_val_t(align)); }
};

// Zeroed 64-bit words on cache lines; large ones on huge pages where the system has them, as look-ups are random.
class Words {
 public:
  Words() = default;
  explicit Words(std::size_t n) : size_(n) {
    if (n == 0) return;
    const std::size_t align = n * 8 >= HUGE_PAGE ? HUGE_PAGE : 64, bytes = (n * 8 + align - 1) / align * align;
    data_ = Memory(static_cast<u64*>(::operator new(bytes, std::align_val_t(align))), FreeAligned{align});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (align == HUGE_PAGE) ::madvise(data_.get(), bytes, MADV_HUGEPAGE);
#endif
    std::memset(data_.get(), 0, bytes);
  }
  u64* data() { return data_.get(); }
  const u64* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<const u64> view() const { return {data_.get(), size_}; }

 private:
  static constexpr std::size_t HUGE_PAGE = 2u << 20;
  using Memory = std::unique_ptr<u64[], FreeAligned>;
  std::size_t size_ = 0;
  Memory data_;
};

// Gao 2014: two bits a text, BKDR and AP hash modulo the size.
class PrintedBloom {
 public:
  explicit PrintedBloom(u64 bits) : bits_(bits), words_((bits + 63) / 64) {}

  // mask[i] = 1: there before. `any`: one bit set suffices, as the paper's text has it, and then nothing is set.
  void seen(std::span<const u32> first, std::span<const u32> second, std::span<const std::uint8_t> skip, bool any,
            std::span<std::uint8_t> mask) {
    u64* w = words_.data();
    const std::size_t n = first.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + AHEAD < n) {
        fetch_to_write(w + first[i + AHEAD] % bits_ / 64);
        fetch_to_write(w + second[i + AHEAD] % bits_ / 64);
      }
      if (skip[i]) {
        mask[i] = 0;
        continue;
      }
      const u64 a = first[i] % bits_, b = second[i] % bits_;
      const u64 x = 1ull << (a & 63), y = 1ull << (b & 63);
      const bool has_a = w[a / 64] & x, has_b = w[b / 64] & y;
      mask[i] = any ? has_a | has_b : has_a & has_b;
      if (mask[i]) continue;
      w[a / 64] |= x;
      w[b / 64] |= y;
      set_ += (!has_a) + (a != b && !has_b);
      ++count_;
    }
  }
  u64 count() const { return count_; }
  u64 bits_set() const { return set_; }
  std::span<const u64> words() const { return words_.view(); }
  void restore(std::span<const u64> words, u64 count, u64 set) {
    std::copy(words.begin(), words.end(), words_.data());
    count_ = count;
    set_ = set;
  }

 private:
  u64 bits_, count_ = 0, set_ = 0;
  Words words_;
};

// Slices of blocked Bloom filters (Putze 2007): a text's bits lie in one block of 512, one cache line.
// It is there when any slice has all its bits; a new one goes into the last slice.
class BlockedBloom {
 public:
  BlockedBloom() = default;
  BlockedBloom(const BlockedBloom&) = delete;
  struct Slice {
    u64 blocks, capacity, count;
    int hashes;
    Words words;
  };

  void add_slice(u64 blocks, int hashes, u64 capacity) { slices_.push_back({blocks, capacity, 0, hashes, Words(blocks * 8)}); }

  // Answers until the last slice is full and another text comes; returns how many it answered.
  std::size_t seen(std::span<const u64> high, std::span<const u64> low, std::span<const std::uint8_t> skip,
                   std::span<std::uint8_t> mask) {
    const std::size_t n = high.size();
    Slice& last = slices_.back();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + AHEAD < n)
        for (auto& s : slices_) fetch_to_write(s.words.data() + 8 * place_of(high[i + AHEAD], s.blocks));
      mask[i] = 0;
      if (skip[i]) continue;
      if (last.count >= last.capacity) return i;
      bool there = false;
      for (std::size_t s = 0; s + 1 < slices_.size() && !there; ++s) there = has(slices_[s], high[i], low[i]);
      if (!there) {
        there = !put(last, high[i], low[i]);
        last.count += !there;
      }
      mask[i] = there;
    }
    return n;
  }

  // Or, slice by slice; both were made with the same parameters. Counts add up: at most so many texts.
  void merge(const BlockedBloom& other) {
    for (std::size_t s = 0; s < other.slices_.size(); ++s) {
      const Slice& from = other.slices_[s];
      if (s == slices_.size()) add_slice(from.blocks, from.hashes, from.capacity);
      Slice& to = slices_[s];
      for (std::size_t i = 0; i < to.words.size(); ++i) to.words.data()[i] |= from.words.data()[i];
      to.count += from.count;
    }
  }
  std::vector<Slice>& slices() { return slices_; }

 private:
  // Nine bits of a stretched hash choose each of the k bits; seven fit a word, the next word is a new one.
  // (Double hashing, a + i * b, has only 2^17 patterns in a block: it would put a floor under the error rate.)
  template <class F>
  static void each_bit(u64 high, u64 low, int hashes, F&& f) {
    u64 x = low;
    for (int i = 0, left = 7;; x >>= 9, --left) {
      if (left == 0) {
        low += high | 1;
        x = mix64(low);
        left = 7;
      }
      f(x >> 6 & 7, 1ull << (x & 63));
      if (++i == hashes) return;
    }
  }
  static bool has(const Slice& s, u64 high, u64 low) {
    const u64* block = s.words.data() + 8 * place_of(high, s.blocks);
    u64 missing = 0;
    each_bit(high, low, s.hashes, [&](u64 word, u64 bit) { missing |= ~block[word] & bit; });
    return missing == 0;
  }
  static bool put(Slice& s, u64 high, u64 low) {
    u64* block = s.words.data() + 8 * place_of(high, s.blocks);
    u64 missing = 0;
    each_bit(high, low, s.hashes, [&](u64 word, u64 bit) {
      missing |= ~block[word] & bit;
      block[word] |= bit;
    });
    return missing != 0;
  }
  std::vector<Slice> slices_;
};

// Digests of 128 bits in an open table, in the order of their hash, so that growing it is one run through memory.
class DigestTable {
 public:
  struct Entry {
    u64 high, low;
    bool operator==(const Entry&) const = default;
  };

  void seen(std::span<const u64> high, std::span<const u64> low, std::span<const std::uint8_t> skip,
            std::span<std::uint8_t> mask) {
    const std::size_t n = high.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + AHEAD < n) fetch_to_write(entries() + home({high[i + AHEAD], low[i + AHEAD]}, size_));
      mask[i] = skip[i] ? 0 : !insert({high[i], low[i]});
    }
  }
  u64 count() const { return count_ + zero_; }
  u64 memory() const { return words_.size() * 8; }

  // All digests, high and low in turn, in the table's order.
  std::vector<u64> dump() const {
    std::vector<u64> out;
    out.reserve(2 * count());
    if (zero_) out.insert(out.end(), {0, 0});
    const Entry* e = entries();
    for (std::size_t i = 0; i < rooms(); ++i)
      if (e[i] != Entry{}) out.insert(out.end(), {e[i].high, e[i].low});
    return out;
  }

 private:
  Entry* entries() { return reinterpret_cast<Entry*>(words_.data()); }
  const Entry* entries() const { return reinterpret_cast<const Entry*>(words_.data()); }
  std::size_t rooms() const { return words_.size() / 2; }

  static std::size_t home(Entry e, std::size_t size) { return place_of(mix64(e.high + GOLDEN * e.low), size); }

  bool insert(Entry e) {
    if (e == Entry{}) return !std::exchange(zero_, true);
    if (count_ * 5 >= size_ * 4) remake(std::max<std::size_t>(1024, size_ + size_ / 2), slack_);
    for (;;) {
      Entry* table = entries();
      for (std::size_t i = home(e, size_); i < rooms(); ++i) {
        if (table[i] == e) return false;
        if (table[i] == Entry{}) {
          table[i] = e;
          ++count_;
          return true;
        }
      }
      remake(size_, 2 * slack_);  // the slack is full: many digests whose hash begins with ones, which no size parts
    }
  }

  // Makes the table anew with room for `size`, and slack that all fit in.
  void remake(std::size_t size, std::size_t slack) {
    for (;; slack *= 2) {
      Words larger(2 * (size + slack));
      auto* to = reinterpret_cast<Entry*>(larger.data());
      bool fits = true;
      const Entry* from = entries();
      for (std::size_t i = 0; i < rooms() && fits; ++i) {
        if (from[i] == Entry{}) continue;
        std::size_t j = home(from[i], size);
        while (j < size + slack && to[j] != Entry{}) ++j;
        fits = j < size + slack;
        if (fits) to[j] = from[i];
      }
      if (!fits) continue;
      words_ = std::move(larger);
      size_ = size;
      slack_ = slack;
      return;
    }
  }

  std::size_t size_ = 0, slack_ = 64;  // slack: places behind the last one, so that probing need not turn round
  u64 count_ = 0;
  bool zero_ = false;  // the digest of nothing but zeros, which marks an empty place
  Words words_;
};

}  // namespace quchong
