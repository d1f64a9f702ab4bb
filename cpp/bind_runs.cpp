// Sentences of texts, and sequences of symbols compared, for Python.
#include "bind.hpp"
#include "runs.hpp"
#include "sentences.hpp"

namespace quchong {

void bind_runs(nb::module_& m) {
  using I64 = In<std::int64_t>;
  m.def("sentence_places",
        [](In<u64> address, I64 length, int threads) {
          auto r = unlocked([&] { return sentence_places(texts_of(address, length), threads); });
          return std::make_tuple(give(std::move(r.start)), give(std::move(r.end)), give(std::move(r.offsets)));
        },
        nb::arg("address"), nb::arg("length"), nb::arg("threads"));
  m.def("maximal_runs",
        [](In<u64> left, In<u64> right, u32 shortest, u64 limit, u32 road) {
          bool bounded = false;
          auto flat = unlocked([&] {
            std::vector<Block> runs;
            bounded = RunFinder().find(view(left), view(right), shortest, limit, static_cast<RunRoad>(road), runs);
            std::sort(runs.begin(), runs.end(), [](const Block& x, const Block& y) { return std::tie(x.left, x.right) < std::tie(y.left, y.right); });
            std::vector<u32> out;
            for (const auto& r : runs) out.insert(out.end(), {r.left, r.right, r.length});
            return out;
          });
          return std::make_tuple(give(std::move(flat)), bounded);
        },
        nb::arg("left"), nb::arg("right"), nb::arg("shortest"), nb::arg("limit"), nb::arg("road"));
  m.def("matched_blocks",
        [](In<u64> symbols, In<u64> checks, I64 offsets, In<u32> left, In<u32> right, u32 shortest, u64 limit, int threads) {
          auto r = unlocked([&] {
            return matched_blocks(view(symbols), view(checks), view(offsets), view(left), view(right), shortest, limit, threads);
          });
          return std::make_tuple(give(std::move(r.offsets)), give(std::move(r.blocks)), give(std::move(r.bounded)));
        },
        nb::arg("symbols"), nb::arg("checks"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("shortest"), nb::arg("limit"),
        nb::arg("threads"));
  m.def("value_matches",
        [](In<u64> values, In<u32> places, I64 offsets, In<u32> left, In<u32> right, u32 repeats, int threads) {
          auto r = unlocked([&] {
            return value_matches(view(values), view(places), view(offsets), view(left), view(right), repeats, threads);
          });
          return std::make_tuple(give(std::move(r.offsets)), give(std::move(r.left)), give(std::move(r.right)));
        },
        nb::arg("values"), nb::arg("places"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("repeats"),
        nb::arg("threads"));
  m.def("diagonal_runs",
        [](In<u32> left, In<u32> right, I64 offsets, u32 gap, u32 drift, int threads) {
          std::vector<u32> run(left.size());
          unlocked([&] { diagonal_runs(view(left), view(right), view(offsets), gap, drift, run, threads); return 0; });
          return give(std::move(run));
        },
        nb::arg("left"), nb::arg("right"), nb::arg("offsets"), nb::arg("gap"), nb::arg("drift"), nb::arg("threads"));
}

}  // namespace quchong
