"""Bound on the partners of a document that shares enough with very many: half the first ones, half the most similar ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sets import meet_sets, shared_sets
from quchong.kernels.sorting import distinct, ordered

PAIRS = 16_000_000
"""Most pairs compared at once, 24 bytes each."""


class Bounded(NamedTuple):
    """Pairs of documents, left < right, sorted by right, then left, with counts of what was bounded.

    `capped` and `largest` are those of `quchong.kernels.sets.SimilarPairs`; `bounded` counts documents with more partners than allowed.
    """

    left: np.ndarray
    right: np.ndarray
    capped: int
    largest: int
    bounded: int


def nearest(me: np.ndarray, other: np.ndarray, shared: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of partners of each pair's document, and a mask of the pairs to keep, about `most` for each document.

    Half of `most` are the first partners in order, half those that share most (the first of equals).

    Args:
        me: the document whose partners are counted, of each pair.
        other: its partner; also the order of partners.
        shared: how much both have in common.

    Returns:
        How many partners the document of each pair has, and a mask of the pairs to keep. Cost: sorting the pairs.
    """
    first = (most + 1) // 2
    place, count = _places(ordered(me, other), me)
    kept = place < first
    rest = np.flatnonzero(~kept)
    beyond, _ = _places(ordered(me[rest], -shared[rest].astype(np.int64), other[rest]), me[rest])
    kept[rest[beyond < most - first]] = True
    return count, kept


def _places(order: np.ndarray, me: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the position of each pair among those of its document, and their number; `order` keeps these together."""
    sorted_me = me[order]
    start = (
        np.flatnonzero(np.concatenate([[True], sorted_me[1:] != sorted_me[:-1]])) if len(me) else np.zeros(0, np.int64)
    )
    sizes = np.diff(np.append(start, len(me)))
    place, count = np.empty(len(me), np.int64), np.empty(len(me), np.int64)
    place[order] = np.arange(len(me)) - np.repeat(start, sizes)
    count[order] = np.repeat(sizes, sizes)
    return place, count


def bounded_sets(  # noqa: PLR0913 - a kernel in pieces, by keywords
    sets: FeatureSets,
    threshold: float,
    *,
    most: int,
    jaccard: bool = False,
    min_shared: int = 1,
    cap: int | None = None,
    scope: np.ndarray | None = None,
    references: int = 0,
    workers: int | None = None,
) -> Bounded:
    """Return pairs as `quchong.kernels.sets.meet_sets`, for each document at most `most` references and `most` earlier others.

    A `most` of 0 means all pairs. If lists were cut, every pair's share is counted exactly, so that pairs that share too little take no
    place of others. Memory: PAIRS pairs at once, besides those kept. Cost: that of `meet_sets`, and the index once more for each PAIRS
    candidate pairs.
    """
    meet = partial(meet_sets, threshold=threshold, jaccard=jaccard, min_shared=min_shared, cap=cap, workers=workers)
    if not most:
        met = meet(sets, scope=scope, references=references)
        return Bounded(met.left, met.right, met.capped, met.largest, 0)
    lefts, rights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    capped = largest = bounded = 0
    for start, end in pieces(sets, cap):
        values = int(sets.offsets[end])
        some = FeatureSets(sets.values[:values], sets.weights[:values], sets.offsets[: end + 1])
        met = meet(some, scope=None if scope is None else scope[:end], references=min(end, max(start, references)))
        left, right, capped, largest = met.left, met.right, met.capped, met.largest
        if capped:
            enough = _enough(some, left, right, threshold, jaccard, min_shared, workers)
            left, right = left[enough], right[enough]
        side = 2 * right + (left >= references)
        crowded = np.bincount(side, minlength=1)[side] > most
        kept = ~crowded
        if crowded.any():
            weight, _ = shared_sets(some, left[crowded], right[crowded], workers)
            _, near = nearest(side[crowded], left[crowded], weight, most)
            kept[crowded] = near
            bounded += len(distinct(right[crowded]))
        lefts.append(left[kept])
        rights.append(right[kept])
    return Bounded(np.concatenate(lefts), np.concatenate(rights), capped, largest, bounded)


def _enough(
    sets: FeatureSets,
    left: np.ndarray,
    right: np.ndarray,
    threshold: float,
    jaccard: bool,
    least: int,
    workers: int | None,
) -> np.ndarray:
    """Return a mask of the pairs that share enough, by exact count."""
    weight, common = shared_sets(sets, left, right, workers)
    a, b, w = (x.astype(np.float64) for x in (sets.sizes[left], sets.sizes[right], weight))
    whole = a + b - w if jaccard else np.minimum(a, b)
    mask: np.ndarray = (common >= least) & (w >= threshold * whole - 1e-9 * (a + b))
    return mask


def pieces(sets: FeatureSets, cap: int | None) -> Iterator[tuple[int, int]]:
    """Yield the bounds of batches of documents with at most PAIRS candidate pairs; a batch of one document may exceed it."""
    n = len(sets)
    before = np.arange(n, dtype=np.int64)
    if n * (n - 1) // 2 > PAIRS:
        order = np.argsort(sets.values, kind="stable")
        place, _ = _places(order, sets.values)
        place = np.minimum(place, cap or len(place))
        total = np.concatenate([[0], np.cumsum(place)])
        before = np.minimum(before, total[sets.offsets[1:]] - total[sets.offsets[:-1]])
    piece = np.cumsum(before) // PAIRS
    cuts = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), n]
    yield from pairwise(cuts)
