// Connected documents, and who survives among documents of which some are copies of others.
#include "bind.hpp"
#include "graph/components.hpp"
#include "graph/survivors.hpp"

namespace quchong {

void bind_graph(nb::module_& m) {
  def_kernel(m, "survivors", "loser winner priority forced open",
             [](U32 loser, U32 winner, I64 priority, U8 forced, U8 open) {
               return filled<std::uint8_t>(
                   priority.size(), [&](auto stays) { survivors(loser, winner, priority, forced, open, stays); });
             });
  def_kernel(m, "components", "left right n", [](U32 left, U32 right, std::uint64_t n) {
    return filled<std::int64_t>(n, [&](auto label) { components(left, right, label); });
  });
  def_kernel(m, "strong_components", "loser winner n", [](U32 loser, U32 winner, std::uint64_t n) {
    return filled<std::uint32_t>(n, [&](auto component) { strong_components(loser, winner, component); });
  });
}

}  // namespace quchong
