// Passages of a corpus that stand in two documents, for Python.
#include "bind.hpp"
#include "repeats.hpp"
#include "wholeruns.hpp"

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
  m.def("whole_runs",
        [](const TextTables& tables, In<u64> address, In<std::int64_t> bytes, bool full, In<u32> left, In<u32> right, In<u32> start,
           In<u32> other_start, In<u32> length, int threads) {
          auto r = unlocked([&] {
            return whole_runs(tables, texts_of(address, bytes), full, {view(left), view(right), view(start), view(other_start), view(length)},
                              threads);
          });
          return std::make_tuple(give(std::move(r.places)), give(std::move(r.length)), give(std::move(r.exact)));
        },
        nb::arg("tables"), nb::arg("address"), nb::arg("bytes"), nb::arg("full"), nb::arg("left"), nb::arg("right"), nb::arg("start"),
        nb::arg("other_start"), nb::arg("length"), nb::arg("threads"));
}

}  // namespace quchong
