"""Sets of features, weighted sets and sparse vectors: their intersections, and the search for candidate pairs.

The twins are in tests/twins/sets.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import FeatureSets, set_columns
from quchong.kernels.checked import MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U32, U64, Ints


class SimilarPairs(NamedTuple):
    """Pairs of documents whose sets reach a threshold: left < right, sorted by right, then left.

    `capped` lists were longer than the cap, the longest list has `largest` documents, and `bounded` documents had more partners than they
    may keep.
    """

    left: I64
    right: I64
    capped: int
    largest: int
    bounded: int = 0


def feature_sets(values: U64, offsets: I64, *, weighted: bool = False, workers: int | None = None) -> FeatureSets:
    """Build sets of the values of each document; with `weighted` multisets, else every weight is 1.

    Raises:
        ValueError: offsets that do not rise from 0 to the number of values.
    """
    v, o = checked.ragged64(values, offsets, "values")
    made = FeatureSets(*_quchong.make_sets(v, o, threads_of(workers)))
    return made if weighted else made.weighing(np.ones(len(made.values), np.uint32))


def shared_sets(sets: FeatureSets, left: Ints, right: Ints, workers: int | None = None) -> tuple[U64, U32]:
    """Return what pairs of documents share: the sum of the lesser weights (uint64), and the number of distinct values (uint32)."""
    a, b = checked.pairs(left, right, len(sets))
    weight, common = _quchong.shared_sets(*set_columns(sets), a, b, threads_of(workers))
    return weight, common


def meet_sets(
    sets: FeatureSets,
    threshold: float,
    *,
    jaccard: bool = False,
    min_shared: int = 1,
    cap: int | None = None,
    scope: U64 | None = None,
    references: int = 0,
    most: int = 0,
    workers: int | None = None,
) -> SimilarPairs:
    """Return all pairs of documents that share at least `min_shared` values, and enough by `threshold`.

    Enough means shared / the smaller size, or with `jaccard` shared / (both sizes - shared), in weights. The result is exact if no list is
    longer than `cap`. Otherwise a document beyond the cap of a list is compared with the first ones only, and pairs a little below the
    threshold may be included, unless `most` is given: verify the result by the exact count (`shared_sets`).

    Args:
        sets: sets of documents, in the order of the lists.
        cap: most documents of one value's list that are compared; None for all, at the cost of the square of the longest list.
        scope: uint64 a document; only equal ones meet.
        references: the first so many documents are not paired with each other.
        most: for each document at most so many references and so many earlier others are kept: half of them the first, half those that
            share most (the first of equals). All pairs then reach the threshold, counted exactly. 0 for all.

    Cost: O(values log values) and the sum of squares of list lengths up to the cap; memory 16 bytes a value.
    """
    columns, n = set_columns(sets), len(sets)
    left, right, *counted = _quchong.meet_sets(
        *columns, checked.scope_of(scope, n), jaccard, checked.share(threshold),
        checked.number(min_shared, 1, MOST_U32, "min_shared"), checked.cap_of(cap),
        checked.number(references, 0, n, "references"), checked.number(most, 0, MOST_U32, "most"), threads_of(workers),
    )  # fmt: skip
    return SimilarPairs(left.astype(np.int64), right.astype(np.int64), *counted)


def meet_contained(
    sets: FeatureSets, threshold: float, *, cap: int | None = None, scope: U64 | None = None, references: int = 0,
    workers: int | None = None,
) -> SimilarPairs:  # fmt: skip
    """Return all pairs of documents of which the lighter one shares at least `threshold` of its weight with the other.

    The shared weight is the sum of the lesser weights. The result is exact if no list is longer than `cap` documents; beyond the cap only
    the heaviest ones are compared. Args as in `meet_sets`; this form is for weighted sets with many common values: a document visits its
    lists from the shortest on, and only as many as a partner cannot do without.

    Cost: the lengths of the lists visited; memory 24 bytes a value.
    """
    columns, n = set_columns(sets), len(sets)
    left, right, capped, largest, _ = _quchong.meet_contained(
        *columns, checked.scope_of(scope, n), checked.share(threshold), checked.cap_of(cap),
        checked.number(references, 0, n, "references"), threads_of(workers),
    )  # fmt: skip
    return SimilarPairs(left.astype(np.int64), right.astype(np.int64), capped, largest)


class SpotPairs(NamedTuple):
    """Pairs at or above the threshold: left < right, sorted by right, then left, and counts of the search.

    `compared` multisets were examined; `capped` documents had more partners than the cap, `largest` at most.
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
    """Return all pairs of documents whose multisets have a Jaccard (sum of minima / sum of maxima) of `threshold` or more.

    Args:
        sets: multisets; empty ones have no candidates.
        threshold: above 0, at most 1.
        ends: last sizes of the length partitions but the last one, ascending; see `quchong.candidates.partitions`.
        paper: prune by the published rules, which lose a few true pairs of multisets; else by bounds that lose none.
        cap: partners of a document among the longer ones (with `paper` among all of its partition) that are kept, the first
            ones; None for all, whose number is the square of the largest cluster.
        scope: uint64 a document; only equal ones meet.
        references: the first so many documents are not paired with each other.

    Cost: near the number of features, and of pairs above the threshold, where signatures are rare. Deterministic, and independent of the
    order of documents, except for their numbers. Source: Theobald 2008.
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


class Vectors(NamedTuple):
    """Sparse vectors: vector i owns terms[offsets[i]:offsets[i + 1]] (uint32, strictly ascending) and as many weights (float64)."""

    terms: U32
    weights: F64
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1


def unit_vectors(values: U64, weights: F64, offsets: I64) -> Vectors:
    """Build vectors of length 1 from the values (ascending and distinct in each), numbered in ascending order; empty ones stay empty.

    Raises:
        ValueError: offsets that do not rise from 0 to the number of values, or other weights than values.
    """
    v, o = checked.ragged64(values, offsets, "values")
    checked.rising(v, o)
    w = checked.finite(weights, "weights", len(v))
    total = np.zeros(len(o) - 1)
    full = np.flatnonzero(np.diff(o) > 0)
    if len(full):
        with np.errstate(over="ignore"):
            total[full] = np.add.reduceat(w * w, o[:-1][full])
    if not np.isfinite(total).all():
        raise ValueError("weights are too large: their squares are beyond float64")
    w = np.divide(w, np.repeat(np.sqrt(total), np.diff(o)), out=np.zeros(len(w)), where=w != 0)
    return Vectors(np.unique(v, return_inverse=True)[1].astype(np.uint32), w, o)


def dots(vectors: Vectors, left: Ints, right: Ints, workers: int | None = None) -> F64:
    """Return the scalar products of pairs of vectors, float64: cosines if all have length 1; 0 with an empty one."""
    a, b = checked.pairs(left, right, len(vectors), "vector")
    return _quchong.dots(*_flat(vectors), a, b, threads_of(workers))


def single_pass(vectors: Vectors, threshold: float, scope: U64 | None = None) -> tuple[I64, F64]:
    """Cluster vectors in one pass (单遍聚类): each joins the nearest centroid at `threshold` or above, or opens a cluster.

    Vectors of length 1, in order; of equally near centroids the earliest. `scope` (uint64): only clusters of equal scope.
    Returns the founder of each one's cluster (int64; itself where it opened one) and its cosine with the centroid it joined
    (float64; 1 for founders). One thread: every step depends on the one before.

    Cost: postings of the rarest terms of each vector, as many as hold 1 - threshold**2 of its weight, and the near
    centroids; memory 16 bytes a term of every vector.
    """
    terms, weights, offsets = _flat(vectors)
    checked.rising(terms, offsets, "terms")
    terms, count = checked.numbered(terms)
    codes, threshold = checked.scope_of(scope, len(vectors)), checked.share(threshold)
    founder, similarity = _quchong.single_pass(terms, weights, offsets, count, codes, threshold)
    return founder, similarity


def _flat(vectors: Vectors) -> tuple[U32, F64, I64]:
    terms, offsets = checked.ragged(vectors.terms, vectors.offsets, name="terms")
    return terms, checked.finite(vectors.weights, "weights", len(terms)), offsets
