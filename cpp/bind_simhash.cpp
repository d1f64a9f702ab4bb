// SimHash signatures and pairs within a Hamming distance, for Python.
#include "bind.hpp"
#include "hamming.hpp"
#include "simhash.hpp"

using namespace quchong;

void bind_simhash(nb::module_& m) {
  using U8 = In<std::uint8_t>;
  using U32 = In<u32>;
  using U64 = In<u64>;
  using I64 = In<std::int64_t>;

  nb::class_<FeatureWeights>(m, "FeatureWeights")
      .def("__init__",
           [](FeatureWeights* self, U64 features, U32 weights, u32 unknown) {
             new (self) FeatureWeights(view(features), view(weights), unknown);
           },
           nb::arg("features"), nb::arg("weights"), nb::arg("unknown"));
  m.def("simhash",
        [](U32 tokens, I64 offsets, int ngram, int words, const FeatureWeights* weights, int threads) {
          std::vector<u64> out((offsets.size() - 1) * static_cast<std::size_t>(words));
          unlocked([&] { simhash(ragged_of(tokens, offsets), ngram, words, weights, out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("words"), nb::arg("weights").none(), nb::arg("threads"));
  m.def("simhash_texts",
        [](const TextTables& tables, U64 address, I64 length, bool full, bool characters, int ngram, int words,
           const FeatureWeights* weights, int threads) {
          std::vector<u64> out(length.size() * static_cast<std::size_t>(words));
          std::vector<std::uint8_t> defined(length.size());
          unlocked([&] {
            simhash_texts(tables, texts_of(address, length), {full, characters}, ngram, words, weights, out, defined, threads);
            return 0;
          });
          return std::make_tuple(give(std::move(out)), give(std::move(defined)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("length"), nb::arg("full"), nb::arg("characters"), nb::arg("ngram"),
        nb::arg("words"), nb::arg("weights").none(), nb::arg("threads"));
  m.def("count_features",
        [](U32 tokens, I64 offsets, int ngram, int threads) {
          auto c = unlocked([&] { return count_features(ragged_of(tokens, offsets), ngram, threads); });
          return std::make_tuple(give(std::move(c.feature)), give(std::move(c.documents)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("threads"));
  m.def("hamming_pairs",
        [](U64 signatures, U8 defined, U64 scope, int words, int distance, int blocks, u32 cap, u32 split, u32 leaders,
           std::int64_t references, int threads) {
          const HammingOptions o{words, distance, blocks, cap, split, leaders, references};
          auto r = unlocked([&] {
            return words == 1 ? hamming_pairs<1>(view(signatures), view(defined), view(scope), o, threads)
                              : hamming_pairs<2>(view(signatures), view(defined), view(scope), o, threads);
          });
          return std::make_tuple(give(std::move(r.left)), give(std::move(r.right)), give(std::move(r.distance)), r.capped, r.led,
                                 r.largest_group);
        },
        nb::arg("signatures"), nb::arg("defined"), nb::arg("scope"), nb::arg("words"), nb::arg("distance"), nb::arg("blocks"),
        nb::arg("cap"), nb::arg("split"), nb::arg("leaders"), nb::arg("references"), nb::arg("threads"));
  m.def("hamming_distances",
        [](U64 signatures, int words, U32 left, U32 right, int threads) {
          const auto w = static_cast<std::size_t>(words);
          const auto bits = view(signatures);
          std::vector<u32> out(left.size());
          unlocked([&] {
            parallel_for(static_cast<std::int64_t>(out.size()), 4096, threads, [&](int, std::int64_t a, std::int64_t b) {
              for (auto i = static_cast<std::size_t>(a); i < static_cast<std::size_t>(b); ++i) {
                int n = 0;
                for (std::size_t k = 0; k < w; ++k) n += std::popcount(bits[left.data()[i] * w + k] ^ bits[right.data()[i] * w + k]);
                out[i] = static_cast<u32>(n);
              }
            });
            return 0;
          });
          return give(std::move(out));
        },
        nb::arg("signatures"), nb::arg("words"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
}
