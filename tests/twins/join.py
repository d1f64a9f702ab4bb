"""Joins: documents with equal keys, and the exact join of sets by prefixes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from twins.postings import keep_most


def join_keys(
    keys: Sequence[Sequence[int]],
    *,
    size: Sequence[int] | None = None,
    window: Sequence[int] | None = None,
    time: Sequence[float] | None = None,
    cap: int = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    few: int = 0,
    crowd: int = 0,
    references: int = 0,
    within: float | None = None,
) -> list[tuple[int, int, int]]:
    """(left, right, shared keys) of all candidates, sorted by right, then left."""
    lists: dict[int, list[int]] = {}
    for d, own in enumerate(keys):
        for k in set(own):
            lists.setdefault(k, []).append(d)
    out = []
    for d, own in enumerate(keys):
        met: Counter[int] = Counter()
        for k in set(own):
            before = [x for x in lists[k] if x < d]
            known = [x for x in before if x < references]
            others = [x for x in before if x >= references]
            if d < references:
                continue
            if within is not None and time is not None:
                others = [x for x in others if time[x] >= time[d] - within]
            met.update(known[:cap] + others[:cap])
        found: list[tuple[int, int]] = []
        for x, shared in sorted(met.items()):
            least = float(min_shared)
            if share > 0 and size is not None and window is not None:
                mine, other = (size[k] * (len(set(keys[k])) / len(keys[k])) for k in (d, x))
                expected = min(mine, other) * 2.0 / (max(window[x], window[d]) + 1.0)
                least = max(least, math.ceil(share * expected - 1e-9))
            if within is not None and time is not None and abs(time[d] - time[x]) > within:
                continue
            if shared >= least:
                found.append((x, shared))
        crowded = crowd > 0 and any(len(lists[k]) > crowd for k in set(own))
        bounds = (min(most, 3 * few), few) if crowded else (most, most)
        among = [f for f in found if f[0] < references]
        beyond = [f for f in found if f[0] >= references]
        out += [(x, d, shared) for x, shared in keep_most(among, *bounds) + keep_most(beyond, *bounds)]
    return out


Record = Sequence[int]
"""Tokens of a set in the order of the join."""


def jaccard(a: Record, b: Record) -> float:
    """Shared / all of two sets; 0 where either is empty."""
    shared = len(set(a) & set(b))
    return shared / (len(a) + len(b) - shared) if a and b else 0.0


def count_tokens(sets: Sequence[set[int]], least: int = 1) -> list[tuple[int, int]]:
    """Tokens ascending, and in how many sets each stands, from `least` sets on."""
    return sorted((v, c) for v, c in Counter(v for s in sets for v in s).items() if c >= least)


def ordered(sets: Sequence[set[int]], known: Mapping[int, int] | None = None) -> list[list[int]]:
    """Each set as a list, by increasing document frequency, ties by token; counted here, or `known` (1 for others)."""
    counted = dict(count_tokens(sets)) if known is None else known
    return [sorted(s, key=lambda token: (counted.get(token, 1), token)) for s in sets]


def order_sets(sets: Sequence[set[int]], known: Mapping[int, int] | None = None) -> list[list[int]]:
    """The same with the number of each token in the order of all."""
    counted = dict(count_tokens(sets)) if known is None else known
    order = ordered([set().union(*sets)], counted)[0]
    number = {token: i for i, token in enumerate(order)}
    return [[number[token] for token in record] for record in ordered(sets, counted)]


def least_share(threshold: float, size: int) -> int:
    """ceil(t |x|), by the comparison that decides: the least m with m / |x| >= t."""
    return next(m for m in range(1, size + 1) if m / size >= threshold)


def least_overlap(threshold: float, a: int, b: int) -> int:
    """ceil(t / (1 + t) (|x| + |y|)): the least number of shared tokens with which sets of these sizes reach the threshold."""
    return next(s for s in range(1, a + b) if s / (a + b - s) >= threshold)


def probing_prefix(threshold: float, size: int) -> int:
    """|x| - ceil(t |x|) + 1."""
    return size - least_share(threshold, size) + 1


def indexing_prefix(threshold: float, size: int) -> int:
    """|x| - ceil(2t / (1 + t) |x|) + 1: enough for a record no longer than its partner."""
    return size - least_overlap(threshold, size, size) + 1


def different_at_least(x: Record, y: Record, depth: int) -> int:
    """Lower bound of the tokens that stand in one of two ascending records only, by halving around y's middle token."""
    if depth == 0 or not x or not y:
        return abs(len(x) - len(y))
    middle = (len(y) - 1) // 2
    pivot = y[middle]
    before, behind = [v for v in x if v < pivot], [v for v in x if v > pivot]
    return (
        different_at_least(before, y[:middle], depth - 1)
        + different_at_least(behind, y[middle + 1 :], depth - 1)
        + (pivot not in x)
    )


def screen(x: Record, y: Record, threshold: float, suffix_depth: int = 0) -> tuple[str, int | None]:
    """Where a pair ends, and the first token of both prefixes; x is the record that looks up, y is no longer than x.

    Tokens are numbers in the order of the join.
    """
    if not y or len(y) < least_share(threshold, len(x)):
        return "size", None
    least = least_overlap(threshold, len(x), len(y))
    listed = list(y[: indexing_prefix(threshold, len(y))])
    met, first = 0, None
    for i, token in enumerate(x[: probing_prefix(threshold, len(x))], 1):
        if token not in listed:
            continue
        j = listed.index(token) + 1
        first = token if first is None else first
        if met + 1 + min(len(x) - i, len(y) - j) < least:
            return "position", first
        if met == 0 and suffix_depth:
            most = len(x) + len(y) - 2 * least - (i + j - 2)
            if different_at_least(x[i:], y[j:], suffix_depth) > most:
                return "suffix", first
        met += 1
    if first is None:
        return "prefix", None
    return ("similar" if len(set(x) & set(y)) >= least else "overlap"), first


def screen_pairs(
    records: Sequence[Record], pairs: Sequence[tuple[int, int]], threshold: float, suffix_depth: int = 0
) -> list[tuple[str, int | None]]:
    """`screen` of pairs of records: of two, the longer one looks up; of two of one size the later one."""
    turned = [sorted(p, key=lambda d: (len(records[d]), d)) for p in pairs]
    return [screen(records[x], records[y], threshold, suffix_depth) for y, x in turned]


def join_sets(
    records: Sequence[Record], threshold: float, suffix_depth: int = 0, min_size: int = 1,
    scope: Sequence[int] | None = None, references: int = 0,
) -> tuple[list[tuple[int, int]], dict[str, int]]:  # fmt: skip
    """All similar pairs, sorted by right, then left, and how many pairs of records ended where (`screen`)."""
    found, ended = [], Counter[str]()
    for a, b in combinations(range(len(records)), 2):
        if b < references or (scope is not None and scope[a] != scope[b]):
            continue
        if min(len(records[a]), len(records[b])) < max(1, min_size):
            continue
        stage, _ = screen_pairs(records, [(a, b)], threshold, suffix_depth)[0]
        ended[stage] += 1
        if stage == "similar":
            found.append((a, b))
    return sorted(found, key=lambda p: (p[1], p[0])), dict(ended)


def brute_force(
    records: Sequence[Record],
    threshold: float,
    min_size: int = 1,
    scope: Sequence[int] | None = None,
    references: int = 0,
) -> list[tuple[int, int]]:
    """The same pairs by the definition alone."""
    return sorted(
        (
            (a, b)
            for a, b in combinations(range(len(records)), 2)
            if b >= references
            and (scope is None or scope[a] == scope[b])
            and min(len(records[a]), len(records[b])) >= max(1, min_size)
            and jaccard(records[a], records[b]) >= threshold
        ),
        key=lambda p: (p[1], p[0]),
    )
