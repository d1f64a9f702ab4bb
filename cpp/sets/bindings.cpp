// Sets of features, weighted sets and sparse vectors: what they share, and which meet.
#include "bind.hpp"
#include "sets/contained.hpp"
#include "sets/sets.hpp"
#include "sets/spotsigs.hpp"
#include "sets/vectors.hpp"

namespace quchong {

void bind_sets(nb::module_& m) {
  def_kernel(m, "make_sets", "values offsets threads", [](U64 values, I64 offsets, int threads) {
    auto s = make_sets(values, offsets, threads);
    return parts(s.values, s.weights, s.offsets);
  });
  def_kernel(m, "shared_sets", "values weights offsets left right threads",
             [](U64 values, U32 weights, I64 offsets, U32 left, U32 right, int threads) {
               std::vector<u64> weight(left.size());
               std::vector<u32> common(left.size());
               shared_sets({values, weights, offsets}, left, right, weight, common, threads);
               return parts(weight, common);
             });
  def_kernel(m, "meet_sets", "values weights offsets scope jaccard threshold min_shared cap references most threads",
             [](U64 values, U32 weights, I64 offsets, U64 scope, bool jaccard, double threshold, u32 min_shared, u32 cap,
                std::int64_t references, u32 most, int threads) {
               auto r = meet_sets({values, weights, offsets}, scope, {jaccard, threshold, min_shared, cap, references, most}, threads);
               return parts(r.left, r.right, r.capped, r.largest, r.bounded);
             });
  def_kernel(m, "meet_contained", "values weights offsets scope threshold cap references threads",
             [](U64 values, U32 weights, I64 offsets, U64 scope, double threshold, u32 cap, std::int64_t references, int threads) {
               auto r = meet_contained({values, weights, offsets}, scope, {threshold, cap, references}, threads);
               return parts(r.pairs.left, r.pairs.right, r.capped, r.largest, r.compared);
             });
  def_kernel(m, "meet_spots", "values weights offsets ends scope threshold paper cap references threads",
             [](U64 values, U32 weights, I64 offsets, U64 ends, U64 scope, double threshold, bool paper, u32 cap,
                std::int64_t references, int threads) {
               auto r = meet_spots({values, weights, offsets}, ends, scope, {threshold, paper, cap, references}, threads);
               return parts(r.pairs.left, r.pairs.right, r.compared, r.capped, r.largest);
             });
  def_kernel(m, "dots", "terms weights offsets left right threads",
             [](U32 terms, F64 weights, I64 offsets, U32 left, U32 right, int threads) {
               return filled<double>(left.size(), [&](auto out) { dots({terms, weights, offsets}, left, right, out, threads); });
             });
  def_kernel(m, "single_pass", "terms weights offsets count scope threshold",
             [](U32 terms, F64 weights, I64 offsets, std::size_t count, U64 scope, double threshold) {
               auto r = single_pass({terms, weights, offsets}, count, scope, threshold);
               return parts(r.founder, r.similarity);
             });
}

}  // namespace quchong
