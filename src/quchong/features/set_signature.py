"""Signatures of sets of terms, whole and over randomised lexicons (随机化词典).

Source: Chowdhury 2002 (I-Match); Kolcz 2004 (lexicon randomisation). The original takes SHA-1 of the sorted terms.
Here the set is hashed without an order: two sums of 64-bit hashes of its members, finalised with their number. 128
bits: no two unequal sets of one corpus will agree by chance; it does not withstand someone who makes collisions on
purpose, as SHA-1 no longer does either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.errors import UsageError
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import prefix_sums

_HIGH, _LOW, _STEP = np.uint64(0x6C8E9CF570932BD5), np.uint64(0xD1B54A32D192ED03), GOLDEN


@dataclass(frozen=True, slots=True)
class SetSignatures:
    """Signatures of documents: uint64 `high` and `low` (documents, coordinates), and `defined`.

    `defined` is False for a set too small for a signature; such a document agrees with none.
    """

    high: np.ndarray
    low: np.ndarray
    defined: np.ndarray

    def agreeing(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the number of coordinates in which pairs agree, int64; each coordinate is compared with itself only."""
        same = (self.high[left] == self.high[right]) & (self.low[left] == self.low[right])
        both = self.defined[left] & self.defined[right]
        out: np.ndarray = (same & both).sum(axis=1)
        return out

    def keys(self) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and offsets (int64): documents share a key if they agree in a coordinate."""
        coordinate = np.arange(self.high.shape[1], dtype=np.uint64) * _STEP
        with np.errstate(over="ignore"):
            keys = mix64(self.high ^ mix64(self.low + coordinate))
        offsets = prefix_sums(self.defined.sum(axis=1))
        return keys[self.defined], offsets


@dataclass(frozen=True, slots=True)
class SetSignature:
    """Parameters by which sets of terms become signatures.

    Args:
        lexicons: K, number of randomised lexicons in addition to the full one.
        dropped: p, share of the terms each of them lacks. Which ones is decided by a hash of term and lexicon, so it needs
            no storage and stays as the vocabulary grows.
        least: members a set must have in a lexicon for a signature.
    """

    lexicons: int = 0
    dropped: float = 0.33
    least: int = 4

    def __post_init__(self) -> None:
        if not 0 <= self.lexicons <= 100:
            raise UsageError("'lexicons' must be 0 to 100, got {}", self.lexicons)
        if not 0 < self.dropped < 1:
            raise UsageError("'dropped' must be between 0 and 1, got {}", self.dropped)
        if self.least < 1:
            raise UsageError("a signature needs at least one term, got {}", self.least)

    def recall(self, differing: int) -> float:
        """Return the probability that a pair differing in this many terms agrees in a randomised lexicon: 1 - (1 - p^d)^K."""
        return float(1 - (1 - self.dropped**differing) ** self.lexicons)

    def sign(self, sets: FeatureSets) -> SetSignatures:
        """Return the signatures of sets. Cost: O(values * (lexicons + 1))."""
        shape = (len(sets), self.lexicons + 1)
        out = SetSignatures(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), np.zeros(shape, bool))
        with np.errstate(over="ignore"):
            high, low = mix64(sets.values ^ _HIGH), mix64(sets.values + _LOW)
            for k in range(self.lexicons + 1):
                keep = self._lexicon(sets.values, k)
                count = _sums(keep.astype(np.uint64), sets.offsets)
                out.high[:, k] = mix64(_sums(np.where(keep, high, 0), sets.offsets) + count * _STEP)
                out.low[:, k] = mix64(_sums(np.where(keep, low, 0), sets.offsets) ^ (count * _STEP))
                out.defined[:, k] = count >= self.least
        return out

    def _lexicon(self, values: np.ndarray, k: int) -> np.ndarray:
        """Return a mask of the values in lexicon k; lexicon 0 contains all."""
        if k == 0:
            return np.ones(len(values), bool)
        with np.errstate(over="ignore"):
            drawn = mix64(mix64(values) + np.uint64(k * int(_STEP) % 2**64))
        mask: np.ndarray = drawn >= np.uint64(int(self.dropped * 2**64))
        return mask


def _sums(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values.astype(np.uint64), dtype=np.uint64)])
    out: np.ndarray = total[offsets[1:]] - total[offsets[:-1]]
    return out
