"""What two texts differ in, as data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.tables import FACTS


@dataclass(frozen=True, slots=True)
class Differences:
    """Where pairs of texts differ, and what that is: differences of pair i are rows offsets[i]:offsets[i + 1].

    Attributes:
        offsets: int64, one more than there are pairs.
        kind: uint8 a difference: its place in `quchong.tables.DIFFERENCES`.
        conflict: bool a difference: both texts state a fact there, and not the same one.
        places: (n, 4) int64: left start, left end, right start, right end, in characters of the texts given, half open; one
            side may be empty (an insertion). Within a pair sorted.
        left, right: what stands there, large strings, as in the texts given; of what is long its first 200 tokens.
        aligned_left, aligned_right: float64 a pair: share of each text's tokens that stand in the other in the same order; 0 where
            they are not told.
        unexplained: uint32 a pair: content tokens that differ and are neither noise nor boilerplate.
        told: bool a pair: its differences are told. Of the others there are none here, though the texts may differ.
    """

    offsets: np.ndarray
    kind: np.ndarray
    conflict: np.ndarray
    places: np.ndarray
    left: pa.Array
    right: pa.Array
    aligned_left: np.ndarray
    aligned_right: np.ndarray
    unexplained: np.ndarray
    told: np.ndarray

    @staticmethod
    def none(pairs: int) -> Differences:
        """Of so many pairs nothing is told."""
        nothing, share = pa.array([], pa.large_string()), np.zeros(pairs)
        return Differences(
            np.zeros(pairs + 1, np.int64), np.zeros(0, np.uint8), np.zeros(0, bool), np.zeros((0, 4), np.int64), nothing, nothing,
            share, share, np.zeros(pairs, np.uint32), np.zeros(pairs, bool),
        )  # fmt: skip

    @property
    def pair(self) -> np.ndarray:
        """The pair of each difference, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def facts(self) -> np.ndarray:
        """Which kinds of facts conflict in each pair, uint16: bit k stands for FACTS[k]."""
        out = np.zeros(len(self.offsets) - 1, np.uint16)
        at = np.flatnonzero(self.conflict & (self.kind < len(FACTS)))
        np.bitwise_or.at(out, self.pair[at], np.left_shift(1, self.kind[at].astype(np.int64)).astype(np.uint16))
        return out

    @property
    def measures(self) -> dict[str, np.ndarray]:
        """What each pair has, as columns beside those of `score`: `facts`, `aligned_left`, `aligned_right`, `unexplained`, `told`."""
        return {
            "facts": self.facts,
            "aligned_left": self.aligned_left,
            "aligned_right": self.aligned_right,
            "unexplained": self.unexplained,
            "told": self.told,
        }
