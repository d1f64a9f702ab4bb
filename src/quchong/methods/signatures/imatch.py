"""I-Match and its variants: documents with equal signatures of their terms are duplicates (集合签名).

Source: Chowdhury 2002; Kolcz 2004 for lexicon randomisation; I-Match-S and I-Match-P as Wei 2013 names them: the same
on spot signatures and on features of full stops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.feature_sets import at_least, check_band
from quchong.features.located_features import periods_placed, shingles_placed, spots_placed
from quchong.features.periods import period_sets
from quchong.features.set_signature import SetSignature, SetSignatures
from quchong.features.shingles import shingle_sets
from quchong.features.spot_signatures import Spots
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import mix64
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.parameters import (
    ANTECEDENTS,
    CAP,
    CHAIN,
    DISTANCE,
    IDF_HIGH,
    IDF_LOW,
    MOST,
    NGRAM_SIZE,
    STATISTICS,
    STOP_WORDS,
    TAIL,
    THRESHOLD,
    TOKENS,
    WITH_ANTECEDENT,
    parameter,
)
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Marks, Sight, Signature, Statistics, Traits
from quchong.text import form

PAPER = "Chowdhury 2002 (I-Match); Kolcz 2004"


def _traits(title: str) -> Traits:
    return Traits(
        title=title,
        paper=PAPER,
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths of the signatures, but each document is compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("verify",),
    )


@dataclass(frozen=True, slots=True)
class SignatureMethod(BySets, PaperMethod):
    """Base class of the I-Match variants: an idf band of features, guards, signatures."""

    threshold: float | None = THRESHOLD(
        None, fixed="two signatures are either equal or different, so there is no threshold (see lexicons)"
    )

    cap: int = CAP(1000, "maximum number of documents with the same signature that are compared with others.")
    most: int = MOST(128)
    idf_low: float = IDF_LOW(
        0.2,
        "lower end of the range of normalised idf ln((N + 1) / df) / ln(N + 1) of the features in the lexicon.",
    )
    idf_high: float = IDF_HIGH(
        1.0, ("upper end of the range of normalised idf; only features in this range are in the lexicon.")
    )
    min_terms: int = parameter(
        4, "a document gets a signature only if at least this many of its features are in the lexicon.", least=1
    )
    min_ratio: float = parameter(
        0.1,
        "minimum share of a document's features that must be in the lexicon for the document to have a signature.",
        least=0,
        most=1,
    )
    lexicons: int = parameter(
        0,
        "K, the number of random lexicons besides the full one; two documents are duplicates if their signatures "
        "by one lexicon are equal.",
        least=0,
        most=100,
    )
    dropped: float = parameter(
        0.33, "p, the share of the lexicon that each random lexicon leaves out.", above=0, below=1
    )
    statistics: Given = STATISTICS(
        None,
        "document frequencies of the features: a file written by `quchong "
        "statistics` or `FeatureStatistics.save`, or a FeatureStatistics "
        "object. None: they are counted on the texts compared.",
    )

    usual: ClassVar[float] = 1.0

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        check_band(self.idf_low, self.idf_high)
        self.check_features()
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, self.counted_as, self.width))

    def check_features(self) -> None:
        """Raise UsageError for features that cannot be made."""

    @property
    def signature(self) -> SetSignature:
        """Settings by which a set of features becomes a signature, one coordinate for each lexicon."""
        return SetSignature(self.lexicons, self.dropped, self.min_terms)

    @property
    def counted_as(self) -> dict[str, str]:
        """Settings by which features are made, by name; statistics fit texts only if these are equal."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """Number of tokens that a feature has, as statistics store it."""
        return 1

    def all_features(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the set of all features of each document, before those outside the lexicon are removed."""
        raise NotImplementedError

    def _signed(self, documents: Documents, workers: int | None) -> tuple[SetSignatures, FeatureSets]:
        whole = self.all_features(documents, workers)
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        kept = frequencies.in_band(whole, known, self.idf_low, self.idf_high)
        enough = kept.lengths >= self.min_ratio * whole.lengths
        sets = at_least(kept, enough & (kept.lengths > 0), 1)
        return self.signature.sign(sets), sets

    def with_counts(self, documents: Documents, workers: int | None = None) -> SignatureMethod:
        """Return the method with document frequencies counted on these documents as its lexicon; unchanged if none are needed."""
        return replace(
            self, statistics=frequencies.count(self.all_features(documents, workers), self.counted_as, self.width)
        )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if one coordinate of their signatures is equal."""
        return JoinLimits(self.cap, most=self.most)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of features, if the band leaves out any."""
        needed = "" if (self.idf_low, self.idf_high) == (0.0, 1.0) else "document frequencies"
        return corpus_statistics(self.statistics, needed, self.with_counts)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the set of keys of each document, one key for each coordinate of its signature."""
        return kernels.sets.feature_sets(*self._signed(documents, workers)[0].keys(), workers=workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the number of equal coordinates of both signatures, and each document's features in the lexicon."""
        signed, sets = self._signed(documents, workers)
        size = sets.lengths.astype(np.float64)
        agreeing = signed.agreeing(left, right).astype(np.float64)
        return {"evidence": agreeing, "features_left": size[left], "features_right": size[right]}

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return all features as marks with their offsets."""
        raise NotImplementedError

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the features of documents (those in the lexicon count) and the coordinates of their signatures."""
        signed, sets = self._signed(documents, workers)
        values = mix64(signed.high ^ mix64(signed.low))
        return (
            self.placed(documents, workers).kept_by(sets, "lexicon"),
            Signature("coordinates", values, np.asarray(signed.defined.any(axis=1))),
        )


@dataclass(frozen=True, slots=True)
class IMatch(SignatureMethod):
    """I-Match on terms: tokens, or runs of `ngram_size` tokens."""

    idf_high: float = IDF_HIGH(
        0.85,
        "upper end of the range of normalised idf. With the default 0.85 (from the reference), names and "
        "misprints of a single document are not in the lexicon.",
    )
    ngram_size: int = NGRAM_SIZE(
        1, ("number of tokens in a term; with 2, pairs of Chinese characters are used as words.")
    )
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "imatch"
    traits: ClassVar[Traits] = _traits(
        "one signature per document, made of the terms that are neither frequent nor rare"
    )

    @property
    def counted_as(self) -> dict[str, str]:
        """Values in which statistics must agree with the texts, as `quchong statistics` writes them for these terms."""
        return frequencies.counted_as(self.normalise, self.tokens)

    @property
    def width(self) -> int:
        """Number of tokens of a term."""
        return self.ngram_size

    def all_features(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the distinct terms of each document."""
        return shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return every term as a mark."""
        return shingles_placed("terms", form(self.normalise, self.tokens), documents, self.ngram_size, workers)


@dataclass(frozen=True, slots=True)
class IMatchRandom(IMatch):
    """I-Match on terms with randomised lexicons besides the full one.

    Documents that differ in a few terms agree in a lexicon without these terms.
    """

    lexicons: int = parameter(
        10,
        "K, the number of random lexicons besides the full one. If two documents differ in d terms of the "
        "lexicon, their signatures by at least one random lexicon are equal with probability 1 - (1 - "
        "dropped^d)^K.",
        least=1,
        most=100,
    )

    name: ClassVar[str] = "imatch-random"
    traits: ClassVar[Traits] = _traits(
        "signatures of the terms that are neither frequent nor rare, one per random lexicon; two documents "
        "need one equal signature"
    )


@dataclass(frozen=True, slots=True)
class IMatchS(SignatureMethod):
    """I-Match on spot signatures instead of terms; fields as in `quchong.features.spot_signatures.Spots`."""

    min_terms: int = parameter(
        8,
        "a document gets a signature only if at least this many of its features are in the lexicon. The default "
        "is 8: notices that differ only in figures share a few spot signatures, and with a smaller number they "
        "could get equal signatures.",
        least=1,
    )
    antecedents: str = ANTECEDENTS("standard")
    stop_words: str = STOP_WORDS("standard")
    chain: int = CHAIN(3)
    distance: int = DISTANCE(1)
    with_antecedent: bool = WITH_ANTECEDENT(True)

    name: ClassVar[str] = "imatch-s"
    traits: ClassVar[Traits] = _traits("one signature per document, made of its spot signatures")

    def check_features(self) -> None:
        """Raise UsageError for spots that cannot be made."""
        self.spots.words(self.form)

    @property
    def spots(self) -> Spots:
        """Settings of the spot signatures, which are the features of this variant of I-Match: content words after frequent words."""
        return Spots(self.antecedents, self.stop_words, self.chain, self.distance, self.with_antecedent)

    @property
    def counted_as(self) -> dict[str, str]:
        """Values in which statistics of spots must agree with the texts."""
        return frequencies.counted_as(self.normalise, features=self.spots.described)

    def all_features(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the distinct spot signatures of each document."""
        return self.spots.sets(self.form, documents.texts, workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return every spot signature of the documents as a mark with its offsets."""
        return spots_placed(self.form, self.spots, documents, workers)


@dataclass(frozen=True, slots=True)
class IMatchP(SignatureMethod):
    """I-Match on features of full stops (CCDet's) instead of terms."""

    tail: int = TAIL(10)

    name: ClassVar[str] = "imatch-p"
    traits: ClassVar[Traits] = _traits("one signature per document, made of its full-stop features")

    @property
    def counted_as(self) -> dict[str, str]:
        """Values in which statistics must agree with the texts; features of full stops are made of the text unchanged."""
        return {"features": f"full stops, {self.tail} characters"}

    def all_features(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the features of full stops of each document."""
        return period_sets(documents.texts, self.tail, workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return the text before every full stop as a mark."""
        return periods_placed(documents, self.tail, workers=workers)
