"""The likeliest source of each version of a chain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.chains.costs import alone
from quchong.chains.trees import NONE, cheapest, shares

SCALE = 2.0
"""Tokens of price that make a source e times less likely: fitted, so that of the sources called p likely about p are right."""
FEW = 0.2
"""By how much likelier it has to be that a text of a block is nobody's copy than that it is one, to be named so beside the first."""
MOST = 64
"""Versions of one block at most; in a larger one the longer text is taken to be there before the shorter one."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Of each version: its source, NONE where it has none; how likely that is; the next likely source, NONE where there is no other,
    and how likely it is; how many sources there are to choose from.
    """

    source: np.ndarray
    confidence: np.ndarray
    second: np.ndarray
    second_confidence: np.ndarray
    choices: np.ndarray


def sources(n: int, source: np.ndarray, copy: np.ndarray, price: np.ndarray, tokens: np.ndarray) -> Sources:
    """The likeliest source of each of n versions.

    Blocks of versions that may each have been there before the other are decided together, as the forest that is expected to name the
    most sources right; a version of known time is a block of its own, and its source the cheapest of those before it.

    Args:
        n: versions, `tokens` of each.
        source, copy, price: arcs: `copy` may have been made of `source` at this price.

    Ties go to the lesser version; so callers number them by time. Deterministic. Cost: linear in the arcs, but for blocks of
    unknown order, of at most MOST versions: O(MOST^4).
    """
    own = alone(tokens)
    order = np.lexsort((source, copy))
    source, copy, price = source[order], copy[order], price[order]
    bounds = np.searchsorted(copy, np.arange(n + 1))
    block = _blocks(n, source, bounds)
    large = np.bincount(block, minlength=n)[block] > MOST
    if large.any():
        longer = (tokens[source] > tokens[copy]) | ((tokens[source] == tokens[copy]) & (source < copy))
        kept = ~large[source] | (block[source] != block[copy]) | longer
        source, copy, price = source[kept], copy[kept], price[kept]
        bounds = np.searchsorted(copy, np.arange(n + 1))
        block = np.where(large, n + np.arange(n), block)
    out = Sources(
        np.full(n, NONE), np.ones(n), np.full(n, NONE), np.zeros(n), np.diff(bounds).astype(np.int64)
    )  # fmt: skip
    by_block = np.argsort(block, kind="stable")
    for nodes in np.split(by_block, np.flatnonzero(np.diff(block[by_block])) + 1):
        _decide(nodes, source, price, bounds, own, out)
    return out


def _decide(
    nodes: np.ndarray, source: np.ndarray, price: np.ndarray, bounds: np.ndarray, own: np.ndarray, out: Sources
) -> None:
    """Decides the versions of one block."""
    where = {node: i for i, node in enumerate(nodes.tolist())}
    m = len(nodes)
    inner = np.full((m, m), np.inf) if m > 1 else np.full((1, 1), np.inf)
    entry, weight = np.empty(m), np.empty(m)
    outer: list[
        tuple[np.ndarray, np.ndarray]
    ] = []  # sources of each before the block, NONE for itself, and their prices
    for i, node in enumerate(nodes.tolist()):
        arcs = slice(int(bounds[node]), int(bounds[node + 1]))
        ends, prices = source[arcs], price[arcs]
        here = np.array([end in where for end in ends.tolist()], bool) if m > 1 else np.zeros(len(ends), bool)
        for end, cost in zip(ends[here].tolist(), prices[here].tolist(), strict=True):
            inner[where[end], i] = cost
        before, costs = np.append(ends[~here], NONE), np.append(prices[~here], own[node])
        outer.append((before, costs))
        entry[i] = costs.min()
        weight[i] = entry[i] - SCALE * np.log(np.exp(-(costs - entry[i]) / SCALE).sum())  # of all ways in together
    inside, enter = (np.zeros((1, 1)), np.ones(1)) if m == 1 else shares(inner, weight, SCALE)
    chances = []
    for i in range(m):
        ways = np.exp(-(outer[i][1] - entry[i]) / SCALE)
        chances.append(ways * (enter[i] / ways.sum()))
    # what is likeliest for each may run in a circle: the forest that is expected to have the most sources right
    way = [_way(c, FEW if m > 1 else 0.0) for c in chances]
    entering = [1.0 - c[at] + (FEW if m > 1 and at == len(c) - 1 else 0.0) for c, at in zip(chances, way, strict=True)]
    parent = cheapest(np.where(np.isinf(inner), np.inf, 1.0 - inside), np.array(entering))
    for i, node in enumerate(nodes.tolist()):
        everyone, chance = np.concatenate([outer[i][0], nodes]), np.concatenate([chances[i], inside[:, i]])
        at = way[i] if parent[i] == NONE else len(chances[i]) + int(parent[i])
        out.source[node], out.confidence[node] = int(everyone[at]), min(1.0, chance[at])
        rest = np.flatnonzero((np.arange(len(chance)) != at) & (everyone != NONE) & (everyone != node) & (chance > 0))
        if len(rest):
            best = rest[np.lexsort((everyone[rest], -chance[rest]))[0]]
            out.second[node], out.second_confidence[node] = everyone[best], chance[best]


def _way(chances: np.ndarray, few: float) -> int:
    """The likeliest way into a block, of those from sources and the last one, of being nobody's copy, which has to be likelier by `few`."""
    if len(chances) == 1 or chances[-1] > chances[:-1].max() + few:
        return len(chances) - 1
    return int(np.argmax(chances[:-1]))


def _blocks(n: int, source: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """The block of each version, int64: versions are in one where arcs lead from each to the other (Tarjan 1972)."""
    label, low, index = np.full(n, NONE), [0] * n, [0] * n
    count, held, stack = 0, [False] * n, []
    ends = source.tolist()
    for start in range(n):
        if index[start]:
            continue
        work = [(start, int(bounds[start]))]
        while work:
            node, at = work.pop()
            if not index[node]:
                count += 1
                index[node] = low[node] = count
                stack.append(node)
                held[node] = True
            while at < bounds[node + 1]:
                end = ends[at]
                at += 1
                if not index[end]:
                    work += [(node, at - 1), (end, int(bounds[end]))]
                    break
                if held[end]:
                    low[node] = min(low[node], low[end])
            else:
                if low[node] == index[node]:
                    while True:
                        one = stack.pop()
                        held[one] = False
                        label[one] = node
                        if one == node:
                            break
    return label
