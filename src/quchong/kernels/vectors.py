"""The kernels on sparse vectors; the twins stand in `kernels/reference/vectors.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U32, U64, Ints


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
    v, o = checked.ragged(values, offsets, np.uint64, "values")
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
    """Scalar products of pairs of vectors, float64: cosines where all have length 1; 0 with an empty one."""
    a, b = checked.pairs(left, right, len(vectors), "vector")
    return _quchong.dots(*_flat(vectors), a, b, threads_of(workers))  # type: ignore[no-any-return]


def single_pass(vectors: Vectors, threshold: float, scope: U64 | None = None) -> tuple[I64, F64]:
    """Single-pass clustering (单遍聚类): each vector joins the nearest centroid at `threshold` or above, or opens a cluster.

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
