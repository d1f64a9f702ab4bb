// Shared passages for Python: matching statistics, tiles, winnowing with places, fingerprints of fixed size.
#include "bind.hpp"
#include "least.hpp"
#include "matching.hpp"
#include "tiling.hpp"

namespace quchong {

void bind_matching(nb::module_& m) {
  using U8 = In<std::uint8_t>;
  using U32 = In<u32>;
  using I64 = In<std::int64_t>;
  m.def("matching_statistics",
        [](U32 text, U32 other, U8 text_starts, U8 other_starts, bool array) {
          std::vector<Statistic> found;
          const std::size_t memory = unlocked([&] {
            if (array) {
              JointArray joint;
              joint.build(view(text), view(other), view(text_starts), view(other_starts));
              joint.run(1, text.size(), view(text_starts), found);
              return joint.memory();
            }
            ReversedAutomaton automaton;
            automaton.build(view(other), view(other_starts));
            automaton.run(view(text), view(text_starts), found);
            return automaton.memory();
          });
          std::vector<u32> lengths(found.size()), places(found.size());
          for (std::size_t i = 0; i < found.size(); ++i) lengths[i] = found[i].length, places[i] = found[i].place;
          return std::make_tuple(give(std::move(lengths)), give(std::move(places)), memory);
        },
        nb::arg("text"), nb::arg("other"), nb::arg("text_starts"), nb::arg("other_starts"), nb::arg("array"));
  m.def("shared_runs",
        [](U32 tokens, I64 offsets, U32 left, U32 right, u32 least, U8 starts, bool array, int threads) {
          auto r = unlocked([&] {
            return shared_runs(ragged_of(tokens, offsets), view(left), view(right), least, view(starts), array, threads);
          });
          return std::make_tuple(give(std::move(r.offsets)), give(std::move(r.runs)), give(std::move(r.covered_left)),
                                 give(std::move(r.covered_right)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("least"), nb::arg("starts"), nb::arg("array"),
        nb::arg("threads"));
  m.def("tiles",
        [](U32 tokens, I64 offsets, U32 left, U32 right, U32 shortest, u32 start, int threads) {
          auto r = unlocked([&] { return tiles(ragged_of(tokens, offsets), view(left), view(right), view(shortest), start, threads); });
          return std::make_tuple(give(std::move(r.offsets)), give(std::move(r.tiles)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("left"), nb::arg("right"), nb::arg("shortest"), nb::arg("start"), nb::arg("threads"));
  m.def("least_by_key",
        [](In<u64> values, In<u64> keys, I64 offsets, std::int64_t count, int threads) {
          auto r = unlocked([&] { return least_by_key(view(values), view(keys), view(offsets), static_cast<std::size_t>(count), threads); });
          return std::make_tuple(give(std::move(r.values)), give(std::move(r.offsets)));
        },
        nb::arg("values"), nb::arg("keys"), nb::arg("offsets"), nb::arg("count"), nb::arg("threads"));
  m.def("window_minima",
        [](U32 tokens, I64 offsets, int ngram, u32 window, int threads) {
          const Ragged docs = ragged_of(tokens, offsets);
          const std::size_t n = docs.size();
          std::vector<std::int64_t> ends(n + 1, 0);
          std::vector<u64> values;
          std::vector<u32> places;
          unlocked([&] {
            std::vector<std::vector<u64>> value_pieces(text_chunks(static_cast<std::int64_t>(n)));
            std::vector<std::vector<u32>> place_pieces(value_pieces.size());
            parallel_for(static_cast<std::int64_t>(n), TEXT_GRAIN, threads, [&](int, std::int64_t from, std::int64_t to) {
              const auto c = static_cast<std::size_t>(from / TEXT_GRAIN);
              std::vector<u64> hashes;
              for (auto d = static_cast<std::size_t>(from); d < static_cast<std::size_t>(to); ++d) {
                const std::size_t before = place_pieces[c].size();
                window_minima(docs[d], ngram, window, hashes, value_pieces[c], place_pieces[c]);
                ends[d + 1] = static_cast<std::int64_t>(place_pieces[c].size() - before);
              }
            });
            for (std::size_t d = 0; d < n; ++d) ends[d + 1] += ends[d];
            append_all(values, value_pieces);
            append_all(places, place_pieces);
            return 0;
          });
          return std::make_tuple(give(std::move(values)), give(std::move(places)), give(std::move(ends)));
        },
        nb::arg("tokens"), nb::arg("offsets"), nb::arg("ngram"), nb::arg("window"), nb::arg("threads"));
}

}  // namespace quchong
