// Where equal runs of letters stand in their texts: at whole characters, words and numbers. The specification is
// tests/twins/align.py.
#pragma once
#include <bit>
#include <stdexcept>

#include "text/batches.hpp"

namespace quchong {

struct LetterRuns {
  std::span<const u32> left, right;          // texts of a run
  std::span<const u32> start, other_start;   // its first letter in either
  std::span<const u32> length;               // letters
};

struct WholeRuns {
  std::vector<std::int64_t> places;  // four a run: start and end left, start and end right, in characters; 0 where nothing is left
  std::vector<u32> length;           // letters left
  std::vector<std::uint8_t> exact;   // 1: the same tokens on both sides
};

namespace whole {

inline constexpr u32 LONGEST_END = 64;  // places looked at from either end of a run

// Letters of one text with their places, and the token of the normal form each stands in. Buffers of one thread.
class Letters {
 public:
  void read(const TextTables& tables, bool full, std::span<const unsigned char> text) {
    Normaliser<true> normaliser(tables, {full, true}, scratch_);
    normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
    std::swap(start_, scratch_.token_start);
    std::swap(end_, scratch_.token_end);
    normaliser.words(text.data(), static_cast<std::int64_t>(text.size()));
    const u32* begins = scratch_.token_start.data();
    const std::size_t words = scratch_.tokens.size();
    names_.clear();
    append_names(scratch_, names_);
    token_.resize(size());
    for (std::size_t i = 0, w = 0; i < size(); ++i) {
      while (w + 1 < words && begins[w + 1] <= start_[i]) ++w;
      token_[i] = static_cast<u32>(w);
    }
  }
  // Whether a character and a token end before letter i.
  bool ends(std::size_t i) const {
    if (i == 0 || i == size()) return true;
    return token_[i] != token_[i - 1] && (start_[i] != start_[i - 1] || end_[i] != end_[i - 1]);
  }
  std::size_t size() const { return start_.size(); }
  u32 start(std::size_t i) const { return start_[i]; }
  u32 end(std::size_t i) const { return end_[i]; }
  // A hash of 128 bits of the tokens in which the letters from `first` to `last` stand, by their names.
  void hash(std::size_t first, std::size_t last, u64 (&out)[2]) const {
    std::vector<u32> halves;
    for (std::size_t w = token_[first]; w <= token_[last]; ++w) {
      halves.push_back(static_cast<u32>(names_[w]));
      halves.push_back(static_cast<u32>(names_[w] >> 32));
    }
    sequence_hashes<2>(halves, {1, 2}, out);
  }

 private:
  Scratch scratch_;  // of the words
  Buffer<u32> start_, end_;
  std::vector<u32> token_;
  std::vector<u64> names_;
};

}  // namespace whole

// Runs without what is part of a character, word or number at an end, in either text. Every text is read twice: once for the
// ends of its runs, which the other texts have a say in, once for their places and tokens.
inline WholeRuns whole_runs(const TextTables& tables, const Texts& texts, bool full, const LetterRuns& runs, int threads) {
  using namespace whole;
  const std::size_t n = runs.length.size();
  const auto document = [&](std::size_t side) { return side < n ? runs.left[side] : runs.right[side - n]; };
  std::vector<std::size_t> first(static_cast<std::size_t>(texts.size()) + 1, 0), order(2 * n);  // sides of runs by their text
  for (std::size_t s = 0; s < 2 * n; ++s) ++first[document(s) + std::size_t{1}];
  for (std::size_t d = 0; d + 1 < first.size(); ++d) first[d + 1] += first[d];
  auto next = first;
  for (std::size_t s = 0; s < 2 * n; ++s) order[next[document(s)]++] = s;

  std::vector<Letters> letters(static_cast<std::size_t>(threads));
  const auto each = [&](auto&& wanted, auto&& f) {  // f(letters, side) for the sides wanted, text by text
    parallel_for(texts.size(), 16, threads, [&](int thread, std::int64_t from, std::int64_t to) {
      auto& known = letters[static_cast<std::size_t>(thread)];
      for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
        bool read = false;
        for (std::size_t k = first[d]; k < first[d + 1]; ++k) {
          if (!wanted(order[k] % n)) continue;
          if (!read) known.read(tables, full, texts[d]);
          read = true;
          f(known, order[k]);
        }
      }
    });
  };

  std::vector<u32> start(2 * n);
  std::vector<u64> head(2 * n), tail(2 * n);  // a bit for each of the first and last places of a run: does it end there?
  each([](std::size_t) { return true; }, [&](const Letters& known, std::size_t s) {
    const u32 length = runs.length[s % n], at = s < n ? runs.start[s] : runs.other_start[s - n];
    if (known.size() < length || at > known.size() - length) throw std::invalid_argument("a run ends behind its text");
    start[s] = at;
    for (u32 i = 0; i <= std::min(length, LONGEST_END - 1); ++i) {
      head[s] |= static_cast<u64>(known.ends(at + std::size_t{i})) << i;
      tail[s] |= static_cast<u64>(known.ends(at + std::size_t{length} - i)) << i;
    }
  });

  WholeRuns out;
  out.places.resize(4 * n);
  out.length.resize(n);
  out.exact.assign(n, 1);
  for (std::size_t r = 0; r < n; ++r) {
    const u64 begins = head[r] & head[n + r], ends = tail[r] & tail[n + r];
    const auto front = static_cast<u32>(std::countr_zero(begins)), back = static_cast<u32>(std::countr_zero(ends));
    if (!begins || !ends || front + back >= runs.length[r]) continue;
    out.length[r] = runs.length[r] - front - back;
    start[r] += front;
    start[n + r] += front;
  }
  each([&](std::size_t r) { return out.length[r] > 0; }, [&](const Letters& known, std::size_t s) {
    const std::size_t r = s % n, from = start[s], last = from + out.length[r] - 1, at = 4 * r + (s < n ? 0 : 2);
    out.places[at] = known.start(from);
    out.places[at + 1] = known.end(last);
    u64 hash[2];
    known.hash(from, last, hash);
    head[s] = hash[0];
    tail[s] = hash[1];
  });
  for (std::size_t r = 0; r < n; ++r)
    if (out.length[r]) out.exact[r] = head[r] == head[n + r] && tail[r] == tail[n + r];
  return out;
}

}  // namespace quchong
