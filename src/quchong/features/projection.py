"""Random projection: signatures whose share of equal bits estimates the angle between two weighted vectors (随机投影).

Source: Charikar 2002, as Henzinger 2006 uses it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.kernels.arrays import Ragged
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.sketch import Signatures

PIECE = 128
"""Bits computed at once."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Signatures of weighted multisets of features.

    Every feature has a fixed vector of +1 and -1, one for each bit, drawn from its hash. A bit is 1 if the weighted sum of a document's
    vectors is above 0; a tie is 0. Two documents agree in a bit with probability 1 - angle / pi.

    Args:
        bits: bits of a signature, a multiple of 128.
    """

    bits: int = 384

    def __post_init__(self) -> None:
        if self.bits < PIECE or self.bits % PIECE:
            raise UsageError("{} must be a multiple of {}, got {}", Param("bits"), PIECE, self.bits)

    def sign(
        self, values: np.ndarray, offsets: np.ndarray, weights: np.ndarray | None = None, workers: int | None = None
    ) -> Signatures:
        """Return the signatures of documents; a document without features is undefined.

        Args:
            values: features (uint64) as often as they count: document i owns values[offsets[i]:offsets[i + 1]].
            weights: weight of each value (uint32, in units of 1/65536), equal for equal values; None for 1.

        Deterministic: whole-number weights, the same on every machine and for any number of workers. Cost: bits / 64 sums a value.
        """
        words = []
        for piece in range(self.bits // PIECE):
            with np.errstate(over="ignore"):
                drawn = (mix64(values + np.uint64(piece + 1) * GOLDEN) >> np.uint64(32)).astype(np.uint32)
            table = None
            if weights is not None:
                tokens, first = np.unique(drawn, return_index=True)
                single = Ragged(tokens, np.arange(len(tokens) + 1, dtype=np.int64))
                table = kernels.sketch.feature_weights(
                    kernels.features.ragged_shingles(single, 1, workers)[0], weights[first], 0
                )
            words.append(kernels.sketch.simhash(Ragged(drawn, offsets), 1, PIECE, table, workers))
        return Signatures(np.concatenate(words, axis=1), np.diff(offsets) > 0)
