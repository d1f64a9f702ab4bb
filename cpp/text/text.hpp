// From UTF-8 to the normal form: mapped characters, then tokens. The specification is
// tests/twins/text.py; the steps here have the same names in the same order.
#pragma once
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>

#include "hash.hpp"
#include "machine/buffer.hpp"
#include "machine/dispatch.hpp"
#include "text/symbols.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"

namespace quchong {

struct TextOptions {
  bool full = true;        // URLs and entities dropped, traditional folded, numerals made digits; else NFKC + lower
  bool characters = false; // every letter or digit is a token of its own
};

// A token: a character as it is, or a hash of a run of letters and digits with one of these marks on top. Different words may have one
// hash: where tokens are compared, words.hpp puts a number in its place that no other word has.
inline constexpr u32 WORD_TOKEN = 0x80000000u, NUMBER_TOKEN = 0xC0000000u, TOKEN_HASH = 0x3FFFFFFFu;
inline constexpr u32 DEGREE = 0xB0;
inline constexpr std::size_t WORD_ROOM = 16;  // letters of a word that are read at once, whatever its length
inline constexpr std::size_t LINK_TOKENS = 10;  // a text with fewer tokens beside its links is compared with them
// Of a token, or of a name, which has its token below.
inline constexpr bool is_number(u64 t) { return static_cast<u32>(t) >= NUMBER_TOKEN; }
inline constexpr bool is_single(u64 t) { return static_cast<u32>(t) < WORD_TOKEN; }

// Reusable buffers of one thread.
struct Scratch {
  Buffer<Mapped> mapped, other;
  Buffer<u32> start, end, other_start, other_end;  // character positions in the text, with OFFSETS only
  Buffer<u32> tokens, token_start, token_end;
  Buffer<u32> stream;  // characters of the normal form; a word ends with a space, and so many may be read behind the last: WORD_ROOM
  Buffer<u32> word_end;  // of each word, in order, where it ends in the stream
  // Words whose hash is still to be found, many at once: their tokens, their letters, four bytes a number and four numbers a word.
  Buffer<u32> unhashed, letters, hashes;
  std::vector<char> digits;
  std::int64_t singles = 0;
};

template <bool OFFSETS>
class Normaliser {
 public:
  Normaliser(const TextTables& tables, const TextOptions& options, Scratch& scratch) : tables_(tables), options_(options), s_(scratch) {}

  // Fills tokens (and their places), stream and singles of the scratch.
  void run(const unsigned char* text, std::int64_t bytes) {
    Utf8 t{text, bytes};
    std::int64_t han = 0, traditional = 0;
    bool numerals = false;
    dropped_ = false;
    links_ = options_.full;
    pass(t, han, traditional, numerals);
    if (dropped_ && s_.tokens.size() < LINK_TOKENS) {  // so little text beside it: the link is the content
      links_ = false;
      pass(t, han, traditional, numerals);
    }
  }

  // After a run that took characters: the tokens of words and numbers. What was mapped is taken again, unless so few tokens
  // are left beside a link that it is the content here, though for characters it was not.
  void words(const unsigned char* text, std::int64_t bytes) {
    options_.characters = false;
    tokenise();
    if (dropped_ && links_ && s_.tokens.size() < LINK_TOKENS) run(text, bytes);
  }

 private:
  void pass(const Utf8& t, std::int64_t& han, std::int64_t& traditional, bool& numerals) {
    map(t, options_.full ? tables_.folded : tables_.plain, han, traditional, numerals);
    if (options_.full && traditional > 0 && traditional * 20 >= han) {
      map(t, tables_.plain, han, traditional, numerals);
      convert(tables_.step1);
      convert(tables_.step2);
      numerals = true;
    }
    if (options_.full && numerals) parse_numerals();
    if (signs_) keep_signs();
    if (symbols_ && !tables_.every_mark) keep_symbols(s_.mapped.raw(), s_.mapped.size());
    tokenise();
  }

  // Bytes of ASCII without a place where a link or an entity may begin; the byte behind them is looked at, too. In a loop without branches,
  // which the compiler makes wide.
  static constexpr std::int64_t BLOCK = 32;
  static bool is_plain_block(const unsigned char* s) {
    unsigned char no = 0;
    for (int k = 0; k < BLOCK; ++k) {
      const unsigned char c = s[k], low = c | 32, next = s[k + 1] | 32;
      no |= static_cast<unsigned char>(c >> 7 | (c == '&') | ((low == 'h') & (next == 't')) | ((low == 'w') & (next == 'w')));
    }
    return no == 0;
  }

  // Decodes, drops links, maps every character. Flags of the table stay on the mapped characters.
  void map(const Utf8& t, const PageTable& table, std::int64_t& han, std::int64_t& traditional, bool& numerals) {
    const unsigned char* s = t.s;
    const std::int64_t n = t.n;
    const Mapped* flat = table.flat();
    const bool links = links_;
    std::size_t k = 0;
    Mapped* out = nullptr;
    const auto make_room = [&](std::size_t more) {
      s_.mapped.resize(k);
      s_.mapped.extend(more);
      out = s_.mapped.raw();
      if constexpr (OFFSETS) {
        s_.start.resize(k);
        s_.end.resize(k);
        s_.start.extend(more);
        s_.end.extend(more);
      }
    };
    make_room(static_cast<std::size_t>(n) + 1);
    u32 position = 0;
    bool expanded = false;
    const auto put = [&](Mapped m, u32 last) {
      out[k] = m;
      if constexpr (OFFSETS) {
        s_.start.raw()[k] = position;
        s_.end.raw()[k] = last;
      }
      ++k;
    };
    const auto put_block = [&](const unsigned char* from) {
      for (std::size_t x = 0; x < BLOCK; ++x) out[k + x] = flat[from[x]];
      if constexpr (OFFSETS)
        for (u32 x = 0; x < BLOCK; ++x) {
          s_.start.raw()[k + x] = position + x;
          s_.end.raw()[k + x] = position + x + 1;
        }
      k += BLOCK;
      position += BLOCK;
    };
    for (std::int64_t i = 0; i < n;) {
      // Most of a Chinese text: characters of three bytes, one after another.
      for (u32 four; i + 3 < n && is_three_bytes(four = load_four(s + i)); i += 3, ++position) {
        const Mapped m = flat[three_bytes(four)];
        if (m & EXPANDS) [[unlikely]] break;
        put(m, position + 1);
      }
      // Most of a text in Latin letters: one byte each, none of which expands. Blocks where no link may begin go without a look at each.
      if (s[i] < 0x80)
        for (; i + BLOCK < n && is_plain_block(s + i); i += BLOCK)
          put_block(s + i);
      for (; i < n && s[i] < 0x80 && !(links && may_be_link(t, i)); ++i, ++position) put(flat[s[i]], position + 1);
      if (i >= n) break;
      const unsigned char c = s[i];
      if (links && c < 0x80 && may_be_link(t, i))
        if (const std::int64_t dropped = c == '&' ? entity_length(t, i) : url_length(t, i); dropped > 0) {
          put(' ', position + static_cast<u32>(dropped));
          dropped_ = true;
          position += static_cast<u32>(dropped);
          i += dropped;
          continue;
        }
      int length;
      const Mapped m = table[t.at(i, length)];
      if (m & EXPANDS) [[unlikely]] {
        const auto slice = tables_.expansion_spans[m & CODE];
        make_room(static_cast<std::size_t>(n - i) + slice.length + 1);
        for (u32 x = 0; x < slice.length; ++x) {
          Mapped e = tables_.expansions[slice.first + x];
          if (const Mapped f = table[e & CODE]; f & TRADITIONAL) e = f;
          put(e, position + 1);
        }
        expanded = true;
      } else {
        put(m, position + 1);
      }
      i += length;
      ++position;
    }
    s_.mapped.resize(k);
    if constexpr (OFFSETS) {
      s_.start.resize(k);
      s_.end.resize(k);
    }
    // Counted in a loop of its own, which the compiler makes wide.
    u32 han_count = 0, traditional_count = 0;
    Mapped adjacent = 0, any = 0;
    for (std::size_t i = 0; i < k; ++i) {
      han_count += out[i] / HAN & 1;
      traditional_count += out[i] / TRADITIONAL & 1;
      any |= out[i];
    }
    signs_ = any & SIGN;
    symbols_ = any & SYMBOL;
    for (std::size_t i = 1; i < k; ++i) adjacent |= out[i] & out[i - 1];
    han = han_count;
    traditional = traditional_count;
    numerals = expanded || (adjacent & NUMERAL) != 0;  // expansions are rare: let the numeral step look
  }

  // What stands before `to` and was not copied yet goes to `other`, as it is.
  void copy_to_other(std::size_t& copied, std::size_t to) {
    s_.other.append(s_.mapped.data() + copied, to - copied);
    if constexpr (OFFSETS) {
      s_.other_start.append(s_.start.data() + copied, to - copied);
      s_.other_end.append(s_.end.data() + copied, to - copied);
    }
    copied = to;
  }
  void clear_other() {
    s_.other.clear();
    s_.other_start.clear();
    s_.other_end.clear();
  }
  void take_other() {
    std::swap(s_.mapped, s_.other);
    std::swap(s_.start, s_.other_start);
    std::swap(s_.end, s_.other_end);
  }

  // One conversion step: at every place the longest phrase, else the character itself.
  void convert(const Phrases& phrases) {
    const Mapped* in = s_.mapped.data();
    const std::size_t size = s_.mapped.size();
    std::size_t copied = 0;
    clear_other();
    for (std::size_t i = 0; i < size;) {
      const auto* hit = in[i] & CLASS && phrases.may_begin(in[i] & CODE, i + 1 < size ? in[i + 1] & CODE : 0)
                            ? phrases.longest({in + i, size - i}) : nullptr;
      if (!hit) {
        ++i;
        continue;
      }
      copy_to_other(copied, i);
      const std::size_t n = hit->from.size(), m = hit->to.size();
      for (u32 c : hit->to) s_.other.push_back(tables_.plain[c] & ~COMPOSES);
      if constexpr (OFFSETS)
        for (std::size_t k = 0; k < m; ++k) {
          s_.other_start.push_back(m == n ? s_.start[i + k] : s_.start[i]);
          s_.other_end.push_back(m == n ? s_.end[i + k] : s_.end[i + n - 1]);
        }
      copied = i += n;
    }
    if (copied == 0) return;
    copy_to_other(copied, size);
    take_other();
  }

  // Value of one numeral character: digit 0-9, or unit 10, 100, 1000.
  static int numeral_value(u32 c) {
    switch (c) {
      case 0x96F6: case 0x3007: return 0;
      case 0x4E00: return 1;
      case 0x4E8C: return 2;
      case 0x4E09: return 3;
      case 0x56DB: return 4;
      case 0x4E94: return 5;
      case 0x516D: return 6;
      case 0x4E03: return 7;
      case 0x516B: return 8;
      case 0x4E5D: return 9;
      case 0x5341: return 10;
      case 0x767E: return 100;
      default: return 1000;
    }
  }

  // Digits for a run that parses wholly: 二〇二〇 -> 2020, 一百二十 -> 120; false otherwise.
  static bool parse_run(std::span<const Mapped> run, std::vector<char>& digits) {
    digits.clear();
    bool units = false;
    for (Mapped m : run) units |= numeral_value(m & CODE) >= 10;
    if (!units) {
      for (Mapped m : run) digits.push_back(static_cast<char>('0' + numeral_value(m & CODE)));
      return true;
    }
    int total = 0, unit = 10000, pending = -1;  // unit: the smallest one used so far
    bool zero = false;                          // a zero stands between the last unit and what follows
    for (std::size_t i = 0; i < run.size(); ++i) {
      const int v = numeral_value(run[i] & CODE);
      if (v >= 10) {
        if (v >= unit) return false;
        if (pending < 0) {
          if (!(v == 10 && i == 0)) return false;  // only a leading ten may lack its digit
          pending = 1;
        }
        total += pending * v;
        unit = v;
        pending = -1;
        zero = false;
      } else if (v == 0) {
        if (pending >= 0 || zero || i == 0) return false;
        zero = true;
      } else {
        if (pending >= 0) return false;
        pending = v;
      }
    }
    if (pending < 0) {
      if (zero) return false;  // a zero must stand before something
    } else {
      if (unit != 10 && !zero) return false;  // 一百二 is a hundred and twenty in speech: left alone
      total += pending;
    }
    int scale = 1;
    while (scale * 10 <= total) scale *= 10;
    for (; scale; scale /= 10) digits.push_back(static_cast<char>('0' + total / scale % 10));
    return true;
  }

  void parse_numerals() {
    const Mapped* in = s_.mapped.data();
    const std::size_t n = s_.mapped.size();
    std::vector<char>& digits = s_.digits;
    std::size_t copied = 0;
    clear_other();
    for (std::size_t i = 0; i + 1 < n; ++i) {
      if (!(in[i] & NUMERAL)) continue;
      std::size_t j = i + 1;
      while (j < n && (in[j] & NUMERAL)) ++j;
      if (j - i >= 2 && parse_run({in + i, j - i}, digits)) {
        copy_to_other(copied, i);
        const bool same = digits.size() == j - i;
        for (std::size_t k = 0; k < digits.size(); ++k) {
          s_.other.push_back(static_cast<u32>(digits[k]) | DIGIT);
          if constexpr (OFFSETS) {
            s_.other_start.push_back(same ? s_.start[i + k] : s_.start[i]);
            s_.other_end.push_back(same ? s_.end[i + k] : s_.end[j - 1]);
          }
        }
        copied = j;
      }
      i = j;  // the character at j is no numeral
    }
    if (copied == 0) return;
    copy_to_other(copied, n);
    take_other();
  }

  Mapped mark(std::size_t i) const { return i < s_.mapped.size() ? s_.mapped[i] : 0; }  // 0 before the first, too
  bool digit(std::size_t i) const { return (mark(i) & CLASS) == DIGIT; }
  bool single(std::size_t i) const { return (mark(i) & CLASS) == SINGLE; }
  bool word(std::size_t i) const { return mark(i) & (WORD & DIGIT); }
  static bool is_minus(u32 c) { return c == '-' || c == 0x2212; }
  static bool is_part(u32 c) { return c == '%' || c == 0x2030 || c == 0x2031 || c == DEGREE; }
  static bool is_money(Mapped m) {
    const u32 c = m & CODE;
    return m & SIGN && !is_minus(c) && !is_part(c) && c != '+' && c != 0xB1;
  }
  bool figure_follows(std::size_t i) const { return digit(i + 1) || (is_money(mark(i + 1)) && digit(i + 2)); }
  bool behind_digit(std::size_t i) const { return digit(i - 1) || (mark(i - 1) == ' ' && digit(i - 2)); }
  bool is_degree_letter(std::size_t i) const { return (mark(i) & CODE) == 'c' || (mark(i) & CODE) == 'f'; }
  bool figure_ends(std::size_t i) const {
    return digit(i - 1) || mark(i - 1) & TRAILS ||
           (is_degree_letter(i - 1) && (mark(i - 2) & CODE) == DEGREE && mark(i - 2) & TRAILS);
  }
  // Has the figure at i a point, a comma, a currency or a percent sign: 2019年-3.2%? Else 3天-5天 is a range.
  bool measured(std::size_t i) const {
    if (!digit(i)) return true;
    while (digit(i)) ++i;
    return ((mark(i) == '.' || mark(i) == ',') && digit(i + 1)) || is_part(mark(i) & CODE);
  }
  // Is the hyphen at i, before a figure, a minus? Else it joins words, or figures: A-5, 3-5天, 3天-5天, 3%-5%.
  bool minus_at(std::size_t i) const {
    const Mapped before = mark(i - 1);
    if (is_minus(before & CODE)) return figure_ends(i - 1);  // from 3 to -5
    if (word(i - 1) || before & TRAILS) return false;
    const bool unit = single(i - 1) && (digit(i - 2) || (single(i - 2) && digit(i - 3)));
    return !unit || measured(i + 1);
  }
  Mapped belongs(std::size_t i) const {
    const u32 c = mark(i) & CODE;
    if (is_part(c)) return behind_digit(i) ? TRAILS : 0;
    if (is_minus(c)) return figure_follows(i) && minus_at(i) ? LEADS : 0;
    if (c == 0xB1) return figure_follows(i) ? LEADS : 0;
    if (c == '+') {
      if (!figure_follows(i)) return digit(i - 1) ? TRAILS : 0;
      return (mark(i - 1) & CODE) == '+' || (word(i - 1) && !digit(i - 1)) ? 0 : LEADS;
    }
    if (digit(i + 1)) return LEADS;
    if (behind_digit(i)) return TRAILS;
    const u32 next = mark(i + 1) & CODE;
    return (is_minus(next) || next == '+' || next == 0xB1 || next == ' ') && digit(i + 2) ? LEADS : 0;
  }
  // Flags the marks that are part of a figure, from left to right: what a mark is may depend on those before it. One minus is left.
  void keep_signs() {
    Mapped* m = s_.mapped.raw();
    for (std::size_t i = 0; i < s_.mapped.size(); ++i)
      if (m[i] & SIGN) m[i] = (is_minus(m[i] & CODE) ? '-' | SIGN | (m[i] & SYMBOL) : m[i]) | belongs(i);
  }
  // Where the figure that begins at i begins with its signs, and where the one that ends before i ends with its unit.
  std::size_t head(std::size_t i) const {
    for (;;)
      if (i > 0 && mark(i - 1) & LEADS) --i;
      else if (i > 1 && mark(i - 1) == ' ' && mark(i - 2) & LEADS) i -= 2;
      else return i;
  }
  std::size_t tail(std::size_t i) const {
    const std::size_t at = i + (mark(i) == ' ');
    if (!(mark(at) & TRAILS) || !digit(i - 1)) return i;
    return at + 1 + ((mark(at) & CODE) == DEGREE && is_degree_letter(at + 1) && !word(at + 2));
  }
  void put_signs(std::size_t from, std::size_t to) {
    for (; from < to; ++from)
      if (mark(from) != ' ') s_.stream.put(mark(from) & CODE);
  }

  void token(u32 value, std::size_t first, std::size_t last) {
    s_.tokens.put(value);
    if constexpr (OFFSETS) {
      s_.token_start.put(s_.start[first]);
      s_.token_end.put(s_.end[last]);
    }
  }

  // End of a numeric chunk at i, digits with single . or , between them, and whether it is one number:
  // 3.5 or 1,234 or 1,234.5.
  std::size_t number_chunk(std::size_t i, bool& joined) const {
    const auto& m = s_.mapped;
    std::size_t j = i, groups = 0, last_group = 0, first_group = 0;
    bool dot = false, commas_fit = true, dots_fit = true;
    std::size_t commas = 0;
    for (;;) {
      const std::size_t from = j;
      while (j < m.size() && (m[j] & CLASS) == DIGIT) ++j;
      last_group = j - from;
      if (groups++ == 0) first_group = last_group;
      else if (!dot && commas && last_group != 3) commas_fit = false;
      if (j + 1 >= m.size() || (m[j + 1] & CLASS) != DIGIT) break;
      if (m[j] == '.') {
        if (dot) dots_fit = false;
        dot = true;
      } else if (m[j] == ',') {
        if (dot) dots_fit = false;
        ++commas;
      } else {
        break;
      }
      ++j;
    }
    joined = groups > 1 && dots_fit && (commas == 0 || (first_group <= 3 && commas_fit));
    return j;
  }

  // How many of eight characters are letters or digits up to the first that is none, and which of them are digits, as bits.
  struct Run {
    u32 length, digits;
  };
  static Run run_of(const Mapped* m) {
    u32 words = 0, digits = 0;
#if defined(__SSE2__)
    for (int half = 0; half < 2; ++half) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(m + 4 * half));
      words |= static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32(four, 9)))) << 4 * half;
      digits |= static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(_mm_slli_epi32(four, 10)))) << 4 * half;
    }
#else
    for (u32 x = 0; x < 8; ++x) {
      words |= (m[x] >> 22 & 1) << x;
      digits |= (m[x] >> 21 & 1) << x;
    }
#endif
    return {static_cast<u32>(std::countr_one(words)), digits};
  }
  static_assert((WORD & DIGIT) == 1u << 22 && DIGIT == (3u << 21), "the bits that run_of reads");

  // What PLAIN characters are, as bits: those of words, and those that are not read here: digits, letters from U+0100 on, marks that are
  // tokens. `bytes` gets the characters themselves, where they are read here.
  static constexpr std::size_t PLAIN = 64;
  static constexpr Mapped UNREAD = SINGLE | (CODE & ~Mapped{0xFF}) | LEADS | TRAILS | SYMBOL;
  struct PlainBits {
    u64 words = 0, unread = 0;
  };
  static PlainBits plain_bits(const Mapped* m, std::uint8_t* bytes) {
    PlainBits out;
#if defined(__SSE2__)
    const __m128i other = _mm_set1_epi32(static_cast<int>(UNREAD)), low = _mm_set1_epi32(0xFF), zero = _mm_setzero_si128();
    for (std::size_t at = 0; at < PLAIN; at += 16) {
      __m128i word[4], unread[4], byte[4];
      for (std::size_t k = 0; k < 4; ++k) {
        const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(m + at + 4 * k));
        word[k] = _mm_slli_epi32(four, 9);  // the bit of words and digits becomes the sign, which packing keeps
        unread[k] = _mm_cmpeq_epi32(_mm_and_si128(four, other), zero);
        byte[k] = _mm_and_si128(four, low);
      }
      const auto packed = [](const __m128i* x) { return _mm_packs_epi16(_mm_packs_epi32(x[0], x[1]), _mm_packs_epi32(x[2], x[3])); };
      out.words |= static_cast<u64>(static_cast<u32>(_mm_movemask_epi8(packed(word)))) << at;
      out.unread |= static_cast<u64>(static_cast<u32>(_mm_movemask_epi8(packed(unread))) ^ 0xFFFF) << at;
      const __m128i letters = _mm_packus_epi16(_mm_packs_epi32(byte[0], byte[1]), _mm_packs_epi32(byte[2], byte[3]));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + at), letters);
    }
#else
    for (std::size_t x = 0; x < PLAIN; ++x) {
      out.words |= u64{(m[x] & (WORD & DIGIT)) != 0} << x;
      out.unread |= u64{(m[x] & UNREAD) != 0} << x;
      bytes[x] = static_cast<std::uint8_t>(m[x]);
    }
#endif
    return out;
  }

  // Takes the words from i on, as long as they are plain: of letters below U+0100, sixteen at most, with nothing between them that is a
  // token. Where they begin and end is read from bits, for the PLAIN characters at once: a processor cannot guess it, and waits for it if
  // it is found word by word. Returns how many characters are done with; 0 if the word at i is not plain.
  std::size_t plain_words(std::size_t i) {
    // From WORD_ROOM - length on, a mask of the first bytes of a word.
    static constexpr std::array<std::uint8_t, 2 * WORD_ROOM> MASKS = [] {
      std::array<std::uint8_t, 2 * WORD_ROOM> out{};
      std::fill_n(out.begin(), WORD_ROOM, std::uint8_t{0xFF});
      return out;
    }();
    std::uint8_t bytes[PLAIN + WORD_ROOM];
    std::memset(bytes + PLAIN, 0, WORD_ROOM);
    const Mapped* m = s_.mapped.data() + i;
    const PlainBits bits = plain_bits(m, bytes);
    const auto clear = static_cast<std::size_t>(std::countr_zero(bits.unread));
    std::size_t at = s_.stream.size(), words = s_.word_end.size(), tokens = s_.tokens.size(), unhashed = s_.unhashed.size(), done = PLAIN;
    u32 *stream = s_.stream.raw(), *ends = s_.word_end.raw(), *to = s_.tokens.raw(), *places = s_.unhashed.raw(), *letters = s_.letters.raw();
    for (u64 rest = bits.words; rest;) {
      const u64 next = rest + (rest & (~rest + 1));  // the run of bits becomes one bit behind it
      const auto first = static_cast<std::size_t>(std::countr_zero(rest)), last = static_cast<std::size_t>(std::countr_zero(next & ~rest));
      const std::size_t length = last - first;
      if (last > clear || last == PLAIN || length > WORD_ROOM) {
        done = first;
        break;
      }
      rest &= next;
      Mapped copied[WORD_ROOM];  // apart from the rest, so that the loop is made wide
      std::memcpy(copied, m + first, sizeof copied);
      for (Mapped& c : copied) c &= CODE;
      std::memcpy(stream + at, copied, sizeof copied);
      stream[at + length] = ' ';
      u64 word[2], inside[2];
      std::memcpy(word, bytes + first, WORD_ROOM);
      std::memcpy(inside, MASKS.data() + WORD_ROOM - length, WORD_ROOM);
      word[0] &= inside[0];
      word[1] &= inside[1];
      std::memcpy(letters + 4 * unhashed, word, WORD_ROOM);
      places[unhashed++] = static_cast<u32>(tokens);
      ends[words++] = static_cast<u32>(at + length);
      if constexpr (OFFSETS) {
        s_.token_start.raw()[tokens] = s_.start[i + first];
        s_.token_end.raw()[tokens] = s_.end[i + last - 1];
      }
      to[tokens++] = WORD_TOKEN;
      at += length + 1;
    }
    s_.stream.resize(at);
    s_.word_end.resize(words);
    s_.tokens.resize(tokens);
    s_.unhashed.resize(unhashed);
    if constexpr (OFFSETS) {
      s_.token_start.resize(tokens);
      s_.token_end.resize(tokens);
    }
    return std::min(done, clear);
  }

  // Gives the words that were taken without a hash theirs, and those that count as numbers their mark.
  void hash_words() {
    const std::size_t n = s_.unhashed.size();
    s_.hashes.reserve(n);
    const u32* const hashes = s_.hashes.data();
    loops().word_hashes(s_.letters.data(), static_cast<std::int64_t>(n), s_.hashes.raw());
    u32* const tokens = s_.tokens.raw();
    for (std::size_t k = 0; k < n; ++k) {
      u32 token = WORD_TOKEN | (hashes[k] & tables_.hash_mask);
      if (tables_.may_be_number_word(hashes[k])) [[unlikely]] {
        std::uint8_t bytes[WORD_ROOM];
        u32 word[WORD_ROOM];
        std::memcpy(bytes, s_.letters.data() + 4 * k, WORD_ROOM);
        std::size_t length = 0;
        while (length < WORD_ROOM && (word[length] = bytes[length])) ++length;
        if (tables_.is_number_word({word, length})) token |= NUMBER_TOKEN;
      }
      tokens[s_.unhashed[k]] = token;
    }
  }

  void tokenise() {
    std::fill_n(s_.mapped.extend(PLAIN + WORD_ROOM), PLAIN + WORD_ROOM, 0);  // behind the last character, where they count as marks
    const Mapped* m = s_.mapped.data();
    s_.tokens.clear();
    s_.token_start.clear();
    s_.token_end.clear();
    s_.stream.clear();
    s_.word_end.clear();
    const bool characters = options_.characters;
    const std::size_t n = s_.mapped.size();
    std::size_t chunk_end = 0;  // a numeric chunk is tried once, from its beginning
    s_.tokens.reserve(n + 1);
    s_.stream.reserve(2 * n + 1 + WORD_ROOM);
    s_.word_end.reserve(n + 1);
    s_.unhashed.clear();
    s_.unhashed.reserve(n / 2 + 1);  // something stands between two words
    s_.letters.reserve(4 * (n / 2 + 1));
    if constexpr (OFFSETS) {
      s_.token_start.reserve(n + 1);
      s_.token_end.reserve(n + 1);
    }
    const Mapped wordy = characters ? 0 : WORD & DIGIT;  // the bit that tells words and digits from the rest
    // Signs are tokens, or part of that of their figure.
    const Mapped kept = characters ? CLASS | LEADS | TRAILS | SYMBOL : CLASS | SYMBOL;
    for (std::size_t i = 0; i < n;) {
      if (!(m[i] & (wordy | kept))) {
        ++i;  // a space between words
      } else if (!(m[i] & wordy)) {
        // Marks are written and written over: a text mixes them too freely for a branch to be foreseen.
        const std::size_t from = s_.tokens.size();
        std::size_t k = from;
        u32 *tokens = s_.tokens.raw(), *start = s_.token_start.raw(), *end = s_.token_end.raw();
        for (; i < n && !(m[i] & wordy); ++i) {
          tokens[k] = m[i] & CODE;
          if constexpr (OFFSETS) {
            start[k] = s_.start[i];
            end[k] = s_.end[i];
          }
          k += (m[i] & kept) != 0;
        }
        s_.tokens.resize(k);
        if constexpr (OFFSETS) {
          s_.token_start.resize(k);
          s_.token_end.resize(k);
        }
        if (k > from) s_.stream.append(tokens + from, k - from);
      } else if (const std::size_t taken = plain_words(i); taken) {
        i += taken;
      } else {
        const bool starts_digit = (m[i] & CLASS) == DIGIT;
        const std::size_t first = signs_ && starts_digit ? head(i) : i, from = s_.stream.size();
        if (first < i) put_signs(first, i);
        const std::size_t core = s_.stream.size();
        u32* const stream = s_.stream.raw();
        std::size_t k = core;
        bool digits = true;  // and nothing else
        if (starts_digit && options_.full && i >= chunk_end) {
          bool joined;
          chunk_end = number_chunk(i, joined);
          if (joined)
            for (; i < chunk_end; ++i)
              if (m[i] != ',') stream[k++] = m[i] & CODE;
        }
        u32 h = WORD_SEED;
        const bool alone = k == from;  // all there is to the word is hashed as it is copied
        for (Run run{8, 0xFF}; run.length == 8;) {  // eight letters at once: where a word ends is a matter of chance
          run = run_of(m + i);
          u32 hashes[9] = {h};  // after so many of them: which one holds is looked up, not guessed
          for (u32 x = 0; x < 8; ++x) {
            const u32 c = m[i + x] & CODE;
            stream[k + x] = c;
            hashes[x + 1] = letter_hash(hashes[x], c);
          }
          h = hashes[run.length];
          digits &= (run.digits | ~0u << run.length) == ~0u;
          k += run.length;
          i += run.length;
        }
        const std::size_t length = k - core;
        s_.stream.resize(k);
        if (signs_ && (m[i - 1] & CLASS) == DIGIT)
          if (const std::size_t end = tail(i); end > i) {
            put_signs(i, end);
            i = end;
          }
        const std::size_t whole = s_.stream.size();
        const u32 hash = alone && whole == k ? mix32(h) & tables_.hash_mask : word_hash({stream + from, whole - from}, tables_.hash_mask);
        // Ten digits and more are phone and order numbers: copies of spam differ in them.
        const std::span<const u32> letters{stream + core, length};
        const bool number = digits ? length < 10
                                   : tables_.may_be_number_word(alone ? mix32(h) : quchong::word_hash(letters)) && tables_.is_number_word(letters);
        token(hash | (number ? NUMBER_TOKEN : WORD_TOKEN), first, i - 1);
        s_.word_end.put(static_cast<u32>(whole));
        s_.stream.put(' ');
      }
    }
    hash_words();
    u32 singles = 0;
    for (std::size_t i = 0; i < n; ++i) singles += (m[i] & CLASS) == SINGLE;
    s_.singles = singles;
  }

 public:
  static u32 word_hash(std::span<const u32> word, u32 mask = TOKEN_HASH) {
    return quchong::word_hash(word) & mask;
  }

 private:
  const TextTables& tables_;
  TextOptions options_;
  Scratch& s_;
  bool links_ = true, dropped_ = false, signs_ = false, symbols_ = false;
};

// Does a byte with the two after it begin a character that may compose with the one before it, or one that is to be looked up? None in
// U+4000 to U+9FFF does, nor the commonest marks: U+2000 to U+203F, U+3000 to U+3029, U+FF00 to U+FF3F. Later bytes of characters do not.
inline std::uint8_t may_compose(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  const auto lead = static_cast<std::uint8_t>((a >= 0xC2) & ((a < 0xE4) | (a > 0xE9)));
  const auto mark = static_cast<std::uint8_t>((b == 0x80) & ((a == 0xE2) | ((a == 0xE3) & (c < 0xAA))));
  const auto wide = static_cast<std::uint8_t>((a == 0xEF) & (b == 0xBC));
  return static_cast<std::uint8_t>(lead & ~(mark | wide));
}

// Does the text hold a character that may compose with the one before it?
inline bool composes(const TextTables& tables, const unsigned char* s, std::int64_t n) {
  constexpr std::int64_t BLOCK = 32;
  Utf8 t{s, n};
  for (std::int64_t i = 0; i < n;) {
    // Most blocks have no such character, which the compiler finds out for all bytes of one at once.
    if (i + BLOCK + 2 <= n) {
      std::uint8_t any = 0;
      for (std::int64_t k = i; k < i + BLOCK; ++k) any |= may_compose(s[k], s[k + 1], s[k + 2]);
      if (!any) {
        i += BLOCK;
        continue;
      }
    }
    for (const std::int64_t end = std::min(n, i + BLOCK); i < end;) {
      if (s[i] < 0xC2 || (i + 2 < n && !may_compose(s[i], s[i + 1], s[i + 2]))) {
        ++i;
        continue;
      }
      int length;
      if (tables.plain[t.at(i, length)] & COMPOSES) return true;
      i += length;
    }
  }
  return false;
}

}  // namespace quchong
