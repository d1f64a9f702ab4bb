// Paths of words inside sentences, and weighted sets that lie in others, for Python.
#include "bind.hpp"
#include "contained.hpp"
#include "paths.hpp"

namespace quchong {

void bind_paths(nb::module_& m) {
  using I64 = In<std::int64_t>;
  m.def("sentence_breaks",
        [](In<u64> address, I64 length, int threads) {
          auto r = unlocked([&] { return sentence_breaks(texts_of(address, length), threads); });
          return std::make_tuple(give(std::move(r.places)), give(std::move(r.offsets)));
        },
        nb::arg("address"), nb::arg("length"), nb::arg("threads"));
  m.def("path_sets",
        [](In<u32> tokens, I64 offsets, In<u32> sentence, In<u32> weight, int depth, int threads) {
          auto r = unlocked([&] { return path_sets(ragged_of(tokens, offsets), view(sentence), view(weight), depth, threads); });
          return std::make_tuple(give(std::move(r.values)), give(std::move(r.weights)), give(std::move(r.offsets)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("sentence"), nb::arg("weight"), nb::arg("depth"), nb::arg("threads"));
  m.def("meet_contained",
        [](In<u64> values, In<u32> weights, I64 offsets, In<u64> scope, double threshold, u32 cap, std::int64_t references, int threads) {
          auto r = unlocked([&] {
            return meet_contained({view(values), view(weights), view(offsets)}, view(scope), {threshold, cap, references}, threads);
          });
          return std::make_tuple(give(std::move(r.pairs.left)), give(std::move(r.pairs.right)), r.capped, r.largest, r.compared);
        },
        nb::arg("values"), nb::arg("weights"), nb::arg("offsets"), nb::arg("scope"), nb::arg("threshold"), nb::arg("cap"),
        nb::arg("references"), nb::arg("threads"));
}

}  // namespace quchong
