// Shingles as sets of hashes and MinHash values of any sets, for Python.
#include "bind.hpp"
#include "setsketch.hpp"

namespace quchong {

void bind_setsketch(nb::module_& m) {
  m.def("ragged_shingles",
        [](In<u32> tokens, In<std::int64_t> offsets, int ngram, int threads) {
          auto r = unlocked([&] { return ragged_shingles(ragged_of(tokens, offsets), ngram, threads); });
          return std::make_tuple(give(std::move(r.values)), give(std::move(r.offsets)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("threads"));
  m.def("set_mins",
        [](In<u64> values, In<std::int64_t> offsets, int num_perm, u64 seed, int threads) {
          std::vector<u32> out(static_cast<std::size_t>(num_perm) * (offsets.size() - 1));
          unlocked([&] { set_mins(view(values), view(offsets), num_perm, seed, out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("values"), nb::arg("offsets"), nb::arg("num_perm"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace quchong
