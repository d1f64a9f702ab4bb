// SpotSigs' index, for Python.
#include "bind.hpp"
#include "spotsigs.hpp"

namespace quchong {

void bind_spotsigs(nb::module_& m) {
  m.def("meet_spots",
        [](In<u64> values, In<u32> weights, In<std::int64_t> offsets, In<u64> ends, In<u64> scope, double threshold, bool paper,
           u32 cap, std::int64_t references, int threads) {
          auto r = unlocked([&] {
            return meet_spots({view(values), view(weights), view(offsets)}, view(ends), view(scope), {threshold, paper, cap, references}, threads);
          });
          return std::make_tuple(give(std::move(r.pairs.left)), give(std::move(r.pairs.right)), r.compared, r.capped, r.largest);
        },
        nb::arg("values"), nb::arg("weights"), nb::arg("offsets"), nb::arg("ends"), nb::arg("scope"), nb::arg("threshold"),
        nb::arg("paper"), nb::arg("cap"), nb::arg("references"), nb::arg("threads"));
}

}  // namespace quchong
