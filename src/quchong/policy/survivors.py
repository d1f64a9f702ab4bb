"""Decision which documents are kept, so that every removed one has a survivor that it was compared with.

A node is a document, or a class of exactly equal ones. Every removable pair is an arc from loser to winner; the kernel decides the nodes
(winners first; a node is removed if and only if one of its winners is kept), and each removed node gets the kept winner that explains its
removal best. There are no chains: the survivor of a node is always at the other end of one of its own arcs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quchong.errors import UsageError
from quchong.kernels.graph import survivors as survivors_kernel
from quchong.kernels.sorting import ordered
from quchong.languages import join_names
from quchong.relation_codes import INSIDE, removing
from quchong.relations import REMOVABLE

Ints = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Decision:
    """Result for each node: kept or removed, its survivor, and the arc to it.

    Attributes:
        stays: bool (nodes,).
        survivor: int64 (nodes,), the node itself when it stays, else the kept winner.
        arc: int64 (nodes,), index of the arc to that winner, -1 when the node stays.
    """

    stays: Mask
    survivor: npt.NDArray[np.int64]
    arc: npt.NDArray[np.int64]


def arcs(  # noqa: PLR0913 - columns of pairs and documents
    left: Ints,
    right: Ints,
    relation: Ints,
    priority: npt.NDArray[np.int64],
    removable: frozenset[str],
    reference: npt.NDArray[Any] | None = None,
    published: npt.NDArray[np.float64] | None = None,
    spared: Mask | None = None,
    turned: Mask | None = None,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Turn pairs into arcs from loser to winner.

    In a containment the contained node loses, whatever the policy; neither loses if by `published` the contained one came first, or if the
    pair is `spared`. In every other relation the worse by priority loses. A reference node never loses: a pair of two gives no arc, one
    contained in a document that is none gives no arc, and in the other relations the document loses to it.

    Args:
        left: integers (pairs,), node numbers.
        right: integers (pairs,), node numbers. A pair of a node with itself gives no arc.
        relation: integers (pairs,), of left to right, codes of `quchong.relations.TABLE`.
        priority: int64 (nodes,), smaller is better; of equal ones the smaller node is better.
        removable: relations that make a node removable, out of `REMOVABLE`.
        reference: bool (nodes,), or None for no reference nodes.
        published: float64 (nodes,), infinity where unknown: a node contained in one published later gives no arc, unless that is a
            reference node. None if time protects no node.
        spared: bool (pairs,), pairs that give no arc if one contains the other. None for no such pairs.
        turned: bool (pairs,), those of the spared pairs in which the document that contains the other loses to it. None for no such pairs.

    Returns:
        loser, winner: uint32 (arcs,), and pair: int64 (arcs,), the index of the pair of each arc, ascending.

    Raises:
        UsageError: `removable` names something else.
    """
    if unknown := sorted(removable - set(REMOVABLE)):
        raise UsageError("cannot remove by {}; use {}", join_names([*unknown]), join_names([*REMOVABLE]))
    pair = np.flatnonzero(removing(removable)[relation] & (left != right))
    left, right, relation = left[pair], right[pair], relation[pair]

    contains, contained = INSIDE[relation] < 0, INSIDE[relation] > 0
    tie = priority[left] == priority[right]
    left_loses = (priority[left] > priority[right]) | (tie & (left > right))
    if reference is not None:
        fixed_left, fixed_right = reference[left] != 0, reference[right] != 0
        left_loses = np.where(fixed_left != fixed_right, fixed_right, left_loses)
    left_loses = (left_loses | contained) & ~contains
    loser = np.where(left_loses, left, right).astype(np.uint32)
    winner = np.where(left_loses, right, left).astype(np.uint32)
    may = np.ones(len(loser), dtype=np.bool_)
    if published is not None:
        may = ~((contains | contained) & (published[loser] < published[winner]))
    if spared is not None:
        may &= ~((contains | contained) & spared[pair])
    if turned is not None:
        back = (contains | contained) & turned[pair]
        loser, winner = np.where(back, winner, loser), np.where(back, loser, winner)
        may |= back
    if reference is not None:
        may = (may | (reference[winner] != 0)) & (reference[loser] == 0)
    loser, winner, pair = loser[may], winner[may], pair[may]
    return loser, winner, pair.astype(np.int64)


def decide(
    n: int,
    loser: npt.NDArray[np.uint32],
    winner: npt.NDArray[np.uint32],
    priority: npt.NDArray[np.int64],
    forced: npt.NDArray[Any],
    rank: Ints,
    containment: npt.NDArray[np.float64],
) -> Decision:
    """Decide which nodes are kept, and return the survivor of each removed one.

    Args:
        n: number of nodes.
        loser: uint32 (arcs,).
        winner: uint32 (arcs,).
        priority: int64 (nodes,), smaller is better.
        forced: bool or uint8 (nodes,), protected and reference nodes: they stay.
        rank: integers (arcs,), `quchong.relation_codes.RANK` of the relation of each arc.
        containment: float64 (arcs,), share of the loser found in the winner.

    Returns:
        The decision. Of several kept winners the survivor is the one with the best relation, then the highest
        containment, then the best priority; the order of arcs has no effect on it.

    Cost: that of the kernel, and a sort of the arcs from removed nodes to kept ones.
    """
    stays = survivors_kernel(
        np.ascontiguousarray(loser, dtype=np.uint32),
        np.ascontiguousarray(winner, dtype=np.uint32),
        np.ascontiguousarray(priority, dtype=np.int64),
        np.ascontiguousarray(forced, dtype=np.uint8),
    ).astype(np.bool_)
    survivor = np.arange(n, dtype=np.int64)
    arc = np.full(n, -1, dtype=np.int64)

    able = np.flatnonzero(~stays[loser] & stays[winner])
    keys = (loser[able], rank[able], -containment[able], priority[winner[able]], winner[able])
    able = able[ordered(*keys)]
    gone, first = np.unique(loser[able], return_index=True)
    arc[gone] = able[first]
    survivor[gone] = winner[able[first]]
    return Decision(stays, survivor, arc)
