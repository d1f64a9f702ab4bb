// Records of text files: where the lines of a block begin and end, and the records of CSV, whose quotes may hold line feeds.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace quchong {

using Octets = std::span<const std::uint8_t>;

// Records of a block. `done` is where the next one begins, `lines` counts the line feeds before it and `line` those before each.
struct FoundRecords {
  std::vector<std::int64_t> starts, ends, line, unclosed;
  std::int64_t done, lines = 0;
  std::int64_t open = -1, searched = 0;  // a quote that nothing closes yet, and up to where that is known
  bool full = false;                     // as many records as were asked for: there may be more
};

// The first place of `octet` in [from, to), or -1.
inline std::int64_t find_octet(Octets block, std::uint8_t octet, std::int64_t from, std::int64_t to) {
  if (from >= to) return -1;
  const void* at = std::memchr(block.data() + from, octet, static_cast<std::size_t>(to - from));
  return at ? static_cast<const std::uint8_t*>(at) - block.data() : -1;
}

inline std::int64_t count_octet(Octets block, std::uint8_t octet, std::int64_t from, std::int64_t to) {
  std::int64_t n = 0;
  for (std::int64_t i = from; i < to; ++i) n += block[i] == octet;
  return n;
}

// Lines from `start` on, but for those that hold nothing but octets of `blanks`. What follows the last line feed is a line too.
inline FoundRecords line_records(Octets block, std::int64_t start, Octets blanks, std::int64_t most) {
  FoundRecords out;
  bool blank[256] = {};
  for (const auto octet : blanks) blank[octet] = true;
  const auto size = static_cast<std::int64_t>(block.size());
  std::int64_t at = start;
  while (at < size) {
    if (static_cast<std::int64_t>(out.starts.size()) == most) {
      out.full = true;
      break;
    }
    const auto feed = find_octet(block, '\n', at, size);
    const auto stop = feed < 0 ? size : feed;
    std::int64_t i = at;
    while (i < stop && blank[block[i]]) ++i;
    if (i < stop || blanks.empty()) {
      out.starts.push_back(at);
      out.ends.push_back(feed < 0 ? size : feed + 1);
      out.line.push_back(out.lines);
    }
    out.lines += feed >= 0;
    at = feed < 0 ? size : feed + 1;
  }
  out.done = at;
  return out;
}

// The end of a quoted field: searches from `from` on, two quotes being one. -1 where nothing closes it.
inline std::int64_t closing_quote(Octets block, std::int64_t from) {
  const auto size = static_cast<std::int64_t>(block.size());
  for (;;) {
    const auto at = find_octet(block, '"', from, size);
    if (at < 0 || at + 1 >= size || block[at + 1] != '"') return at;
    from = at + 2;
  }
}

// Records of CSV from `start` on, which begins one; a record that is not whole is left for a longer block, unless `final`.
// `open` and `searched` are what an earlier call told of this record. What counts as closed: tests/twins/records.py.
inline FoundRecords csv_records(Octets block, std::int64_t start, std::uint8_t delimiter, bool final, std::int64_t longest,
                                std::int64_t open, std::int64_t searched, std::int64_t most) {
  FoundRecords out;
  const auto size = static_cast<std::int64_t>(block.size());
  std::int64_t begin = start;
  while (begin < size) {
    if (static_cast<std::int64_t>(out.starts.size()) == most) {
      out.full = true;
      break;
    }
    std::int64_t at = begin, end = -1;  // outside of quotes from `at` on; one past the record
    bool waits = false;
    while (end < 0 && !waits) {
      if (open < 0) {
        const auto feed = find_octet(block, '\n', at, size);
        const auto stop = feed < 0 ? size : feed;
        auto quote = find_octet(block, '"', at, stop);
        // a quote within a field is just a character
        while (quote >= 0 && quote != begin && block[quote - 1] != delimiter) quote = find_octet(block, '"', quote + 1, stop);
        if (quote < 0) {
          if (feed < 0 && !final) waits = true;
          else end = feed < 0 ? size : feed + 1;
          continue;
        }
        open = quote;
        searched = quote + 1;
      }
      const auto close = closing_quote(block, searched);
      const auto feed = find_octet(block, '\n', open, close < 0 ? size : close);  // the line's end, if it comes first
      if (close >= 0) {
        const auto next = close + 1;
        const bool proper = next == size || block[next] == delimiter || block[next] == '\n' || block[next] == '\r';
        if (feed < 0 || (proper && close - open <= longest)) {
          at = next;
          open = -1;
          continue;
        }
      } else if (!final && size - open <= longest) {
        searched = size;
        waits = true;
        continue;
      }
      // never meant to be closed: the record ends with the line on which it was opened
      out.unclosed.push_back(open);
      open = -1;
      end = feed < 0 ? size : feed + 1;
    }
    if (waits) break;
    const auto length = end - begin;
    const auto first = block[begin];
    const bool blank = (length == 1 && (first == '\n' || first == '\r')) || (length == 2 && first == '\r' && block[begin + 1] == '\n');
    if (!blank) {
      out.starts.push_back(begin);
      out.ends.push_back(end);
      out.line.push_back(out.lines);
    }
    out.lines += count_octet(block, '\n', begin, end);
    begin = end;
  }
  out.done = begin;
  out.open = open;
  out.searched = searched;
  return out;
}

}  // namespace quchong
