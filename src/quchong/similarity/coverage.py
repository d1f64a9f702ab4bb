"""Coverage: the share of each document that the other contains, as columns of PAIRS."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, float64; 0 where `whole` is 0."""
    out = np.zeros(len(part))
    return np.divide(part.astype(np.float64), whole.astype(np.float64), out=out, where=whole > 0)


def set_coverage(
    sets: FeatureSets, left: np.ndarray, right: np.ndarray, *, jaccard: bool = False, workers: int | None = None
) -> dict[str, np.ndarray]:
    """Return what pairs share of their feature sets, by weight, as columns of PAIRS; 0 if either has no features.

    `covered_left` and `covered_right` are shared / each, `features_left` and `features_right` the sizes, and `evidence`, the one
    figure for both, shared / the union with `jaccard`, else the lesser of both shares.
    """
    shared = kernels.sets.shared_sets(sets, left, right, workers)[0].astype(np.float64)
    a, b = (sets.sizes[side].astype(np.float64) for side in (left, right))
    out = {"covered_left": share(shared, a), "covered_right": share(shared, b), "features_left": a, "features_right": b}
    return out | {"evidence": share(shared, a + b - shared) if jaccard else lesser(out)}


def lesser(measures: dict[str, np.ndarray]) -> np.ndarray:
    """Return the lesser of the two covered shares of each pair."""
    out: np.ndarray = np.minimum(measures["covered_left"], measures["covered_right"])
    return out
