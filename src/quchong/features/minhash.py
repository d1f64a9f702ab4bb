"""MinHash: signatures whose share of equal values estimates the Jaccard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.kernels.arrays import Ragged

Kind = Literal["k-mins", "one-permutation"]


@dataclass(frozen=True, slots=True)
class MinHash:
    """Signatures of the shingle sets of token sequences.

    Args:
        num_perm: values a signature has, 8 to 4096.
        kind: "k-mins" (Broder 1997a; the textbook one, cost shingles * num_perm) or "one-permutation" with optimal
            densification (Shrivastava 2017; cost shingles + num_perm, the same error on long texts).
        ngram: tokens a shingle has.
        seed: the same seed gives the same signature, on every machine, for ever.
    """

    num_perm: int = 128
    kind: Kind = "one-permutation"
    ngram: int = 5
    seed: int = 1

    def __post_init__(self) -> None:
        if not 8 <= self.num_perm <= 4096:
            raise UsageError("num_perm must be 8 to 4096, got {}", self.num_perm)
        if self.kind not in ("k-mins", "one-permutation"):
            raise UsageError("unknown sketch {!r}: use k-mins or one-permutation", self.kind)
        if not 0 <= self.seed < 2**64:
            raise UsageError("'seed' must be between 0 and 2**64 - 1")

    def sign(self, docs: Ragged, workers: int | None = None) -> np.ndarray:
        """Return the signatures, uint32 (documents, num_perm). An empty document is all 2**32 - 1; exclude it from comparison."""
        function = kernels.sketch.k_mins if self.kind == "k-mins" else kernels.sketch.one_permutation
        return function(docs, self.ngram, self.num_perm, self.seed, workers)
