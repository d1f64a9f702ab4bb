// Features of documents: shingles, keys of short documents, what stands before full stops, paths of words.
#include "bind.hpp"
#include "features/least.hpp"
#include "features/paths.hpp"
#include "features/periods.hpp"
#include "features/shingles.hpp"
#include "features/short_keys.hpp"

namespace quchong {

void bind_features(nb::module_& m) {
  def_kernel(m, "ragged_shingles", "tokens offsets ngram threads", [](U32 tokens, I64 offsets, int ngram, int threads) {
    auto r = ragged_shingles(Ragged{tokens, offsets}, ngram, threads);
    return parts(r.values, r.offsets);
  });
  def_kernel(m, "window_minima", "tokens offsets ngram window threads", [](U32 tokens, I64 offsets, int ngram, u32 window, int threads) {
    auto r = window_minima(Ragged{tokens, offsets}, ngram, window, threads);
    return parts(r.values, r.places, r.offsets);
  });
  def_kernel(m, "ragged_shingles_named", "names offsets ngram threads", [](U64 names, I64 offsets, int ngram, int threads) {
    auto r = ragged_shingles(RaggedNames{names, offsets}, ngram, threads);
    return parts(r.values, r.offsets);
  });
  def_kernel(m, "window_minima_named", "names offsets ngram window threads",
             [](U64 names, I64 offsets, int ngram, u32 window, int threads) {
               auto r = window_minima(RaggedNames{names, offsets}, ngram, window, threads);
               return parts(r.values, r.places, r.offsets);
             });
  def_kernel(m, "least_by_key", "values keys offsets count threads",
             [](U64 values, U64 keys, I64 offsets, std::int64_t count, int threads) {
               auto r = least_by_key(values, keys, offsets, static_cast<std::size_t>(count), threads);
               return parts(r.values, r.offsets);
             });
  def_kernel(m, "short_keys", "tokens offsets common longest lacking threads",
             [](U32 tokens, I64 offsets, U32 common, u32 longest, u32 lacking, int threads) {
               auto r = short_keys({tokens, offsets}, common, {longest, lacking}, threads);
               return parts(r.keys, r.offsets);
             });
  def_kernel(m, "period_features", "address length before after threads",
             [](U64 address, I64 length, int before, int after, int threads) {
               auto r = period_features({address, length}, before, after, threads);
               return parts(r.values, r.offsets);
             });
  def_kernel(m, "path_sets", "names offsets sentence weight depth threads",
             [](U64 names, I64 offsets, U32 sentence, U32 weight, int depth, int threads) {
               auto r = path_sets(RaggedNames{names, offsets}, sentence, weight, depth, threads);
               return parts(r.values, r.weights, r.offsets);
             });
}

}  // namespace quchong
