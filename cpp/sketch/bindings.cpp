// Signatures: MinHash, SimHash, and the pairs within a Hamming distance.
#include "bind.hpp"
#include "sketch/hamming.hpp"
#include "sketch/minhash.hpp"
#include "sketch/simhash.hpp"

namespace quchong {

void bind_sketch(nb::module_& m) {
  def_kernel(m, "k_mins", "tokens offsets ngram num_perm seed threads",
             [](U32 tokens, I64 offsets, int ngram, int num_perm, u64 seed, int threads) {
               return filled<u32>(static_cast<std::size_t>(num_perm) * (offsets.size() - 1), [&](auto out) {
                 k_mins({tokens, offsets}, ngram, num_perm, seed, out, threads);
               });
             });
  def_kernel(m, "one_permutation", "tokens offsets ngram num_perm seed threads",
             [](U32 tokens, I64 offsets, int ngram, int num_perm, u64 seed, int threads) {
               return filled<u32>(static_cast<std::size_t>(num_perm) * (offsets.size() - 1), [&](auto out) {
                 one_permutation({tokens, offsets}, ngram, num_perm, seed, out, threads);
               });
             });
  def_kernel(m, "set_mins", "values offsets num_perm seed threads", [](U64 values, I64 offsets, int num_perm, u64 seed, int threads) {
    return filled<u32>(static_cast<std::size_t>(num_perm) * (offsets.size() - 1), [&](auto out) {
      set_mins(values, offsets, num_perm, seed, out, threads);
    });
  });
  def_kernel(m, "band_keys", "signatures num_perm bands rows threads", [](U32 signatures, int num_perm, int bands, int rows, int threads) {
    const std::size_t n = num_perm ? signatures.size() / static_cast<std::size_t>(num_perm) : 0;
    return filled<u64>(n * static_cast<std::size_t>(bands), [&](auto out) {
      band_keys(signatures, n, num_perm, bands, rows, out, threads);
    });
  });

  nb::class_<FeatureWeights> weights(m, "FeatureWeights", "Weights of features by hash.");
  def_kernel(weights, "__init__", "features weights unknown", [](FeatureWeights* self, U64 features, U32 weights, u32 unknown) {
    new (self) FeatureWeights(features, weights, unknown);
  });
  def_kernel(m, "simhash", "tokens offsets ngram words weights threads",
             [](U32 tokens, I64 offsets, int ngram, int words, const FeatureWeights* weights, int threads) {
               return filled<u64>((offsets.size() - 1) * static_cast<std::size_t>(words), [&](auto out) {
                 simhash(Ragged{tokens, offsets}, ngram, words, weights, out, threads);
               });
             });
  def_kernel(m, "simhash_named", "names offsets ngram words weights threads",
             [](U64 names, I64 offsets, int ngram, int words, const FeatureWeights* weights, int threads) {
               return filled<u64>((offsets.size() - 1) * static_cast<std::size_t>(words), [&](auto out) {
                 simhash(RaggedNames{names, offsets}, ngram, words, weights, out, threads);
               });
             });
  def_kernel(m, "simhash_texts", "tables address length full characters ngram words weights threads",
             [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int ngram, int words,
                const FeatureWeights* weights, int threads) {
               std::vector<u64> out(length.size() * static_cast<std::size_t>(words));
               Mask defined(length.size());
               simhash_texts(tables, {address, length}, {full, characters}, ngram, words, weights, out, defined, threads);
               return parts(out, defined);
             });
  def_kernel(m, "count_features_named", "names offsets ngram threads", [](U64 names, I64 offsets, int ngram, int threads) {
    auto c = count_features(RaggedNames{names, offsets}, ngram, threads);
    return parts(c.feature, c.documents);
  });
  def_kernel(m, "count_features", "tokens offsets ngram threads", [](U32 tokens, I64 offsets, int ngram, int threads) {
    auto c = count_features(Ragged{tokens, offsets}, ngram, threads);
    return parts(c.feature, c.documents);
  });
  def_kernel(m, "hamming_pairs", "signatures defined scope words distance blocks cap split leaders references threads",
             [](U64 signatures, U8 defined, U64 scope, int words, int distance, int blocks, u32 cap, u32 split, u32 leaders,
                std::int64_t references, int threads) {
               const HammingOptions o{words, distance, blocks, cap, split, leaders, references};
               auto r = words == 1 ? hamming_pairs<1>(signatures, defined, scope, o, threads)
                                   : hamming_pairs<2>(signatures, defined, scope, o, threads);
               return parts(r.left, r.right, r.distance, r.capped, r.led, r.largest_group);
             });
  def_kernel(m, "hamming_distances", "signatures words left right threads",
             [](U64 signatures, int words, U32 left, U32 right, int threads) {
               return filled<u32>(left.size(), [&](auto out) {
                 hamming_distances(signatures, static_cast<std::size_t>(words), left, right, out, threads);
               });
             });
}

}  // namespace quchong
