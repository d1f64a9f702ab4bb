"""Bound on the partners of a document among pairs that a search has found: half the first ones, half the most similar ones.

Joins bound them while they select (`quchong.kernels.postings.select_candidates`).
"""

from __future__ import annotations

import numpy as np

from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import ordered


def nearest(me: np.ndarray, other: np.ndarray, shared: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of partners of each pair's first document, and a mask that keeps about `most` pairs for each such document.

    Half of `most` are the first partners in order, half those that share most (the first of equals).

    Args:
        me: the document whose partners are counted, of each pair.
        other: its partner; also the order of partners.
        shared: how much both have in common.

    Returns:
        How many partners the document of each pair has, and a mask of the pairs to keep. Cost: sorting the pairs.
    """
    first = (most + 1) // 2
    place, count = places_among(ordered(me, other), me)
    kept = place < first
    rest = np.flatnonzero(~kept)
    beyond, _ = places_among(ordered(me[rest], -shared[rest].astype(np.int64), other[rest]), me[rest])
    kept[rest[beyond < most - first]] = True
    return count, kept


def places_among(order: np.ndarray, me: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the position of each pair among those of its document, and their number; `order` keeps these together."""
    sorted_me = me[order]
    start = np.flatnonzero(first_of_runs(sorted_me)) if len(me) else np.zeros(0, np.int64)
    sizes = np.diff(np.append(start, len(me)))
    place, count = np.empty(len(me), np.int64), np.empty(len(me), np.int64)
    place[order] = np.arange(len(me)) - np.repeat(start, sizes)
    count[order] = np.repeat(sizes, sizes)
    return place, count
