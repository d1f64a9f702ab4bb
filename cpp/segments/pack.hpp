// Makes segments: postings are sorted by code, or taken from segments in that order (merge.hpp), and written bucket by bucket.
#pragma once
#include "machine/parallel.hpp"
#include "segments/format.hpp"

namespace quchong {

struct SegmentPosting {
  u64 code;
  u32 document, weight;  // the document less the first one of the segment
  bool operator<(const SegmentPosting& o) const { return code != o.code ? code < o.code : document < o.document; }
};

// Consecutive buckets.
struct SegmentPart {
  std::vector<std::uint8_t> stream;
  std::vector<std::int64_t> ends;
  u64 postings = 0, codes = 0;
  void append(SegmentPart& next) {
    const auto base = static_cast<std::int64_t>(stream.size());
    stream.insert(stream.end(), next.stream.begin(), next.stream.end());
    for (const auto end : next.ends) ends.push_back(base + end);
    postings += next.postings, codes += next.codes;
    next = SegmentPart{};
  }
};

class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& out) : out_(out) {}
  void put(u64 value, int n) {  // n <= 56
    word_ |= value << used_;
    used_ += n;
    for (; used_ >= 8; used_ -= 8, word_ >>= 8) out_.push_back(static_cast<std::uint8_t>(word_));
  }
  void put_zeros(u64 n) {  // and a 1
    for (; n >= 32; n -= 32) put(0, 32);
    put(u64{1} << n, static_cast<int>(n) + 1);
  }
  void end() {
    if (used_ > 0) out_.push_back(static_cast<std::uint8_t>(word_));
    word_ = 0, used_ = 0;
  }

 private:
  std::vector<std::uint8_t>& out_;
  u64 word_ = 0;
  int used_ = 0;
};

// Writes a bucket: postings sorted by code, then document, none twice.
inline void write_bucket(const SegmentFooter& f, std::span<const SegmentPosting> some, SegmentPart& out) {
  if (!some.empty()) {
    u64 codes = 0;
    u32 most = 1;
    for (std::size_t i = 0; i < some.size(); ++i) codes += i == 0 || some[i].code != some[i - 1].code, most = std::max(most, some[i].weight);
    const auto varint = [&](u64 value) {
      for (; value >= 128; value >>= 7) out.stream.push_back(static_cast<std::uint8_t>(value | 128));
      out.stream.push_back(static_cast<std::uint8_t>(value));
    };
    varint(codes);
    varint(some.size() - codes);
    const int width = f.width(), weight_width = width_of(most - 1), rice = rice_bits(f.span(), codes);
    if (f.weighted) out.stream.push_back(static_cast<std::uint8_t>(weight_width));
    BitWriter bits(out.stream);
    for (const auto& p : some) bits.put(p.document, width);
    if (f.weighted)
      for (const auto& p : some) bits.put(p.weight - 1, weight_width);
    u64 next = 0;  // the least code that may follow
    for (std::size_t i = 0, end = 0; i < some.size(); i = end) {
      while (end < some.size() && some[end].code == some[i].code) ++end;
      const u64 code = some[i].code & low_bits(f.span()), distance = code - next, length = end - i;
      bits.put_zeros(distance >> rice);
      bits.put(distance & low_bits(rice), rice);
      const int low = width_of(length) - 1;
      bits.put_zeros(static_cast<u64>(low));
      bits.put(length & low_bits(low), low);
      next = code + 1;
    }
    bits.end();
    out.postings += some.size(), out.codes += codes;
  }
  out.ends.push_back(static_cast<std::int64_t>(out.stream.size()));
}

// Parts of `grain` buckets each, made on several threads and joined in order. make(first, last, part) writes buckets [first, last).
template <class F>
SegmentPart parts_of_buckets(u64 first, u64 last, u64 grain, int threads, F&& make) {
  std::vector<SegmentPart> pieces(static_cast<std::size_t>((last - first + grain - 1) / grain));
  parallel_for(static_cast<std::int64_t>(last - first), static_cast<std::int64_t>(grain), threads, [&](int, std::int64_t from, std::int64_t to) {
    make(first + static_cast<u64>(from), first + static_cast<u64>(to), pieces[static_cast<std::size_t>(from) / grain]);
  });
  if (pieces.empty()) return {};
  if (pieces.size() == 1) return std::move(pieces[0]);
  std::size_t bytes = 0;
  for (const auto& piece : pieces) bytes += piece.stream.size();
  SegmentPart out;
  out.stream.reserve(bytes);
  for (auto& piece : pieces) out.append(piece);
  return out;
}

// Postings in any order, of documents from f.first on. `f` says first, documents and bits; the rest is filled in.
inline std::vector<std::uint8_t> pack_segment(std::span<const u64> keys, std::span<const u32> documents, std::span<const u32> weights,
                                              SegmentFooter f, int threads) {
  const std::size_t n = keys.size();
  // (1) Sort: first into buckets, which fit into the cache, then each.
  const int parted = bucket_bits(n, f.bits), shift = f.bits - parted;
  std::vector<std::size_t> starts((std::size_t{1} << parted) + 1);
  for (const u64 key : keys) ++starts[(code_of(key, f.bits) >> shift) + 1];
  for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
  std::vector<SegmentPosting> sorted(n);
  {
    auto place = starts;
    for (std::size_t i = 0; i < n; ++i) {
      const u64 code = code_of(keys[i], f.bits);
      sorted[place[code >> shift]++] = {code, documents[i] - f.first, weights[i]};
      f.weighted |= weights[i] != 1;
      if (weights[i] == 0) throw std::invalid_argument("a weight is 1 at least");
    }
  }
  parallel_for(static_cast<std::int64_t>(starts.size()) - 1, 256, threads, [&](int, std::int64_t from, std::int64_t to) {
    for (auto b = static_cast<std::size_t>(from); b < static_cast<std::size_t>(to); ++b)
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(starts[b]), sorted.begin() + static_cast<std::ptrdiff_t>(starts[b + 1]));
  });
  // (2) Two keys of a document with one code are one posting, of the greater weight.
  std::size_t to = 0;
  for (const auto& p : sorted) {
    if (to > 0 && sorted[to - 1].code == p.code && sorted[to - 1].document == p.document) sorted[to - 1].weight = std::max(sorted[to - 1].weight, p.weight);
    else sorted[to++] = p;
  }
  sorted.resize(to);
  // (3) Write.
  f.buckets = bucket_bits(sorted.size(), f.bits);
  auto part = parts_of_buckets(0, u64{1} << f.buckets, 256, threads, [&](u64 first, u64 last, SegmentPart& out) {
    const auto beginning = [&](u64 b) {
      return std::partition_point(sorted.begin(), sorted.end(), [&](const SegmentPosting& p) { return p.code >> f.span() < b; }) - sorted.begin();
    };
    auto at = static_cast<std::size_t>(beginning(first));
    for (u64 b = first; b < last; ++b) {
      std::size_t end = at;
      while (end < sorted.size() && sorted[end].code >> f.span() == b) ++end;
      write_bucket(f, std::span<const SegmentPosting>(sorted).subspan(at, end - at), out);
      at = end;
    }
  });
  f.postings = part.postings, f.codes = part.codes, f.stream = part.stream.size();
  const auto tail = segment_tail(f, part.ends);
  part.stream.insert(part.stream.end(), tail.begin(), tail.end());
  return std::move(part.stream);
}

}  // namespace quchong
