// What a pair of token sequences has in common: shingles, numbers in the same context, repeated
// replacements, pure insertions.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>

#include "arrays.hpp"
#include "machine/parallel.hpp"
#include "text/shingles.hpp"
#include "text/text.hpp"

namespace quchong {

// Distinct w-shingles of each document; w[i] == 0 leaves it out (0).
inline void distinct_shingles(const Ragged& docs, std::span<const std::uint8_t> w, std::span<u32> out, int threads) {
  std::vector<ShingleSet> sets(static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(docs.size()), 64, threads, [&](int thread, std::int64_t a, std::int64_t b) {
    for (auto d = static_cast<std::size_t>(a); d < static_cast<std::size_t>(b); ++d)
      out[d] = w[d] ? sets[static_cast<std::size_t>(thread)].fill(docs[d], w[d]) : 0;
  });
}

// Distinct w-shingles two documents share, pair by pair. Pairs with the same left and w side by side are fastest.
inline void shared_shingles(const Ragged& docs, std::span<const u32> left, std::span<const u32> right,
                            std::span<const std::uint8_t> w, std::span<u32> shared, int threads) {
  std::vector<std::size_t> group;  // first pair of each run with equal left and w
  for (std::size_t i = 0; i < left.size(); ++i)
    if (i == 0 || left[i] != left[i - 1] || w[i] != w[i - 1]) group.push_back(i);
  group.push_back(left.size());
  std::vector<ShingleSet> sets(static_cast<std::size_t>(threads));
  parallel_for(static_cast<std::int64_t>(group.size()) - 1, 16, threads, [&](int thread, std::int64_t a, std::int64_t b) {
    auto& set = sets[static_cast<std::size_t>(thread)];
    for (auto g = static_cast<std::size_t>(a); g < static_cast<std::size_t>(b); ++g) {
      set.fill(docs[left[group[g]]], w[group[g]]);
      for (std::size_t i = group[g]; i < group[g + 1]; ++i) shared[i] = set.shared(docs[right[i]], w[i]);
    }
  });
}

// A number and its context: two tokens to the left and one to the right, numbers masked, 0 beyond the ends.
struct Slot {
  std::array<u32, 3> context;
  u32 number;
  auto operator<=>(const Slot&) const = default;
};

inline void number_slots(std::span<const u32> tokens, std::vector<Slot>& out) {
  out.clear();
  const auto n = static_cast<std::int64_t>(tokens.size());
  auto masked = [&](std::int64_t i) -> u32 {
    if (i < 0 || i >= n) return 0;
    return std::min(tokens[static_cast<std::size_t>(i)], NUMBER_TOKEN);
  };
  for (std::int64_t i = 0; i < n; ++i)
    if (is_number(tokens[static_cast<std::size_t>(i)]))
      out.push_back({{masked(i - 2), masked(i - 1), masked(i + 1)}, tokens[static_cast<std::size_t>(i)]});
  std::sort(out.begin(), out.end());
}

// Per pair: slots found in both (as multisets of contexts), those with another number in them, numbers in common
// (multiset), numbers of the left, numbers of the right. `out` has five values a pair.
inline void compare_numbers(const Ragged& docs, std::span<const u32> left, std::span<const u32> right,
                            std::span<u32> out, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<Slot> a, b;
    std::vector<u32> x, y;
    u32 current = ~0u;
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      if (left[i] != current) number_slots(docs[current = left[i]], a);
      number_slots(docs[right[i]], b);
      u32 shared = 0, same = 0, common = 0;
      for (std::size_t p = 0, q = 0; p < a.size() && q < b.size();) {
        if (a[p].context != b[q].context) {
          a[p].context < b[q].context ? ++p : ++q;
          continue;
        }
        const auto context = a[p].context;
        std::size_t pe = p, qe = q;
        while (pe < a.size() && a[pe].context == context) ++pe;
        while (qe < b.size() && b[qe].context == context) ++qe;
        shared += static_cast<u32>(std::min(pe - p, qe - q));
        while (p < pe && q < qe) {
          if (a[p].number == b[q].number) ++same, ++p, ++q;
          else a[p].number < b[q].number ? ++p : ++q;
        }
        p = pe;
        q = qe;
      }
      x.clear();
      y.clear();
      for (const auto& s : a) x.push_back(s.number);
      for (const auto& s : b) y.push_back(s.number);
      std::sort(x.begin(), x.end());
      std::sort(y.begin(), y.end());
      for (std::size_t p = 0, q = 0; p < x.size() && q < y.size();) {
        if (x[p] == y[q]) ++common, ++p, ++q;
        else x[p] < y[q] ? ++p : ++q;
      }
      u32* o = &out[5 * i];
      o[0] = shared;
      o[1] = shared - same;
      o[2] = common;
      o[3] = static_cast<u32>(a.size());
      o[4] = static_cast<u32>(b.size());
    }
  });
}

// Length of the longest common subsequence of every pair of suffixes; row-major, (m + 1) x (n + 1).
inline void suffix_lcs(std::span<const u32> a, std::span<const u32> b, std::vector<std::uint16_t>& table) {
  const std::size_t m = a.size(), n = b.size(), row = n + 1;
  table.assign((m + 1) * row, 0);
  for (std::size_t i = m; i-- > 0;)
    for (std::size_t j = n; j-- > 0;)
      table[i * row + j] = a[i] == b[j] ? static_cast<std::uint16_t>(table[(i + 1) * row + j + 1] + 1)
                                        : std::max(table[(i + 1) * row + j], table[i * row + j + 1]);
}

// Different tokens, numbered as they come.
class NumberedTokens {
 public:
  static constexpr std::size_t NONE = ~std::size_t{0};
  // Begins anew, for so many tokens at most.
  void clear(std::size_t most) {
    std::size_t size = 16;
    while (size < 2 * most) size *= 2;
    slots_.assign(size, {0, 0});
    mask_ = size - 1;
    count_ = 0;
  }
  std::size_t place(u32 token) {
    auto& [known, number] = slots_[at(token)];
    if (!number) known = token, number = ++count_;
    return number - 1;
  }
  std::size_t find(u32 token) const {
    const auto& [known, number] = slots_[at(token)];
    return number ? number - 1 : NONE;
  }

 private:
  std::size_t at(u32 token) const {
    std::size_t i = (token * 0x9E3779B1u >> 8) & mask_;
    while (slots_[i].second && slots_[i].first != token) i = (i + 1) & mask_;
    return i;
  }
  std::vector<std::pair<u32, u32>> slots_;  // a token and its number from 1 on, 0 in an empty slot
  std::size_t mask_ = 0;
  u32 count_ = 0;
};

// The longest common subsequence of every pair of suffixes as bits (Hyyro 2004): steps(i, j) says whether the one of
// a[i..] and b[j..] is longer than that of a[i..] and b[j + 1..].
class LcsSteps {
 public:
  void run(std::span<const u32> a, std::span<const u32> b) {
    m_ = a.size();
    n_ = b.size();
    words_ = (n_ + 63) / 64;
    places_.clear(n_);
    masks_.clear();
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t value = places_.place(b[j]), bit = n_ - 1 - j;
      if ((value + 1) * words_ > masks_.size()) masks_.resize((value + 1) * words_, 0);
      masks_[value * words_ + bit / 64] |= 1ull << (bit & 63);
    }
    rows_.resize((m_ + 1) * words_);
    std::fill_n(rows_.begin() + static_cast<std::ptrdiff_t>(m_ * words_), words_, ~0ull);
    for (std::size_t i = m_; i-- > 0;) {
      const u64* below = &rows_[(i + 1) * words_];
      u64* row = &rows_[i * words_];
      const std::size_t value = places_.find(a[i]);
      if (value == NumberedTokens::NONE) {
        std::copy(below, below + words_, row);
        continue;
      }
      const u64* mask = &masks_[value * words_];
      u64 carry = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        const u64 s = below[w], u = s & mask[w], sum = s + u, total = sum + carry;
        carry = (sum < s) | (total < sum);
        row[w] = total | (s - u);
      }
    }
  }
  // Tokens of the longest common subsequence.
  std::size_t length() const {
    std::size_t common = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::size_t bits = w + 1 < words_ ? 64 : n_ - 64 * w;
      common += static_cast<std::size_t>(std::popcount(~rows_[w] & (bits == 64 ? ~0ull : (1ull << bits) - 1)));
    }
    return common;
  }
  bool steps(std::size_t i, std::size_t j) const {
    const std::size_t bit = n_ - 1 - j;
    return !(rows_[i * words_ + bit / 64] >> (bit & 63) & 1);
  }
  // Goes along one longest common subsequence of what `run` was given: same() at each token of it, come(token of b) and
  // gone(token of a) for those beside it.
  template <class Same, class Come, class Gone>
  void walk(std::span<const u32> a, std::span<const u32> b, Same&& same, Come&& come, Gone&& gone) const {
    for (std::size_t i = 0, j = 0; i < m_ || j < n_;) {
      if (i < m_ && j < n_ && a[i] == b[j]) same(), ++i, ++j;
      else if (j < n_ && (i == m_ || !steps(i, j))) come(b[j++]);
      else gone(a[i++]);
    }
  }

 private:
  std::size_t m_ = 0, n_ = 0, words_ = 0;
  NumberedTokens places_;
  std::vector<u64> masks_, rows_;
};

// Does the same replacement, with two or more one-character tokens on one side, occur twice? (A guard against
// templates whose only difference is a name.) Pairs with more than `max_cells` cells are left at 0.
inline void repeated_swaps(const Ragged& docs, std::span<const u32> left, std::span<const u32> right,
                           std::span<std::uint8_t> out, std::int64_t max_cells, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 32, threads, [&](int, std::int64_t from, std::int64_t to) {
    LcsSteps lcs;
    std::map<std::pair<std::vector<u32>, std::vector<u32>>, int> seen;
    std::vector<u32> gone, come;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      auto a = docs[left[p]], b = docs[right[p]];
      out[p] = 0;
      if (a.empty() || b.empty() || static_cast<std::int64_t>(a.size()) * static_cast<std::int64_t>(b.size()) > max_cells) continue;
      // What both begin with is common in any case.
      const auto first = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
      a = a.subspan(first);
      b = b.subspan(first);
      if (a.size() < 2 || b.size() < 2) continue;
      lcs.run(a, b);
      const std::size_t common = lcs.length(), only_a = a.size() - common, only_b = b.size() - common;
      if (only_a < 2 || only_b < 2 || only_a + only_b < 6) continue;  // twice two tokens for one, at least
      seen.clear();
      auto close = [&] {
        auto singles = [](const std::vector<u32>& v) { return std::count_if(v.begin(), v.end(), is_single); };
        if (!gone.empty() && !come.empty() && (singles(gone) >= 2 || singles(come) >= 2) && ++seen[{gone, come}] >= 2) out[p] = 1;
        gone.clear();
        come.clear();
      };
      lcs.walk(a, b, close, [&](u32 t) { come.push_back(t); }, [&](u32 t) { gone.push_back(t); });
      close();
    }
  });
}

// 1 where both documents name places of the list and none in common. At every token the longest name counts.
inline void disjoint_places(const Ragged& docs, std::span<const u32> left, std::span<const u32> right, const Ragged& names,
                            std::span<std::uint8_t> out, int threads) {
  std::map<u32, std::vector<std::size_t>> by_first;  // longest first
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) by_first[names[i][0]].push_back(i);
  for (auto& [first, list] : by_first)
    std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) { return names[a].size() > names[b].size(); });
  std::vector<bool> begins(1 << 16);  // by the low bits of a token: most tokens begin no name
  for (const auto& [first, list] : by_first) begins[first & 0xFFFF] = true;
  const auto find = [&](std::span<const u32> tokens, std::vector<std::size_t>& found) {
    found.clear();
    for (std::size_t i = 0; i < tokens.size();) {
      std::size_t step = 1;
      const auto at = begins[tokens[i] & 0xFFFF] ? by_first.find(tokens[i]) : by_first.end();
      if (at != by_first.end())
        for (std::size_t k : at->second)
          if (const auto name = names[k]; name.size() <= tokens.size() - i && std::equal(name.begin(), name.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i))) {
            found.push_back(k);
            step = name.size();
            break;
          }
      i += step;
    }
    std::sort(found.begin(), found.end());
  };
  parallel_for(static_cast<std::int64_t>(left.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<std::size_t> a, b, common;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      if (p == static_cast<std::size_t>(from) || left[p] != left[p - 1]) find(docs[left[p]], a);
      out[p] = 0;
      if (a.empty()) continue;
      find(docs[right[p]], b);
      common.clear();
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      out[p] = !a.empty() && !b.empty() && common.empty();
    }
  });
}

// Short pairs: 1 where the edit distance is reached by insertions or deletions of one side's tokens alone
// (no substitution) and is at most max(2, longer / 6); else 0.
inline void added_only(const Ragged& docs, std::span<const u32> left, std::span<const u32> right,
                       std::span<std::uint8_t> out, int threads) {
  parallel_for(static_cast<std::int64_t>(left.size()), 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    std::vector<std::uint16_t> table;
    std::vector<u32> before, now;
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
      const auto a = docs[left[p]], b = docs[right[p]];
      const std::size_t m = a.size(), n = b.size(), limit = std::max<std::size_t>(2, std::max(m, n) / 6);
      out[p] = 0;
      if ((m > n ? m - n : n - m) > limit || std::max(m, n) > 4096) continue;
      suffix_lcs(a, b, table);
      const std::size_t indel = m + n - 2u * table[0];
      if (indel > limit) continue;
      before.resize(n + 1);
      now.resize(n + 1);
      for (std::size_t j = 0; j <= n; ++j) before[j] = static_cast<u32>(j);
      for (std::size_t i = 1; i <= m; ++i) {
        now[0] = static_cast<u32>(i);
        for (std::size_t j = 1; j <= n; ++j)
          now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
        std::swap(before, now);
      }
      out[p] = before[n] == indel;
    }
  });
}

}  // namespace quchong
