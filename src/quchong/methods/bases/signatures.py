"""Base class of methods that decide by the share of equal bits of two signatures (签名).

A subclass defines the signatures (`sign`) and their number of bits (`width`). This class finds the candidates and decides by equal bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.errors import Param, UsageError
from quchong.kernels.sketch import Signatures
from quchong.methods.bases.papers import PaperMethod
from quchong.methods.bases.rules import RoundedRule
from quchong.parameters import CAP, MOST
from quchong.seam import Documents, HammingJoin, Join

SHORTEST_BLOCK = 3
"""Least bits of the blocks by which signatures become candidates; shorter ones separate nothing."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SignedMethod(PaperMethod):
    """Base class of methods on signatures of bits; subclasses define how signatures are made."""

    cap: int = CAP(64, "maximum number of similar texts with which a text is compared; the policy chooses which.")
    most: int = MOST(0, fixed="cap limits the number of similar texts")

    @property
    def width(self) -> int:
        """Number of bits of a signature."""
        raise NotImplementedError

    def sign(self, documents: Documents, workers: int | None = None) -> Signatures:
        """Return the signatures of documents."""
        raise NotImplementedError

    @property
    def distance(self) -> int:
        """Most bits in which an accepted pair may differ."""
        return int((1 - self.limit) * self.width + ROUNDING)

    def check(self) -> None:
        """Raise UsageError for a threshold at which signatures have no blocks to become candidates by."""
        joined = isinstance(self.candidates, HammingJoin)
        if joined and self.width // (self.distance + 1) < SHORTEST_BLOCK:
            least = 1 - (self.width // SHORTEST_BLOCK - 1) / self.width
            raise UsageError(
                "{} must be at least {:.3f} for signatures of {} bits, got {:g}: unrelated texts have half of "
                "the bits in common",
                Param("threshold"),
                least,
                self.width,
                self.limit,
            )

    @property
    def candidates(self) -> Join:
        """Join of the signatures within the distance."""
        return HammingJoin(
            self.sign, self.width, self.distance, self.cap, all_pairs=False, statistics=self.statistics_used
        )

    def agreeing(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> np.ndarray:
        """Return the share of equal bits of pairs, float64; 0 if either has no signature."""
        return _equal_share(self.sign(documents, workers), left, right, workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the share of equal bits, and the bits of each signature: 0 for a text without one."""
        signed = self.sign(documents, workers)
        bits = np.where(signed.defined, float(self.width), 0.0)
        share = _equal_share(signed, left, right, workers)
        return {"evidence": share, "features_left": bits[left], "features_right": bits[right]}

    @property
    def rule(self) -> RoundedRule:
        """Rule of the share of equal bits."""
        return self.rule_of(RoundedRule, tolerance=ROUNDING)


def _equal_share(signed: Signatures, left: np.ndarray, right: np.ndarray, workers: int | None) -> np.ndarray:
    differ = signed.distances(left, right, workers).astype(np.float64)
    out: np.ndarray = 1 - np.minimum(differ, signed.bits) / signed.bits
    return out
