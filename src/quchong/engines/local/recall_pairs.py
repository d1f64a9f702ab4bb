"""Pairs of a sample of recall, with the number of pairs for which each stands, and those of them that are judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.candidates.nearest import places_among
from quchong.kernels.sorting import ordered

JUDGED = 10_000
"""Maximum of the pairs that are judged, each as the run judges a candidate."""
JUDGED_BYTES = 256 << 20
"""Approximate maximum of the bytes of text in the pairs that are judged."""
SHARES = 10
"""Steps of the share in common by which pairs are sorted into strata: where most pairs have less in common, true ones are rare."""


@dataclass(frozen=True, slots=True)
class MetPairs:
    """Pairs of a sampled class with another one that share enough shingles.

    Attributes:
        left, right: int64, classes; left < right.
        share: float64: the share of its shingles that the smaller text has in common with the other.
        found: bool: True for candidates of the run.
        weight: float64: the number of such pairs for which each stands.
        lot: uint64: number drawn for the pair by the ids of both documents.
    """

    left: np.ndarray
    right: np.ndarray
    share: np.ndarray
    found: np.ndarray
    weight: np.ndarray
    lot: np.ndarray

    def __len__(self) -> int:
        return len(self.left)

    @property
    def stratum(self) -> np.ndarray:
        """Number of the stratum of each pair, int64: candidates and others apart, each by the share in common."""
        steps: np.ndarray = np.floor(self.share * SHARES).astype(np.int64)
        steps += (SHARES + 1) * self.found
        return steps

    def drawn(self, size: np.ndarray) -> MetPairs:
        """Draw at most JUDGED pairs with about JUDGED_BYTES of text, equally many from each stratum, or all of a smaller one.

        Args:
            size: bytes of both texts of each pair.
        """
        stratum = self.stratum
        place, count = places_among(ordered(stratum, self.lot), stratum)
        most = _most_of_each(np.bincount(stratum), JUDGED)
        read = int(size[place < most].sum())
        if read > JUDGED_BYTES:
            most = max(_most_of_each(np.bincount(stratum), JUDGED * JUDGED_BYTES // read), 1)
        some = np.flatnonzero(place < most)
        weight = self.weight * count / np.minimum(count, most)
        return MetPairs(
            self.left[some], self.right[some], self.share[some], self.found[some], weight[some], self.lot[some]
        )


def _most_of_each(sizes: np.ndarray, whole: int) -> int:
    """Return the greatest number n such that drawing min(size, n) from every stratum gives at most `whole` in total."""
    sizes = np.sort(sizes[sizes > 0])
    for number, size in enumerate(sizes.tolist()):
        left = len(sizes) - number
        if size * left > whole:
            return whole // left
        whole -= size
    return int(sizes.max(initial=0))
