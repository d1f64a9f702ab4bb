// Segments: posting lists in immutable buffers.
#include "bind.hpp"
#include "segments/lookup.hpp"

namespace quchong {

void bind_segments(nb::module_& m) {
  def_kernel(m, "pack_segment", "keys documents weights first count bits threads",
             [](U64 keys, U32 documents, U32 weights, u32 first, u32 count, int bits, int threads) {
               SegmentFooter f;
               f.first = first, f.documents = count, f.bits = bits;
               return pack_segment(keys, documents, weights, f, threads);
             });
  def_kernel(m, "segment_info", "segment", [](U8 segment) {
    const Segment s(segment);
    const auto& f = s.footer;
    return std::tuple(f.first, f.documents, f.postings, f.codes, f.bits, f.weighted);
  });
  def_kernel(m, "lookup_segments", "segments run_keys run_documents run_weights keys gone most counted before threads",
             [](std::vector<U8> segments, std::vector<U64> run_keys, std::vector<U32> run_documents, std::vector<U32> run_weights, U64 keys,
                U8 gone, u64 most, u64 counted, I64 before, int threads) {
               auto r = find_lists(open_segments(segments), {run_keys, run_documents, run_weights}, keys, gone, {most, counted, before}, threads);
               return parts(r.documents, r.weights, r.ends, r.lengths);
             });
  def_kernel(m, "merged_buckets", "segments", [](std::vector<U8> segments) { return merged_footer(open_segments(segments)).buckets; });
  def_kernel(m, "merge_segments", "segments gone first last threads", [](std::vector<U8> segments, U8 gone, u64 first, u64 last, int threads) {
    auto r = merge_buckets(open_segments(segments), gone, first, last, threads);
    return std::tuple(std::move(r.stream), std::move(r.ends), r.postings, r.codes);
  });
  def_kernel(m, "merged_tail", "segments ends postings codes", [](std::vector<U8> segments, I64 ends, u64 postings, u64 codes) {
    auto f = merged_footer(open_segments(segments));
    if (ends.size() != std::size_t{1} << f.buckets) throw std::invalid_argument("an end for each bucket");
    f.postings = postings, f.codes = codes, f.stream = static_cast<u64>(ends.back());
    return segment_tail(f, ends);
  });
}

}  // namespace quchong
