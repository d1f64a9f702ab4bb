// Keys of short documents, for Python.
#include "bind.hpp"
#include "short_keys.hpp"

namespace quchong {

void bind_short(nb::module_& m) {
  m.def("short_keys",
        [](In<u32> tokens, In<std::int64_t> offsets, In<u32> common, u32 longest, u32 lacking, int threads) {
          auto k = unlocked([&] { return short_keys(ragged_of(tokens, offsets), view(common), {longest, lacking}, threads); });
          return std::make_tuple(give(std::move(k.keys)), give(std::move(k.offsets)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("common"), nb::arg("longest"), nb::arg("lacking"), nb::arg("threads"));
}

}  // namespace quchong
