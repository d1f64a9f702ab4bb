// Sets of features, and those of full stops, for Python.
#include "bind.hpp"
#include "periods.hpp"
#include "sets.hpp"

namespace quchong {

namespace {
FeatureSets sets_of(const In<u64>& values, const In<u32>& weights, const In<std::int64_t>& offsets) {
  return {view(values), view(weights), view(offsets)};
}
}  // namespace

void bind_sets(nb::module_& m) {
  using U64 = In<u64>;
  using U32 = In<u32>;
  using I64 = In<std::int64_t>;
  m.def("period_features",
        [](U64 address, I64 length, int before, int after, int threads) {
          auto f = unlocked([&] { return period_features(texts_of(address, length), before, after, threads); });
          return std::make_tuple(give(std::move(f.values)), give(std::move(f.offsets)));
        },
        nb::arg("address"), nb::arg("length"), nb::arg("before"), nb::arg("after"), nb::arg("threads"));
  m.def("make_sets",
        [](U64 values, I64 offsets, int threads) {
          auto s = unlocked([&] { return make_sets(view(values), view(offsets), threads); });
          return std::make_tuple(give(std::move(s.values)), give(std::move(s.weights)), give(std::move(s.offsets)));
        },
        nb::arg("values"), nb::arg("offsets"), nb::arg("threads"));
  m.def("shared_sets",
        [](U64 values, U32 weights, I64 offsets, U32 left, U32 right, int threads) {
          std::vector<u64> weight(left.size());
          std::vector<u32> common(left.size());
          unlocked([&] {
            shared_sets(sets_of(values, weights, offsets), view(left), view(right), weight, common, threads);
            return 0;
          });
          return std::make_tuple(give(std::move(weight)), give(std::move(common)));
        },
        nb::arg("values"), nb::arg("weights"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
  m.def("meet_sets",
        [](U64 values, U32 weights, I64 offsets, U64 scope, bool jaccard, double threshold, u32 min_shared, u32 cap,
           std::int64_t references, int threads) {
          auto r = unlocked([&] {
            return meet_sets(sets_of(values, weights, offsets), view(scope), {jaccard, threshold, min_shared, cap, references}, threads);
          });
          return std::make_tuple(give(std::move(r.left)), give(std::move(r.right)), r.capped, r.largest);
        },
        nb::arg("values"), nb::arg("weights"), nb::arg("offsets"), nb::arg("scope"), nb::arg("jaccard"), nb::arg("threshold"),
        nb::arg("min_shared"), nb::arg("cap"), nb::arg("references"), nb::arg("threads"));
}

}  // namespace quchong
