"""Samples of shingle sets: bottom-s, mod-m and super-shingles.

Source: Broder 1997a; Broder 1997b. Values must be well mixed hashes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items

BLOCK = 1 << 22
"""Values of sketches merged at once."""


def bottom_s(sets: FeatureSets, s: int) -> FeatureSets:
    """Return the `s` least values of each set; smaller sets are unchanged."""
    place = positions_in_items(sets.lengths)
    return sets.select_values(place < s)


def mod_m(sets: FeatureSets, m: int) -> FeatureSets:
    """Return the values divisible by `m`; resemblance and containment of such samples estimate those of the sets."""
    return sets.select_values(sets.values % np.uint64(m) == 0)


def bottom_resemblance(sketches: FeatureSets, left: np.ndarray, right: np.ndarray, s: int) -> np.ndarray:
    """Return the estimated Jaccard of pairs from their `s` least values, float64.

    It is the share of the s least values of both together that occurs in both sketches: 0 if either is empty, exact if both sets together
    have no more than s values.
    """
    out = np.zeros(len(left))
    width = int(sketches.lengths.max(initial=0))
    step = max(1, BLOCK // max(1, 2 * width))
    for at in range(0, len(left), step):
        here = slice(at, at + step)
        out[here] = _bottom_block(sketches, left[here], right[here], s, width)
    return out


def _bottom_block(sketches: FeatureSets, left: np.ndarray, right: np.ndarray, s: int, width: int) -> np.ndarray:
    padded = np.full((len(left), 2 * width), 2**64 - 1, np.uint64)
    column = np.arange(width)
    for side, docs in ((padded[:, :width], left), (padded[:, width:], right)):
        there = column < sketches.lengths[docs][:, None]
        side[there] = sketches.values[(sketches.offsets[docs][:, None] + column)[there]]
    padded.sort(axis=1)
    a, b = sketches.lengths[left], sketches.lengths[right]
    given = np.arange(2 * width) < (a + b)[:, None]
    again = np.zeros(padded.shape, bool)
    again[:, 1:] = (padded[:, 1:] == padded[:, :-1]) & given[:, 1:]
    rank = np.cumsum(~again, axis=1)  # 1 for the least distinct value
    shared = (again & (rank <= s)).sum(axis=1)
    whole = np.minimum(s, (given & ~again).sum(axis=1))
    out: np.ndarray = np.where((a > 0) & (b > 0), shared / np.maximum(whole, 1), 0.0)
    return out


@dataclass(frozen=True, slots=True)
class SuperShingles:
    """Groups of MinHash values, each hashed to one number.

    Args:
        groups, rows: 6 groups of 14 of 84 values in the original.
        seed: seed of the MinHash functions.
    """

    groups: int = 6
    rows: int = 14
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.groups, self.rows) < 1 or self.groups * self.rows > 4096:
            raise UsageError(
                "super-shingles need at least one group, one row and at most 4096 values, got {} x {}",
                self.groups,
                self.rows,
            )

    def sign(self, sets: FeatureSets, workers: int | None = None) -> np.ndarray:
        """Return the super-shingles, uint64 (documents, groups); exclude empty sets from comparison."""
        mins = kernels.sketch.set_mins(sets, self.groups * self.rows, self.seed, workers)
        return kernels.sketch.band_keys(mins, self.groups, self.rows, workers)
