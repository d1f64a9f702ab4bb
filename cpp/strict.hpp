// The strict normal form of a text as UTF-8, and the hashes of such bytes: BKDR and AP as paper 003 has them, and a
// digest of 128 bits. The specification is quchong/kernels/reference/elements.py.
#pragma once
#include <bit>
#include <cstring>
#include <utility>

#include "buffer.hpp"
#include "hash.hpp"
#include "unicode.hpp"
#include "utf8.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace quchong {

// What the strict form needs to know of a character, flat where text mostly lies.
class StrictTable {
 public:
  static constexpr u32 SPACE = 1u << 28;
  explicit StrictTable(const TextTables& tables) : tables_(&tables), flat_(PageTable::FLAT) {
    for (u32 c = 0; c < PageTable::FLAT; ++c) flat_[c] = make(c);
    flat_[0xFF0C] = ',';  // kept apart from the comma where digits are joined; no figures are joined here
  }
  u32 operator[](u32 c) const { return c < PageTable::FLAT ? flat_[c] : make(c); }
  const TextTables& tables() const { return *tables_; }

  static bool is_space(u32 c) {
    return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
  }

 private:
  u32 make(u32 c) const {
    u32 m = tables_->plain[c];
    if (m & EXPANDS) return m;
    if (!(m & CODE)) m |= c;  // marks that stay themselves have no entry
    return m | (is_space(m & CODE) ? SPACE : 0);
  }
  const TextTables* tables_;
  std::vector<u32> flat_;
};

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
    for (std::int64_t i = 0; i < n;) {
      i += copy_plain(s + i, n - i);
      if (i >= n) break;
      int length;
      const u32 m = table_[t.at(i, length)];
      if (m & COMPOSES && !composed) return false;
      i += length;
      if (m & EXPANDS) [[unlikely]] {
        const auto slice = table_.tables().expansion_spans[m & CODE];
        room(n - i, slice.length);
        for (u32 x = 0; x < slice.length; ++x) {
          const u32 e = table_.tables().expansions[slice.first + x];
          put(e | (StrictTable::is_space(e & CODE) ? StrictTable::SPACE : 0));
        }
      } else {
        put(m);
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

  static bool is_word(u32 m) { return (m & CLASS) == WORD || (m & CLASS) == DIGIT; }

  void put(u32 m) {
    if (m & StrictTable::SPACE) {
      space_ = true;
      return;
    }
    const bool word = is_word(m);
    if (space_ && word_ && word) p_[k_++] = ' ';
    space_ = false;
    word_ = word;
    const u32 c = m & CODE;
    if (c < 0x80) {
      p_[k_++] = static_cast<unsigned char>(c);
    } else if (c < 0x800) {
      p_[k_++] = static_cast<unsigned char>(0xC0 | c >> 6);
      p_[k_++] = static_cast<unsigned char>(0x80 | (c & 63));
    } else if (c < 0x10000) {
      p_[k_++] = static_cast<unsigned char>(0xE0 | c >> 12);
      p_[k_++] = static_cast<unsigned char>(0x80 | (c >> 6 & 63));
      p_[k_++] = static_cast<unsigned char>(0x80 | (c & 63));
    } else {
      p_[k_++] = static_cast<unsigned char>(0xF0 | c >> 18);
      p_[k_++] = static_cast<unsigned char>(0x80 | (c >> 12 & 63));
      p_[k_++] = static_cast<unsigned char>(0x80 | (c >> 6 & 63));
      p_[k_++] = static_cast<unsigned char>(0x80 | (c & 63));
    }
  }

  // Does a text's byte stand for itself? ASCII marks, digits and small letters, U+4000 to U+9FFF, and bytes that follow.
  static bool stays(unsigned char c) {
    return (c >= 0x21 && c < 0x80 && static_cast<unsigned>(c - 'A') >= 26u) || (c >= 0x80 && c < 0xC0) || (c >= 0xE4 && c < 0xEA);
  }

  // Copies what stands for itself, 16 bytes at a time; how many bytes that were, whole characters.
  std::int64_t copy_plain(const unsigned char* s, std::int64_t n) {
    if (!stays(s[0])) return 0;
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
    out.put(static_cast<unsigned char>((0xF00 >> tail & 0xFF) | c >> 6 * tail));
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
class PaperHashes {
 public:
  static std::pair<u32, u32> of(std::span<const unsigned char> s, bool utf16) {
    PaperHashes h;
    if (!utf16) {
      for (unsigned char c : s) h.add(c);
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
    return {h.bkdr_ & 0x7FFFFFFF, h.ap_ & 0x7FFFFFFF};
  }

 private:
  void add(u32 c) {
    bkdr_ = bkdr_ * 131 + c;
    ap_ ^= odd_ ? ~((ap_ << 11) ^ c ^ (ap_ >> 5)) : (ap_ << 7) ^ c ^ (ap_ >> 3);
    odd_ = !odd_;
  }
  u32 bkdr_ = 0, ap_ = 0;
  bool odd_ = false;
};

}  // namespace quchong
