"""Cheapest tree of sources, and the probability of each of its branches.

Source: Chu 1965, Edmonds 1967 (the cheapest arborescence); Wilson 1996 (random walks to parents sample arborescences
by weight).
"""

from __future__ import annotations

import numpy as np

NONE = -1
TIE = 1e-9
"""Difference in price that makes the lesser of two equally priced nodes the one without a parent."""


def cheapest(cost: np.ndarray, entry: np.ndarray) -> np.ndarray:
    """Return the parent of each node in the cheapest forest; NONE for a node without a parent.

    Args:
        cost: float64 (n, n), price of making column j from row i; infinite if i cannot be the parent of j, and on the diagonal.
        entry: float64 (n,), price of a node without a parent; finite for at least one node that reaches the others.

    If several nodes could be without a parent at equal price, the lesser one is. Deterministic. Cost: O(n^2) for each
        cycle that is broken.

    >>> inf = np.inf
    >>> cheapest(np.array([[inf, 1.0], [1.0, inf]]), np.array([5.0, 6.0])).tolist()
    [-1, 0]
    """
    n = len(entry)
    whole = np.full((n + 1, n + 1), np.inf)  # node 0 is the root of all
    whole[0, 1:], whole[1:, 1:] = entry + TIE * np.arange(n), cost
    parent: np.ndarray = _arborescence(whole)[1:] - 1
    return parent


def _arborescence(cost: np.ndarray) -> np.ndarray:
    """Return the parents in the cheapest arborescence with root 0."""
    cost = cost.copy()
    cost[:, 0] = np.inf
    parent: np.ndarray = np.argmin(cost, axis=0)
    parent[0] = 0
    circle = _circle(parent)
    if not len(circle):
        return parent
    # the circle becomes one node, which may be entered at any of its nodes: at the price of the branch given up there
    n = len(cost)
    inside = np.zeros(n, bool)
    inside[circle] = True
    rest = np.flatnonzero(~inside)
    price = cost[parent[circle], circle]
    # the last row and column of `small` are the contracted cycle
    small = np.full((len(rest) + 1, len(rest) + 1), np.inf)
    small[:-1, :-1] = cost[np.ix_(rest, rest)]
    into = cost[np.ix_(rest, circle)] - price
    out = cost[np.ix_(circle, rest)]
    entered, left = np.argmin(into, axis=1), np.argmin(out, axis=0)
    small[:-1, -1] = into[np.arange(len(rest)), entered]
    small[-1, :-1] = out[left, np.arange(len(rest))]
    # solve the smaller problem, then expand the cycle
    found = _arborescence(small)
    for k, node in enumerate(rest):
        if node:
            parent[node] = circle[left[k]] if found[k] == len(rest) else rest[found[k]]
    # the branch that enters the cycle replaces the cycle's own branch there
    start = int(found[-1])
    parent[circle[entered[start]]] = rest[start]
    return parent


def _circle(parent: np.ndarray) -> np.ndarray:
    """Return the nodes of one cycle of parents, in ascending order; empty without a cycle. Node 0 is its own parent."""
    seen = np.zeros(len(parent), np.int64)
    for start in range(1, len(parent)):
        node, path = start, []
        while node and not seen[node]:
            seen[node] = start
            path.append(node)
            node = int(parent[node])
        if node and seen[node] == start:
            return np.sort(np.array(path[path.index(node) :], np.int64))
    return np.zeros(0, np.int64)


FAR = 400.0
"""Log odds beyond which values are compressed: only their order counts, and exponentials of longer ones would underflow."""


def shares(cost: np.ndarray, entry: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of each parent of each node, and of no parent, over all forests weighted by exp(-price / scale).

    Args:
        cost, entry: as for `cheapest`.
        scale: difference in price that makes a forest e times less likely.

    Returns:
        float64 (n, n), the share of forests in which i is the parent of j; (n,), the share in which j has no parent.
        Column j and entry j sum to 1.

    The share of i as the parent of j is its weight times the probability that a random walk from i to parents, by their
        weights, reaches a root before j. No step subtracts, so that even extreme odds are exact. Cost: O(n^4).
    """
    n = len(entry)
    # subtract the cheapest price of each node, so that the largest weight is 1
    best = np.minimum(np.min(cost, axis=0, initial=np.inf), entry)
    weight, enter = np.exp(-_bounded((cost - best) / scale)), np.exp(-_bounded((entry - best) / scale))
    np.fill_diagonal(weight, 0.0)
    parents, none = np.zeros((n, n)), np.ones(n)
    for j in range(n):
        rest = np.flatnonzero(np.arange(n) != j)
        parents[rest, j] = weight[rest, j] * _beginning(weight[np.ix_(rest, rest)].T, enter[rest], weight[j, rest])
        total = parents[:, j].sum() + enter[j]
        parents[:, j] /= total
        none[j] = enter[j] / total
    return parents, none


def _bounded(odds: np.ndarray) -> np.ndarray:
    """Return log odds with values beyond FAR compressed; infinite ones stay infinite."""
    pressed = FAR * (1.0 + 0.08 * np.log(np.maximum(odds, FAR) / FAR))
    return np.where(odds > FAR, pressed, odds)


def _beginning(step: np.ndarray, begin: np.ndarray, lost: np.ndarray) -> np.ndarray:
    """Return for each state the probability that a walk reaches a root before it is lost; `step[i, k]` leads from i to k.

    States are eliminated without a subtraction (Grassmann 1985).
    """
    step, begin, lost = step.copy(), begin.copy(), lost.copy()
    n = len(begin)
    total = np.zeros(n)
    # eliminate states from the last: redirect steps into k by the way k goes on
    for k in range(n - 1, -1, -1):
        total[k] = step[k, :k].sum() + begin[k] + lost[k]
        if k and total[k] > 0:
            into = step[:k, k] / total[k]
            step[:k, :k] += np.outer(into, step[k, :k])
            begin[:k] += into * begin[k]
            lost[:k] += into * lost[k]
    chance = np.zeros(n)
    # substitute back from the first state
    for k in range(n):
        if total[k] > 0:
            chance[k] = (begin[k] + step[k, :k] @ chance[:k]) / total[k]
    return chance
