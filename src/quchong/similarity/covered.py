"""How much of either document stands in the other, as columns of PAIRS."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels import FeatureSets


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Quotient of both, float64; 0 where there is nothing."""
    out = np.zeros(len(part))
    return np.divide(part.astype(np.float64), whole.astype(np.float64), out=out, where=whole > 0)


def set_coverage(
    sets: FeatureSets, left: np.ndarray, right: np.ndarray, workers: int | None = None
) -> dict[str, np.ndarray]:
    """Of pairs of sets: `covered_left` and `covered_right` (shared / each), `features_left` and `features_right` (sizes),
    float64. 0 where either has no features.
    """
    shared, _ = kernels.shared_sets(sets, left, right, workers)
    a, b = (sets.sizes[side].astype(np.float64) for side in (left, right))
    return {
        "covered_left": share(shared, a),
        "covered_right": share(shared, b),
        "features_left": a,
        "features_right": b,
    }


def lesser(measures: dict[str, np.ndarray]) -> np.ndarray:
    """The lesser of both shares: what they cover mutually."""
    out: np.ndarray = np.minimum(measures["covered_left"], measures["covered_right"])
    return out
