// Aligned passages of pairs of token sequences, for Python.
#include "align.hpp"
#include "bind.hpp"

namespace quchong {

void bind_align(nb::module_& m) {
  m.def("align_tokens",
        [](In<u32> tokens, In<std::int64_t> offsets, In<u32> left, In<u32> right, u32 cap, u32 skip, u32 shingle, u32 slack,
           u32 radius, u32 dense, u32 chance, u32 reach, u32 gain, u32 least, u32 run, u32 repeat, u32 join, int threads) {
          auto r = unlocked([&] {
            return align_tokens(ragged_of(tokens, offsets), view(left), view(right),
                                {cap, skip, shingle, slack, radius, dense, chance, reach, gain, least, run, repeat, join}, threads);
          });
          return std::make_tuple(give(std::move(r.offsets)), give(std::move(r.spans)), give(std::move(r.exact)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("cap"), nb::arg("skip"),
        nb::arg("shingle"), nb::arg("slack"), nb::arg("radius"), nb::arg("dense"), nb::arg("chance"), nb::arg("reach"), nb::arg("gain"),
        nb::arg("least"), nb::arg("run"), nb::arg("repeat"), nb::arg("join"), nb::arg("threads"));
}

}  // namespace quchong
