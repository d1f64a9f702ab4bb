"""Sets of features, weighted sets and sparse vectors: what they share, and which meet."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations


def feature_sets(documents: Sequence[Sequence[int]]) -> list[dict[int, int]]:
    """Values of each document in ascending order, and how often each occurs."""
    return [dict(sorted(Counter(d).items())) for d in documents]


def shared_sets(a: Mapping[int, int], b: Mapping[int, int]) -> tuple[int, int]:
    """Sum of the lesser weights of common values, and their number."""
    common = a.keys() & b.keys()
    return sum(min(a[v], b[v]) for v in common), len(common)


def meet_sets(
    sets: Sequence[Mapping[int, int]], threshold: float, jaccard: bool, min_shared: int, scope: Sequence[int],
    references: int,
) -> list[tuple[int, int]]:  # fmt: skip
    """All pairs at or above the threshold, by comparing every two documents; without a cap."""
    found = []
    for i, j in combinations(range(len(sets)), 2):
        weight, common = shared_sets(sets[i], sets[j])
        a, b = sum(sets[i].values()), sum(sets[j].values())
        whole = a + b - weight if jaccard else min(a, b)
        if (
            scope[i] == scope[j]
            and j >= references
            and common >= min_shared
            and weight >= threshold * whole - 1e-9 * (a + b)
        ):
            found.append((i, j))
    return sorted(found, key=lambda p: (p[1], p[0]))


def meet_contained(
    sets: Sequence[Mapping[int, int]], threshold: float, scope: Sequence[int], references: int
) -> list[tuple[int, int]]:
    """All such pairs, by comparing every two documents; without a cap."""
    found = []
    for i, j in combinations(range(len(sets)), 2):
        weight, common = shared_sets(sets[i], sets[j])
        smaller = min(sum(sets[i].values()), sum(sets[j].values()))
        if scope[i] == scope[j] and j >= references and common and weight >= threshold * smaller - 1e-9 * smaller:
            found.append((i, j))
    return sorted(found, key=lambda p: (p[1], p[0]))


Bag = Mapping[int, int]


def multiset_jaccard(a: Bag, b: Bag) -> float:
    """Sum of minima / sum of maxima; 0 where both are empty."""
    low = sum(min(a.get(v, 0), b.get(v, 0)) for v in a.keys() | b.keys())
    high = sum(max(a.get(v, 0), b.get(v, 0)) for v in a.keys() | b.keys())
    return low / high if high else 0.0


def meet_spots(sets: Sequence[Bag], threshold: float, scope: Sequence[int], references: int) -> list[tuple[int, int]]:
    """All pairs at or above the threshold, by comparing every two documents."""
    found = [
        (i, j)
        for i, j in combinations(range(len(sets)), 2)
        if scope[i] == scope[j]
        and j >= references
        and sets[i]
        and sets[j]
        and multiset_jaccard(sets[i], sets[j]) >= threshold - 1e-9
    ]
    return sorted(found, key=lambda p: (p[1], p[0]))


def published(sets: Sequence[Bag], threshold: float, ends: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs the published rules leave, from both documents inside a partition, the longer ones of the next as well."""
    size = [sum(s.values()) for s in sets]
    part = [sum(n > e for e in ends) for n in size]
    found = set()
    for d, bag in enumerate(sets):
        if not bag:
            continue
        for p in (part[d], part[d] + 1):
            if p == part[d] + 1 and (
                p > len(ends) or ends[p - 1] - size[d] > (1 - threshold) * ends[p - 1] + 1e-9 * size[d]
            ):
                continue
            members = [x for x in range(len(sets)) if part[x] == p and size[x]]
            for x in _met(d, bag, members, sets, size, threshold):
                if _coded(bag, sets[x], threshold):
                    found.add((min(d, x), max(d, x)))
    return sorted(found, key=lambda p: (p[1], p[0]))


def _met(
    d: int, bag: Bag, members: Sequence[int], sets: Sequence[Bag], size: Sequence[int], threshold: float
) -> Iterator[int]:
    """Documents of a partition that d is compared with: the list rules."""
    if not members:
        return
    slack = 1e-9 * size[d]
    lists = {v: sorted((x for x in members if v in sets[x]), key=lambda x: -size[x]) for v in bag}
    before = sum(bag[v] for v in bag if not lists[v])
    met = set()
    for v in sorted((v for v in bag if lists[v]), key=lambda v: (len(lists[v]), v)):
        if before > (1 - threshold) * max(size[x] for x in members) + slack:
            return
        for x in lists[v]:
            if x == d or x in met:
                continue
            less = size[d] - size[x]
            if less < 0 and before - less > (1 - threshold) * size[x] + slack:
                continue
            if less >= 0 and before + less > (1 - threshold) * size[d] + slack:
                break
            met.add(x)
            yield x
        before += bag[v]


def _coded(a: Bag, b: Bag, threshold: float) -> bool:
    """The published early exit along a's features, then the exact similarity."""
    longer, apart = max(sum(a.values()), sum(b.values())), 0
    slack = 1e-9 * (sum(a.values()) + sum(b.values()))
    for v in sorted(a):
        apart += abs(a[v] - b.get(v, 0))
        if longer - apart < threshold * longer - slack:
            return False
    return multiset_jaccard(a, b) >= threshold - 1e-9


SLACK = 1e-9


def unit_vector(weights: Mapping[int, float]) -> dict[int, float]:
    """The vector of length 1 of the same direction."""
    length = math.sqrt(sum(w * w for w in weights.values()))
    return {term: w / length for term, w in weights.items()} if length else dict.fromkeys(weights, 0.0)


def dot(a: Mapping[int, float], b: Mapping[int, float]) -> float:
    """Scalar product, terms in ascending order."""
    total = 0.0
    for term in sorted(a.keys() & b.keys()):
        total += a[term] * b[term]
    return total


def single_pass(
    vectors: Sequence[Mapping[int, float]], threshold: float, scope: Sequence[int] | None = None
) -> tuple[list[int], list[float]]:
    """The founder of each vector's cluster, and its cosine with the centroid it joined."""
    clusters: list[tuple[int, dict[int, float]]] = []
    founders: list[int] = []
    similarities: list[float] = []
    for i, v in enumerate(vectors):
        best, chosen = -1.0, None
        for founder, sums in clusters:
            if (scope is None or scope[founder] == scope[i]) and v.keys() & sums.keys():
                square = 0.0
                for t in sorted(sums):
                    square += sums[t] * sums[t]
                cosine = dot(v, sums) / (math.sqrt(square) if founders.count(founder) > 1 else 1.0)
                if cosine >= threshold - SLACK and cosine > best:
                    best, chosen = cosine, (founder, sums)
        if chosen is None:
            chosen = (i, {})
            clusters.append(chosen)
        founders.append(chosen[0])
        similarities.append(best if chosen[0] != i else 1.0)
        for term, weight in v.items():
            chosen[1][term] = chosen[1].get(term, 0.0) + weight
    return founders, similarities
