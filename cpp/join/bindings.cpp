// Joins: documents with equal keys, and the exact join of sets by prefixes.
#include "bind.hpp"
#include "join/keys.hpp"
#include "join/ppjoin.hpp"

namespace quchong {

void bind_join(nb::module_& m) {
  def_kernel(m, "join_keys", "keys offsets order size window time cap min_shared share most few crowd references within wave threads",
             [](U64 keys, I64 offsets, I64 order, U32 size, U32 window, F64 time, u32 cap, u32 min_shared, double share, u32 most, u32 few, u32 crowd,
                std::int64_t references, double within, std::int64_t wave, int threads) {
               auto r = join_keys(keys, offsets, order, size, window, time,
                                  {cap, min_shared, share, most, few, crowd, references, within, wave}, threads);
               return parts(r.left, r.right, r.shared, r.capped_keys, r.largest_key, r.bounded, r.crowded);
             });
  def_kernel(m, "count_tokens", "values least wave threads", [](U64 values, u32 least, std::int64_t wave, int threads) {
    auto c = count_tokens(values, least, wave, threads);
    return parts(c.values, c.counts);
  });
  def_kernel(m, "order_sets", "values offsets known counts frozen wave threads",
             [](U64 values, I64 offsets, U64 known, U32 counts, bool frozen, std::int64_t wave, int threads) {
               auto s = order_sets(values, offsets, known, counts, frozen, wave, threads);
               return parts(s.tokens, s.distinct);
             });
  def_kernel(m, "join_sets", "tokens offsets distinct scope threshold suffix_depth min_size references threads",
             [](U32 tokens, I64 offsets, std::int64_t distinct, U64 scope, double threshold, int suffix_depth, u32 min_size,
                std::int64_t references, int threads) {
               auto r = join_sets({tokens, offsets}, static_cast<std::size_t>(distinct), scope,
                                  {threshold, suffix_depth, min_size, references}, threads);
               return parts(r.left, r.right, r.candidates, r.by_position, r.by_suffix, r.verified);
             });
  def_kernel(m, "screen_pairs", "tokens offsets left right threshold suffix_depth min_size threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, double threshold, int suffix_depth, u32 min_size, int threads) {
               auto r = screen_pairs({tokens, offsets}, left, right, {threshold, suffix_depth, min_size, 0}, threads);
               return parts(r.stage, r.shared, r.first);
             });
}

}  // namespace quchong
