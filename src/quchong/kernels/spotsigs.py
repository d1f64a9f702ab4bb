"""Argument checks in front of SpotSigs' index; twins: `quchong.kernels.reference.spotsigs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels.dispatch import threads_of
from quchong.kernels.sets import FeatureSets, _flat

if TYPE_CHECKING:
    from quchong.kernels.dispatch import I64, U64


class SpotPairs(NamedTuple):
    """Pairs at or above the threshold: left < right, sorted by right, then left.

    `compared` multisets were gone through; `capped` documents had more partners than the cap, the most of one `largest`.
    """

    left: I64
    right: I64
    compared: int
    capped: int
    largest: int


def meet_spots(
    sets: FeatureSets, threshold: float, ends: Sequence[int], *, paper: bool = False, cap: int | None = None,
    scope: U64 | None = None,
    references: int = 0, workers: int | None = None,
) -> SpotPairs:  # fmt: skip
    """All pairs of documents whose multisets have a Jaccard similarity (sum of minima / sum of maxima) of `threshold`.

    Args:
        sets: multisets; empty ones meet nobody.
        threshold: above 0, at most 1.
        ends: last sizes of the length partitions but the last one, ascending; see `quchong.index.partitions`.
        paper: prune by the published rules, which lose a few true pairs of multisets; else by bounds that lose none.
        cap: partners of a document among the longer ones (with `paper` among all of its partition) that are kept, the first
            ones; None for all, whose number is the square of the largest cluster.
        scope: uint64 a document; only equal ones meet.
        references: the first so many documents are not paired with each other.

    Cost: near the number of features, and of pairs above the threshold, where signatures are rare. Deterministic, and
    independent of the order of documents but for the numbers they go by. Source: Theobald, Siddharth, Paepcke 2008;
    specification A4.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, got {threshold}")
    if cap is not None and not 1 <= cap < 2**32:
        raise ValueError(f"cap must be at least 1, got {cap}")
    if list(ends) != sorted(set(ends)) or (len(ends) and ends[0] < 0):
        raise ValueError("ends of partitions must rise")
    if scope is not None and len(scope) != len(sets):
        raise ValueError(f"scope needs one number a document: {len(scope)} for {len(sets)}")
    if not 0 <= references <= len(sets):
        raise ValueError(f"references must be 0 to {len(sets)}, got {references}")
    codes = np.zeros(0, np.uint64) if scope is None else np.ascontiguousarray(scope, np.uint64)
    left, right, compared, capped, largest = _quchong.meet_spots(
        *_flat(sets), np.array(ends, np.uint64), codes, threshold, paper, cap or 0, references, threads_of(workers)
    )
    return SpotPairs(left.astype(np.int64), right.astype(np.int64), compared, capped, largest)
