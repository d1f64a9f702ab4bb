// A page made slim before a parser sees it: no scripts, no comments, few attributes, bounded depth, links and bold marked.
// The specification is tests/twins/page.py. One pass, linear but for depth; the parser's own stack of open
// elements is kept in a form that is never shallower than the real one (WHATWG HTML, "tree construction").
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quchong {

struct SlimFact {
  char kind;
  std::int64_t start, end;
};
struct Slim {
  std::string html;
  std::int64_t tags = 0;
  std::vector<SlimFact> facts;
};

class Slimmer {
 public:
  static Slim run(std::string_view html, std::size_t max_depth, std::int64_t max_tags) {
    Slimmer s(html, max_depth, max_tags);
    s.go();
    return std::move(s.out_);
  }

 private:
  static constexpr char LINK = 1, LINK_END = 2, BOLD = 3, BOLD_END = 4, HEADING = 14;
  static constexpr std::size_t LONGEST_NAME = 32, LONGEST_VALUE = 256, FACTS = 64;
  enum : std::uint16_t { VOID = 1, FORMAT = 2, BLOCK = 4, BOUNDARY = 8, SPECIAL = 16, CELL = 32, RAW = 64, SUBTREE = 128, GONE = 256 };

  struct Element {
    std::string_view name;
    std::uint16_t traits = 0;
    std::uint8_t index = 0;  // among RAW and SUBTREE
  };
  struct Open {
    const Element* known;
    std::string_view raw;  // as it stands in the page, for elements that are not known
  };

  // Known elements by name, in a table of open addresses.
  class Elements {
   public:
    Elements() {
      add("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr", VOID);
      add("a b big code em font i nobr s small strike strong tt u", FORMAT);
      add("address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer h1 h2 h3 "
          "h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul", BLOCK | SPECIAL);
      add("applet marquee object table", BOUNDARY | SPECIAL);
      add("button", SPECIAL);
      add("caption colgroup tbody td tfoot th thead tr", CELL);
      add("iframe noembed noframes script style textarea title xmp", RAW);
      add("math noscript select svg template", SUBTREE);
      add("body frameset head html optgroup option plaintext time", 0);
      add("body frameset head html optgroup option plaintext", GONE);
      std::uint8_t index = 0;
      for (auto& e : table_)
        if (e.traits & (RAW | SUBTREE)) e.index = index++;
    }
    const Element* find(std::string_view name) const {
      for (std::size_t at = slot(name);; at = (at + 1) % SIZE) {
        if (table_[at].name.empty()) return nullptr;
        if (table_[at].name == name) return &table_[at];
      }
    }
    const Element* at(const char* name) const { return find(name); }

   private:
    static constexpr std::size_t SIZE = 512;
    static std::size_t slot(std::string_view name) {
      std::uint32_t h = 2166136261u;
      for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
      return (h ^ h >> 15) % SIZE;
    }
    void add(std::string_view names, int traits) {
      while (!names.empty()) {
        const auto end = std::min(names.find(' '), names.size());
        const auto name = names.substr(0, end);
        names.remove_prefix(std::min(end + 1, names.size()));
        auto at = slot(name);
        while (!table_[at].name.empty() && table_[at].name != name) at = (at + 1) % SIZE;
        table_[at].name = name;
        table_[at].traits |= static_cast<std::uint16_t>(traits);
      }
    }
    std::array<Element, SIZE> table_{};
  };
  static const Elements& elements() {
    static const Elements all;
    return all;
  }

  static constexpr std::array<std::string_view, 11> KEPT = {"class", "id", "role", "style", "hidden", "aria-hidden", "aria-expanded",
                                                            "data-ad", "data-advertisement", "data-text-ad", "href"};
  static constexpr std::size_t STYLE = 3, HIDDEN = 4, HREF = 10;

  Slimmer(std::string_view html, std::size_t max_depth, std::int64_t max_tags) : html_(html), max_depth_(max_depth), max_tags_(max_tags) {
    missing_.fill(false);
    out_.html.reserve(html.size() / 3 + 64);
  }

  static bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
  static char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
  static bool alpha(char c) { return low(c) >= 'a' && low(c) <= 'z'; }
  static bool same(std::string_view raw, std::string_view lower) {
    if (raw.size() != lower.size()) return false;
    for (std::size_t i = 0; i < raw.size(); ++i)
      if (low(raw[i]) != lower[i]) return false;
    return true;
  }
  static bool holds(std::string_view raw, std::string_view lower) {
    for (std::size_t i = 0; i + lower.size() <= raw.size(); ++i)
      if (same(raw.substr(i, lower.size()), lower)) return true;
    return false;
  }
  // A run of text between tags; control characters go.
  void text(std::size_t from, std::size_t to) {
    while (from < to) {
      std::size_t end = from;
      while (end < to && (static_cast<unsigned char>(html_[end]) >= 32 || (space(html_[end])))) ++end;
      out_.html.append(html_, from, end - from);
      from = end + 1;
    }
  }
  void fact(char kind, std::size_t start, std::size_t end) {
    if (++counted_[static_cast<unsigned char>(kind)] <= FACTS)
      out_.facts.push_back({kind, static_cast<std::int64_t>(start), static_cast<std::int64_t>(end)});
  }
  // Where the end tag of a raw element starts, from `start` on; npos where there is none any more.
  std::size_t end_of(const Element& e, std::size_t start) {
    const std::size_t n = e.name.size();
    while (!missing_[e.index]) {
      start = html_.find("</", start);
      if (start == html_.npos) {
        missing_[e.index] = true;
        break;
      }
      if (start + 2 + n <= html_.size() && same(html_.substr(start + 2, n), e.name)) {
        if (start + 2 + n == html_.size()) return start;
        const char after = html_[start + 2 + n];
        if (space(after) || after == '/' || after == '>') return start;
      }
      start += 2;
    }
    return html_.npos;
  }
  static bool is(const Open& open, const Element* known, std::string_view raw) {
    if (open.known || known) return open.known == known;
    if (open.raw.size() != raw.size()) return false;
    for (std::size_t i = 0; i < raw.size(); ++i)
      if (low(open.raw[i]) != low(raw[i])) return false;
    return true;
  }
  // Ends every element from the top of the stack down to this place: what goes out is balanced.
  void pop(std::size_t to) {
    while (stack_.size() > to) {
      const Open open = stack_.back();
      stack_.pop_back();
      mark_end(open.known);
      end_out(open.known, open.raw);
    }
  }
  void pop_to_table() {
    for (std::size_t i = stack_.size(); i-- > 0;)
      if (stack_[i].known == table_) return pop(i + 1);
  }
  void mark_end(const Element* known) {
    if (known == a_) out_.html += LINK_END;
    else if (known == b_ || known == strong_) out_.html += BOLD_END;
  }
  void end_out(const Element* known, std::string_view raw) {
    out_.html += "</";
    name_out(known, raw);
    out_.html += '>';
  }
  // Takes everything down to the nearest such element off the stack; `stops(element)` ends the search.
  template <class F>
  bool close(const Element* known, std::string_view raw, F&& stops) {
    for (std::size_t i = stack_.size(); i-- > 0;) {
      if (is(stack_[i], known, raw)) {
        pop(i);
        return true;
      }
      if (stack_[i].known && stops(stack_[i].known)) return false;
    }
    return false;
  }
  void close_paragraph() {
    close(p_, {}, [&](const Element* e) { return (e->traits & BOUNDARY) || e == button_; });
  }
  void name_out(const Element* known, std::string_view raw) {
    if (known) out_.html.append(known->name);
    else
      for (const char c : raw) out_.html.push_back(low(c));
  }
  // Reads attributes from at_ to after ">"; false where the page ends before.
  bool attributes() {
    found_ = 0;
    const std::size_t n = html_.size();
    for (;;) {
      while (at_ < n && (space(html_[at_]) || html_[at_] == '/')) ++at_;
      if (at_ >= n) return false;
      if (html_[at_] == '>') {
        ++at_;
        return true;
      }
      const std::size_t start = at_++;
      while (at_ < n && !space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>' && html_[at_] != '=') ++at_;
      const auto key = html_.substr(start, at_ - start);
      std::string_view value;
      std::size_t here = at_;
      while (here < n && space(html_[here])) ++here;
      if (here < n && html_[here] == '=') {
        ++here;
        while (here < n && space(html_[here])) ++here;
        if (here < n && (html_[here] == '"' || html_[here] == '\'')) {
          const auto end = html_.find(html_[here], here + 1);
          if (end == html_.npos) return false;
          value = html_.substr(here + 1, end - here - 1);
          at_ = end + 1;
        } else {
          at_ = here;
          while (at_ < n && !space(html_[at_]) && html_[at_] != '>') ++at_;
          value = html_.substr(here, at_ - here);
        }
      }
      for (std::size_t k = 0; k < KEPT.size(); ++k)
        if (same(key, KEPT[k])) {
          if (!(found_ >> k & 1)) values_[k] = value;
          found_ |= 1u << k;
          break;
        }
    }
  }
  void kept_out() {
    auto& out = out_.html;
    for (std::size_t k = 0; k < HREF; ++k) {
      if (!(found_ >> k & 1)) continue;
      const auto value = values_[k].substr(0, LONGEST_VALUE);
      if (k == STYLE) {
        plain_.clear();
        for (const char c : value)
          if (!space(c)) plain_.push_back(low(c));
        if (plain_.find("display:none") != plain_.npos) out += " style=\"display:none\"";
      } else if (k == HIDDEN) {
        out += " hidden=\"\"";
      } else {
        out += ' ';
        out += KEPT[k];
        out += "=\"";
        for (const char c : value) out += c >= 32 && c < 127 && c != '"' && c != '&' && c != '<' ? c : ' ';
        out += '"';
      }
    }
  }
  void go() {
    auto& out = out_.html;
    out += "<!DOCTYPE html>";
    const std::size_t n = html_.size();
    while (at_ < n) {
      const auto tag = html_.find('<', at_);
      text(at_, std::min(tag, n));
      if (tag == html_.npos) break;
      const char following = tag + 1 < n ? html_[tag + 1] : '\0';
      const bool ends = following == '/';
      if (following == '!' || following == '?' || (ends && !(tag + 2 < n && alpha(html_[tag + 2])))) {
        const bool comment = html_.substr(tag, 4) == "<!--";
        const auto end = comment ? html_.find("-->", tag + 2) : html_.find('>', tag);
        at_ = end == html_.npos ? n : end + (comment ? 3 : 1);
        continue;
      }
      if (!ends && !alpha(following)) {
        out += "&lt;";
        at_ = tag + 1;
        continue;
      }
      const std::size_t start = tag + 1 + ends;
      at_ = start;
      while (at_ < n && !space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>') ++at_;
      auto raw = html_.substr(start, at_ - start);
      const std::size_t inside = at_;
      if (!attributes()) break;
      if (++out_.tags > max_tags_) break;
      if (raw.size() > LONGEST_NAME) continue;
      std::array<char, LONGEST_NAME> lower;
      bool plain = true;
      for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = lower[i] = low(raw[i]);
        plain &= (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_';
      }
      if (!plain) continue;
      std::string_view name(lower.data(), raw.size());
      if (name == "form") name = "div";
      const Element* known = elements().find(name);
      if (ends) end_tag(known, raw, tag);
      else if (!start_tag(known, raw, inside)) break;
    }
  }
  void end_tag(const Element* known, std::string_view raw, std::size_t tag) {
    const unsigned traits = known ? known->traits : 0;
    if (known == h1_ && heading_ != html_.npos) {
      fact('h', heading_, tag);
      heading_ = html_.npos;
    }
    if (traits & (VOID | GONE | RAW | SUBTREE)) return;
    if (traits & CELL) {
      pop_to_table();
      return end_out(known, raw);
    }
    bool closed;
    if (known == p_) closed = close(known, raw, [&](const Element* e) { return (e->traits & BOUNDARY) || e == button_; });
    else if (known == li_) closed = close(known, raw, [&](const Element* e) { return (e->traits & BOUNDARY) || e == ol_ || e == ul_; });
    else if ((traits & (BLOCK | BOUNDARY)) || known == button_) closed = close(known, raw, [&](const Element* e) { return e->traits & BOUNDARY; });
    else closed = close(known, raw, [&](const Element* e) { return e->traits & SPECIAL; });
    if (!closed) mark_end(known);
  }
  // False where nothing of the page is left to read.
  bool start_tag(const Element* known, std::string_view raw, std::size_t inside) {
    auto& out = out_.html;
    const unsigned traits = known ? known->traits : 0;
    const auto tag = html_.substr(inside, at_ - inside);
    if (known == meta_) fact('m', inside, at_);
    else if (known == link_ && holds(tag, "canonical")) fact('l', inside, at_);
    else if (known == time_) fact('d', inside, at_);
    else if (known == h1_) heading_ = at_;
    if (traits & (RAW | SUBTREE)) {
      const auto end = end_of(*known, at_);
      if (end == html_.npos) return known != script_ && known != style_;
      if (known == title_) fact('t', at_, end);
      else if (known == script_ && holds(tag, "ld+json")) fact('j', at_, end);
      at_ = end;
      return true;
    }
    if (traits & GONE) return true;
    if (traits & VOID) {
      if (known == br_) out += "<br>";
      else if (known == hr_) {
        close_paragraph();
        out += "<hr>";
      }
      return true;
    }
    if (traits & CELL) {
      pop_to_table();
      out += '<';
      name_out(known, raw);
      out += '>';
      return true;
    }
    if (known == li_ || known == dd_ || known == dt_) {
      for (std::size_t i = stack_.size(); i-- > 0;) {
        const Element* e = stack_[i].known;
        if (!e) continue;
        if (known == li_ ? e == li_ : e == dd_ || e == dt_) {
          pop(i);
          break;
        }
        if ((e->traits & SPECIAL) && e != address_ && e != div_ && e != p_) break;
      }
    }
    if (traits & BLOCK) close_paragraph();
    else if (known == a_) close(a_, {}, [](const Element* e) { return e->traits & SPECIAL; });
    if (stack_.size() >= max_depth_) {
      if (traits & BLOCK) out += "<br>";
      return true;
    }
    stack_.push_back({known, raw});
    out += '<';
    name_out(known, raw);
    if (!(traits & FORMAT) || known == a_) kept_out();
    out += '>';
    if (known == a_ && (found_ >> HREF & 1)) out += LINK;
    else if (known == b_ || known == strong_) out += BOLD;
    else if (known && raw.size() == 2 && low(raw[0]) == 'h' && raw[1] >= '1' && raw[1] <= '6') out += static_cast<char>(HEADING + raw[1] - '1');
    return true;
  }

  std::string_view html_;
  std::size_t max_depth_;
  std::int64_t max_tags_;
  std::size_t at_ = 0, heading_ = std::string_view::npos;
  Slim out_;
  std::vector<Open> stack_;
  std::array<bool, 16> missing_;
  std::array<std::size_t, 128> counted_{};
  std::array<std::string_view, KEPT.size()> values_;
  std::uint32_t found_ = 0;
  std::string plain_;
  static const Element* el(const char* name) { return elements().at(name); }
  const Element *p_ = el("p"), *li_ = el("li"), *ol_ = el("ol"), *ul_ = el("ul"), *dd_ = el("dd"), *dt_ = el("dt"), *a_ = el("a"),
                *b_ = el("b"), *strong_ = el("strong"), *h1_ = el("h1"), *meta_ = el("meta"), *link_ = el("link"), *time_ = el("time"),
                *br_ = el("br"), *hr_ = el("hr"), *table_ = el("table"), *button_ = el("button"), *address_ = el("address"),
                *div_ = el("div"), *title_ = el("title"), *script_ = el("script"), *style_ = el("style");
};

}  // namespace quchong
