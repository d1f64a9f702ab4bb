// The strict normal form of a text as UTF-8, and the hashes of such bytes: BKDR and AP as Gao 2014 has them, and a
// digest of 128 bits. The specification is tests/twins/elements.py.
#pragma once
#include <bit>
#include <cstring>
#include <utility>

#include "hash.hpp"
#include "machine/buffer.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace quchong {

// What becomes of a character in the strict form: its bytes, flat where text mostly lies.
class StrictTable {
 public:
  // An entry: up to three bytes, their number, and what it is to white space; RARE: the table does not tell all.
  static constexpr u32 BYTES = 0xFFFFFF, LENGTH = 24, WORDY = 1u << 26, SPACE = 1u << 27, RARE = 1u << 28;

  explicit StrictTable(const TextTables& tables) : tables_(&tables), flat_(PageTable::FLAT) {
    for (u32 c = 0; c < PageTable::FLAT; ++c) flat_[c] = entry(mapped(c));
  }
  const u32* flat() const { return flat_.data(); }
  const TextTables& tables() const { return *tables_; }

  // NFKC and lower case of a character. Marks that stay themselves have no entry in the tables of tokens; the Chinese
  // comma has its own there, to be kept apart from the comma where digits are joined, and no digits are joined here.
  Mapped mapped(u32 c) const {
    if (c == 0xFF0C) return ',';
    const Mapped m = tables_->plain[c];
    return m & EXPANDS || m & CODE ? m : m | c;
  }

  static bool is_space(u32 c) {
    return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
  }

 private:
  static u32 entry(Mapped m) {
    const u32 c = m & CODE;
    if (m & (EXPANDS | COMPOSES) || c >= 0x10000) return RARE;
    if (is_space(c)) return SPACE;
    const u32 wordy = (m & CLASS) == WORD || (m & CLASS) == DIGIT ? WORDY : 0;
    if (c < 0x80) return wordy | 1u << LENGTH | c;
    if (c < 0x800) return wordy | 2u << LENGTH | (0xC0 | c >> 6) | (0x80 | (c & 63)) << 8;
    return wordy | 3u << LENGTH | (0xE0 | c >> 12) | (0x80 | (c >> 6 & 63)) << 8 | (0x80 | (c & 63)) << 16;
  }
  const TextTables* tables_;
  std::vector<u32> flat_;
};

inline u32 load_three(const unsigned char* s) { return s[0] | s[1] << 8 | static_cast<u32>(s[2]) << 16; }

// Reusable output of one thread.
struct StrictScratch {
  Buffer<unsigned char> bytes;
};

// NFKC and lower case character by character; white space goes, but for one space between two word characters.
class StrictForm {
 public:
  StrictForm(const StrictTable& table, StrictScratch& scratch) : table_(table), out_(scratch.bytes) {}

  // Fills the scratch. False: the text holds characters that may compose with those before them, and nothing is done;
  // `composed` says that they have been.
  bool run(const unsigned char* s, std::int64_t n, bool composed) {
    Utf8 t{s, n};
    out_.clear();
    k_ = 0;
    room(n, 0);
    space_ = word_ = false;
    const u32* flat = table_.flat();
    for (std::int64_t i = 0; i < n;) {
      i += copy_plain(s + i, n - i);
      // Then the characters up to the next that stands for itself.
      for (u32 four, e; i < n && !stays(s[i]);) {
        if (s[i] < 0x80) {
          put(flat[s[i]]);
          ++i;
        } else if (i + 3 <= n && is_three_bytes(four = i + 3 < n ? load_four(s + i) : load_three(s + i)) && !((e = flat[three_bytes(four)]) & StrictTable::RARE)) {
          put(e);
          i += 3;
        } else {
          int length;
          const Mapped m = table_.mapped(t.at(i, length));
          if (m & COMPOSES && !composed) return false;
          i += length;
          put_rare(m, n - i);
        }
      }
    }
    out_.resize(k_);
    return true;
  }

 private:
  // Room for `chars` characters beside what `bytes` bytes of text may become, and for whole registers behind.
  void room(std::int64_t bytes, std::size_t chars) {
    out_.resize(k_);
    out_.extend(3 * static_cast<std::size_t>(bytes) + 5 * chars + 32);  // a broken byte becomes U+FFFD
    p_ = out_.raw();
  }

  // An entry of the table; all written, whatever it is, as branches here are hard to foresee.
  void put(u32 e) {
    const bool space = e & StrictTable::SPACE, word = e & StrictTable::WORDY;
    p_[k_] = ' ';
    k_ += space_ & word_ & word;
    p_[k_] = static_cast<unsigned char>(e);
    p_[k_ + 1] = static_cast<unsigned char>(e >> 8);
    p_[k_ + 2] = static_cast<unsigned char>(e >> 16);
    k_ += e >> StrictTable::LENGTH & 3;
    word_ = space ? word_ : word;
    space_ = space;
  }

  // A character that becomes several, or one beyond the flat table; `left` bytes of text follow.
  void put_rare(Mapped m, std::int64_t left) {
    if (!(m & EXPANDS)) return put_one(m);
    const auto slice = table_.tables().expansion_spans[m & CODE];
    room(left, slice.length);
    for (u32 x = 0; x < slice.length; ++x) put_one(table_.tables().expansions[slice.first + x]);
  }
  void put_one(Mapped m) {
    const u32 c = m & CODE;
    if (StrictTable::is_space(c)) {
      space_ = true;
      return;
    }
    const bool word = (m & CLASS) == WORD || (m & CLASS) == DIGIT;
    if (space_ && word_ && word) p_[k_++] = ' ';
    space_ = false;
    word_ = word;
    if (c < 0x80) {
      p_[k_++] = static_cast<unsigned char>(c);
      return;
    }
    const int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    p_[k_++] = static_cast<unsigned char>((0xFF00 >> (tail + 1) & 0xFF) | c >> 6 * tail);
    for (int j = tail - 1; j >= 0; --j) p_[k_++] = static_cast<unsigned char>(0x80 | (c >> 6 * j & 63));
  }

  // Does a text's byte stand for itself? ASCII marks, digits and small letters, U+4000 to U+9FFF, and bytes that follow.
  static bool stays(unsigned char c) {
    return (c >= 0x21 && c < 0x80 && static_cast<unsigned>(c - 'A') >= 26u) || (c >= 0x80 && c < 0xC0) || (c >= 0xE4 && c < 0xEA);
  }

  // Copies what stands for itself, 16 bytes at a time; how many bytes that were, whole characters.
  std::int64_t copy_plain(const unsigned char* s, std::int64_t n) {
    if (n == 0 || !stays(s[0])) return 0;
    const bool word = ascii_alnum(s[0]);
    if (space_ && word_ && word) p_[k_++] = ' ';
    space_ = false;
    std::int64_t i = 0;
    unsigned char* to = p_ + k_;
#if defined(__SSE2__)
    for (; i + 16 <= n;) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), x);
      // As signed bytes: 80..BF is below -64, E4..E9 is -28..-23, ASCII from 21 on is above 0x20.
      const __m128i follows = _mm_cmplt_epi8(x, _mm_set1_epi8(-64));
      const __m128i han = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(-29)), _mm_cmplt_epi8(x, _mm_set1_epi8(-22)));
      const __m128i shown = _mm_cmpgt_epi8(x, _mm_set1_epi8(0x20));
      const __m128i capital = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('A' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('Z' + 1)));
      const __m128i fine = _mm_or_si128(_mm_or_si128(follows, han), _mm_andnot_si128(capital, shown));
      const unsigned other = ~static_cast<unsigned>(_mm_movemask_epi8(fine)) & 0xFFFF;
      if (other) {
        i += std::countr_zero(other);
        return finish(s, i);
      }
      i += 16;
    }
#endif
    for (; i < n && stays(s[i]); ++i) to[i] = s[i];
    return finish(s, i);
  }
  std::int64_t finish(const unsigned char* s, std::int64_t i) {
    word_ = ascii_alnum(s[i - 1]);
    k_ += static_cast<std::size_t>(i);
    return i;
  }

  const StrictTable& table_;
  Buffer<unsigned char>& out_;
  unsigned char* p_ = nullptr;
  std::size_t k_ = 0;
  bool space_ = false, word_ = false;  // white space is waiting; the last character written was of a word
};

// The bytes of the code points of a stream (the loose form), UTF-8.
inline void encode(std::span<const u32> codes, Buffer<unsigned char>& out) {
  out.clear();
  out.reserve(4 * codes.size());
  for (u32 c : codes) {
    if (c < 0x80) {
      out.put(static_cast<unsigned char>(c));
      continue;
    }
    const int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out.put(static_cast<unsigned char>((0xFF00 >> (tail + 1) & 0xFF) | c >> 6 * tail));
    for (int j = tail - 1; j >= 0; --j) out.put(static_cast<unsigned char>(0x80 | (c >> 6 * j & 63)));
  }
}

inline u64 load_word(const unsigned char* s) {
  if constexpr (std::endian::native == std::endian::little) {
    u64 w;
    std::memcpy(&w, s, 8);
    return w;
  }
  u64 w = 0;
  for (int i = 7; i >= 0; --i) w = w << 8 | s[i];
  return w;
}

struct Digest {
  u64 high, low;
};

// Two 64-bit hashes of the same bytes with different constants: no digest for keeping out an adversary.
inline Digest digest_bytes(std::span<const unsigned char> s) {
  u64 a = mix64(0x71756368 + GOLDEN), b = mix64(0x6F6E6721 + GOLDEN);
  const std::size_t n = s.size();
  const auto step = [&](u64 w0, u64 w1, std::size_t i) {
    a = fold128(w0 ^ a ^ 0xA0761D6478BD642Full, w1 ^ 0xE7037ED1A0B428DBull) + GOLDEN * (i + 1) + (a >> 7);
    b = fold128(w1 ^ b ^ 0x8EBC6AF09C88C6E3ull, w0 ^ 0x589965CC75374CC3ull) + GOLDEN * (i + 1) + (b >> 7);
  };
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) step(load_word(s.data() + i), load_word(s.data() + i + 8), i);
  if (i < n) {
    unsigned char last[16] = {};
    std::memcpy(last, s.data() + i, n - i);
    step(load_word(last), load_word(last + 8), i);
  }
  return {mix64(a ^ n), mix64(b ^ n)};
}

// BKDR and AP hash (algorithms.md 0.4) over UTF-8 bytes, or over the UTF-16 code units C# has.
struct PaperHashes {
  static std::pair<u32, u32> of(std::span<const unsigned char> s, bool utf16) {
    PaperHashes h;
    if (!utf16) {
      std::size_t i = 0;
      for (; i + 4 <= s.size(); i += 4) h.add_four(s[i], s[i + 1], s[i + 2], s[i + 3]);
      for (; i < s.size(); ++i) h.add(s[i]);
    } else {
      const Utf8 t{s.data(), static_cast<std::int64_t>(s.size())};
      int length;
      for (std::int64_t i = 0; i < t.n; i += length) {
        const u32 c = t.at(i, length);
        if (c < 0x10000) {
          h.add(c);
        } else {
          h.add(0xD800 + ((c - 0x10000) >> 10));
          h.add(0xDC00 + (c & 0x3FF));
        }
      }
    }
    return {h.bkdr & 0x7FFFFFFF, h.ap & 0x7FFFFFFF};
  }

 private:
  u32 bkdr = 0, ap = 0;
  bool odd = false;

  static u32 even_step(u32 h, u32 c) { return h ^ c ^ h << 7 ^ h >> 3; }
  static u32 odd_step(u32 h, u32 c) { return ~(h ^ c ^ h << 11 ^ h >> 5); }
  void add(u32 c) {
    bkdr = bkdr * 131 + c;
    ap = odd ? odd_step(ap, c) : even_step(ap, c);
    odd = !odd;
  }
  // The same four times, from an even place: one multiplication after another is what BKDR would wait for.
  void add_four(u32 a, u32 b, u32 c, u32 d) {
    bkdr = bkdr * (131u * 131 * 131 * 131) + ((a * 131 + b) * (131u * 131) + (c * 131 + d));
    ap = odd_step(even_step(odd_step(even_step(ap, a), b), c), d);
  }
};

}  // namespace quchong
