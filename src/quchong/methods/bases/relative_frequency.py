"""Base class of methods on words that two texts use about equally often (相对词频).

Source: Shivakumar 1995 (SCAM).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least, weighing_wide
from quchong.features.located_features import terms_placed
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sketch import WEIGHT_ONE
from quchong.methods.bases.coverage import OverlapMethod
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.terms import concat_ragged, count_terms, known_terms, outlines
from quchong.parameters import CONTAINMENT, LEAST, MIN_FEATURES, MOST, STATISTICS, THRESHOLD, parameter
from quchong.seam import Documents, JoinLimits, Sight, Statistics
from quchong.similarity.coverage import lesser
from quchong.similarity.frequencies import subset_measures, widest_ratio
from quchong.text import form

MOST_IMPORTANT, UNIT = 65_535, 64
"""Limit of importance, and its unit (1/64)."""


@dataclass(frozen=True, slots=True)
class RelativeFrequency(BySets, OverlapMethod):
    """Base class of methods on the share of each text's words that the other uses about as often."""

    threshold: float | None = THRESHOLD(
        None, "lowest value that both shares must reach for two texts to be duplicates."
    )
    containment: float | None = CONTAINMENT(
        None,
        "minimum share of a document's words that another must have to contain it; if both documents reach "
        "this share, they are duplicates.",
    )
    least: float | None = LEAST(None, "lowest share of a document's words at which a pair is listed as partial.")
    most: int = MOST(128)

    weights: str = parameter(
        "idf",
        'weight of a word besides its frequency. "idf": the square of its rarity 1 + ln((N + 1) / (df + 1)). '
        '"unit": no other weight, as in the paper; the most common words then have the most influence.',
        choices=("idf", "unit"),
    )
    statistics: str | Path | FeatureStatistics | None = STATISTICS(
        None,
        "document frequencies of terms for idf: a file written by `quchong statistics` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts without "
        "exact copies.",
    )
    epsilon: float = parameter(
        2.5,
        "limit for the frequencies F and G of a word in two texts: the word is used only if F / G + G / F is "
        "below this limit. At 2.5, neither frequency is twice the other.",
        above=2,
        most=1000,
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer terms than this are not compared.")

    usual: ClassVar[float] = 0.8
    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.6

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        OverlapMethod.check(self)
        if self.statistics is not None:
            if self.weights != "idf":
                raise UsageError("{} needs {}", Param("statistics"), Param("weights", "idf"))
            object.__setattr__(self, "statistics", known_terms(self.statistics, self.normalise))

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of terms, for idf weights."""
        needed = "document frequencies of terms" if self.weights == "idf" else ""
        return corpus_statistics(self.statistics, needed, self.with_counts)

    def with_counts(self, documents: Documents, workers: int | None = None) -> Self:
        """Return the method with document frequencies counted on these texts."""
        return replace(self, statistics=count_terms(documents, self.normalise, workers))

    def terms_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the terms of each document with their frequencies; none for a document with too few."""
        parts = [outline.terms() for _, outline in outlines(documents, self.normalise, workers)]
        sets = kernels.sets.feature_sets(*concat_ragged(parts), weighted=True, workers=workers)
        return at_least(sets, sets.lengths, self.min_features)

    def importance(self, sets: FeatureSets) -> np.ndarray:
        """Return the weight of each value besides its frequency, uint32: its squared rarity in units of 1/64; 1 without statistics."""
        if not isinstance(self.statistics, FeatureStatistics):
            return np.ones(len(sets.values), np.uint32)
        rarity = 1 + self.statistics.weights_of(sets.values) / WEIGHT_ONE
        return np.minimum(np.round(UNIT * rarity * rarity), MOST_IMPORTANT).astype(np.uint32)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the terms of each document, weighted by squared frequency times importance."""
        sets = self.terms_of(documents, workers)
        frequency = sets.weights.astype(np.float64)
        return weighing_wide(sets, frequency * frequency * self.importance(sets))

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of squares that a pair at `least` can have.

        If a word counts, F G is at most r times the lesser of F^2 and G^2, with r the widest ratio. The sum of these lesser squares is
        therefore at least least / r of the norm that the share divides by.
        """
        return JoinLimits(self.cap, 1, self.floor / widest_ratio(self.epsilon), self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return both covered shares, at most 1 each, their minimum as evidence, and the distinct terms of each document."""
        sets = self.terms_of(documents, workers)
        found = subset_measures(sets, left, right, self.epsilon, self.importance(sets))
        out = {f"covered_{side}": np.minimum(one, 1.0) for side, one in zip(("left", "right"), found, strict=True)}
        a, b = (sets.lengths[side].astype(np.float64) for side in (left, right))
        return out | {"features_left": a, "features_right": b, "evidence": lesser(out)}

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the terms of documents with their offsets in the text."""
        return (terms_placed(form(self.normalise), documents, self.terms_of(documents, workers), workers),)
