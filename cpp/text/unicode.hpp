// Per-character tables: NFKC + lower case, token class, Chinese numerals, traditional-only characters.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace quchong {

struct UnicodeRun { std::uint32_t first, last, kind; };
struct UnicodeOne { std::uint32_t code, mapped, kind; };
struct UnicodeMulti { std::uint32_t code, first, length; };
struct UnicodeRange { std::uint32_t first, last; };
#include "text/unicode_data.inc"

// A mapped character: code point in bits 0-20, class in 21-22, flags above.
inline constexpr std::uint32_t CODE = 0x1FFFFF;
inline constexpr std::uint32_t MARK = 0u << 21, SINGLE = 1u << 21, WORD = 2u << 21, DIGIT = 3u << 21, CLASS = 3u << 21;
inline constexpr std::uint32_t NUMERAL = 1u << 23;      // a Chinese numeral character
inline constexpr std::uint32_t EXPANDS = 1u << 24;      // bits 0-20 index a run of several characters
inline constexpr std::uint32_t COMPOSES = 1u << 25;     // may compose with the character before it
inline constexpr std::uint32_t TRADITIONAL = 1u << 26;  // stands in traditional text only
inline constexpr std::uint32_t HAN = 1u << 27;          // one-character token from U+3400 on
inline constexpr std::uint32_t SIGN = 1u << 28;         // a mark that may belong to a figure: minus, percent, currency
inline constexpr std::uint32_t LEADS = 1u << 29;        // and does, before it
inline constexpr std::uint32_t TRAILS = 1u << 30;       // or behind it
inline constexpr std::uint32_t SYMBOL = 1u << 31;       // a symbol that may carry meaning; symbols.hpp says where it does

inline constexpr std::uint32_t SIGNS[] = {'-', 0x2212, '+', 0xB1, '%', 0x2030, 0x2031, 0xB0, '$', 0xA2, 0xA3, 0xA4, 0xA5, 0xE3F};

using Mapped = std::uint32_t;

// A table over all code points: flat where text mostly lies, by pages beyond.
class PageTable {
 public:
  static constexpr std::uint32_t FLAT = 0x10000;
  PageTable() : flat_(FLAT, 0), pages_(0x1100, 0), entries_(256, 0) {}
  Mapped operator[](std::uint32_t code) const {
    if (code < FLAT) return flat_[code];
    return code < 0x110000 ? entries_[(static_cast<std::size_t>(pages_[code >> 8]) << 8) | (code & 255)] : 0;
  }
  const Mapped* flat() const { return flat_.data(); }  // of the code points below FLAT
  Mapped& at(std::uint32_t code) {
    if (code < FLAT) return flat_[code];
    auto& page = pages_[code >> 8];
    if (page == 0) {
      page = static_cast<std::uint16_t>(entries_.size() >> 8);
      entries_.resize(entries_.size() + 256, 0);
    }
    return entries_[(static_cast<std::size_t>(page) << 8) | (code & 255)];
  }

 private:
  std::vector<Mapped> flat_;
  std::vector<std::uint16_t> pages_;  // page 0 is the empty one
  std::vector<Mapped> entries_;
};

// Phrases of one conversion step.
class Phrases {
 public:
  struct Entry { std::vector<std::uint32_t> from, to; };

  void add(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
    auto& list = by_first_[from[0]];
    Entry e{{from.begin(), from.end()}, {to.begin(), to.end()}};
    auto at = std::find_if(list.begin(), list.end(), [&](const Entry& o) { return o.from.size() < e.from.size(); });
    list.insert(at, std::move(e));
    if (from.size() == 1) set(bit(from[0], ONE));
    else set(bit(from[0], from[1]));
  }

  // May a phrase begin with these two characters? Sure where the answer is no, and that is nearly everywhere.
  bool may_begin(std::uint32_t first, std::uint32_t second) const { return has(bit(first, second)) || has(bit(first, ONE)); }

  // The longest phrase at the beginning of a text; null where there is none.
  const Entry* longest(std::span<const Mapped> text) const {
    const auto found = by_first_.find(text[0] & CODE);
    if (found == by_first_.end()) return nullptr;
    for (const auto& e : found->second) {
      if (e.from.size() > text.size()) continue;
      bool same = true;
      for (std::size_t k = 0; same && k < e.from.size(); ++k) same = (text[k] & CODE) == e.from[k];
      if (same) return &e;
    }
    return nullptr;
  }

 private:
  static constexpr std::uint32_t ONE = 0xFFFFFFFF;  // in the place of the second character of phrases of one
  static std::uint32_t bit(std::uint32_t a, std::uint32_t b) { return (a * 0x9E3779B1u + b * 0x85EBCA77u) >> 14; }
  bool has(std::uint32_t at) const { return bits_[at / 64] >> at % 64 & 1; }
  void set(std::uint32_t at) { bits_[at / 64] |= 1ull << at % 64; }

  std::unordered_map<std::uint32_t, std::vector<Entry>> by_first_;  // longest first under their first character
  std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>((1u << 18) / 64);
};

// Everything the text kernels look up. Built once; read-only and shared by threads afterwards.
class TextTables {
 public:
  // folds: (traditional-only character, simplified) pairs; phrases: two conversion steps, each flat:
  // length of from, length of to, characters. words: those that count as numbers, each its length and its characters. hash_bits: how
  // wide a word's hash is; tests take few, so that many words have one hash. symbols: whether those that carry meaning are tokens.
  // code: whether texts are source code: every ASCII mark is a token, _ and $ are letters, and ASCII letters keep their case.
  TextTables(std::span<const std::uint32_t> folds, std::span<const std::uint32_t> step1,
             std::span<const std::uint32_t> step2, std::span<const std::uint32_t> words, int hash_bits, bool symbols, bool code)
      : hash_mask((1u << hash_bits) - 1), every_mark(code) {
    for (const auto& r : UNICODE_RUNS)
      for (std::uint32_t c = r.first; c <= r.last; ++c) plain.at(c) = entry(c, r.kind);
    for (const auto& o : UNICODE_ONES) plain.at(o.code) = entry(o.mapped, o.kind);
    for (std::uint32_t c : UNICODE_NUMERALS) plain.at(c) |= NUMERAL;
    for (std::uint32_t c = '!'; c < 0x7F; ++c)
      if (!plain[c]) plain.at(c) = c;  // marks stay themselves: symbols are told by what stands beside them
    for (std::uint32_t c : {9, 10, 32, 0x3010, 0x3011}) plain.at(c) = c;
    plain.at(13) = 10;
    for (std::uint32_t c : SIGNS) plain.at(c) = c | SIGN;
    for (std::uint32_t c = 0x20A0; c <= 0x20C0; ++c) plain.at(c) = c | SIGN;
    for (const auto& r : UNICODE_SYMBOLS)
      for (std::uint32_t c = r.first; c <= r.last; ++c)
        if (symbols && !(plain[c] & (EXPANDS | CLASS)) && (!(plain[c] & CODE) || (plain[c] & CODE) == c))
          plain.at(c) = c | SYMBOL | (plain[c] & SIGN);  // one that is written as another is flagged with it
    for (const auto& o : UNICODE_ONES) plain.at(o.code) = (plain[o.code] & ~SYMBOL) | (plain[o.mapped] & (NUMERAL | SIGN | SYMBOL));
    for (std::uint32_t c : UNICODE_EXPANSIONS) expansions.push_back(c | (plain[c] & (CLASS | NUMERAL | HAN | SIGN | SYMBOL)));
    expansion_spans.reserve(std::size(UNICODE_MULTIS));
    for (const auto& m : UNICODE_MULTIS) {
      plain.at(m.code) = static_cast<Mapped>(expansion_spans.size()) | EXPANDS;
      expansion_spans.push_back({m.first, m.length});
    }
    for (const auto& r : UNICODE_COMPOSING)
      for (std::uint32_t c = r.first; c <= r.last; ++c) plain.at(c) |= COMPOSES;
    if (code) keep_code();
    folded = plain;
    for (std::size_t i = 0; i + 1 < folds.size(); i += 2)
      folded.at(folds[i]) = (plain[folds[i + 1]] & ~COMPOSES) | TRADITIONAL;
    for (const auto& o : UNICODE_ONES)  // compatibility forms of traditional characters
      if (folded[o.mapped] & TRADITIONAL) folded.at(o.code) = folded[o.mapped];
    for (const auto& [steps, flat] : {std::pair{&this->step1, step1}, std::pair{&this->step2, step2}})
      for (std::size_t i = 0; i + 1 < flat.size();) {
        const std::size_t a = flat[i], b = flat[i + 1];
        if (a == 0 || i + 2 + a + b > flat.size()) break;
        steps->add(flat.subspan(i + 2, a), flat.subspan(i + 2 + a, b));
        i += 2 + a + b;
      }
    for (std::size_t i = 0; i < words.size() && words[i] < words.size() - i; i += 1 + words[i])
      if (words[i]) number_words_.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.begin() + static_cast<std::ptrdiff_t>(i + 1 + words[i]));
    std::sort(number_words_.begin(), number_words_.end());
    for (const auto& w : number_words_) number_bits_[number_bit(word_hash(w)) / 64] |= 1ull << number_bit(word_hash(w)) % 64;
  }

  // May the word of this hash count as a number? One look tells it of most that do not.
  bool may_be_number_word(std::uint32_t hash) const { return number_bits_[number_bit(hash) / 64] >> number_bit(hash) % 64 & 1; }
  bool is_number_word(std::span<const std::uint32_t> word) const {
    const auto less = [](std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    return std::binary_search(number_words_.begin(), number_words_.end(), word, less);
  }

  static Mapped entry(std::uint32_t code, std::uint32_t kind) {
    const Mapped m = code | kind << 21;
    return m | ((m & CLASS) == SINGLE && code >= 0x3400 && !(code >= 0xAC00 && code < 0xF900) ? HAN : 0);  // Hangul is none
  }

  struct Slice { std::uint32_t first, length; };
  PageTable plain, folded;
  std::vector<Mapped> expansions;
  std::vector<Slice> expansion_spans;
  Phrases step1, step2;
  std::uint32_t hash_mask;
  bool every_mark;  // whatever stands beside it

 private:
  // A mark of code is no sign of a figure: a-1 has an operator.
  void keep_code() {
    for (std::uint32_t c = 0; c < PageTable::FLAT; ++c)
      if (plain[c] & SIGN && !(plain[c] & EXPANDS)) plain.at(c) &= ~SIGN;
    for (std::uint32_t c = '!'; c < 0x7F; ++c) {
      const bool letter = (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
      if (letter) plain.at(c) = c | WORD;
      else if (!(plain[c] & CLASS)) plain.at(c) = c | SYMBOL;
    }
    constexpr std::uint32_t kept = CLASS | NUMERAL | HAN | SYMBOL;  // of what is written as another character
    for (const auto& o : UNICODE_ONES)
      if (o.code > 0x7F) plain.at(o.code) = (plain[o.code] & ~(SIGN | CLASS | SYMBOL)) | (plain[o.mapped] & kept);
    for (Mapped& m : expansions) m = (m & CODE) | (plain[m & CODE] & kept);
  }

  static constexpr std::uint32_t NUMBER_BITS = 1 << 13;
  // Of a word's length, its first character, one in its middle and its last.
  static std::uint32_t number_bit(std::uint32_t hash) { return hash % NUMBER_BITS; }
  std::vector<std::vector<std::uint32_t>> number_words_;
  std::uint64_t number_bits_[NUMBER_BITS / 64] = {};
};

}  // namespace quchong
