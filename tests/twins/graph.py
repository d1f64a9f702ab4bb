"""Who survives, over arcs from loser to winner: the specification of ``cpp/graph/survivors.hpp``.

Winners are decided first. A node goes if and only if one of the winners decided before it stays; a node
whose winners all went stays. When only cycles are left, each cycle that waits for nothing outside itself
lets its best node go ahead, and the rest follows by the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt


def components(n: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The least member of each node's component, by walking from every node not met yet in ascending order."""
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    label = [-1] * n
    for start in range(n):
        waiting = [start] if label[start] < 0 else []
        while waiting:
            node = waiting.pop()
            if label[node] < 0:
                label[node] = start
                waiting += near[node]
    return label


def strong_components(n: int, loser: Iterable[int], winner: Iterable[int]) -> list[int]:
    """The least node of each node's strongly connected component, by walking from every node."""
    winners: list[set[int]] = [set() for _ in range(n)]
    for v, w in zip(loser, winner, strict=True):
        winners[v].add(w)
    reach = [_reach(v, winners, set(range(n))) | {v} for v in range(n)]
    return [min(w for w in reach[v] if v in reach[w]) for v in range(n)]


def survivors(
    loser: npt.NDArray[np.uint32],
    winner: npt.NDArray[np.uint32],
    priority: npt.NDArray[np.int64],
    forced: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint8]:
    """Decide which nodes stay.

    Args:
        loser: uint32 (arcs,), the end of each arc that may go. Order, doubles and self arcs have no effect.
        winner: uint32 (arcs,), the end for whose sake it may go.
        priority: int64 (nodes,), smaller is better; equal ones are ordered by node.
        forced: uint8 (nodes,), not 0: stays whatever its winners do, and is decided in its turn.

    Returns:
        uint8 (nodes,), 1 = stays. Without arcs everything stays.

    Cost:
        Quadratic and worse: obvious, not fast.
    """
    nodes = range(len(priority))
    winners: list[set[int]] = [set() for _ in nodes]
    for v, w in zip(loser.tolist(), winner.tolist(), strict=True):
        if v != w:
            winners[v].add(w)

    stays: dict[int, bool] = {}
    waiting = set(nodes)
    while waiting:
        ready = [v for v in waiting if not winners[v] & waiting]
        if not ready:
            ready = [min(cycle, key=lambda v: (priority[v], v)) for cycle in _last_cycles(winners, waiting)]
        for v in ready:
            stays[v] = bool(forced[v]) or not any(stays.get(w, False) for w in winners[v])
        waiting.difference_update(ready)
    return np.array([stays[v] for v in nodes], dtype=np.uint8)


def _last_cycles(winners: list[set[int]], waiting: set[int]) -> Iterator[set[int]]:
    """Find the strongly connected components of the waiting nodes without a waiting winner outside."""
    reach = {v: _reach(v, winners, waiting) for v in waiting}
    done: set[int] = set()
    for v in waiting:
        if v not in done and all(v in reach[w] for w in reach[v]):
            done |= reach[v]
            yield reach[v]


def _reach(start: int, winners: list[set[int]], waiting: set[int]) -> set[int]:
    """Collect the node itself, its waiting winners, theirs, and so on."""
    seen, todo = {start}, [start]
    while todo:
        found = (winners[todo.pop()] & waiting) - seen
        seen |= found
        todo += found
    return seen
