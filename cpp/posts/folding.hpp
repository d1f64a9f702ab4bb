// Posts without their marks: what is found in whole batches of texts, what of it is folded, and the texts that are left.
#pragma once
#include "arrays.hpp"
#include "machine/buffer.hpp"
#include "machine/parallel.hpp"
#include "posts/posts.hpp"
#include "text/utf8.hpp"

namespace quchong {

struct FoldLimits {
  u32 beside_content, beside_marks;  // letters and digits that stay, where content or marks are folded
};

// The texts that change, with their changes, one text after another: in characters of the text as it was, and what is written there.
struct FoldedPosts {
  std::vector<std::int64_t> which, offsets{0}, byte_offsets{0};
  std::vector<u32> start, end, put;
  std::vector<std::uint8_t> bytes;
};

// Reads texts one by one; its buffers are those of one thread.
class PostFolder {
 public:
  PostFolder(const PostTables& tables, u32 steps, const FoldLimits& limits) : tables_(tables), limits_(limits), reader_(tables, steps) {}

  // Appends the text as it is without its marks, if it has any.
  void fold(std::span<const unsigned char> text, std::int64_t which, FoldedPosts& out) {
    const Utf8 t{text.data(), static_cast<std::int64_t>(text.size())};
    const std::size_t size = decode(t);
    reader_.read(characters_.data(), size, places_, found_);
    if (found_.empty()) return;
    choose();
    if (found_.empty()) return;
    out.which.push_back(which);
    std::int64_t at = 0, from = 0;
    u32 character = 0;
    const auto walk = [&](u32 to) {
      for (int length; character < to; ++character, at += length) t.at(at, length);
    };
    for (const PostMark& m : found_) {
      const u32 put = m.step == PUNCTUATION ? characters_[m.start] : ' ';
      walk(m.start);
      out.bytes.insert(out.bytes.end(), t.s + from, t.s + at);
      int length = 1;
      if (m.step == PUNCTUATION) t.at(at, length);
      if (m.step == PUNCTUATION) out.bytes.insert(out.bytes.end(), t.s + at, t.s + at + length);
      else out.bytes.push_back(' ');
      walk(m.end);
      from = at;
      out.start.push_back(m.start);
      out.end.push_back(m.end);
      out.put.push_back(put);
    }
    out.bytes.insert(out.bytes.end(), t.s + from, t.s + t.n);
    out.offsets.push_back(static_cast<std::int64_t>(out.start.size()));
    out.byte_offsets.push_back(static_cast<std::int64_t>(out.bytes.size()));
  }

 private:
  // Characters of a text with END behind them, and the places where a mark may begin; returns how many characters there are.
  std::size_t decode(const Utf8& t) {
    characters_.clear();
    u32* const out = characters_.extend(static_cast<std::size_t>(t.n) + 2);
    std::size_t n = 0;
    for (std::int64_t i = 0; i < t.n;) {
      for (u32 four; i + 3 < t.n && is_three_bytes(four = load_four(t.s + i)); i += 3) out[n++] = three_bytes(four);
      for (; i < t.n && t.s[i] < 0x80; ++i) out[n++] = t.s[i];
      if (i >= t.n) break;
      int length;
      out[n++] = t.at(i, length);
      i += length;
    }
    out[n] = PostTables::END;
    characters_.resize(n + 1);
    places_.clear();
    u32* const place = places_.extend(n + 1);
    std::size_t k = n > 0;
    place[0] = 0;
    for (std::size_t i = 1; i < n; ++i) {
      place[k] = static_cast<u32>(i);
      k += tables_.begins(out[i], out[i + 1]);
    }
    places_.resize(k);
    return n;
  }

  std::size_t letters(std::size_t from, std::size_t to) const {
    std::size_t n = 0;
    for (std::size_t i = from; i < to; ++i) n += tables_.of(characters_[i]) & PostTables::LETTER;
    return n;
  }
  // Leaves of what was found what may go: a text is never folded to nothing.
  void choose() {
    const auto is_content = [](const PostMark& m) { return m.step == LINKS || m.step == HASHTAGS || m.step == NAMES; };
    auto left = static_cast<std::int64_t>(letters(0, characters_.size() - 1)), content = std::int64_t{0};
    for (const PostMark& m : found_) {
      const auto n = static_cast<std::int64_t>(letters(m.start, m.end));
      left -= n;
      if (is_content(m)) content += n;
    }
    if (left < limits_.beside_content) {
      left += content;
      std::erase_if(found_, is_content);
    }
    if (left < limits_.beside_marks) std::erase_if(found_, [](const PostMark& m) { return m.step != PUNCTUATION; });
  }

  const PostTables& tables_;
  const FoldLimits limits_;
  PostReader reader_;
  Buffer<u32> characters_, places_;
  std::vector<PostMark> found_;
};

inline FoldedPosts fold_posts(const PostTables& tables, const Texts& texts, u32 steps, const FoldLimits& limits, int threads) {
  std::vector<FoldedPosts> pieces(text_chunks(texts.size()));
  std::vector<PostFolder> folders;
  for (int k = 0; k < threads; ++k) folders.emplace_back(tables, steps, limits);
  parallel_for(texts.size(), TEXT_GRAIN, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& folder = folders[static_cast<std::size_t>(thread)];
    for (auto i = from; i < to; ++i) folder.fold(texts[static_cast<std::size_t>(i)], i, pieces[static_cast<std::size_t>(from / TEXT_GRAIN)]);
  });
  FoldedPosts out;
  const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (FoldedPosts& p : pieces) {
    const auto changes = static_cast<std::int64_t>(out.start.size()), bytes = static_cast<std::int64_t>(out.bytes.size());
    for (std::size_t k = 1; k < p.offsets.size(); ++k) {
      out.offsets.push_back(p.offsets[k] + changes);
      out.byte_offsets.push_back(p.byte_offsets[k] + bytes);
    }
    join(out.which, p.which);
    join(out.start, p.start);
    join(out.end, p.end);
    join(out.put, p.put);
    join(out.bytes, p.bytes);
    p = {};
  }
  return out;
}

}  // namespace quchong
