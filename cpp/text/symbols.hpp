// Which symbols of a text carry meaning, by what stands beside them: an operator, a grade, a check mark, a picture; not a bullet, a rule,
// a bracket or a mark of markup. The specification is tests/twins/symbols.py; the steps here have the same names.
#pragma once
#include <algorithm>
#include <cstddef>

#include "text/unicode.hpp"

namespace quchong {

class SymbolRules {
 public:
  SymbolRules(const Mapped* text, std::size_t size) : m_(text), n_(size) {}

  bool carries_meaning(std::size_t i) const {
    if (m_[i] & (LEADS | TRAILS)) return false;  // a part of the figure beside it
    const std::uint32_t c = code(i);
    switch (c) {
      case '+': return run(i) < RULE && !(starts_line(i) && code(i + 1) == ' ');
      case '-': case 0x2212: return is_grade(i) || encloses(code(i - 1), code(i + 1)) || code(i + 1) == '=' || stands_between_digits(i);
      case '*': return (latin(i - 1) && latin(i + 1)) || code(i + 1) == '=' || stands_between_digits(i);
      case '/': return stands_between_digits(i);
      case '^': return latin(i - 1) && latin(i + 1);
      case '=': return run(i) < RULE && (code(i - 1) == '=' || code(i - 1) == '<' || code(i - 1) == '>');  // alone it says little
      case '<': case '>': return run(i) == 1 && !is_bracket(i) && !(c == '>' && starts_line(i));
      case '!': return code(i + 1) == '=';
      case '|': case '&': return run(i) == 2;
      case '#': return ends_name(i);
      default: break;
    }
    if (is_check(c)) return true;
    if (is_star(c)) return is_row(i, is_star) || wordy(i - 1) || is_enclosed(i, is_star);
    if (is_shape(c)) return is_row(i, is_shape) || is_enclosed(i, is_shape) || (is_triangle(c) && is_beside_figure(i));
    if (is_picture(c)) return code(i - 1) != c;  // said once, however often
    return true;
  }

 private:
  static constexpr std::size_t RULE = 3;  // so many of one mark draw a line
  static constexpr std::size_t ROW = 10;  // more stars or shapes than that are a line, too
  static constexpr std::size_t BRACKET = 64;  // most characters between < and >

  static bool is_check(std::uint32_t c) {
    return (c >= 0x2610 && c <= 0x2612) || c == 0x2705 || (c >= 0x2713 && c <= 0x2718) || c == 0x274C || c == 0x274E;
  }
  static bool is_star(std::uint32_t c) { return c == 0x2605 || c == 0x2606 || c == 0x2B50 || c == 0x1F31F; }
  static bool is_shape(std::uint32_t c) { return c >= 0x25A0 && c <= 0x25FF; }
  static bool is_triangle(std::uint32_t c) { return c == 0x25B2 || c == 0x25B3 || c == 0x25BC || c == 0x25BD; }
  static bool is_picture(std::uint32_t c) { return (c >= 0x2600 && c <= 0x27BF) || c >= 0x1F000; }
  static bool opens(std::uint32_t c) { return c == '(' || c == '[' || c == '{' || c == 0x3010 || c == '|' || c == '\t'; }
  static bool closes(std::uint32_t c) { return c == ')' || c == ']' || c == '}' || c == 0x3011 || c == '|' || c == '\t'; }
  static bool encloses(std::uint32_t a, std::uint32_t b) { return opens(a) && closes(b); }

  // Beyond the text there is nothing: 0, as for marks that no rule asks about.
  std::uint32_t code(std::size_t i) const { return i < n_ ? m_[i] & CODE : 0; }
  std::uint32_t kind(std::size_t i) const { return i < n_ ? m_[i] & CLASS : MARK; }
  bool wordy(std::size_t i) const { return kind(i) != MARK; }
  bool latin(std::size_t i) const { return kind(i) == WORD || kind(i) == DIGIT; }
  bool digit(std::size_t i) const { return kind(i) == DIGIT; }
  bool starts_line(std::size_t i) const {  // blanks before it aside
    while (i > 0 && code(i - 1) == ' ') --i;
    return i == 0 || code(i - 1) == '\n';
  }

  // How many of one mark stand in a row, counted up to RULE on either side.
  std::size_t run(std::size_t i) const {
    std::size_t from = i, to = i + 1;
    while (from > 0 && i - from < RULE && code(from - 1) == code(i)) --from;
    while (to < n_ && to - i < RULE && code(to) == code(i)) ++to;
    return to - from;
  }
  // The ends of the row of marks of a kind that i stands in, at most ROW + 1 to either side.
  template <class Is>
  std::pair<std::size_t, std::size_t> row(std::size_t i, Is is) const {
    std::size_t from = i, to = i + 1;
    while (from > 0 && i - from <= ROW && is(code(from - 1))) --from;
    while (to < n_ && to - i <= ROW && is(code(to))) ++to;
    return {from, to};
  }
  template <class Is>
  bool is_row(std::size_t i, Is is) const {
    const auto [from, to] = row(i, is);
    return to - from >= 2 && to - from <= ROW;
  }
  template <class Is>
  bool is_enclosed(std::size_t i, Is is) const {
    const auto [from, to] = row(i, is);
    return to - from <= ROW && encloses(code(from - 1), code(to));
  }
  // A minus at the end of a word that has letters: AA-. Not a hyphen, a dash or the end of a line.
  bool is_grade(std::size_t i) const {
    const std::uint32_t next = code(i + 1);
    return ends_word(i) && !wordy(i + 1) && next != '-' && next != 0x2212 && next != '\n';
  }
  // Do letters, or letters and digits, end before i?
  bool ends_word(std::size_t i) const {
    std::size_t from = i;
    while (from > 0 && digit(from - 1)) --from;
    return kind(from - 1) == WORD;
  }
  bool stands_between_digits(std::size_t i) const { return code(i - 1) == ' ' && digit(i - 2) && code(i + 1) == ' ' && digit(i + 2); }
  // At the end of a name in Latin letters, as of C#; the second of two that enclose a topic is none.
  bool ends_name(std::size_t i) const {
    if (kind(i - 1) != WORD || latin(i + 1) || code(i + 1) == '#') return false;
    std::size_t from = i;
    while (from > 0 && latin(from - 1)) --from;
    return code(from - 1) != '#';
  }
  bool is_beside_figure(std::size_t i) const {
    const bool between = i + 1 < n_ && (m_[i + 1] & SIGN || code(i + 1) == ' ');
    return digit(i - 1) || digit(i + 1) || (between && digit(i + 2));
  }

  // Is it one of two that enclose something: a tag, a title? Without a line's end, and with nothing that only code has between.
  // Those of a comment of markup are told by their own marks, however long the comment is.
  bool is_bracket(std::size_t i) const {
    if (is_comment(i)) return true;
    if (code(i) == '<') {
      if (!begins_inside(i)) return false;
      for (std::size_t j = i + 1; j < n_ && j - i <= BRACKET; ++j) {
        if (code(j) == '>') return encloses_text(j);
        if (!may_stand_within(code(j))) return false;
      }
      return false;
    }
    if (!encloses_text(i)) return false;
    for (std::size_t j = i; j-- > 0 && i - j <= BRACKET;) {
      if (code(j) == '<') return begins_inside(j);
      if (!may_stand_within(code(j))) return false;
    }
    return false;
  }
  bool is_comment(std::size_t i) const {
    if (code(i) == '<') return code(i + 1) == '!' && code(i + 2) == '-' && code(i + 3) == '-';
    return code(i - 1) == '-' && code(i - 2) == '-';
  }
  bool begins_inside(std::size_t i) const { return wordy(i + 1) || code(i + 1) == '/' || code(i + 1) == '!' || code(i + 1) == '?'; }
  bool encloses_text(std::size_t end) const { return code(end - 1) != ' ' && code(end - 1) != '-' && code(end - 1) != '='; }
  static bool may_stand_within(std::uint32_t c) { return c != '<' && c != '>' && c != '\n' && c != '&' && c != '|' && c != ';' && c != '('; }

  const Mapped* m_;
  std::size_t n_;
};

// Leaves the flag on the symbols that carry meaning.
inline void keep_symbols(Mapped* m, std::size_t n) {
  const SymbolRules rules(m, n);
  for (std::size_t i = 0; i < n; ++i)
    if (m[i] & SYMBOL && !rules.carries_meaning(i)) m[i] &= ~SYMBOL;
}

}  // namespace quchong
