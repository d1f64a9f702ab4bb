// What pairs of texts have in common, and what stands in the one in place of the other's.
#include "bind.hpp"
#include "pairs/overlaps.hpp"
#include "pairs/pairs.hpp"
#include "pairs/replaced.hpp"
#include "pairs/rests.hpp"

namespace quchong {

void bind_pairs(nb::module_& m) {
  def_kernel(m, "distinct_shingles", "tokens offsets ngram threads", [](U32 tokens, I64 offsets, U8 ngram, int threads) {
    return filled<u32>(ngram.size(), [&](auto out) { distinct_shingles({tokens, offsets}, ngram, out, threads); });
  });
  def_kernel(m, "shared_shingles", "tokens offsets left right ngram threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, U8 ngram, int threads) {
               return filled<u32>(left.size(), [&](auto out) { shared_shingles({tokens, offsets}, left, right, ngram, out, threads); });
             });
  def_kernel(m, "covered_tokens", "tokens offsets known width run threads",
             [](U32 tokens, I64 offsets, U64 known, int width, int run, int threads) {
               return filled<std::uint8_t>(tokens.size(), [&](auto out) { covered_tokens({tokens, offsets}, known, width, run, out, threads); });
             });
  def_kernel(m, "says_other", "tokens offsets rest other gap shift pieces threads",
             [](U32 tokens, I64 offsets, U32 rest, U32 other, u32 gap, int shift, int pieces, int threads) {
               return filled<std::uint8_t>(rest.size(), [&](auto out) {
                 says_other({tokens, offsets}, rest, other, {gap, shift, pieces}, out, threads);
               });
             });
  def_kernel(m, "sample_overlaps",
             "tables address length full characters sample sample_offsets sample_long w_short w_long long_tokens least threads stop",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 sample, I64 sample_offsets,
                U8 sample_long, int w_short, int w_long, u32 long_tokens, double least, int threads, const Stop* stop) {
               const TextDocuments documents{tables, {address, length}, {full, characters}};
               auto o = sample_overlaps(documents, {sample, sample_offsets}, sample_long, w_short, w_long, long_tokens, least,
                                        threads, stop);
               return parts(o.text, o.sample, o.shared, o.distinct);
             });
  def_kernel(m, "kept_overlaps",
             "tokens offsets singles index sample sample_offsets sample_long w_short w_long long_tokens least threads stop",
             [](U32 tokens, I64 offsets, U32 singles, U32 index, U32 sample, I64 sample_offsets, U8 sample_long, int w_short,
                int w_long, u32 long_tokens, double least, int threads, const Stop* stop) {
               const KeptDocuments documents{{tokens, offsets}, singles, index};
               auto o = sample_overlaps(documents, {sample, sample_offsets}, sample_long, w_short, w_long, long_tokens, least,
                                        threads, stop);
               return parts(o.text, o.sample, o.shared, o.distinct);
             });
  def_kernel(m, "compare_numbers", "tokens offsets left right threads", [](U32 tokens, I64 offsets, U32 left, U32 right, int threads) {
    return filled<u32>(5 * left.size(), [&](auto out) { compare_numbers({tokens, offsets}, left, right, out, threads); });
  });
  def_kernel(m, "repeated_swaps", "tokens offsets left right max_cells threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, std::int64_t max_cells, int threads) {
               return filled<std::uint8_t>(left.size(), [&](auto out) {
                 repeated_swaps({tokens, offsets}, left, right, out, max_cells, threads);
               });
             });
  def_kernel(m, "replaced_words", "tokens offsets left right max_cells threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, std::int64_t max_cells, int threads) {
               return filled<u32>(left.size(), [&](auto out) { replaced_words({tokens, offsets}, left, right, out, max_cells, threads); });
             });
  def_kernel(m, "disjoint_places", "tokens offsets left right names name_offsets threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, U32 names, I64 name_offsets, int threads) {
               return filled<std::uint8_t>(left.size(), [&](auto out) {
                 disjoint_places({tokens, offsets}, left, right, {names, name_offsets}, out, threads);
               });
             });
  def_kernel(m, "added_only", "tokens offsets left right threads", [](U32 tokens, I64 offsets, U32 left, U32 right, int threads) {
    return filled<std::uint8_t>(left.size(), [&](auto out) { added_only({tokens, offsets}, left, right, out, threads); });
  });
}

}  // namespace quchong
