"""Exact copies: documents with equal normal forms."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from quchong.methods.bases.method_defaults import Plain
from quchong.features import digests, equal_keys
from quchong.features.located_features import shingles_placed
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.parameters import NORMALISE, TOKENS
from quchong.seam import Documents, Features, Gate, Join, JoinLimits, KeyJoin, Keys, Measures, Said, Sight, Traits
from quchong.similarity import Thresholds, measure
from quchong.tables import EXACT
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Exact(Plain):
    """Method that finds documents with equal normal forms, letter by letter."""

    normalise: str = NORMALISE("standard")
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "exact"
    traits: ClassVar[Traits] = Traits(
        title="equal normal forms (128-bit digest, confirmed letter by letter)",
        paper="none: equality",
        finds=(EXACT,),
        cost="linear; one key a document",
        lossless=True,
        evidence="text",
        engines=("local", "spark"),
    )

    @property
    def form(self) -> Form:
        """Form in which texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds that no pair but exact copies can reach."""
        return Thresholds().at(1.0, 1.0)

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths at which recall is measured; None, because equal digests miss nothing."""
        return None

    @property
    def complete_from(self) -> float:
        """Jaccard from which on candidates are complete: 1, because only equal texts are found."""
        return 1.0

    def features(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return only the digest and lengths of a batch of texts."""
        return digests(self.form, texts, workers, keep)

    def keys(self, features: Features) -> Keys:
        """Return no keys, because the engine groups exact copies itself."""
        return equal_keys(features)

    @property
    def candidates(self) -> Join:
        """Join of the method, unused because there are no keys."""
        return KeyJoin(self.keys, JoinLimits())

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard and containments, for pairs given by the user."""
        return measure(self.form, documents, left, right, self.thresholds, workers=workers)

    def above_floor(self, measures: Measures) -> np.ndarray:
        """Return a mask without any pair, because the engine lists exact pairs itself."""
        return np.zeros(len(measures["jaccard"]), bool)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return "partial" for every pair, because exact pairs are decided by the engine."""
        none = np.full(len(measures["jaccard"]), "partial", object)
        return none, np.full(len(none), "not equal", object)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair, which is 1."""
        return np.ones(len(rule))

    def settings(self) -> dict[str, Any]:
        """Return all parameters of the method."""
        return asdict(self)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the tokens of the normal form, and its digest."""
        found = self.features(documents.texts, workers)
        digest = tuple(
            f"{high:016x}{low:016x}" for high, low in zip(found.high.tolist(), found.low.tolist(), strict=True)
        )
        return (Said("digest", digest), shingles_placed("tokens", self.form, documents, 1, workers))

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return no gates, because nothing but equality is required."""
        return ()
