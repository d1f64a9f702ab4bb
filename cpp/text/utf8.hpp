// UTF-8 characters, and the links and HTML entities among them. Safe on any bytes.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace quchong {

struct Utf8 {
  const unsigned char* s;
  std::int64_t n;
  // The character at byte i and its length; a broken sequence reads as U+FFFD, one byte long.
  std::uint32_t at(std::int64_t i, int& length) const {
    const std::uint32_t c = s[i];
    length = 1;
    if (c < 0x80) return c;
    auto tail = [&](int k) { return (s[i + k] & 0xC0) == 0x80; };
    if (c >= 0xE0 && c < 0xF0) {
      if (i + 2 < n && tail(1) && tail(2)) {
        length = 3;
        return (c & 15) << 12 | (s[i + 1] & 63u) << 6 | (s[i + 2] & 63u);
      }
    } else if (c >= 0xC2 && c < 0xE0) {
      if (i + 1 < n && tail(1)) {
        length = 2;
        return (c & 31) << 6 | (s[i + 1] & 63u);
      }
    } else if (c >= 0xF0 && c < 0xF5) {
      if (i + 3 < n && tail(1) && tail(2) && tail(3)) {
        length = 4;
        return (c & 7) << 18 | (s[i + 1] & 63u) << 12 | (s[i + 2] & 63u) << 6 | (s[i + 3] & 63u);
      }
    }
    return 0xFFFD;
  }
};

// Four bytes as a number, the first one lowest.
inline std::uint32_t load_four(const unsigned char* s) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint32_t four;
    std::memcpy(&four, s, 4);
    return four;
  }
  return s[0] | s[1] << 8 | s[2] << 16 | static_cast<std::uint32_t>(s[3]) << 24;
}
// Do four bytes begin with a whole character of three, and which one?
inline bool is_three_bytes(std::uint32_t four) { return (four & 0xC0C0F0) == 0x8080E0; }
inline std::uint32_t three_bytes(std::uint32_t four) { return (four & 15) << 12 | (four >> 2 & 0xFC0) | (four >> 16 & 63); }

inline bool ascii_alnum(unsigned c) { return (c - '0') < 10u || ((c | 32) - 'a') < 26u; }
inline bool url_char(unsigned char c) {
  if (ascii_alnum(c)) return true;
  for (const char* p = "-._~:/?#[]@!$&'()*+,;=%"; *p; ++p)
    if (c == static_cast<unsigned char>(*p)) return true;
  return false;
}

// May a link or an entity start at i? Most places are passed by their first two bytes.
inline bool may_be_link(const Utf8& t, std::int64_t i) {
  const unsigned char c = t.s[i], low = c | 32;
  if (c == '&') return true;
  return (low == 'h' || low == 'w') && i + 1 < t.n && (t.s[i + 1] | 32) == (low == 'h' ? 't' : 'w');
}

// Length in bytes of a URL starting at i, or 0.
inline std::int64_t url_length(const Utf8& t, std::int64_t i) {
  auto is = [&](std::int64_t at, const char* word) {
    for (; *word; ++word, ++at)
      if (at >= t.n || ((t.s[at] >= 'A' && t.s[at] <= 'Z') ? t.s[at] | 32 : t.s[at]) != static_cast<unsigned char>(*word))
        return false;
    return true;
  };
  std::int64_t j = 0;
  if (is(i, "https://")) j = i + 8;
  else if (is(i, "http://")) j = i + 7;
  else if (is(i, "www.") && i + 4 < t.n && url_char(t.s[i + 4]) && (i == 0 || !ascii_alnum(t.s[i - 1]))) j = i + 4;
  else return 0;
  while (j < t.n && url_char(t.s[j])) ++j;
  return j - i;
}

// Length in bytes of an HTML entity starting at i (an ampersand), or 0.
inline std::int64_t entity_length(const Utf8& t, std::int64_t i) {
  auto get = [&](std::int64_t at) -> unsigned { return at < t.n ? t.s[at] : 0; };
  std::int64_t j = i + 1, first;
  if (get(j) == '#') {
    const bool hex = (get(j + 1) | 32) == 'x';
    first = j += hex ? 2 : 1;
    while (j < first + 8 && ((get(j) - '0') < 10u || (hex && ((get(j) | 32) - 'a') < 6u))) ++j;
    return j > first && j - first <= (hex ? 6 : 7) && get(j) == ';' ? j + 1 - i : 0;
  }
  if (((get(j) | 32) - 'a') >= 26u) return 0;
  first = j;
  while (j < first + 33 && ascii_alnum(get(j))) ++j;
  return j - first >= 2 && j - first <= 32 && get(j) == ';' ? j + 1 - i : 0;
}

}  // namespace quchong
