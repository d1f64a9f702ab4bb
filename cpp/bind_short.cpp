// Short documents, for Python: their keys, and what is replaced in a pair.
#include "bind.hpp"
#include "replaced.hpp"
#include "short_keys.hpp"

namespace quchong {

void bind_short(nb::module_& m) {
  m.def("short_keys",
        [](In<u32> tokens, In<std::int64_t> offsets, In<u32> common, u32 longest, u32 lacking, int threads) {
          auto k = unlocked([&] { return short_keys(ragged_of(tokens, offsets), view(common), {longest, lacking}, threads); });
          return std::make_tuple(give(std::move(k.keys)), give(std::move(k.offsets)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("common"), nb::arg("longest"), nb::arg("lacking"), nb::arg("threads"));
  m.def("replaced_words",
        [](In<u32> tokens, In<std::int64_t> offsets, In<u32> left, In<u32> right, std::int64_t max_cells, int threads) {
          std::vector<u32> out(left.size());
          unlocked([&] { replaced_words(ragged_of(tokens, offsets), view(left), view(right), out, max_cells, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("max_cells"), nb::arg("threads"));
}

}  // namespace quchong
