"""KMatch: noise words removed by rarity, shingles of the other words find candidates, keywords decide (关键词匹配).

Source: Wei 2013, which names KMatch as an earlier system of its authors; the composition is a reconstruction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates import Bands
from quchong.candidates.keyed import rows_as_keys
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import among, at_least, check_band
from quchong.features.sentences import SentenceTerms
from quchong.features.statistics import FeatureStatistics
from quchong.features.words import Words, best_words, windows
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.ordered_words import WORDS, counted_as, word_terms
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.parameters import (
    BANDS,
    CAP,
    IDF_HIGH,
    IDF_LOW,
    MIN_FEATURES,
    MOST,
    NGRAM_SIZE,
    ROWS,
    SEED,
    STATISTICS,
    STOP_WORDS,
    THRESHOLD,
    parameter,
)
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Statistics, Traits
from quchong.similarity.paper_rules import set_evidence


@dataclass(frozen=True, slots=True)
class KMatch(BySets, PaperMethod):
    """Method on keywords: duplicates share their best keywords, among documents with similar word order."""

    threshold: float | None = THRESHOLD(
        None, "lowest value of keywords in common / the smaller number of keywords at which two texts are duplicates."
    )

    cap: int = CAP(1000, "maximum number of documents with the same key that are compared with others.")
    most: int = MOST(128)
    keywords: int = parameter(
        20, "number of words that represent a document: those with the highest tf * idf.", least=1, most=10_000
    )
    idf_low: float = IDF_LOW(
        0.2, "lower end of the range of normalised idf; words below this value are noise, and are not used."
    )
    idf_high: float = IDF_HIGH(1.0, "upper end of the range of normalised idf; words above it are left out.")
    ngram_size: int = NGRAM_SIZE(2, "number of words in a shingle; words that were left out do not count.")
    rows: int = ROWS(4, "number of MinHash values in the key of a band.")
    bands: int = BANDS(
        32, "number of bands; a pair with shingle similarity s is compared with probability 1 - (1 - s^rows)^bands."
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer distinct shingles than this are not compared.")
    seed: int = SEED(1)
    tokens: str = WORDS("word")
    stop_words: str = STOP_WORDS(
        "standard", 'words that are left out (see `quchong.features.stopwords`); "none" leaves out no word.'
    )
    statistics: Given = STATISTICS(
        None,
        "document frequencies of words: a file written by `quchong statistics` "
        "or `FeatureStatistics.save`, or a FeatureStatistics object. None: they "
        "are counted on the texts compared.",
    )

    name: ClassVar[str] = "kmatch"
    usual: ClassVar[float] = 0.6
    traits: ClassVar[Traits] = Traits(
        title="bands of shingles of words, without noise; then the best keywords of both documents",
        paper="Wei 2013 (KMatch, its earlier system)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. Chinese is split into words with a dictionary. A "
            "signature has `rows` x `bands` MinHash values. Each document is compared with at most 128 earlier "
            "ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        self.terms  # noqa: B018 - raises
        check_band(self.idf_low, self.idf_high)
        if self.rows * self.bands > 4096:
            raise UsageError(
                "{} times {} must be at most 4096, got {} x {}",
                Param("rows"),
                Param("bands"),
                self.rows,
                self.bands,
            )
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, self._counted_as))

    @property
    def terms(self) -> SentenceTerms:
        """Settings by which texts become sentences of words."""
        return word_terms(self.normalise, self.tokens, self.stop_words)

    @property
    def _counted_as(self) -> dict[str, str]:
        return counted_as(self.normalise, self.tokens, self.stop_words)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of words."""
        return corpus_statistics(self.statistics, "document frequencies", self.with_counts)

    def with_counts(self, documents: Documents, workers: int | None = None) -> KMatch:
        """Return the method with document frequencies of words counted on these documents."""
        return replace(
            self,
            statistics=frequencies.count(
                Words.from_texts(documents.texts, self.terms, workers).counted(workers), self._counted_as
            ),
        )

    @property
    def _frozen_statistics(self) -> FeatureStatistics | None:
        return self.statistics if isinstance(self.statistics, FeatureStatistics) else None

    def without_noise(self, documents: Documents, workers: int | None = None) -> Words:
        """Return the words of documents in order, without words whose normalised idf is outside `idf_low` to `idf_high`."""
        words = Words.from_texts(documents.texts, self.terms, workers)
        values, index = np.unique(words.values, return_inverse=True)
        whole = FeatureSets(values, np.ones(len(values), np.uint32), np.array([0, len(values)], np.int64))
        kept = frequencies.in_band(whole, self._frozen_statistics, self.idf_low, self.idf_high)
        return words.select(among(values, kept.values)[index])

    def shingles(self, words: Words, workers: int | None = None) -> FeatureSets:
        """Return the distinct shingles of words of each document; a document with fewer than `min_features` has none."""
        sets = kernels.sets.feature_sets(*windows(words.values, words.offsets, self.ngram_size), workers=workers)
        return at_least(sets, sets.lengths, self.min_features)

    def keyword_sets(self, words: Words, workers: int | None = None) -> FeatureSets:
        """Return the set of keywords of each document: its `keywords` words of highest tf * idf."""
        counted = words.counted(workers)
        return best_words(
            counted, counted.weights * frequencies.idf(self._frozen_statistics, counted.values), self.keywords
        )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if one band key is equal."""
        return JoinLimits(self.cap, most=self.most)

    def _keys(self, words: Words, workers: int | None) -> FeatureSets:
        sets = self.shingles(words, workers)
        mins = kernels.sketch.set_mins(sets, self.rows * self.bands, self.seed, workers)
        keys = rows_as_keys(Bands(self.bands, self.rows).keys(mins, workers), sets.lengths > 0)
        return kernels.sets.feature_sets(*keys, workers=workers)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the band keys of each document (uint64), made of MinHash values of its shingles of words."""
        return self._keys(self.without_noise(documents, workers), workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the overlap of keywords (0 without an equal band key), and the number of keywords of both.

        A document with too few shingles has no keywords.
        """
        words = self.without_noise(documents, workers)
        keys = self._keys(words, workers)
        keywords = at_least(self.keyword_sets(words, workers), keys.lengths, 1)
        out = set_evidence(keywords, left, right, workers=workers)
        met = kernels.sets.shared_sets(keys, left, right, workers)[1] > 0
        return out | {"evidence": np.where(met, out["evidence"], 0.0)}
