"""Exact copies: equal normal forms."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from quchong.families.plain import Plain
from quchong.features import digests, equal_keys
from quchong.features.placed import shingles_placed
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.parameters import NORMALISE, TOKENS
from quchong.seam import Documents, Features, Gate, Join, JoinLimits, KeyJoin, Keys, Measures, Said, Sight, Traits
from quchong.similarity import Thresholds, measure
from quchong.tables import EXACT
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Exact(Plain):
    """Documents whose normal forms are equal, letter by letter."""

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
        """How texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def thresholds(self) -> Thresholds:
        """Nothing but equality counts."""
        return Thresholds().at(1.0, 1.0)

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """None: equal digests miss nothing."""
        return None

    @property
    def complete_from(self) -> float:
        """Nothing but equality."""
        return 1.0

    def features(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """The digest alone."""
        return digests(self.form, texts, workers, keep)

    def keys(self, features: Features) -> Keys:
        """No keys: the engine has put exact copies together already."""
        return equal_keys(features)

    @property
    def candidates(self) -> Join:
        """Not used: there are no keys."""
        return KeyJoin(self.keys, JoinLimits())

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Exact counts, for pairs given from outside."""
        return measure(self.form, documents, left, right, self.thresholds, workers=workers)

    def above_floor(self, measures: Measures) -> np.ndarray:
        """None but exact pairs, which the engine lists."""
        return np.zeros(len(measures["jaccard"]), bool)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Nothing is decided beyond equality."""
        none = np.full(len(measures["jaccard"]), "partial", object)
        return none, np.full(len(none), "not equal", object)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """The threshold each pair was held to."""
        return np.ones(len(rule))

    def settings(self) -> dict[str, Any]:
        """All parameters."""
        return asdict(self)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """The tokens of the normal form, and its digest."""
        found = self.features(documents.texts, workers)
        digest = tuple(
            f"{high:016x}{low:016x}" for high, low in zip(found.high.tolist(), found.low.tolist(), strict=True)
        )
        return (Said("digest", digest), shingles_placed("tokens", self.form, documents, 1, workers))

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """None: nothing but equality is asked for."""
        return ()
