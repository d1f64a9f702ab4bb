"""Chunks of sentences, the features of COPS (分块).

Source: Brin 1995 (COPS).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.sentences import sequence_hashes
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items, prefix_sums
from quchong.languages import join_names

KINDS = ("A", "B", "C", "D")
"""A: one sentence; B: k that do not overlap; C: k that do; D: up to a sentence whose hash is 0 mod k."""


@dataclass(frozen=True, slots=True)
class Chunks:
    """Chunks of texts; text i owns the chunks offsets[i]:offsets[i + 1].

    Attributes:
        offsets: int64, one more than there are texts.
        value: uint64: hash of its units in order.
        first, count: int64: its first unit, among those of all texts, and how many it has.
    """

    offsets: np.ndarray
    value: np.ndarray
    first: np.ndarray
    count: np.ndarray

    @staticmethod
    def from_units(units: np.ndarray, offsets: np.ndarray, kind: str = "A", k: int = 3) -> Chunks:
        """Build the chunks of texts from their units.

        Args:
            units: uint64 hashes of units (sentences); text i owns units[offsets[i]:offsets[i + 1]].
            kind: see KINDS. What is left at the end of a text is a chunk too (B, D), and so is a text of fewer than k (C).
            k: units of a chunk (B, C); one unit in k ends a chunk (D).

        Raises:
            UsageError: an unknown kind, or k below 1.
        """
        if kind not in KINDS or k < 1:
            raise UsageError(
                "'chunks' must be one of {} and 'k' at least 1, got {!r} and {}", join_names(KINDS), kind, k
            )
        n = np.diff(offsets)
        document = np.repeat(np.arange(len(n)), n)
        place = positions_in_items(n)
        rest = np.repeat(n, n) - place  # units from here to the end of the text
        if kind == "C":
            head = (place == 0) | (rest >= k)
            count = np.minimum(rest, k)[head]
        else:
            if kind == "D":
                ends = units % np.uint64(k) == 0
                head = place == 0
                head[1:] |= ends[:-1]
            else:
                head = place % (k if kind == "B" else 1) == 0
            count = np.diff(np.append(np.flatnonzero(head), len(units)))
        first = np.flatnonzero(head)
        within = positions_in_items(count)
        owner = np.repeat(np.arange(len(first)), count)
        value = sequence_hashes(units[first[owner] + within], owner)
        made = np.bincount(document[first], minlength=len(n))
        return Chunks(prefix_sums(made), value, first, count)

    def sets(self, workers: int | None = None) -> FeatureSets:
        """Return the chunks of each text as a multiset."""
        return kernels.sets.feature_sets(self.value, self.offsets, weighted=True, workers=workers)

    @property
    def place(self) -> np.ndarray:
        """Number of each chunk in its text, uint32."""
        at = positions_in_items(np.diff(self.offsets))
        out: np.ndarray = at.astype(np.uint32)
        return out
