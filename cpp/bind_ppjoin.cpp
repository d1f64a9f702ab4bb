// The exact set join, for Python.
#include "bind.hpp"
#include "ppjoin.hpp"

namespace quchong {

void bind_ppjoin(nb::module_& m) {
  using U64 = In<u64>;
  using U32 = In<u32>;
  using I64 = In<std::int64_t>;
  m.def("count_tokens",
        [](U64 values, u32 least, std::int64_t wave, int threads) {
          auto c = unlocked([&] { return count_tokens(view(values), least, wave, threads); });
          return std::make_tuple(give(std::move(c.values)), give(std::move(c.counts)));
        },
        nb::arg("values"), nb::arg("least"), nb::arg("wave"), nb::arg("threads"));
  m.def("order_sets",
        [](U64 values, I64 offsets, U64 known, U32 counts, bool frozen, std::int64_t wave, int threads) {
          auto s = unlocked([&] { return order_sets(view(values), view(offsets), view(known), view(counts), frozen, wave, threads); });
          return std::make_tuple(give(std::move(s.tokens)), s.distinct);
        },
        nb::arg("values"), nb::arg("offsets"), nb::arg("known"), nb::arg("counts"), nb::arg("frozen"), nb::arg("wave"), nb::arg("threads"));
  m.def("join_sets",
        [](U32 tokens, I64 offsets, std::int64_t distinct, U64 scope, double threshold, int suffix_depth, u32 min_size,
           std::int64_t references, int threads) {
          auto r = unlocked([&] {
            return join_sets({view(tokens), view(offsets)}, static_cast<std::size_t>(distinct), view(scope),
                             {threshold, suffix_depth, min_size, references}, threads);
          });
          return std::make_tuple(give(std::move(r.left)), give(std::move(r.right)), r.candidates, r.by_position, r.by_suffix, r.verified);
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("distinct"), nb::arg("scope"), nb::arg("threshold"), nb::arg("suffix_depth"),
        nb::arg("min_size"), nb::arg("references"), nb::arg("threads"));
  m.def("screen_pairs",
        [](U32 tokens, I64 offsets, U32 left, U32 right, double threshold, int suffix_depth, u32 min_size, int threads) {
          auto r = unlocked([&] {
            return screen_pairs({view(tokens), view(offsets)}, view(left), view(right), {threshold, suffix_depth, min_size, 0}, threads);
          });
          return std::make_tuple(give(std::move(r.stage)), give(std::move(r.shared)), give(std::move(r.first)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("threshold"), nb::arg("suffix_depth"),
        nb::arg("min_size"), nb::arg("threads"));
}

}  // namespace quchong
