// Sequences of symbols compared: matching statistics, tiles, equal runs, blocks, diagonals.
#include "bind.hpp"
#include "runs/matching.hpp"
#include "runs/runs.hpp"
#include "runs/tiling.hpp"

namespace quchong {

void bind_runs(nb::module_& m) {
  def_kernel(m, "matching_statistics", "text other text_starts other_starts structure",
             [](U32 text, U32 other, U8 text_starts, U8 other_starts, u32 structure) {
               std::vector<Statistic> found;
               const std::size_t memory = matching_statistics(text, other, text_starts, other_starts, static_cast<Structure>(structure), found);
               std::vector<u32> lengths(found.size()), places(found.size());
               for (std::size_t i = 0; i < found.size(); ++i) lengths[i] = found[i].length, places[i] = found[i].place;
               return parts(lengths, places, memory);
             });
  def_kernel(m, "shared_runs", "tokens offsets left right least starts structure threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, u32 least, U8 starts, u32 structure, int threads) {
               auto r = shared_runs({tokens, offsets}, left, right, least, starts, static_cast<Structure>(structure), threads);
               return parts(r.offsets, r.runs, r.covered_left, r.covered_right);
             });
  def_kernel(m, "tiles", "tokens offsets left right shortest start threads",
             [](U32 tokens, I64 offsets, U32 left, U32 right, U32 shortest, u32 start, int threads) {
               auto r = tiles({tokens, offsets}, left, right, shortest, start, threads);
               return parts(r.offsets, r.tiles);
             });
  def_kernel(m, "maximal_runs", "left right shortest limit road", [](U64 left, U64 right, u32 shortest, u64 limit, u32 road) {
    std::vector<Block> runs;
    const bool bounded = RunFinder().find(left, right, shortest, limit, static_cast<RunRoad>(road), runs);
    std::sort(runs.begin(), runs.end(), [](const Block& x, const Block& y) { return std::tie(x.left, x.right) < std::tie(y.left, y.right); });
    std::vector<u32> flat;
    for (const auto& r : runs) flat.insert(flat.end(), {r.left, r.right, r.length});
    return parts(flat, bounded);
  });
  def_kernel(m, "matched_blocks", "symbols checks offsets left right shortest limit threads",
             [](U64 symbols, U64 checks, I64 offsets, U32 left, U32 right, u32 shortest, u64 limit, int threads) {
               auto r = matched_blocks(symbols, checks, offsets, left, right, shortest, limit, threads);
               return parts(r.offsets, r.blocks, r.bounded);
             });
  def_kernel(m, "value_matches", "values places offsets left right repeats threads",
             [](U64 values, U32 places, I64 offsets, U32 left, U32 right, u32 repeats, int threads) {
               auto r = value_matches(values, places, offsets, left, right, repeats, threads);
               return parts(r.offsets, r.left, r.right);
             });
  def_kernel(m, "diagonal_runs", "left right offsets gap drift threads",
             [](U32 left, U32 right, I64 offsets, u32 gap, u32 drift, int threads) {
               return filled<u32>(left.size(), [&](auto run) { diagonal_runs(left, right, offsets, gap, drift, run, threads); });
             });
}

}  // namespace quchong
