"""Documents as nodes of a graph: connected components and survivors.

The twins are in tests/twins/graph.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, Ints


def components(n: int, left: Ints, right: Ints) -> I64:
    """Return the least member of each node's connected component, int64 (n,); the node itself if it has no edge.

    Cost: O((n + edges) log n) at most.
    """
    label: I64 = np.arange(checked.number(n, 0, 2**62, "n"), dtype=np.int64)
    left, right = checked.pairs(left, right, n, "node")
    while True:
        low = np.minimum(label[left], label[right])
        before = label.copy()
        np.minimum.at(label, left, low)
        np.minimum.at(label, right, low)
        np.minimum.at(label, before[left], low)
        np.minimum.at(label, before[right], low)
        while True:
            jumped = label[label]
            if np.array_equal(jumped, label):
                break
            label = jumped
        if np.array_equal(label, before):
            return label


def survivors(loser: Ints, winner: Ints, priority: I64, forced: U8) -> U8:
    """Return 1 for every node that is kept: see quchong.policy.survivors for the rule."""
    a, b = checked.pairs(loser, winner, len(priority), "node")
    order = checked.column(priority, np.int64, "priority")
    return _quchong.survivors(a, b, order, checked.u8(forced, "forced", len(order)))
