// The structure tree of a text (正文结构树): lines as nodes under their headings, sentences in nodes, tokens in sentences.
// The specification is tests/twins/tree.py.
#pragma once
#include <algorithm>
#include <array>

#include "features/periods.hpp"
#include "text/batches.hpp"

namespace quchong {

struct TreeOptions {
  u32 cuts = 0;     // marks that end a sentence beside the terminators, one bit a class
  u32 heading = 0;  // most characters of a bold or numbered line that is a heading
};

inline constexpr int MARK_CLASSES = 7;     // 。，、；：？！
inline constexpr std::size_t TITLE_LEAST = 4;  // tokens a heading has at least that is found inside a longer title

struct Outline {
  std::vector<u64> tokens;            // names of those of all nodes, one after another
  std::vector<std::uint8_t> joined;   // 1: nothing stands between this token and the one before it
  std::vector<std::int64_t> sentences;  // of tokens: sentence i owns tokens[sentences[i] .. sentences[i + 1])
  std::vector<std::uint8_t> marks;    // of sentence i: classes of marks in it, one bit each
  std::vector<std::int64_t> nodes;    // of sentences
  std::vector<std::int64_t> depth, parent;  // of node i; the parent as a place among the document's nodes, -1 for the root
  std::vector<std::int64_t> documents;  // of nodes
  std::vector<u64> title;
  std::vector<std::uint8_t> title_joined;
  std::vector<std::int64_t> titles;   // of title tokens
  std::vector<std::int64_t> counts;   // marks of each class, MARK_CLASSES a document
};

namespace tree {

inline bool is_end(u32 c) { return c == 0x3002 || c == 0xFF61 || c == 0xFF01 || c == 0xFF1F || c == '!' || c == '?' || c == 0x2026; }
inline bool closes(u32 c) {
  for (u32 k : {0x201Du, 0x2019u, 0x300Du, 0x300Fu, 0xFF09u, 0x29u, 0x5Du, 0x3011u, 0x300Bu, 0x22u, 0x27u})
    if (c == k) return true;
  return false;
}
inline bool closes_latin(u32 c) { return c == 0x201D || c == 0x2019 || c == '"' || c == '\'' || c == ')' || c == ']'; }
inline bool is_figure(u32 c) { return (c - '0') < 10u || (c - 0xFF10u) < 10u; }
inline bool is_numeral(u32 c) {
  for (u32 k : {0x4E00u, 0x4E8Cu, 0x4E09u, 0x56DBu, 0x4E94u, 0x516Du, 0x4E03u, 0x516Bu, 0x4E5Du, 0x5341u, 0x767Eu, 0x96F6u, 0x3007u})
    if (c == k) return true;
  return false;
}

// The class of a mark, or -1. Commas and colons between figures are part of a number; a full stop is handled by the caller.
inline int mark_class(std::span<const u32> s, std::size_t i) {
  switch (s[i]) {
    case 0x3002: case 0xFF61: return 0;
    case ',': case ':':
      if (i > 0 && i + 1 < s.size() && is_figure(s[i - 1]) && is_figure(s[i + 1])) return -1;
      return s[i] == ',' ? 1 : 4;
    case 0xFF0C: return 1;
    case 0x3001: case 0xFF64: return 2;
    case 0xFF1B: case ';': return 3;
    case 0xFF1A: return 4;
    case 0xFF1F: case '?': return 5;
    case 0xFF01: case '!': return 6;
    default: return -1;
  }
}

// Weight of a line that begins with a number as headings do, in tenths; 0 for any other. `s` has no white space in front.
inline int numbered(std::span<const u32> s) {
  const std::size_t n = s.size();
  const auto run = [&](std::size_t i, auto is) {
    while (i < n && is(s[i])) ++i;
    return i;
  };
  if (n < 2) return 0;
  if (s[0] == 0x7B2C) {  // 第
    const auto j = run(1, [](u32 c) { return is_numeral(c) || is_figure(c); });
    if (j > 1 && j < n)
      for (u32 k : {0x7AE0u, 0x8282u, 0x7BC7u, 0x90E8u, 0x7F16u, 0x56DEu})  // 章节篇部编回
        if (s[j] == k) return 9;
    return 0;
  }
  if (const auto j = run(0, is_numeral); j > 0) return j < n && s[j] == 0x3001 ? 9 : 0;
  if (s[0] == '(' || s[0] == 0xFF08) {
    const auto closed = [&](std::size_t j) { return j > 1 && j < n && (s[j] == ')' || s[j] == 0xFF09); };
    if (closed(run(1, is_numeral))) return 8;
    return closed(run(1, is_figure)) ? 6 : 0;
  }
  if (const auto j = run(0, is_figure); j > 0 && j < n) {
    if (s[j] == 0x3001) return 7;
    if ((s[j] == '.' || s[j] == 0xFF0E) && !(j + 1 < n && is_figure(s[j + 1]))) return 7;
  }
  return 0;
}

struct Sentence {
  std::size_t end;  // in characters of the text
  std::uint8_t marks;
};

// The sentences of a line s[from .. to), and its marks. The last one ends with the line.
inline void cut(std::span<const u32> s, std::size_t from, std::size_t to, u32 cuts, std::vector<Sentence>& out, std::int64_t* counts) {
  std::uint8_t marks = 0;
  const auto line = s.first(to);
  const auto note = [&](std::size_t i) {
    const int k = mark_class(line.subspan(from), i - from);
    if (k >= 0) marks |= static_cast<std::uint8_t>(1u << k), ++counts[k];
    return k;
  };
  for (std::size_t i = from; i < to;) {
    const int k = note(i);
    std::size_t j = i + 1;
    bool ends = false;
    if (is_end(s[i])) {
      for (; j < to && is_end(s[j]); ++j) note(j);
      ends = true;
    } else if (s[i] == '.') {
      while (j < to && closes_latin(s[j])) ++j;
      ends = j == to || is_blank(s[j]);
      if (ends) marks |= 1, ++counts[0];
      else j = i + 1;
    } else if (k >= 0 && (cuts >> k & 1)) {
      ends = true;
    }
    if (ends) {
      while (j < to && closes(s[j])) ++j;
      out.push_back({j, marks});
      marks = 0;
    }
    i = j;
  }
  out.push_back({to, marks});
}

}  // namespace tree

// Titles of no token count as none; blocks are one byte a line, of another length where they are not known.
inline Outline outline(const TextTables& tables, const Texts& texts, const Texts& blocks, const Texts& titles,
                       const TextOptions& options, const TreeOptions& o, int threads) {
  const auto n = static_cast<std::size_t>(texts.size());
  const auto chunks = text_chunks(texts.size());
  std::vector<Outline> pieces(chunks);
  std::vector<Scratch> scratches(static_cast<std::size_t>(threads));
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t first, std::int64_t last) {
    auto& scratch = scratches[static_cast<std::size_t>(thread)];
    auto& out = pieces[static_cast<std::size_t>(first / TEXT_GRAIN)];
    Normaliser<true> normaliser(tables, options, scratch);
    struct Line {
      std::size_t from, to, sentence, sentence_end, token, token_end;
      int weight;
      bool tagged;
    };
    std::vector<u32> s;
    std::vector<u64> title, tokens;
    std::vector<std::uint8_t> joined, title_joined;
    std::vector<tree::Sentence> cut;
    std::vector<Line> lines;
    std::vector<std::pair<int, std::int64_t>> stack;  // weight and place of the open nodes
    const auto flags = [&](std::vector<std::uint8_t>& to) {
      const auto &a = scratch.token_start, &b = scratch.token_end;
      to.assign(scratch.tokens.size(), 0);
      for (std::size_t i = 1; i < to.size(); ++i) to[i] = a[i] <= b[i - 1];
    };
    for (auto d = static_cast<std::size_t>(first); d < static_cast<std::size_t>(last); ++d) {
      const auto heading = titles[d];
      normaliser.run(heading.data(), static_cast<std::int64_t>(heading.size()));
      title.clear();
      append_names(scratch, title);
      flags(title_joined);
      const auto text = texts[d];
      normaliser.run(text.data(), static_cast<std::int64_t>(text.size()));
      flags(joined);
      tokens.clear();
      append_names(scratch, tokens);
      const Utf8 utf8{text.data(), static_cast<std::int64_t>(text.size())};
      s.clear();
      int length;
      for (std::int64_t i = 0; i < utf8.n; i += length) s.push_back(utf8.at(i, length));
      lines.clear();
      for (std::size_t from = 0;;) {
        const auto to = static_cast<std::size_t>(std::find(s.begin() + static_cast<std::ptrdiff_t>(from), s.end(), u32{'\n'}) - s.begin());
        lines.push_back({from, to, 0, 0, 0, 0, 0, false});
        if (to == s.size()) break;
        from = to + 1;
      }
      const auto weights = blocks[d];
      const bool known = weights.size() == lines.size();
      std::int64_t counts[MARK_CLASSES] = {};
      cut.clear();
      std::size_t t = 0;
      for (std::size_t l = 0; l < lines.size(); ++l) {
        auto& line = lines[l];
        line.sentence = cut.size();
        tree::cut(s, line.from, line.to, o.cuts, cut, counts);
        line.sentence_end = cut.size();
        line.token = t;
        while (t < tokens.size() && scratch.token_start[t] < line.to) ++t;
        line.token_end = t;
        const unsigned char block = known ? weights[l] : 'p';
        if (block >= '1' && block <= '6') {
          line.weight = 10 * ('7' - block);
          line.tagged = true;
          continue;
        }
        std::size_t a = line.from, full = 0;
        while (a < line.to && is_blank(s[a])) ++a;
        for (std::size_t i = a; i < line.to; ++i) full += !is_blank(s[i]);
        if (full <= o.heading) line.weight = block == 'b' ? 9 : tree::numbered(std::span<const u32>(s).subspan(a, line.to - a));
      }
      // The line that is the title itself: the first heading where no title is known, else the one that says the title again.
      std::size_t root = lines.size();
      bool seen = false;  // a line with tokens stands before
      for (std::size_t l = 0; l < lines.size(); ++l) {
        const auto& line = lines[l];
        const std::size_t size = line.token_end - line.token;
        if (!size) continue;
        const u64 *a = tokens.data() + line.token, *b = tokens.data() + line.token_end;
        const bool equal = size == title.size() && std::equal(a, b, title.begin());
        const bool inside = line.tagged && size >= TITLE_LEAST && std::search(title.begin(), title.end(), a, b) != title.end();
        if (title.empty() ? line.tagged : (equal && (line.tagged || !seen)) || inside) {
          root = l;
          break;
        }
        seen = true;
      }
      if (root < lines.size()) {
        title.assign(tokens.data() + lines[root].token, tokens.data() + lines[root].token_end);
        title_joined.assign(joined.begin() + static_cast<std::ptrdiff_t>(lines[root].token), joined.begin() + static_cast<std::ptrdiff_t>(lines[root].token_end));
        title_joined[0] = 0;
      }
      const auto base = static_cast<std::int64_t>(out.depth.size());
      stack.clear();
      for (std::size_t l = 0; l < lines.size(); ++l) {
        const auto& line = lines[l];
        if (l == root || line.token == line.token_end) continue;
        std::size_t at = line.token;
        for (std::size_t k = line.sentence; k < line.sentence_end; ++k) {
          const std::size_t begin = at;
          while (at < line.token_end && (scratch.token_start[at] < cut[k].end || k + 1 == line.sentence_end)) ++at;
          if (at == begin) continue;
          out.tokens.insert(out.tokens.end(), tokens.data() + begin, tokens.data() + at);
          out.joined.insert(out.joined.end(), joined.begin() + static_cast<std::ptrdiff_t>(begin), joined.begin() + static_cast<std::ptrdiff_t>(at));
          out.joined[out.joined.size() - (at - begin)] = 0;
          out.sentences.push_back(static_cast<std::int64_t>(out.tokens.size()));
          out.marks.push_back(cut[k].marks);
        }
        while (!stack.empty() && stack.back().first <= line.weight) stack.pop_back();
        out.parent.push_back(stack.empty() ? -1 : stack.back().second);
        out.depth.push_back(static_cast<std::int64_t>(stack.size()) + 1);
        stack.emplace_back(line.weight, static_cast<std::int64_t>(out.depth.size()) - 1 - base);
        out.nodes.push_back(static_cast<std::int64_t>(out.marks.size()));
      }
      out.documents.push_back(static_cast<std::int64_t>(out.depth.size()));
      out.title.insert(out.title.end(), title.begin(), title.end());
      out.title_joined.insert(out.title_joined.end(), title_joined.begin(), title_joined.end());
      out.titles.push_back(static_cast<std::int64_t>(out.title.size()));
      out.counts.insert(out.counts.end(), counts, counts + MARK_CLASSES);
    }
  });
  Outline all;
  for (auto* offsets : {&all.sentences, &all.nodes, &all.documents, &all.titles}) offsets->push_back(0);
  all.documents.reserve(n + 1);
  const auto shift = [](std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from, std::size_t by) {
    for (auto x : from) to.push_back(x + static_cast<std::int64_t>(by));
  };
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (auto& p : pieces) {
    shift(all.documents, p.documents, all.depth.size());
    shift(all.nodes, p.nodes, all.marks.size());
    shift(all.sentences, p.sentences, all.tokens.size());
    shift(all.titles, p.titles, all.title.size());
    add(all.tokens, p.tokens);
    add(all.joined, p.joined);
    add(all.marks, p.marks);
    add(all.depth, p.depth);
    add(all.parent, p.parent);
    add(all.title, p.title);
    add(all.title_joined, p.title_joined);
    add(all.counts, p.counts);
    p = Outline{};
  }
  return all;
}

}  // namespace quchong
