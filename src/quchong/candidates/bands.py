"""Bands of a MinHash signature, chosen for a stated recall."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError


@dataclass(frozen=True, slots=True)
class Bands:
    """Bands of a signature: two signatures are candidates if all `rows` values of one of the `bands` bands are equal."""

    bands: int
    rows: int

    def recall(self, jaccard: float) -> float:
        """Return the probability that a pair with this Jaccard s becomes a candidate: 1 - (1 - s^rows)^bands."""
        return float(1 - (1 - jaccard**self.rows) ** self.bands)

    def keys(self, signatures: np.ndarray, workers: int | None = None) -> np.ndarray:
        """Return the band keys of signatures, uint64 (documents, bands)."""
        return kernels.sketch.band_keys(signatures, self.bands, self.rows, workers)


@cache
def choose_bands(num_perm: int, threshold: float, recall: float = 0.99) -> Bands:
    """Return the bands with the most rows (so the fewest false candidates) that reach `recall` at `threshold`.

    Raises:
        UsageError: even one row a band does not reach it, or a number is out of range.
    """
    if not (0 < threshold <= 1 and 0 < recall < 1):
        raise UsageError("'threshold' must be above 0 and at most 1; 'recall' must be above 0 and below 1")
    for rows in range(num_perm, 0, -1):
        bands = Bands(num_perm // rows, rows)
        if bands.recall(threshold) >= recall:
            return bands
    raise UsageError(
        "{} values cannot reach a recall of {} at Jaccard {}: raise {} or lower {}",
        num_perm,
        recall,
        threshold,
        Param("num_perm"),
        Param("recall"),
    )
