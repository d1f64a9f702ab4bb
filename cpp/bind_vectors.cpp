// Sparse vectors for Python.
#include "bind.hpp"
#include "vectors.hpp"

namespace quchong {

void bind_vectors(nb::module_& m) {
  using U32 = In<u32>;
  using U64 = In<u64>;
  using I64 = In<std::int64_t>;
  using F64 = In<double>;
  m.def("dots",
        [](U32 terms, F64 weights, I64 offsets, U32 left, U32 right, int threads) {
          std::vector<double> out(left.size());
          unlocked([&] { dots({view(terms), view(weights), view(offsets)}, view(left), view(right), out, threads); return 0; });
          return give(std::move(out));
        },
        nb::arg("terms"), nb::arg("weights"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("threads"));
  m.def("single_pass",
        [](U32 terms, F64 weights, I64 offsets, std::size_t count, U64 scope, double threshold) {
          auto r = unlocked([&] { return single_pass({view(terms), view(weights), view(offsets)}, count, view(scope), threshold); });
          return std::make_tuple(give(std::move(r.founder)), give(std::move(r.similarity)));
        },
        nb::arg("terms"), nb::arg("weights"), nb::arg("offsets"), nb::arg("count"), nb::arg("scope"), nb::arg("threshold"));
}

}  // namespace quchong
