// In how many letters a word differs from one that it may be a slip of. The specification is tests/twins/differences.py.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "arrays.hpp"
#include "machine/parallel.hpp"

namespace quchong {

// As in quchong.differences.slips: most letters of a word and most that differ, letters for each of which one may, letters behind a prefix
// that negates; and the answer for two words of which none is a slip of the other.
struct SlipLimits {
  static constexpr std::size_t WIDEST = 24, MOST = 3, DOUBTED = 3, SHORT = 4;
  static constexpr std::uint8_t NONE = 255;
};

// A word of small letters and of the digits that look like some, and what is counted of it.
class SpelledWord {
 public:
  explicit SpelledWord(std::span<const unsigned char> bytes) : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {
    readable_ = !bytes.empty() && bytes.size() <= SlipLimits::WIDEST;
    for (std::size_t i = 0; readable_ && i < bytes.size(); ++i) {
      const auto c = bytes[i];
      if (c >= 'a' && c <= 'z') letters_ |= 1u << (c - 'a');
      else if (c == '0' || c == '1' || c == '5' || c == '8') ++digits_;
      else readable_ = false;
    }
    // One letter written several times is a grade (AAA), and another number of it another grade.
    if (text_.size() > 1 && (std::popcount(letters_) == 1 || text_.find_first_not_of(text_[0]) == std::string_view::npos)) readable_ = false;
  }
  bool readable() const { return readable_; }
  std::string_view text() const { return text_; }
  std::size_t digits() const { return digits_; }
  // Distinct letters that another word lacks.
  int lacking(const SpelledWord& other) const { return std::popcount(letters_ & ~other.letters_); }
  // Is this word another one with a prefix that negates before it?
  bool negates(std::string_view other) const {
    if (other.size() < SlipLimits::SHORT) return false;
    const auto behind = [&](std::string_view prefix) { return text_.starts_with(prefix) ? text_.substr(prefix.size()) : text_; };
    return behind("un") == other || behind("non") == other;
  }

 private:
  std::string_view text_;
  bool readable_ = false;
  u32 letters_ = 0;
  std::size_t digits_ = 0;
};

// A word with what scanners take for one letter written as that letter.
class ScannedWord {
 public:
  explicit ScannedWord(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char c = word[i], then = i + 1 < word.size() ? word[i + 1] : '\0';
      const char two = c == 'r' && then == 'n' ? 'm' : c == 'c' && then == 'l' ? 'd' : c == 'v' && then == 'v' ? 'w' : '\0';
      letters_[size_++] = two ? two : c == '0' ? 'o' : c == '1' ? 'l' : c == '5' ? 's' : c == '8' ? 'b' : c;
      if (two) ++i;
    }
  }
  std::string_view text() const { return {letters_.data(), size_}; }

 private:
  std::array<char, SlipLimits::WIDEST> letters_{};
  std::size_t size_ = 0;
};

// Letters put in, left out, replaced or exchanged with the next one.
inline std::size_t wrong_letters(std::string_view x, std::string_view y) {
  // What both begin and end with is equal: most words differ in one letter between.
  while (!x.empty() && !y.empty() && x.front() == y.front()) x.remove_prefix(1), y.remove_prefix(1);
  while (!x.empty() && !y.empty() && x.back() == y.back()) x.remove_suffix(1), y.remove_suffix(1);
  if (std::min(x.size(), y.size()) <= 1) return std::max(x.size(), y.size());
  std::array<std::array<std::size_t, SlipLimits::WIDEST + 1>, 3> rows{};
  for (std::size_t j = 0; j <= y.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    auto& row = rows[i % 3];
    const auto &before = rows[(i + 2) % 3], &earlier = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (x[i - 1] != y[j - 1])});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return rows[x.size() % 3][y.size()];
}

inline std::uint8_t letters_apart(std::span<const unsigned char> mine, std::span<const unsigned char> theirs) {
  using L = SlipLimits;
  const std::size_t a = mine.size(), b = theirs.size(), longer = std::max(a, b), most = std::clamp<std::size_t>(longer / L::DOUBTED, 1, L::MOST);
  if (longer - std::min(a, b) > L::MOST) return L::NONE;
  const SpelledWord one(mine), other(theirs);
  if (!one.readable() || !other.readable() || one.negates(other.text()) || other.negates(one.text())) return L::NONE;
  // Digits are look-alikes of letters in one word at most.
  if ((one.digits() && other.digits()) || 2 * one.digits() > a || 2 * other.digits() > b) return L::NONE;
  // Each has more letters that the other lacks than any slip leaves.
  if (static_cast<std::size_t>(std::max(one.lacking(other), other.lacking(one))) > most + 1) return L::NONE;
  auto wrong = wrong_letters(one.text(), other.text());
  if (wrong > 1) {
    const ScannedWord x(one.text()), y(other.text());
    if (x.text() != one.text() || y.text() != other.text()) wrong = std::min(wrong, wrong_letters(x.text(), y.text()));
  }
  return wrong <= most ? static_cast<std::uint8_t>(wrong) : L::NONE;
}

// Of each two words: the letters in which they differ, NONE if neither is a slip of the other.
inline void letters_apart(const Texts& left, const Texts& right, std::span<std::uint8_t> out, int threads) {
  parallel_for(left.size(), 4096, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) out[i] = letters_apart(left[i], right[i]);
  });
}

}  // namespace quchong
