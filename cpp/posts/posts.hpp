// Marks of posts: what forwarding and habit add to a text, found where the patterns of tests/twins/posts.py find it, in one pass.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <span>
#include <unordered_map>
#include <vector>

#include "hash.hpp"
#include "text/unicode.hpp"

namespace quchong {

// What can be folded, in the order in which it is tried at a place, as bits of a choice.
enum PostStep : u32 { FORWARDS, TAGS, LINKS, HASHTAGS, EMOJI, NAMES, PUNCTUATION, POST_STEPS };

// Words that marks are made of, as lists: see quchong/text/social.py.
enum PostList : u32 { FORWARD_WORDS, ALONE_WORDS, REPLY_WORDS, SOURCE_WORDS, TAG_WORDS, HEAD_WORDS, EMOJI_CODES, POST_LISTS };

// Characters as letters without case, where the case of Latin ones is no matter: of others only what is one of them in lower case.
constexpr u32 folded_case(u32 c) {
  if (c < 0x80) return c - 'A' < 26u ? c | 32 : c;
  return c == 0x130 || c == 0x131 ? 'i' : c == 0x17F ? 's' : c == 0x212A ? 'k' : c;
}

class PostTables {
 public:
  static constexpr u32 END = 0x110000;  // stands behind a text
  static constexpr std::uint8_t LETTER = 1, SPACE = 2, DECIMAL = 4, PICTURE = 8, WORDLIKE = 16, NAMED = 32, BEGINS = 64, MAY_BEGIN = 128;

  // `flat`: words, each its list, its length and its characters.
  explicit PostTables(std::span<const u32> flat) : classes_(END + 1) {
    for (const auto& r : UNICODE_ALNUM) mark(r.first, r.last, LETTER | WORDLIKE | NAMED);
    for (const auto& r : UNICODE_SPACES) mark(r.first, r.last, SPACE);
    for (const auto& r : UNICODE_DECIMALS) mark(r.first, r.last, DECIMAL);
    mark('_', '_', WORDLIKE | NAMED);
    mark('-', '-', NAMED);
    mark(0xB7, 0xB7, NAMED);
    for (const auto& r : PICTURES) mark(r.first, r.last, PICTURE | BEGINS);
    mark(0x24B6, 0x24E9, BEGINS);  // circled letters are marks, and have case
    for (u32 c : std::initializer_list<u32>{'/', '#', '@', '[', '(', 0xFF08, 0x3010, 0x300C}) mark(c, c, BEGINS);
    for (const char* link : {"ht", "ww", "t."}) begin(static_cast<u32>(link[0]), static_cast<u32>(link[1]));
    for (std::size_t at = 0; at + 1 < flat.size() && flat[at + 1] < flat.size() - at - 1; at += 2 + flat[at + 1]) {
      std::vector<u32> word(flat.begin() + static_cast<std::ptrdiff_t>(at) + 2, flat.begin() + static_cast<std::ptrdiff_t>(at + 2 + flat[at + 1]));
      if (word.empty() || flat[at] >= POST_LISTS) continue;
      for (u32& c : word) c = folded_case(c);
      if (flat[at] == EMOJI_CODES) {
        add_code(word);
        continue;
      }
      if (flat[at] == ALONE_WORDS || flat[at] == REPLY_WORDS || flat[at] == SOURCE_WORDS) begin(word[0], word.size() > 1 ? word[1] : END);
      lists_[flat[at]].push_back(std::move(word));
    }
  }

  std::uint8_t of(u32 c) const { return classes_[c]; }
  // May a mark begin with these two characters? Sure where the answer is no.
  bool begins(u32 c, u32 next) const {
    const std::uint8_t its = of(c);
    return (its & BEGINS) || ((its & MAY_BEGIN) && (next >= 0x80 || seconds_[c & 31] >> (next & 31) & 1)) ||
           (c == next && !(its & (WORDLIKE | SPACE)));
  }
  const std::vector<std::vector<u32>>& list(PostList which) const { return lists_[which]; }

  // Codes of emoji as a tree of their characters: where one goes on by c, 0 nowhere; and whether it may end there.
  static constexpr u32 ROOT = 1;
  u32 next(u32 node, u32 c) const {
    const auto found = codes_.find(u64{node} << 32 | c);
    return found == codes_.end() ? 0 : found->second;
  }
  bool ends(u32 node) const { return ends_[node]; }

 private:
  static constexpr UnicodeRange PICTURES[] = {{0x1F000, 0x1FAFF}, {0x2600, 0x27BF},  {0x2B50, 0x2B50}, {0x2B55, 0x2B55},  {0x231A, 0x23FF},
                                              {0xFE0F, 0xFE0F},   {0x200D, 0x200D}, {0x20E3, 0x20E3}, {0xE0020, 0xE007F}};
  void mark(u32 first, u32 last, std::uint8_t bits) {
    for (u32 c = first; c <= last; ++c) classes_[c] |= bits;
  }
  // A word begins with a letter and another one. Latin letters begin many: they are looked at where the second one fits.
  void begin(u32 letter, u32 second) {
    const bool latin = letter - 'a' < 26u;
    mark(letter, letter, latin ? MAY_BEGIN : BEGINS);
    if (!latin) return;
    mark(letter - 32, letter - 32, MAY_BEGIN);
    seconds_[letter & 31] |= second < 0x80 ? 1u << (second & 31) : ~0u;
    for (u32 c : {0x130u, 0x131u, 0x17Fu, 0x212Au})
      if (folded_case(c) == letter) mark(c, c, BEGINS);
  }
  void add_code(const std::vector<u32>& word) {
    u32 node = ROOT;
    for (u32 c : word) {
      u32& to = codes_[u64{node} << 32 | c];
      if (!to) {
        to = static_cast<u32>(ends_.size());
        ends_.push_back(0);
      }
      node = to;
    }
    ends_[node] = 1;
  }

  std::vector<std::uint8_t> classes_;
  u32 seconds_[32] = {};  // of each Latin letter, which may follow it, by their lower five bits
  std::vector<std::vector<u32>> lists_[POST_LISTS];
  std::unordered_map<u64, u32> codes_;
  std::vector<std::uint8_t> ends_ = std::vector<std::uint8_t>(2);
};

// A stretch of a text in characters, and what is written in its place.
struct PostMark {
  u32 start, end, step;
};

// The marks of one text after another. A method named for a mark returns its end at a place, 0 where none is.
class PostReader {
 public:
  PostReader(const PostTables& tables, u32 steps) : tables_(tables), steps_(steps) {}

  // `text` has `size` characters and END behind them; `places` those where a mark may begin, ascending, the first place among them.
  void read(const u32* text, std::size_t size, std::span<const u32> places, std::vector<PostMark>& found) {
    s_ = text;
    n_ = size;
    found.clear();
    dead_topics_.clear();
    dead_names_.clear();
    std::size_t end = 0;
    for (u32 p : places) {
      if (p < end) continue;
      for (u32 step = 0; step < POST_STEPS; ++step) {
        if (!(steps_ >> step & 1)) continue;
        if (const std::size_t to = mark(step, p)) {
          found.push_back({p, static_cast<u32>(to), step});
          end = to;
          break;
        }
      }
    }
  }

 private:
  std::size_t mark(u32 step, std::size_t p) {
    switch (step) {
      case FORWARDS: return forward(p);
      case TAGS: return tag(p);
      case LINKS: return link(p).longest;
      case HASHTAGS: return topics(p);
      case EMOJI: return has(p, PostTables::PICTURE) ? pictures(p) : code(p);
      case NAMES: return names(p);
      default: return repeated(p);
    }
  }

  bool has(std::size_t i, std::uint8_t bits) const { return tables_.of(s_[i]) & bits; }
  bool is_one(std::size_t i, std::initializer_list<u32> of) const { return std::find(of.begin(), of.end(), s_[i]) != of.end(); }
  bool is_opening(std::size_t i) const { return is_one(i, {'(', 0xFF08, 0x3010, '['}); }
  bool is_closing(std::size_t i) const { return is_one(i, {')', 0xFF09, 0x3011, ']'}); }
  bool is_word(std::size_t i, std::span<const u32> word) const {
    for (std::size_t k = 0; k < word.size(); ++k)  // END is no letter of a word
      if (folded_case(s_[i + k]) != word[k]) return false;
    return true;
  }
  bool is_ascii(std::size_t i, const char* word) const {
    for (; *word; ++word, ++i)
      if (folded_case(s_[i]) != static_cast<u32>(*word)) return false;
    return true;
  }
  static bool latin_or_digit(u32 c) {
    c = folded_case(c);
    return c - '0' < 10u || c - 'a' < 26u;
  }
  std::size_t spaces(std::size_t i) const {
    while (has(i, PostTables::SPACE)) ++i;
    return i;
  }
  std::size_t colon(std::size_t i) const { return i + (s_[i] == ':' || s_[i] == 0xFF1A); }
  std::size_t pictures(std::size_t i) const {
    while (has(i, PostTables::PICTURE)) ++i;
    return i;
  }

  // @ and a name of at most 30 characters.
  std::size_t name(std::size_t i) const {
    if (s_[i] != '@') return 0;
    std::size_t to = i + 1;
    while (to < i + 32 && has(to, PostTables::NAMED)) ++to;
    return to > i + 1 && to < i + 32 ? to : 0;
  }
  // A name as a forward has it: spaces before it, a colon behind.
  std::size_t said_by(std::size_t i) const {
    const std::size_t to = name(spaces(i));
    return to ? colon(spaces(to)) : 0;
  }
  // One word of a list for which `then` knows an end.
  template <class Then>
  std::size_t one_of(PostList which, std::size_t i, Then&& then) const {
    for (const auto& w : tables_.list(which))
      if (is_word(i, w))
        if (const std::size_t to = then(i + w.size())) return to;
    return 0;
  }

  std::size_t forward(std::size_t p) const {
    if (s_[p] == '/' && s_[p + 1] == '/')
      if (const std::size_t to = said_by(p + 2)) return to;
    if (const std::size_t to = one_of(REPLY_WORDS, p, [&](std::size_t i) { return said_by(i); })) return to;
    if (const std::size_t to = one_of(SOURCE_WORDS, p, [&](std::size_t i) {
          const bool inside = folded_case(s_[p]) < 0x80 && p > 0 && has(p - 1, PostTables::WORDLIKE);  // Latin ones are whole words
          return inside ? 0 : said_by(colon(spaces(i)));
        })) return to;
    if (p == 0 || colon(p - 1) == p || has(p - 1, PostTables::SPACE))
      if (const std::size_t to = one_of(ALONE_WORDS, p, [&](std::size_t i) -> std::size_t {
            while (is_one(i, {0x3002, '.', '!', 0xFF01, '~', 0xFF5E})) ++i;
            const std::size_t k = spaces(i);
            return k == n_ || (s_[k] == '/' && s_[k + 1] == '/') ? i : 0;
          })) return to;
    const auto bracketed = [&](std::size_t i) -> std::size_t {
      if (!is_opening(i) && s_[i] != 0x300C) return 0;
      return one_of(FORWARD_WORDS, spaces(i + 1), [&](std::size_t k) -> std::size_t {
        k = spaces(k);
        return is_closing(k) || s_[k] == 0x300D ? k + 1 : 0;
      });
    };
    if (p == 0)
      if (const std::size_t to = bracketed(spaces(0))) return to;
    if (const std::size_t to = bracketed(p); to && spaces(to) == n_) return n_;
    return p == 0 ? headed(FORWARD_WORDS) : 0;
  }
  // A word and a colon at the beginning of the text.
  std::size_t headed(PostList which) const {
    return one_of(which, spaces(0), [&](std::size_t i) -> std::size_t {
      i = spaces(i);
      return colon(i) > i ? i + 1 : 0;
    });
  }

  std::size_t tag(std::size_t p) const {
    if (is_opening(p)) {
      const auto closed = [&](std::size_t i) -> std::size_t {
        i = spaces(i);
        return is_closing(i) ? i + 1 : 0;
      };
      std::size_t i = spaces(p + 1), k = i;
      while (k < i + 2 && has(k, PostTables::DECIMAL)) ++k;
      if (s_[k] == 0x56FE || s_[k] == 0x5716)  // so many pictures
        if (const std::size_t to = closed(k + 1)) return to;
      if (const std::size_t to = one_of(TAG_WORDS, i, closed)) return to;
    }
    return p == 0 ? headed(HEAD_WORDS) : 0;
  }

  // A link may end at any place from `from` to `longest`, and at `bare` too where that is not 0; none where `longest` is 0.
  struct Link {
    std::size_t bare = 0, from = 0, longest = 0;
  };
  Link link(std::size_t p) const {
    const auto visible = [&](std::size_t i) {
      while (folded_case(s_[i]) - '!' < 94u) ++i;
      return i;
    };
    const u32 before = p > 0 ? s_[p - 1] : ' ';
    switch (folded_case(s_[p])) {
      case 'h': {
        if (!is_ascii(p, "http")) return {};
        const std::size_t i = p + 4 + (folded_case(s_[p + 4]) == 's');
        if (s_[i] != ':') return {};
        if (s_[i + 1] != '/' || s_[i + 2] != '/') return {0, i + 1, i + 1};
        return {i + 1, i + 3, visible(i + 3)};
      }
      case 'w':
        if (latin_or_digit(before) || !is_ascii(p, "www.")) return {};
        if (const std::size_t to = visible(p + 4); to > p + 4) return {0, p + 5, to};
        return {};
      case 't': {
        if (latin_or_digit(before) || before == '.' || !is_ascii(p, "t.cn/")) return {};
        std::size_t to = p + 5;
        while (latin_or_digit(s_[to])) ++to;
        return to > p + 5 ? Link{0, p + 6, to} : Link{};
      }
      default: return {};
    }
  }

  // The code of an emoji in brackets, or one that the end of the text cuts off.
  std::size_t code(std::size_t p) const {
    if (s_[p] != '[') return 0;
    u32 node = PostTables::ROOT;
    for (std::size_t i = p + 1;; ++i) {
      if (i == n_) return node == PostTables::ROOT ? 0 : n_;
      if (s_[i] == ']') return tables_.ends(node) ? i + 1 : 0;
      if (!(node = tables_.next(node, folded_case(s_[i])))) return 0;
    }
  }

  // One topic of four characters or more behind another from place i on; where each begins goes to `starts`.
  std::size_t topic_chain(std::size_t i, std::vector<u32>& starts) const {
    starts.clear();
    while (s_[i] == '#') {
      std::size_t k = i + 1;
      while (k < i + 41 && k < n_ && s_[k] != '#' && s_[k] != '\n') ++k;
      if (k < i + 5 || s_[k] != '#') break;  // 4 to 40 characters
      starts.push_back(static_cast<u32>(i));
      i = spaces(k + 1);
    }
    return i;
  }
  std::size_t topics(std::size_t p) {
    if (p == 0)
      if (const std::size_t to = topic_chain(spaces(0), starts_); !starts_.empty()) return to;
    if (s_[p] != '#' || std::binary_search(dead_topics_.begin(), dead_topics_.end(), p)) return 0;
    const std::size_t to = topic_chain(p, starts_);
    if (starts_.empty()) return 0;
    if (ends_in_marks(to)) return to;
    if (starts_.size() > 1) dead_topics_.swap(starts_);  // those behind the first lead to the same place
    return 0;
  }

  // May all that follows be spaces, links, names and codes? A link may end before the longest place, where a name or a code follows.
  bool ends_in_marks(std::size_t p) {
    reached_.clear();
    reached_.push_back(1);
    std::size_t filled = 0;  // as far as the links reach that were taken in whole
    const auto reach = [&](std::size_t i) {
      if (i - p >= reached_.size()) reached_.resize(i - p + 1);
      reached_[i - p] = 1;
    };
    for (std::size_t i = p; i - p < reached_.size(); ++i) {
      if (!reached_[i - p]) continue;
      if (i == n_) return true;
      if (has(i, PostTables::SPACE)) reach(i + 1);
      if (const std::size_t to = name(i)) reach(to);
      if (const std::size_t to = code(i)) reach(to);
      if (const Link l = link(i); l.longest) {
        if (l.bare) reach(l.bare);
        for (std::size_t k = std::max(l.from, filled + 1); k <= l.longest; ++k) reach(k);
        filled = std::max(filled, l.longest);
      }
    }
    return false;
  }

  // One name behind another, with white space and commas (and colons, where they begin the text) between and behind them.
  std::size_t name_chain(std::size_t i, bool colons, std::vector<u32>& starts) const {
    starts.clear();
    for (std::size_t to; (to = name(i)); i = to) {
      starts.push_back(static_cast<u32>(i));
      while (has(to, PostTables::SPACE) || is_one(to, {',', 0xFF0C, 0x3001}) || (colons && colon(to) > to)) ++to;
    }
    return i;
  }
  std::size_t names(std::size_t p) {
    if (p == 0)
      if (const std::size_t to = name_chain(spaces(0), true, starts_); !starts_.empty()) return to;
    if (s_[p] != '@' || std::binary_search(dead_names_.begin(), dead_names_.end(), p)) return 0;
    if (p > 0 && (latin_or_digit(s_[p - 1]) || is_one(p - 1, {'.', '_', '%', '+', '-'}))) return 0;  // an address
    const std::size_t to = name_chain(p, false, starts_);
    if (starts_.empty()) return 0;
    std::size_t i = to;
    for (std::size_t next; i < n_ && (next = has(i, PostTables::PICTURE) ? pictures(i) : code(i)); i = next) {}
    if (i == n_) return to;
    if (starts_.size() > 1) dead_names_.swap(starts_);
    return 0;
  }

  // The same mark again and again.
  static u32 lower_mark(u32 c) { return c - 0x24B6 < 26u ? c + 26 : c; }
  std::size_t repeated(std::size_t p) const {
    if (has(p, PostTables::WORDLIKE | PostTables::SPACE)) return 0;
    std::size_t i = p + 1;
    while (lower_mark(s_[i]) == lower_mark(s_[p])) ++i;
    return i > p + 1 ? i : 0;
  }

  const PostTables& tables_;
  const u32 steps_;
  const u32* s_ = nullptr;
  std::size_t n_ = 0;
  std::vector<u32> starts_, dead_topics_, dead_names_;  // dead: the starts of the last chain that ends in no marks
  std::vector<std::uint8_t> reached_;
};

}  // namespace quchong
