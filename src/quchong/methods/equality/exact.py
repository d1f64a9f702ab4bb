"""Exact copies: documents with equal normal forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.features import digests, equal_keys
from quchong.features.located_features import shingles_placed
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import DefaultRule
from quchong.parameters import NORMALISE, TOKENS
from quchong.relations import EXACT, PARTIAL
from quchong.seam import Documents, Features, Gate, Join, JoinLimits, KeyJoin, Keys, Measures, Sight, TextValues, Traits
from quchong.similarity import Thresholds, measure
from quchong.text import form


@dataclass(frozen=True, slots=True)
class EqualRule(DefaultRule):
    """Rule of exact copies alone, which the engine decides: no other pair is listed."""

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask without any pair, because the engine lists exact pairs itself."""
        return np.zeros(len(measures["jaccard"]), bool)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return the relation `partial` for every pair, because exact pairs are decided by the engine."""
        none = np.full(len(measures["jaccard"]), PARTIAL, object)
        return none, np.full(len(none), "not equal", object)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair, which is 1."""
        return np.ones(len(rule))


@dataclass(frozen=True, slots=True)
class Exact(MethodDefaults):
    """Method that finds documents with equal normal forms, letter by letter."""

    normalise: str = NORMALISE("standard")
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "exact"
    traits: ClassVar[Traits] = Traits(
        title="equal normal forms (128-bit digest, confirmed letter by letter)",
        paper="none: equality",
        finds=(EXACT,),
        cost="time grows linearly with the text length. A document has one key",
        lossless=True,
        evidence="text",
    )

    @property
    def form(self) -> Form:
        """Form in which texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def rule(self) -> EqualRule:
        """Rule that accepts no pair, because the engine lists exact copies itself."""
        return EqualRule(Thresholds().at(1.0, 1.0), complete_from=1.0, recall_widths=None)

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
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
        return measure(self.form, documents, left, right, self.rule.test, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the tokens of the normal form, and its digest."""
        found = self.represent(documents.texts, workers)
        digest = tuple(
            f"{high:016x}{low:016x}" for high, low in zip(found.high.tolist(), found.low.tolist(), strict=True)
        )
        return (TextValues("digest", digest), shingles_placed("tokens", self.form, documents, 1, workers))

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return no gates, because nothing but equality is required."""
        return ()
