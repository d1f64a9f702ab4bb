"""Base class of methods on random projections of the terms of documents (随机投影)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.features.located_features import terms_placed
from quchong.features.projection import Projection
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.sketch import WEIGHT_ONE, Signatures
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.signatures import SignedMethod
from quchong.methods.bases.terms import concat_ragged, count_terms, known_terms, outlines
from quchong.parameters import MIN_FEATURES, STATISTICS, parameter
from quchong.seam import Documents, Sight, Signature, Statistics
from quchong.text import form

BITS = 384


@dataclass(frozen=True, slots=True)
class ProjectionMethod(SignedMethod):
    """Base class of methods on signatures of 384 bits, projected from terms weighted by frequency."""

    weights: str = parameter(
        "tf-idf",
        'weight of a term: "tf", its number of occurrences in the text; "tf-idf", that number times the rarity '
        "of the term.",
        choices=("tf", "tf-idf"),
    )
    statistics: str | Path | FeatureStatistics | None = STATISTICS(
        None,
        "document frequencies of terms for tf-idf: a file written by `quchong statistics` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts without "
        "exact copies.",
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer terms than this are not compared.")

    projection: ClassVar[Projection] = Projection(BITS)

    @property
    def width(self) -> int:
        """Number of bits of a signature: 384, as in the paper."""
        return BITS

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        SignedMethod.check(self)
        if self.statistics is not None:
            if self.weights != "tf-idf":
                raise UsageError("{} needs {}", Param("statistics"), Param("weights", "tf-idf"))
            object.__setattr__(self, "statistics", known_terms(self.statistics, self.normalise))

    @property
    def statistics_used(self) -> Statistics | None:
        """Statistics given, or to be counted: document frequencies of terms, for tf-idf weights."""
        needed = "document frequencies of terms" if self.weights == "tf-idf" else ""
        return corpus_statistics(self.statistics, needed, self.with_counts)

    def with_counts(self, documents: Documents, workers: int | None = None) -> Self:
        """Return the method with document frequencies counted on these texts."""
        return replace(self, statistics=count_terms(documents, self.normalise, workers))

    def sign(self, documents: Documents, workers: int | None = None) -> Signatures:
        """Return the projections of documents; undefined for documents with too few terms."""
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        words, defined = [], []
        for _, outline in outlines(documents, self.normalise, workers):
            values, offsets = outline.terms()
            rarity = None if known is None else known.weights_of(values) + np.uint32(WEIGHT_ONE)
            signed = self.projection.sign(values, offsets, rarity, workers)
            words.append(signed.words)
            defined.append(np.diff(offsets) >= self.min_features)
        return Signatures(np.concatenate(words), np.concatenate(defined))

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the terms of documents and the bits of their projection."""
        parts = [o.terms() for _, o in outlines(documents, self.normalise, workers)]
        terms = kernels.sets.feature_sets(*concat_ragged(parts), workers=workers)
        signed = self.sign(documents, workers)
        return (
            terms_placed(form(self.normalise), documents, terms, workers),
            Signature.of_words("bits", signed.words, signed.defined),
        )
