// Passages: of pairs of texts, word for word or reworked, and of a whole corpus.
#include "align/align.hpp"
#include "align/edits.hpp"
#include "align/passages.hpp"
#include "align/repeats.hpp"
#include "align/wholeruns.hpp"
#include "bind.hpp"

namespace quchong {

void bind_align(nb::module_& m) {
  def_kernel(m, "equal_runs", "left right ngram shortest", [](U32 left, U32 right, int ngram, u32 shortest) {
    std::vector<Run> runs;
    RunScratch scratch;
    equal_runs(left, right, ngram, shortest, scratch, runs);
    std::vector<u32> out;
    for (const auto& r : runs) out.insert(out.end(), {r.left, r.right, r.length});
    return out;
  });
  def_kernel(m, "passages", "tables address length full characters left right ngram shortest threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, U32 left, U32 right, U8 ngram,
                U32 shortest, int threads) {
               auto p = passages(tables, {address, length}, {full, characters}, left, right, ngram, shortest, threads);
               return parts(p.offsets, p.places);
             });
  def_kernel(m, "align_tokens",
             "tokens offsets left right cap skip shingle slack radius dense chance reach gain least run repeat join threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, u32 cap, u32 skip, u32 shingle, u32 slack, u32 radius, u32 dense,
                u32 chance, u32 reach, u32 gain, u32 least, u32 run, u32 repeat, u32 join, int threads) {
               auto r = align_tokens({tokens, offsets}, left, right,
                                     {cap, skip, shingle, slack, radius, dense, chance, reach, gain, least, run, repeat, join}, threads);
               return parts(r.offsets, r.spans, r.exact);
             });
  def_kernel(m, "edits", "tokens offsets left right shingle most_runs cells join threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, u32 shingle, u32 most_runs, std::int64_t cells, bool join, int threads) {
               auto e = edits({tokens, offsets}, left, right, {shingle, most_runs, cells, join}, threads);
               return parts(e.offsets, e.places, e.matched);
             });
  def_kernel(m, "repeated_passages", "tokens offsets shortest partners tries compared threads",
             [](U32 tokens, I64 offsets, u32 shortest, u32 partners, u32 tries, std::int64_t compared, int threads) {
               auto r = repeated_passages(tokens, offsets, {shortest, partners, tries, compared}, threads);
               return parts(r.doc, r.other, r.start, r.other_start, r.length, r.passage, r.documents, r.share, r.bounded);
             });
  def_kernel(m, "whole_runs", "tables address bytes full left right start other_start length threads",
             [](const TextTables& tables, U64 address, I64 bytes, bool full, U32 left, U32 right, U32 start, U32 other_start,
                U32 length, int threads) {
               auto r = whole_runs(tables, {address, bytes}, full, {left, right, start, other_start, length}, threads);
               return parts(r.places, r.length, r.exact);
             });
}

}  // namespace quchong
