"""SpotSigs: the pairs its index is to find, and the published pruning rule by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

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
