"""SpotSigs' index; twins: `quchong.kernels.reference.spotsigs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import threads_of
from quchong.kernels.sets import FeatureSets, set_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U64


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
    independent of the order of documents but for the numbers they go by. Source: Theobald 2008.
    """
    columns, n = set_columns(sets), len(sets)
    last = checked.u64(ends, "ends of partitions")
    if (last[1:] <= last[:-1]).any():
        raise ValueError("ends of partitions must rise")
    left, right, compared, capped, largest = _quchong.meet_spots(
        *columns, last, checked.scope_of(scope, n), checked.share(threshold), paper, checked.cap_of(cap),
        checked.number(references, 0, n, "references"), threads_of(workers),
    )  # fmt: skip
    return SpotPairs(left.astype(np.int64), right.astype(np.int64), compared, capped, largest)
