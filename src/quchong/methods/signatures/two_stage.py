"""Two stages for short texts: exact repeats first, then SimHash within a Hamming distance (去重两阶段: 精确, 近似).

Source: Gao 2014 (中文短文本去重), sections 4.1 to 4.3; Charikar 2002 (SimHash, 相似哈希); Manku 2007 (block tables).

The paper decides by the signature alone: a pair is a near-duplicate if fewer than 5 of 64 bits differ. SimHash misses most one-character
edits of texts under 100 characters, which no parameter here changes. Texts of fewer than 4 tokens are compared only for equality, as with
every method, because they have too few bigrams (哈哈哈 and 哈哈哈哈 have the same signature).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from quchong.candidates import HammingIndex
from quchong.errors import Param, UsageError
from quchong.features import digests
from quchong.features.feature_sets import batches
from quchong.features.located_features import shingles_placed
from quchong.features.simhash import SimHash
from quchong.features.statistics import FeatureStatistics, ShingleCount
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.sketch import Signatures
from quchong.kernels.text import Form
from quchong.languages import Message
from quchong.methods.bases.join_sights import seen_by_join
from quchong.methods.bases.method_defaults import MethodDefaults, corpus_statistics
from quchong.methods.bases.stream_filters import FilterChoice
from quchong.parameters import (
    CAP,
    CONTAINMENT,
    NGRAM_SIZE,
    NORMALISE,
    STATISTICS,
    THRESHOLD,
    TOKENS,
    VERIFY,
    parameter,
)
from quchong.parameters.filters import CAPACITY, CONFIRM, ERROR_RATE, FILTER_BITS, FILTER_MODE, HASH
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import (
    Documents,
    Features,
    FirstSeen,
    Gate,
    HammingJoin,
    Join,
    Measures,
    Sight,
    Statistics,
    Traits,
)
from quchong.similarity import Thresholds, measure, threshold_used, widths_of
from quchong.similarity.gates import relation_gates
from quchong.similarity.paper_rules import duplicates, relations_by_rule
from quchong.tables import SMALL_SHARE
from quchong.text import NORMALISER_VERSION, form

_UNCONFIRMED = {"bloom": "bloom filter, unconfirmed", "trie": "digit trie, unconfirmed"}
RULE, BEYOND = "hamming", "beyond the distance"


def statistics_form(normalise: str, tokens: str) -> dict[str, str]:
    """Return the values in which statistics and the texts they weigh must agree."""
    return {"normalise": normalise, "tokens": tokens, "normaliser": NORMALISER_VERSION}


@dataclass(frozen=True, slots=True)
class DistanceRule:
    """Rule of the distance: texts whose signatures differ in few bits are duplicates.

    Attributes:
        distance: most bits that may differ.
        verify: "exact" if the default method's test must agree, else "rule".
        test: thresholds of that test.
    """

    distance: int
    verify: str
    test: Thresholds

    @property
    def thresholds(self) -> Mapping[str, Any]:
        """Distance; with verify "exact" also the default method's thresholds."""
        return {"distance": self.distance} | ({"exact": asdict(self.test)} if self.verify == "exact" else {})

    @property
    def filled(self) -> Mapping[str, Any]:
        """Empty: the parameter `threshold` belongs to the default method's test and stays as it was given."""
        return {}

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths of the default method."""
        return widths_of()

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs within the distance, whatever the Jaccard."""
        mask: np.ndarray = measures["evidence"] <= self.distance
        return mask

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return relation and rule: duplicate within the distance; with verify "exact" by the default method's test."""
        near = self.floor(measures)
        return relations_by_rule(duplicates(near), near, RULE, self.verify, measures, self.test, BEYOND)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair: the distance, 1 for exact copies, or that of the default's test."""
        by_rule = np.array([str(r).startswith(RULE) or r in (BEYOND, SMALL_SHARE) for r in rule], bool)
        return np.where(by_rule, float(self.distance), threshold_used(measures, rule, self.test))

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide pairs found for this rule: another method, or a greater distance; else None."""
        if not isinstance(other, DistanceRule):
            return Message("the pairs were found by the method {}", "two-stage")
        if other.distance > self.distance:
            return Message(
                "the run searched only for candidates with a distance of at most {}: for a distance of {}, run again",
                self.distance,
                other.distance,
            )
        return None


@dataclass(frozen=True, slots=True)
class TwoStage(MethodDefaults):
    """Method in two stages for short texts: exact repeats, then near-duplicates by SimHash."""

    bits: int = parameter(64, "number of bits of a signature, 64 or 128.")
    distance: int = parameter(
        4, 'maximum number of bits that may differ; "< 5" in the paper means 4.', least=0, most=128
    )
    ngram_size: int = NGRAM_SIZE(
        2,
        "W, the number of tokens in a shingle of the signature. Jaccard and containment use the widths of the "
        "default method, so that methods can be compared.",
    )
    tokens: str = TOKENS(
        "char", 'tokens of the signature. "char": every letter and digit. "auto": a Chinese character or a word.'
    )
    weights: str = parameter("unit", 'weight of a shingle. "unit": 1. "idf": its rarity.', choices=("unit", "idf"))
    statistics: str | Path | FeatureStatistics | None = STATISTICS(
        None,
        "document frequencies for idf: a file written by `quchong statistics` or `FeatureStatistics.save`, or a "
        "FeatureStatistics object. None: they are counted on the texts left by stage 1.",
    )
    all_pairs: bool = parameter(
        False,
        "True to compare all texts with all others, without block tables and without a cap, as the paper does. "
        "The time is quadratic in the number of texts.",
    )
    stage1: str = parameter(
        "digest",
        'how exact repeats are removed. "digest": independent of the order of the input. "bloom" or "trie": the '
        "paper's filters, which read texts in the order of the input. A text that a filter wrongly reports as "
        "seen is removed without a survivor.",
        choices=("digest", "bloom", "trie"),
    )
    capacity: int | None = CAPACITY(
        None, "number of texts that the Bloom filter of `stage1` is planned for; with more texts it grows."
    )
    error_rate: float | None = ERROR_RATE(None, "maximum chance that this filter removes a new text.")
    filter_bits: int | None = FILTER_BITS(
        None,
        "number of bits of a Bloom filter as in Gao 2014; it replaces capacity and error_rate. This filter "
        "never grows.",
    )
    filter_mode: str | None = FILTER_MODE(
        None,
        'when the filter of `stage1` reports a text as seen. Bloom filter: "all" bits of the text are set, or '
        '"any". Trie: the "end-mark" is set, or "literal", as printed in the paper.',
    )
    hash: str | None = HASH(None, 'hash function of the digit trie (`stage1` "trie").')
    confirm: bool = CONFIRM(
        False, 'True to remove only texts that equal an earlier text; a filter then gives the same result as "digest".'
    )
    verify: str = VERIFY(
        "rule",
        '"rule": a pair must pass the paper\'s test of the distance; "exact": it must also pass the test '
        "of the default method.",
    )
    threshold: float | None = THRESHOLD(
        None, 'Jaccard threshold of the default method\'s test; only for `verify` "exact".'
    )
    containment: float | None = CONTAINMENT(
        None, 'containment threshold of the default method\'s test; only for `verify` "exact".'
    )
    normalise: str = NORMALISE("standard")
    cap: int = CAP(
        64,
        "maximum number of similar texts with which a text is compared; the policy chooses which. With "
        "all_pairs the limit does not apply.",
    )

    name: ClassVar[str] = "two-stage"
    traits: ClassVar[Traits] = Traits(
        title="exact repeats (digest, Bloom filter or digit trie), then SimHash by block tables",
        paper="Gao 2014; Charikar 2002; Manku 2007",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. Signatures are looked up in 5 to 35 tables. In a family "
            "of near-copies, the number of pairs grows quadratically until each document has 64 partners, then "
            "linearly"
        ),
        lossless=True,
        evidence="text",
        decided_by=("distance", "verify", "threshold", "containment"),
        order=(
            'if `stage1` is "bloom" or "trie" and `confirm` is off: the order sets which texts the filter '
            "wrongly reports as seen"
        ),
    )

    def check(self) -> None:
        """Raise UsageError for parameters that do not fit together, and for statistics counted in another form."""
        if self.statistics is not None and self.weights != "idf":
            raise UsageError("{} needs {}", Param("statistics"), Param("weights", "idf"))
        if self.verify != "exact" and (self.threshold is not None or self.containment is not None):
            raise UsageError(
                "{} and {} have an effect only with {}. The rule of the paper, which is used now, decides by {}: "
                "leave out both, or set {}",
                Param("threshold"),
                Param("containment"),
                Param("verify", "exact"),
                Param("distance"),
                Param("verify", "exact"),
            )
        if isinstance(self.statistics, str | Path):
            object.__setattr__(self, "statistics", FeatureStatistics.load(self.statistics))
        if isinstance(self.statistics, FeatureStatistics):
            counted, wanted = dict(self.statistics.form), statistics_form(self.normalise, self.tokens)
            if counted != wanted:
                raise UsageError(
                    "the statistics were counted on texts prepared as {}, but this run prepares texts as {}: "
                    "make new statistics",
                    counted,
                    wanted,
                )
        self.choice  # noqa: B018 - this and the next two raise
        self.sketch  # noqa: B018
        if not self.all_pairs:
            self.index.tables(1)

    @property
    def sketch(self) -> SimHash:
        """Settings of the SimHash signature."""
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        return SimHash(self.bits, self.ngram_size, known)

    @property
    def choice(self) -> FilterChoice:
        """Choice of the filter of stage 1, in the form nearest to that of the exact classes."""
        return FilterChoice(
            self.stage1, self.capacity, self.error_rate, self.filter_bits, self.filter_mode, self.hash,
            confirm=self.confirm,
            form="loose" if self.normalise == "standard" else "strict",
            called={"filter": "stage1", "bits": "filter_bits"},
        )  # fmt: skip

    @property
    def unconfirmed(self) -> str | None:
        """Rule in the ledger for texts that a filter removes although no equal text came before; None if it confirms hits."""
        return None if self.confirm else _UNCONFIRMED.get(self.stage1)

    @property
    def first_stage(self) -> Callable[[], FirstSeen] | None:
        """Function that builds the empty filter; None for "digest", which equals the engine's exact classes."""
        return None if self.stage1 == "digest" else self.choice.build

    @property
    def index(self) -> HammingIndex:
        """Index of block tables for the distance."""
        return HammingIndex(self.bits, self.distance)

    @property
    def form(self) -> Form:
        """Form in which texts become tokens for exact classes, Jaccard and passages: that of the default method."""
        return form(self.normalise)

    @property
    def rule(self) -> DistanceRule:
        """Rule of the distance; the default method's thresholds are those that verify "exact" applies."""
        return DistanceRule(self.distance, self.verify, Thresholds().at(self.threshold, self.containment))

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return only the digest and lengths, because signatures are made of the texts that stage 1 keeps."""
        return digests(self.form, texts, workers, keep)

    @property
    def candidates(self) -> Join:
        """Join of the signatures within the distance."""
        return HammingJoin(
            self.sign_documents, self.bits, self.distance, self.cap, self.all_pairs, self.statistics_used
        )  # fmt: skip

    def sign_documents(self, documents: Documents, workers: int | None = None) -> Signatures:
        """Return the signatures of documents (`sign`)."""
        return self.sign(documents.texts, workers)

    @property
    def counter(self) -> ShingleCount:
        """Definition of the statistics for idf weights."""
        how = statistics_form(self.normalise, self.tokens)
        return ShingleCount(form(self.normalise, self.tokens), self.ngram_size, how)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of shingles, for idf weights."""
        return corpus_statistics(
            self.statistics, "document frequencies" if self.weights == "idf" else "", self.with_counts, self.counter
        )

    def sign(self, texts: AnyTexts, workers: int | None = None) -> Signatures:
        """Return signatures of prepared texts; undefined for texts without a letter or digit.

        Raises:
            UsageError: idf weights without statistics.
        """
        if self.weights == "idf" and self.statistics is None:
            raise UsageError(
                "{} needs {} here, because there is no corpus to count", Param("weights", "idf"), Param("statistics")
            )
        return self.sketch.sign_texts(form(self.normalise, self.tokens), texts, workers)

    def with_counts(self, documents: Documents, workers: int | None = None) -> TwoStage:
        """Return the method with document frequencies counted on these texts."""
        return replace(self, statistics=self.counter.count(batches(documents.texts), workers))

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard and containments as the default method counts them, and the number of different bits as evidence."""
        out = measure(self.form, documents, left, right, self.rule.test, workers=workers)
        out["evidence"] = self.sign(documents.texts, workers).distances(left, right, workers).astype(np.float64)
        return out

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, and the bits of the signature made of them."""
        shingles = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        return (shingles, *seen_by_join(self, documents, workers))

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the distance, and of the default's test with verify "exact"."""
        passed = bool(self.rule.floor(measures)[0])
        own = Gate("distance", float(measures["evidence"][0]), float(self.distance), passed, "evidence", at_most=True)
        return (own, *(relation_gates(measures, self.rule.test, guards=True) if self.verify == "exact" else ()))
