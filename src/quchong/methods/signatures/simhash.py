"""SimHash alone: signatures of shingles, near-duplicates by the share of equal bits (相似哈希).

Source: Charikar 2002; Manku 2007; Gao 2014, section 4.3, of which it is the second stage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import batches, places
from quchong.features.located_features import shingles_placed
from quchong.features.projection import Projection
from quchong.features.simhash import SimHash as Sketch
from quchong.features.statistics import FeatureStatistics, ShingleCount
from quchong.kernels.sketch import Signatures
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.join_sights import seen_by_join
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.signatures import SignedMethod
from quchong.parameters import MIN_FEATURES, NGRAM_SIZE, STATISTICS, THRESHOLD, TOKENS, parameter
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Sight, Statistics, Traits
from quchong.text import form

SKETCHED, PROJECTED = (64, 128), 384
"""Widths in bits that one pass over the text computes, and the width that is projected."""


@dataclass(frozen=True, slots=True)
class SimHash(SignedMethod):
    """Method on SimHash signatures of 64, 128 or 384 bits: near-duplicates by the share of equal bits.

    Wider signatures measure the same angle more precisely: the standard error of the share of equal bits p is sqrt(p * (1 - p) / bits).
    """

    threshold: float | None = THRESHOLD(
        None,
        "lowest share of equal bits at which two documents are duplicates; 60 of 64, because in the paper fewer "
        "than 5 bits may differ.",
    )

    bits: int = parameter(64, "number of bits of a signature: 64, 128 or 384.")
    ngram_size: int = NGRAM_SIZE(2, "number of tokens in a shingle of the signature.")
    tokens: str = TOKENS(
        "char", 'tokens of the signature. "char": every letter and digit. "auto": a Chinese character or a word.'
    )
    weights: str = parameter("unit", 'weight of a shingle. "unit": 1. "idf": its rarity.', choices=("unit", "idf"))
    statistics: Given = STATISTICS(
        None,
        "document frequencies for idf: a file written by `quchong statistics` or `FeatureStatistics.save`, "
        "or a FeatureStatistics object. None: they are counted on the texts compared.",
    )
    min_features: int = MIN_FEATURES(3, "texts with fewer shingles than this are not compared.")

    name: ClassVar[str] = "simhash"
    usual: ClassVar[float] = 60 / 64
    traits: ClassVar[Traits] = Traits(
        title="SimHash signatures of shingles, the share of equal bits",
        paper="Charikar 2002; Manku 2007; Gao 2014",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. Signatures are looked up in 5 to 35 tables. In a family "
            "of near-copies, the number of pairs grows quadratically until each document has 64 partners, then "
            "linearly"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        if self.bits not in (*SKETCHED, PROJECTED):
            raise UsageError("{} must be 64, 128 or 384, got {}", Param("bits"), self.bits)
        SignedMethod.check(self)
        if self.statistics is not None and self.weights != "idf":
            raise UsageError("{} needs {}", Param("statistics"), Param("weights", "idf"))
        how = frequencies.counted_as(self.normalise, self.tokens)
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, how, self.ngram_size))

    @property
    def width(self) -> int:
        """Number of bits of a signature, as the parameter `bits` gives it."""
        return self.bits

    @property
    def counter(self) -> ShingleCount:
        """Definition of the statistics for idf weights."""
        how = frequencies.counted_as(self.normalise, self.tokens)
        return ShingleCount(form(self.normalise, self.tokens), self.ngram_size, how)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of shingles, for idf weights."""
        return corpus_statistics(
            self.statistics, "document frequencies" if self.weights == "idf" else "", self.with_counts, self.counter
        )

    def with_counts(self, documents: Documents, workers: int | None = None) -> SimHash:
        """Return the method with document frequencies counted on these texts."""
        return replace(self, statistics=self.counter.count(batches(documents.texts), workers))

    def sign(self, documents: Documents, workers: int | None = None) -> Signatures:
        """Return the signatures of prepared texts; undefined for texts with too few shingles."""
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        words, defined = [], []
        for index in places(documents.texts):
            docs = kernels.text.names(
                form(self.normalise, self.tokens), documents.texts.take(index), workers=workers
            ).docs
            if self.bits in SKETCHED:
                words.append(Sketch(self.bits, self.ngram_size, known).sign(docs, workers).words)
            else:
                values, offsets = kernels.features.ragged_shingles(docs, self.ngram_size, workers)
                rarity = None if known is None else known.weights_of(values)
                words.append(Projection(self.bits).sign(values, offsets, rarity, workers).words)
            defined.append(docs.lengths >= self.min_features + self.ngram_size - 1)
        return Signatures(np.concatenate(words), np.concatenate(defined))

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, and the bits of the signature made of them."""
        shingles = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        return (shingles, *seen_by_join(self, documents, workers))
