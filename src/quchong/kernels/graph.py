"""Documents as nodes of a graph: connected components and survivors.

The twins are in tests/twins/graph.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, Ints

REMOVED, KEPT, UNDECIDED = 0, 1, 2
"""Values that `survivors` returns for a node."""


def components(n: int, left: Ints, right: Ints) -> I64:
    """Return the least member of each node's connected component, int64 (n,); the node itself if it has no edge.

    Cost: O(n + edges log n) at most, and nearly O(n + edges) for most graphs; one thread.
    """
    left, right = checked.pairs(left, right, n, "node")
    return _quchong.components(left, right, checked.number(n, 0, 2**62, "n"))


def survivors(loser: Ints, winner: Ints, priority: I64, forced: U8, open: U8 | None = None) -> U8:
    """Return KEPT for every node that is kept and REMOVED for every other: see quchong.policy.survivors for the rule.

    Args:
        loser, winner: ends of each arc.
        priority, forced: of each node.
        open: for each arc, not 0 if it may turn out not to exist; None if all exist. No open arc may have both ends in one
            component of `strong_components`.

    Returns:
        uint8 for each node: KEPT, REMOVED, or UNDECIDED if that depends on open arcs.

    Cost: O(nodes + arcs) where there is no cycle.
    """
    a, b = checked.pairs(loser, winner, len(priority), "node")
    order = checked.column(priority, np.int64, "priority")
    unsure = np.zeros(0, np.uint8) if open is None else checked.u8(open, "open", len(a))
    return _quchong.survivors(a, b, order, checked.u8(forced, "forced", len(order)), unsure)


def strong_components(n: int, loser: Ints, winner: Ints) -> U32:
    """Return the number of the strongly connected component of each node, uint32 (n,); nodes on one cycle share a number.

    Cost: O(n + arcs).
    """
    a, b = checked.pairs(loser, winner, checked.number(n, 0, 2**32 - 2, "n"), "node")
    return _quchong.strong_components(a, b, n)
