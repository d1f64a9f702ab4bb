"""Choice of the likeliest source of each version of a chain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.chains.costs import alone
from quchong.chains.trees import NONE, cheapest, shares

SCALE = 2.0
"""Difference in price, in tokens, that makes a source e times less likely.

It was fitted so that of the sources with confidence p about a share p is right.
"""
FEW = 0.2
"""Margin of probability by which "no source" must exceed every other choice, for a version in a block of several."""
MOST = 64
"""Maximum number of versions in a block; in a larger block the longer text is taken to be earlier than the shorter one."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Chosen sources, with one entry per version.

    `source` is the chosen version, NONE for no source, and `confidence` its probability. `second` is the next likely
    source, NONE if there is no other, and `second_confidence` its probability. `choices` is the number of possible
    sources.
    """

    source: np.ndarray
    confidence: np.ndarray
    second: np.ndarray
    second_confidence: np.ndarray
    choices: np.ndarray


def sources(n: int, source: np.ndarray, copy: np.ndarray, price: np.ndarray, tokens: np.ndarray) -> Sources:
    """Choose the likeliest source of each of n versions.

    Versions are grouped in blocks in which each may be earlier than any other. The sources of a block are chosen
    together, as the forest with the largest expected number of right sources. A version of known time is a block of
    its own, and its source is the cheapest one before it.

    Args:
        n: number of versions; `tokens` of each.
        source, copy, price: arcs: `copy` may have been made from `source` at this price.

    Ties go to the lesser version, so callers number versions by time. Deterministic. Cost: linear in the arcs, except
    for blocks of unknown order, of at most MOST versions: O(MOST^4).
    """
    own = alone(tokens)
    order = np.lexsort((source, copy))
    source, copy, price = source[order], copy[order], price[order]
    bounds = np.searchsorted(copy, np.arange(n + 1))
    block = _blocks(n, source, bounds)
    # too large to decide together: let the longer text be earlier, which breaks all cycles
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
    # decide block by block
    by_block = np.argsort(block, kind="stable")
    for nodes in np.split(by_block, np.flatnonzero(np.diff(block[by_block])) + 1):
        _decide(nodes, source, price, bounds, own, out)
    return out


def _decide(
    nodes: np.ndarray, source: np.ndarray, price: np.ndarray, bounds: np.ndarray, own: np.ndarray, out: Sources
) -> None:
    """Choose the sources of the versions of one block and store them in `out`."""
    where = {node: i for i, node in enumerate(nodes.tolist())}
    m = len(nodes)
    # prices: inner[i, j] of making j from i within the block, entry[j] of the cheapest source outside
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
    # probabilities: inside[i, j] that i is the source of j, enter[j] that it comes from outside
    inside, enter = (np.zeros((1, 1)), np.ones(1)) if m == 1 else shares(inner, weight, SCALE)
    # split enter[j] among the sources outside, and "no source"
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
        # the next likely source among all others
        rest = np.flatnonzero((np.arange(len(chance)) != at) & (everyone != NONE) & (everyone != node) & (chance > 0))
        if len(rest):
            best = rest[np.lexsort((everyone[rest], -chance[rest]))[0]]
            out.second[node], out.second_confidence[node] = everyone[best], chance[best]


def _way(chances: np.ndarray, few: float) -> int:
    """Return the index of the likeliest way into a block of versions: a source outside of it, or the last index for no source.

    The last index is "no source", which must exceed all others by the margin `few`.
    """
    if len(chances) == 1 or chances[-1] > chances[:-1].max() + few:
        return len(chances) - 1
    return int(np.argmax(chances[:-1]))


def _blocks(n: int, source: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Return the block of each version, int64: the strongly connected components of the arcs (Tarjan 1972)."""
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
                # `end` is on the stack: part of the same component
                if held[end]:
                    low[node] = min(low[node], low[end])
            else:
                # `node` is the root of a component: pop its members
                if low[node] == index[node]:
                    while True:
                        one = stack.pop()
                        held[one] = False
                        label[one] = node
                        if one == node:
                            break
    return label
