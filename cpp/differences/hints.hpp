// What a text may have, by its letters alone: page furniture, source code. The specification is tests/twins/differences.py.
#pragma once
#include <array>
#include <bitset>
#include <cstring>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "machine/parallel.hpp"

namespace quchong {

inline constexpr std::uint8_t LINED = 1, HEADED = 2, FOOTED = 4, CODED = 8;

struct HintOptions {
  u32 line, head, foot;  // characters, as in quchong.kernels.differences.text_hints
};

class HintFinder {
 public:
  using Byte = unsigned char;

  // Words in UTF-8, one behind another, none empty.
  HintFinder(std::span<const std::uint8_t> words, std::span<const std::int64_t> offsets, const HintOptions& options) : o_(options) {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto first = static_cast<std::size_t>(offsets[i]), last = static_cast<std::size_t>(offsets[i + 1]);
      begun_[words[first]].push_back(words.subspan(first, last - first));
      if (last - first == 1) alone_.set(words[first]);
      // A word of two bytes begins with any third one.
      for (Byte any = 0; last - first == 2 && any < 64; ++any) begins_.set(key(words[first], words[first + 1], any));
      if (last - first > 2) begins_.set(key(words[first], words[first + 1], words[first + 2]));
    }
  }

  std::uint8_t hints(std::span<const Byte> text) const {
    const Byte *begin = text.data(), *end = begin + text.size();
    return static_cast<std::uint8_t>((is_lined(begin, end) ? LINED : 0) | (has_word(begin, last_blank(begin, after(begin, end, o_.head))) ? HEADED : 0) |
                                     (has_word(behind_sentence(before(begin, end, o_.foot), end), end) ? FOOTED : 0) | (may_be_code(begin, end) ? CODED : 0));
  }

  static u32 characters(std::span<const Byte> text) {
    u32 n = 0;
    for (const Byte b : text) n += begins_character(b);
    return n;
  }

 private:
  static bool begins_character(Byte b) { return (b & 0xC0) != 0x80; }
  // The first three bytes of a word in 16 bits: all that Chinese characters differ in.
  static std::size_t key(Byte a, Byte b, Byte c) { return (std::size_t{a} & 15) << 12 | (std::size_t{b} & 63) << 6 | (std::size_t{c} & 63); }
  static int width(Byte b) { return b < 0xC0 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4; }  // of the character it begins
  static bool is_letter(Byte b) { return (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') || b == '_'; }
  static bool is_space(Byte b) { return b == ' ' || (b >= '\t' && b <= '\r') || (b >= 0x1C && b <= 0x1F); }
  static const Byte* line_end(const Byte* p, const Byte* end) {
    const void* found = p == end ? nullptr : std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    return found ? static_cast<const Byte*>(found) : end;
  }

  // The ends of the first and of the last `n` characters of a text.
  static const Byte* after(const Byte* p, const Byte* end, u32 n) {
    for (; p < end; ++p)
      if (begins_character(*p) && n-- == 0) break;
    return p;
  }
  static const Byte* before(const Byte* begin, const Byte* p, u32 n) {
    while (p > begin && n > 0)
      if (begins_character(*--p)) --n;
    return p;
  }

  // The last blank of a text, as Python knows blanks; its beginning where it has none.
  static const Byte* last_blank(const Byte* begin, const Byte* end) {
    for (const Byte* p = end; p > begin;)
      if (begins_character(*--p) && is_blank({p, end})) return p;
    return begin;
  }
  static bool is_blank(std::span<const Byte> s) {
    if (s[0] < 0x80) return is_space(s[0]);
    const u32 two = s.size() > 1 ? u32{s[0]} << 8 | s[1] : 0, three = s.size() > 2 ? two << 8 | s[2] : 0;
    return two == 0xC285 || two == 0xC2A0 || three == 0xE19A80 || (three >= 0xE28080 && three <= 0xE2808A) || three == 0xE280A8 || three == 0xE280A9 ||
           three == 0xE280AF || three == 0xE2819F || three == 0xE38080;
  }

  // What stands behind the first mark that may end a sentence, or close what a sentence ends in: 。！？”」』）】 and . ! ? ) "
  static const Byte* behind_sentence(const Byte* p, const Byte* end) {
    for (; p < end; p += width(*p)) {
      if (*p < 0x80) {
        if (*p == '.' || *p == '!' || *p == '?' || *p == ')' || *p == '"') return p + 1;
      } else if (end - p > 2) {
        const u32 three = u32{p[0]} << 16 | u32{p[1]} << 8 | p[2];
        if (three == 0xE38082 || three == 0xEFBC81 || three == 0xEFBC9F || three == 0xE2809D || three == 0xE3808D || three == 0xE3808F || three == 0xEFBC89 ||
            three == 0xE38091) return p + 3;
      }
    }
    return end;
  }

  bool has_word(const Byte* p, const Byte* end) const {
    for (; p < end; p += width(*p))
      if (alone_[*p] || (end - p > 1 && begins_[key(p[0], p[1], end - p > 2 ? p[2] : 0)] && is_word(p, end))) return true;
    return false;
  }

  bool is_word(const Byte* p, const Byte* end) const {
    for (const auto& word : begun_[*p])
      if (static_cast<std::size_t>(end - p) >= word.size() && std::memcmp(p, word.data(), word.size()) == 0) return true;
    return false;
  }

  // Has a text of several lines one of few characters with a word in it?
  bool is_lined(const Byte* p, const Byte* end) const {
    const Byte* last = line_end(p, end);
    if (last == end) return false;
    for (;; p = last + 1, last = line_end(p, end)) {
      const std::span<const Byte> line{p, last};
      if (line.size() <= std::size_t{4} * o_.line && characters(line) <= o_.line && has_word(p, last)) return true;
      if (last == end) return false;
    }
  }

  static bool may_be_code(const Byte* begin, const Byte* end) {
    const Byte* p = begin;
    while (p < end && is_space(*p)) ++p;
    // A comment, a docstring or an import; or a blank that is no ASCII, behind which one may be.
    if (p < end && (std::memchr("#\"'/rRif", *p, 8) || *p == 0xC2 || (*p >= 0xE1 && *p <= 0xE3))) return true;
    for (p = begin;; ++p) {
      if (begins_as_code(p, end)) return true;
      if ((p = line_end(p, end)) == end) return false;
    }
  }

  // A line that begins with a decorator, a directive, a word in lower case, or a name that is called, indexed or given a value.
  static bool begins_as_code(const Byte* p, const Byte* end) {
    while (p < end && (*p == ' ' || *p == '\t')) ++p;
    if (p == end) return false;
    if (*p == '@' || *p == '#') return true;
    if (!is_letter(*p)) return false;
    const bool lower = *p >= 'a' && *p <= 'z';
    while (p < end && (is_letter(*p) || (*p >= '0' && *p <= '9') || *p == '.' || *p >= 0x80)) ++p;
    if (p == end) return false;
    if (*p == '[' || *p == '(' || (lower && (*p == ' ' || *p == '\t'))) return true;
    while (p < end && (*p == ' ' || *p == '\t')) ++p;
    return p < end && *p == '=';
  }

  std::array<std::vector<std::span<const std::uint8_t>>, 256> begun_;  // words by their first byte
  std::bitset<256> alone_;  // words of one byte
  std::bitset<65536> begins_;  // keys with which a word begins
  HintOptions o_;
};

// Writes the hints of each text, and how many characters it has.
inline void text_hints(const Texts& texts, const HintFinder& finder, std::span<std::uint8_t> hints, std::span<u32> characters, int threads) {
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      hints[i] = finder.hints(texts[i]);
      characters[i] = HintFinder::characters(texts[i]);
    }
  });
}

}  // namespace quchong
