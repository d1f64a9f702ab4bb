"""SpotSigs: chains of words after frequent words, compared as multisets (先行词特征).

Source: Theobald 2008. Chinese antecedents after Wei 2013, which tried several Chinese stop-word lists.

A spot begins at a word without content of its own, such as 的 or "the". Such words occur in running text and hardly ever in menus and lists
of links, so that the words after them are body text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.partitions import length_partitions
from quchong.features.feature_sets import at_least, check_band
from quchong.features.located_features import spots_placed
from quchong.features.spot_signatures import Spots
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.languages import Message
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import PaperMethod
from quchong.parameters import (
    ANTECEDENTS,
    CAP,
    CHAIN,
    DISTANCE,
    IDF_HIGH,
    IDF_LOW,
    MOST,
    STATISTICS,
    STOP_WORDS,
    THRESHOLD,
    WITH_ANTECEDENT,
    parameter,
)
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Meetings, Sight, Statistics, Traits
from quchong.similarity.paper_rules import set_evidence


@dataclass(frozen=True, slots=True)
class SpotSigs(PaperMethod):
    """Method on spot signatures: near-duplicates by their multiset Jaccard."""

    threshold: float | None = THRESHOLD(
        None, "multiset Jaccard (sum of minima / sum of maxima); the best value in the paper is 0.44."
    )
    cap: int = CAP(
        10000,
        "maximum number of longer documents with which a document is paired; the policy chooses which. If "
        "`most` is smaller, `most` is the limit.",
    )
    most: int = MOST(1000, "limit of the same kind as cap; the smaller of the two applies. 0 means no limit.")

    antecedents: str = ANTECEDENTS("standard")
    stop_words: str = STOP_WORDS("standard")
    chain: int = CHAIN(
        3,
        "number of words that follow the antecedent in a signature. The paper uses 2 or 3 words; here a "
        "Chinese character counts as a word, so the default is 3.",
    )
    distance: int = DISTANCE(1)
    with_antecedent: bool = WITH_ANTECEDENT(True)
    min_signatures: int = parameter(4, "documents with fewer signatures than this are not compared.", least=1)
    idf_low: float = IDF_LOW(0.2, "lower end of the range of normalised idf in which signatures are used.")
    idf_high: float = IDF_HIGH(
        1.0,
        "upper end of the range of normalised idf; only signatures in this range are used. The authors' "
        "program uses 0.85, which leaves out signatures of small clusters. The default 1.0 leaves out no "
        "signature as too rare.",
    )
    pruning: str = parameter(
        "safe",
        'rules of pruning. "safe": no pair is lost. "paper": the published rules, for comparison.',
        choices=("safe", "paper"),
    )
    partition_range: int = parameter(
        1000, "documents are divided into ranges of size only up to this size.", least=1, most=1_000_000
    )
    statistics: Given = STATISTICS(
        None,
        "document frequencies of signatures: a file written by `quchong "
        "statistics` or `FeatureStatistics.save`, or a FeatureStatistics "
        "object. None: they are counted on the texts compared.",
    )

    name: ClassVar[str] = "spotsigs"
    usual: ClassVar[float] = 0.44
    traits: ClassVar[Traits] = Traits(
        title="chains of words after frequent words, multiset Jaccard on a partitioned index",
        paper="Theobald 2008 (SpotSigs)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. Candidate pairs are found with pruned posting lists. Each "
            "document is compared with at most 1,000 others"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        check_band(self.idf_low, self.idf_high)
        self.spots.words(self.form)
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, self._counted_as))

    @property
    def spots(self) -> Spots:
        """Settings of the spot signatures of a text."""
        return Spots(self.antecedents, self.stop_words, self.chain, self.distance, self.with_antecedent)

    @property
    def _counted_as(self) -> dict[str, str]:
        return frequencies.counted_as(self.normalise, features=self.spots.described)

    def _sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        whole = self.spots.sets(self.form, documents.texts, workers)
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        kept = frequencies.in_band(whole, known, self.idf_low, self.idf_high)
        return at_least(kept, kept.sizes, self.min_signatures)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of signatures, if the band leaves out any."""
        needed = "" if (self.idf_low, self.idf_high) == (0.0, 1.0) else "document frequencies"
        return corpus_statistics(self.statistics, needed, self.with_counts)

    def with_counts(self, documents: Documents, workers: int | None = None) -> SpotSigs:
        """Return the method with the document frequencies of these texts."""
        whole = self.spots.sets(self.form, documents.texts, workers)
        return replace(self, statistics=frequencies.count(whole, self._counted_as))

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find all pairs above the threshold; with pruning "paper" all except those it loses."""
        cap = min(self.cap, self.most or self.cap)
        parts = length_partitions(self.limit, self.min_signatures, self.partition_range)
        sets = self._sets(documents, workers)
        unseen = sets.lengths == 0
        met = kernels.sets.meet_spots(
            sets, self.limit, [last for _, last in parts[:-1]], paper=self.pruning == "paper",
            cap=cap, scope=scope, references=references, workers=workers,
        )  # fmt: skip
        if not met.capped:
            return Meetings(met.left, met.right, unseen=unseen)
        message = Message(
            "{:,} documents are similar to more than {:,} longer ones (one of them to {:,}). Each was paired "
            "with only some of these; the policy (--keep) chose which",
            met.capped,
            cap,
            met.largest,
        )
        return Meetings(
            met.left, met.right, ((message, {"documents": met.capped, "cap": cap, "largest": met.largest}),), unseen
        )

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the multiset Jaccard and the number of signatures of both."""
        return set_evidence(self._sets(documents, workers), left, right, jaccard=True, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return spot signatures as marks; those in the band of rarity count."""
        marks = spots_placed(self.form, self.spots, documents, workers)
        return (marks.kept_by(self._sets(documents, workers), "band"),)
