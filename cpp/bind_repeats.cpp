// Passages of a corpus that stand in two documents, for Python.
#include "bind.hpp"
#include "repeats.hpp"

namespace quchong {

void bind_repeats(nb::module_& m) {
  m.def("repeated_passages",
        [](In<u32> tokens, In<std::int64_t> offsets, u32 shortest, u32 partners, u32 tries, std::int64_t compared, int threads) {
          auto r = unlocked([&] { return repeated_passages(view(tokens), view(offsets), {shortest, partners, tries, compared}, threads); });
          return std::make_tuple(give(std::move(r.doc)), give(std::move(r.other)), give(std::move(r.start)), give(std::move(r.other_start)),
                                 give(std::move(r.length)), give(std::move(r.passage)), give(std::move(r.documents)),
                                 give(std::move(r.share)), r.bounded);
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("shortest"), nb::arg("partners"), nb::arg("tries"), nb::arg("compared"),
        nb::arg("threads"));
}

}  // namespace quchong
