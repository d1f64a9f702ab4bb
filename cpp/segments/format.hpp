// The layout of a segment: posting lists in one immutable buffer. Fixed for ever for version 1 (docs/index-format.md):
//
//   stream    the buckets one after the other
//   table     for each bucket 5 bytes, the end of its bytes in the stream
//   footer    64 bytes
//
// Keys are mixed by `mix64`, so that they are uniform, and known by their first `bits` bits: a code. A bucket holds the codes with the same first
// `buckets` bits. It begins with two varints, its codes and its postings beyond one a code, and where the segment is weighted a byte, the width
// of its weights. Then, bit after bit from the lowest of each byte on: documents (less the first one of the segment) of all lists, at a fixed
// width; weights less 1, at a fixed width; and for each code, ascending, its distance from the one before in Golomb-Rice code and the
// length of its list in Elias' gamma code. Everything is checked as it is read: a buffer may come from anybody.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "hash.hpp"

namespace quchong {

using Bytes = std::span<const std::uint8_t>;

[[noreturn]] inline void damaged_segment() { throw std::invalid_argument("a segment that is damaged, or none"); }

constexpr int width_of(u64 x) { return 64 - std::countl_zero(x); }  // bits of a number, 0 of 0
constexpr u64 low_bits(int n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; }

// Eight bytes, the lowest first. The footer follows all that is read so, and is longer.
inline u64 load64(const std::uint8_t* p) {
  u64 x;
  std::memcpy(&x, p, 8);
  if constexpr (std::endian::native == std::endian::big) {
    u64 y = 0;
    for (int i = 0; i < 8; ++i) y = y << 8 | (x >> (8 * i) & 0xFF);
    x = y;
  }
  return x;
}

inline constexpr std::size_t SEGMENT_FOOTER = 64, BUCKET_ENTRY = 5;
inline constexpr u64 SEGMENT_MARK = 0x3147455348435551ull;  // "QUCHSEG1"
inline constexpr int LEAST_CODE_BITS = 32, MOST_CODE_BITS = 56;
inline constexpr u64 BUCKET_POSTINGS = 48;  // to twice as many, on average

struct SegmentFooter {
  u64 postings = 0, codes = 0, stream = 0;
  u32 first = 0, documents = 0;
  int bits = 40, buckets = 0;
  bool weighted = false;
  int width() const { return documents > 1 ? width_of(documents - 1) : 0; }
  int span() const { return bits - buckets; }  // bits of a code within its bucket
};

// The bits by which codes are parted into buckets.
inline int bucket_bits(u64 postings, int bits) {
  const u64 many = postings / BUCKET_POSTINGS;
  return many == 0 ? 0 : std::min(width_of(many) - 1, bits - 8);
}

inline u64 code_of(u64 key, int bits) { return mix64(key) >> (64 - bits); }

// The low bits of a distance that are written as they are, for so many codes among 2^span: of the mean distance, rounded down.
inline int rice_bits(int span, u64 codes) {
  const u64 mean = (u64{1} << span) / codes;
  return mean ? width_of(mean) - 1 : 0;
}

inline void put_number(std::vector<std::uint8_t>& out, u64 value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

// What follows the stream.
inline std::vector<std::uint8_t> segment_tail(const SegmentFooter& f, std::span<const std::int64_t> ends) {
  if (f.stream >> (8 * BUCKET_ENTRY)) throw std::length_error("a segment of more than a terabyte");
  std::vector<std::uint8_t> out;
  out.reserve(ends.size() * BUCKET_ENTRY + SEGMENT_FOOTER);
  for (const auto end : ends) put_number(out, static_cast<u64>(end), BUCKET_ENTRY);
  put_number(out, SEGMENT_MARK, 8);
  put_number(out, f.postings, 8), put_number(out, f.codes, 8), put_number(out, f.stream, 8);
  put_number(out, f.first, 4), put_number(out, f.documents, 4);
  put_number(out, static_cast<u64>(f.bits), 1), put_number(out, static_cast<u64>(f.buckets), 1), put_number(out, f.weighted, 1);
  out.resize(ends.size() * BUCKET_ENTRY + SEGMENT_FOOTER);
  return out;
}

// A segment whose footer was checked. Its buckets are checked when they are read.
class Segment {
 public:
  SegmentFooter footer;

  explicit Segment(Bytes all) : data_(all.data()) {
    if (all.size() < SEGMENT_FOOTER + BUCKET_ENTRY) damaged_segment();
    const auto* f = all.data() + all.size() - SEGMENT_FOOTER;
    footer.postings = load64(f + 8), footer.codes = load64(f + 16), footer.stream = load64(f + 24);
    const u64 documents = load64(f + 32), rest = load64(f + 40);
    footer.first = static_cast<u32>(documents), footer.documents = static_cast<u32>(documents >> 32);
    footer.bits = static_cast<int>(rest & 0xFF), footer.buckets = static_cast<int>(rest >> 8 & 0xFF);
    footer.weighted = rest >> 16 & 1;
    if (load64(f) != SEGMENT_MARK || rest >> 17 || load64(f + 48) || load64(f + 56) || footer.bits < LEAST_CODE_BITS ||
        footer.bits > MOST_CODE_BITS || footer.buckets > footer.bits - 8 || footer.stream > all.size() ||
        u64{footer.first} + footer.documents > ~u32{0} || footer.codes > footer.postings || footer.postings > 8 * footer.stream ||
        all.size() - SEGMENT_FOOTER - footer.stream != BUCKET_ENTRY << footer.buckets)
      damaged_segment();
    table_ = data_ + footer.stream;
  }

  const std::uint8_t* entry(u64 bucket) const { return table_ + BUCKET_ENTRY * bucket; }

  // The bytes of a bucket.
  Bytes bucket(u64 b) const {
    const u64 start = b ? load64(entry(b - 1)) & low_bits(40) : 0, end = load64(entry(b)) & low_bits(40);
    if (start > end || end > footer.stream) damaged_segment();
    return {data_ + start, end - start};
  }

 private:
  const std::uint8_t *data_, *table_;
};

// One bucket, whose header was checked. `bits` are counted from `data` on.
struct Bucket {
  const std::uint8_t* data = nullptr;
  u64 limit = 0, codes = 0, postings = 0, code_start = 0;
  u32 documents = 0;
  int width = 0, weight_width = 0, rice = 0, span = 0;

  Bucket() = default;
  Bucket(const SegmentFooter& f, Bytes bytes) : documents(f.documents), width(f.width()), span(f.span()) {
    if (bytes.empty()) return;
    std::size_t at = 0;
    const auto varint = [&] {
      u64 value = 0;
      for (int shift = 0; shift < 42; shift += 7) {
        if (at == bytes.size()) damaged_segment();
        const u64 byte = bytes[at++];
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
      damaged_segment();
    };
    codes = varint();
    postings = codes + varint();
    if (f.weighted) {
      if (at == bytes.size()) damaged_segment();
      weight_width = bytes[at++];
    }
    data = bytes.data() + at;
    limit = 8 * (bytes.size() - at);
    code_start = postings * static_cast<u64>(width + weight_width);
    if (codes == 0 || weight_width > 32 || codes > u64{1} << span || code_start > limit || 2 * codes > limit - code_start) damaged_segment();
    rice = rice_bits(span, codes);
  }

  u64 at(u64 bit, int n) const { return load64(data + (bit >> 3)) >> (bit & 7) & low_bits(n); }  // n <= 57
  u32 document(u64 i) const { return static_cast<u32>(at(i * static_cast<u64>(width), width)); }
  u32 weight(u64 i) const {
    return static_cast<u32>(at(postings * static_cast<u64>(width) + i * static_cast<u64>(weight_width), weight_width) + 1);
  }
};

// The codes of a bucket in order, less the bits all have in common, each with its list: postings [start, start + length) of the bucket.
class CodeReader {
 public:
  u64 code = 0, start = 0, length = 0;

  explicit CodeReader(const Bucket& bucket) : b_(bucket) { restart(); }
  void restart() {
    code = start = length = 0;
    at_ = b_.code_start, left_ = b_.codes, begun_ = 0;
  }

  bool next() {
    if (left_ == 0) return false;
    --left_;
    u64 distance;
    start += length;
    // Nearly all codes have their distance and the length of their list within the bits of one load. Its end is found without a branch on
    // that length: the processor would guess wrong at each list of several documents.
    const u64 word = load64(b_.data + (at_ >> 3)) >> (at_ & 7);
    const int high = std::countr_zero(word | u64{1} << 56), after = high + 1 + b_.rice;
    const u64 rest = word >> (after & 63);
    const int low = std::countr_zero(rest | u64{1} << 56), all = after + 2 * low + 1;
    if (all <= 57) [[likely]] {
      distance = static_cast<u64>(high) << b_.rice | (word >> (high + 1) & low_bits(b_.rice));
      length = u64{1} << low | (rest >> (low + 1) & low_bits(low));
      at_ += static_cast<u64>(all);
      if (at_ > b_.limit) damaged_segment();
    } else {
      const u64 quotient = zeros();
      if (quotient > low_bits(b_.span) >> b_.rice) damaged_segment();
      distance = quotient << b_.rice | take(b_.rice);
      const u64 bits = zeros();
      if (bits > 31) damaged_segment();
      length = u64{1} << bits | take(static_cast<int>(bits));
    }
    code = distance + code + begun_;
    begun_ = 1;
    if (code >> b_.span || length > b_.documents || length > b_.postings - start) damaged_segment();
    return true;
  }
  // All codes were read, and their lists are all there is.
  void check_end() const {
    if (left_ != 0 || start + length != b_.postings) damaged_segment();
  }

 private:
  // The number of 0 bits before the next 1, which is read as well.
  u64 zeros() {
    u64 n = 0;
    for (;;) {
      if (at_ >= b_.limit) damaged_segment();
      const u64 word = load64(b_.data + (at_ >> 3)) >> (at_ & 7);
      if (word != 0) {
        const auto zeros = static_cast<u64>(std::countr_zero(word));
        at_ += zeros + 1;
        if (at_ > b_.limit) damaged_segment();
        return n + zeros;
      }
      const u64 known = 64 - (at_ & 7);
      n += known, at_ += known;
    }
  }
  u64 take(int n) {
    if (at_ + static_cast<u64>(n) > b_.limit) damaged_segment();
    const u64 value = b_.at(at_, n);
    at_ += static_cast<u64>(n);
    return value;
  }

  const Bucket& b_;
  u64 at_ = 0, left_ = 0;
  u64 begun_ = 0;  // 1 from the second code on
};

}  // namespace quchong
