// Who survives among documents of which some are copies of others.
#include "bind.hpp"
#include "graph/survivors.hpp"

namespace quchong {

void bind_graph(nb::module_& m) {
  def_kernel(m, "survivors", "loser winner priority forced", [](U32 loser, U32 winner, I64 priority, U8 forced) {
    return filled<std::uint8_t>(priority.size(), [&](auto stays) { survivors(loser, winner, priority, forced, stays); });
  });
}

}  // namespace quchong
