"""Argument checks in front of the kernels on sparse vectors; the twins stand in `kernels/reference/vectors.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels.dispatch import _pairs, threads_of

if TYPE_CHECKING:
    from quchong.kernels.dispatch import F64, I64, U32, U64, Ints


class Vectors(NamedTuple):
    """Sparse vectors: vector i owns terms[offsets[i]:offsets[i + 1]] (uint32, ascending and distinct) and as many weights
    (float64).
    """

    terms: U32
    weights: F64
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1


def unit_vectors(values: U64, weights: F64, offsets: I64) -> Vectors:
    """Vectors of length 1 of the values (ascending and distinct in each), numbered in ascending order; empty ones stay so.

    Raises:
        ValueError: offsets that do not rise from 0 to the number of values, or other weights than values.
    """
    o = np.ascontiguousarray(offsets, np.int64)
    if len(o) == 0 or o[0] != 0 or o[-1] != len(values) or (np.diff(o) < 0).any() or len(weights) != len(values):
        raise ValueError("offsets must rise from 0 and end with the number of values, each with a weight")
    w = np.asarray(weights, np.float64)
    total = np.zeros(len(o) - 1)
    full = np.flatnonzero(np.diff(o) > 0)
    if len(full):
        total[full] = np.add.reduceat(w * w, o[:-1][full])
    w = np.divide(w, np.repeat(np.sqrt(total), np.diff(o)), out=np.zeros(len(w)), where=w != 0)
    return Vectors(np.unique(values, return_inverse=True)[1].astype(np.uint32), w, o)


def dots(vectors: Vectors, left: Ints, right: Ints, workers: int | None = None) -> F64:
    """Scalar products of pairs of vectors, float64: cosines where all have length 1; 0 with an empty one."""
    a, b = _pairs(left, right, len(vectors))
    return _quchong.dots(*_flat(vectors), a, b, threads_of(workers))  # type: ignore[no-any-return]


def single_pass(vectors: Vectors, threshold: float, scope: U64 | None = None) -> tuple[I64, F64]:
    """Single-pass clustering (单遍聚类): each vector joins the nearest centroid at `threshold` or above, or opens a cluster.

    Vectors of length 1, in order; of equally near centroids the earliest. `scope` (uint64): only clusters of equal scope.
    Returns the founder of each one's cluster (int64; itself where it opened one) and its cosine with the centroid it joined
    (float64; 1 for founders). One thread: every step depends on the one before.

    Cost: postings of the rarest terms of each vector, as many as hold 1 - threshold**2 of its weight, and the near
    centroids; memory 16 bytes a term of every vector.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be in (0, 1], got {threshold}")
    if scope is not None and len(scope) != len(vectors):
        raise ValueError(f"scope needs one number a vector: {len(scope)} for {len(vectors)}")
    codes = np.zeros(0, np.uint64) if scope is None else np.ascontiguousarray(scope, np.uint64)
    terms, weights, offsets = _flat(vectors)
    count = int(terms.max(initial=0)) + 1
    founder, similarity = _quchong.single_pass(terms, weights, offsets, count, codes, threshold)
    return founder, similarity


def _flat(vectors: Vectors) -> tuple[U32, F64, I64]:
    terms, weights = np.ascontiguousarray(vectors.terms, np.uint32), np.ascontiguousarray(vectors.weights, np.float64)
    offsets = np.ascontiguousarray(vectors.offsets, np.int64)
    if (
        len(terms) != len(weights) or len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(terms)
        or (np.diff(offsets) < 0).any()
    ):  # fmt: skip
        raise ValueError("offsets must rise from 0 and end with the number of terms, each with a weight")
    return terms, weights, offsets
