// Merges neighbouring segments, some buckets at a time, so that neither they nor the new one need be in memory.
#pragma once
#include <deque>

#include "segments/pack.hpp"

namespace quchong {

inline bool is_gone(Bytes gone, u32 document) { return document >> 3 < gone.size() && (gone[document >> 3] >> (document & 7) & 1); }

inline std::vector<Segment> open_segments(const std::vector<Bytes>& buffers) {
  std::vector<Segment> out;
  out.reserve(buffers.size());
  for (const auto buffer : buffers) out.emplace_back(buffer);
  u64 end = 0;
  for (const auto& s : out) {
    if (s.footer.first < end) throw std::invalid_argument("segments must be in the order of their documents");
    end = u64{s.footer.first} + s.footer.documents;
  }
  return out;
}

// The footer of the segment that some are merged to: its postings, codes and bytes are known once it is written.
inline SegmentFooter merged_footer(const std::vector<Segment>& segments) {
  SegmentFooter out;
  if (segments.empty()) throw std::invalid_argument("no segments to merge");
  u64 postings = 0;
  out.bits = segments[0].footer.bits;
  out.first = segments[0].footer.first;
  for (const auto& s : segments) {
    if (s.footer.bits != out.bits) throw std::invalid_argument("segments tell keys apart by unequal numbers of bits");
    postings += s.footer.postings;
    out.weighted |= s.footer.weighted;
    out.documents = s.footer.first + s.footer.documents - out.first;
  }
  out.buckets = bucket_bits(postings, out.bits);
  return out;
}

// The lists of a segment in the order of their codes, from a code on.
class ListCursor {
 public:
  ListCursor(const Segment& segment, u64 from, u64 to) : s_(segment), next_(from >> segment.footer.span()), to_(to) {
    do advance();
    while (!done() && code() < from);
  }
  ListCursor(const ListCursor&) = delete;
  bool done() const { return done_; }
  u64 code() const { return code_; }

  // Adds the list at the cursor, and moves on.
  void take(Bytes gone, u32 first, std::vector<SegmentPosting>& out) {
    const u32 mine = s_.footer.first;
    u64 least = 0;
    for (u64 i = reader_.start; i < reader_.start + reader_.length; ++i) {
      const u32 document = bucket_.document(i);
      if (document < least || document >= bucket_.documents) damaged_segment();
      least = u64{document} + 1;
      if (!is_gone(gone, mine + document)) out.push_back({code_, mine + document - first, bucket_.weight_width ? bucket_.weight(i) : 1});
    }
    advance();
  }

 private:
  void advance() {
    while (!reader_.next()) {
      reader_.check_end();
      if (next_ >> s_.footer.buckets || next_ << s_.footer.span() >= to_) {
        done_ = true;
        return;
      }
      base_ = next_ << s_.footer.span();
      bucket_ = Bucket(s_.footer, s_.bucket(next_++));
      reader_.restart();
    }
    code_ = base_ + reader_.code;
    done_ = code_ >= to_;
  }

  const Segment& s_;
  u64 next_, to_, base_ = 0, code_ = 0;
  Bucket bucket_;
  CodeReader reader_{bucket_};
  bool done_ = false;
};

// Buckets [first, last) of the merged segment.
inline SegmentPart merge_buckets(const std::vector<Segment>& segments, Bytes gone, u64 first, u64 last, int threads) {
  const auto f = merged_footer(segments);
  if (first > last || last > u64{1} << f.buckets) throw std::invalid_argument("no such buckets");
  return parts_of_buckets(first, last, 256, threads, [&](u64 from, u64 to, SegmentPart& out) {
    std::deque<ListCursor> cursors;  // which stay where they are
    for (const auto& s : segments) cursors.emplace_back(s, from << f.span(), to << f.span());
    std::vector<SegmentPosting> some;
    for (u64 b = from; b < to; ++b) {
      some.clear();
      for (const u64 end = (b + 1) << f.span();;) {
        u64 least = end;
        for (const auto& c : cursors)
          if (!c.done()) least = std::min(least, c.code());
        if (least == end) break;
        for (auto& c : cursors)  // in the order of their documents
          if (!c.done() && c.code() == least) c.take(gone, f.first, some);
      }
      write_bucket(f, some, out);
    }
  });
}

}  // namespace quchong
