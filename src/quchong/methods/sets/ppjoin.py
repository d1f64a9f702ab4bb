"""PPJoin and PPJoin+: the exact set join by prefixes (前缀过滤的精确集合连接), all pairs whose Jaccard reaches a threshold.

Source: Xiao 2008. It is the reference for all methods on sets: nothing is sampled, estimated or capped.

Tokens of a set are sorted in one order, rare ones first. Two similar sets must share a token among the first few of each (prefix filter),
have similar sizes (length filter), and share it at positions after which enough tokens remain (positional filter). PPJoin+ also requires
that the tokens after the first common one do not differ too much (suffix filter). The remaining pairs are counted exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.prefixes import least_share, passes_position, prefix_tokens
from quchong.features.feature_sets import at_least, document_frequency
from quchong.features.located_features import shingles_placed
from quchong.features.shingles import shingle_sets
from quchong.features.statistics import CountedElsewhere, FeatureStatistics, statistics_digest
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.join import STAGES, OrderedSets
from quchong.kernels.offsets import prefix_sums
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.papers import PaperMethod
from quchong.parameters import CAP, MIN_FEATURES, MOST, NGRAM_SIZE, STATISTICS, THRESHOLD, TOKENS
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Join, JoinLimits, Meetings, SetJoin, Sight, Statistics, Traits
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form

SHARED = "shingles of two documents or more"
"""Features that statistics made here list: a fraction of all shingles. A shingle not listed is in one document only."""


def _traits(title: str) -> Traits:
    return Traits(
        title=title,
        paper="Xiao 2008 (PPJoin, PPJoin+)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows quadratically with the size of a family of near-copies. Pairs are found with an inverted "
            "index of the rare tokens of each text"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )


@dataclass(frozen=True, slots=True)
class PPJoin(PaperMethod):
    """Method on the Jaccard of sets of shingles, exact and without a sketch."""

    threshold: float | None = THRESHOLD(
        None, "lowest Jaccard of the sets at which two texts are duplicates; PPJoin is made for 0.8 to 0.95."
    )

    cap: int = CAP(10_000, fixed="the method reads only short posting lists, so a limit has no effect")
    most: int = MOST(0, fixed="the method finds every pair")
    ngram_size: int = NGRAM_SIZE(
        3,
        "number of tokens in a shingle; a Chinese character or an English word is a token. With 3, the order of "
        "words matters in both languages; with 1, only the sets of characters and words are compared, as in the paper.",
    )
    tokens: str = TOKENS("auto")
    min_features: int = MIN_FEATURES(4, "texts with fewer shingles than this are only checked for equality.")
    statistics: Given | CountedElsewhere = STATISTICS(
        None,
        "document frequencies that set the order of tokens: a file written by `quchong statistics` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts compared. "
        "The order changes the cost of the join, but not the pairs found.",
    )

    name: ClassVar[str] = "ppjoin"
    usual: ClassVar[float] = 0.8
    suffix_depth: ClassVar[int] = 0
    """Number of halvings of the suffix filter; 0 for no filter."""
    traits: ClassVar[Traits] = _traits("exact join of sets of shingles: length, prefix and positional filters")

    def check(self) -> None:
        """Read statistics given as a file."""
        object.__setattr__(self, "statistics", self._read())

    def _read(self) -> FeatureStatistics | CountedElsewhere | None:
        """Return the given statistics: those made here, or those that `quchong statistics` makes of all shingles."""
        given = self.statistics
        if isinstance(given, CountedElsewhere):
            return given
        known = given if given is None or isinstance(given, FeatureStatistics) else FeatureStatistics.load(given)
        whole = known is not None and "features" not in known.form
        return frequencies.read(known, self._counted_as(SHARED if not whole else ""), self.ngram_size)

    def _counted_as(self, features: str) -> dict[str, str]:
        return frequencies.counted_as(self.normalise, self.tokens, features=features)

    def sets(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the shingles of each text; a text shorter than one is one shingle."""
        return shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)

    def records(self, sets: FeatureSets, workers: int | None = None) -> OrderedSets:
        """Return the sets in token order: that of the statistics, else of the frequencies in these sets."""
        known = self.statistics
        if not isinstance(known, FeatureStatistics):
            return kernels.join.order_sets(sets, workers=workers)
        return kernels.join.order_sets(sets, (known.features, known.frequencies), workers)

    @property
    def statistics_used(self) -> Statistics:
        """Document frequencies of shingles, given or to be counted, which order the tokens; an engine can count them."""
        return Statistics(count=self.with_counts if self.statistics is None else None, frozen=self.statistics)

    def with_counts(self, documents: Documents, workers: int | None = None) -> PPJoin:
        """Return the method with a frozen token order: document frequencies of the shingles that several texts have."""
        sets = self.sets(documents, workers)
        features, counts = kernels.join.count_tokens(sets, 2, workers)
        documents_counted = int((sets.lengths > 0).sum())
        how = self._counted_as(SHARED)
        return replace(self, statistics=FeatureStatistics(documents_counted, features, counts, self.ngram_size, how))

    def known_frequency(self, values: np.ndarray) -> np.ndarray | None:
        """Return the document frequency of shingles by the given statistics, or None if there are none."""
        known = self.statistics
        if not isinstance(known, FeatureStatistics):
            return None
        return document_frequency(values, known.features, known.frequencies)

    def order_digest(self, documents: int, pieces: Iterable[np.ndarray]) -> str:
        """Return the digest of the statistics that `with_counts` makes, from their features and frequencies in batches."""
        return statistics_digest(documents, self.ngram_size, self._counted_as(SHARED), pieces)

    def ordered(self, digest: str) -> PPJoin:
        """Return the method for a token order that an engine counted itself."""
        return replace(self, statistics=CountedElsewhere(digest))

    def prefixes(self, sets: FeatureSets, frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the first tokens of each record, among which similar records share one; none for a record with too few tokens."""
        long = np.repeat(sets.lengths >= self.min_features, sets.lengths)
        found = prefix_tokens(sets.select_values(long), frequency[long], self.limit)
        counts = np.bincount(found.document, minlength=len(sets))
        return found.values, prefix_sums(counts)

    def may_reach(
        self, left_size: np.ndarray, left_position: np.ndarray, right_size: np.ndarray, right_position: np.ndarray
    ) -> np.ndarray:
        """Return a mask of the pairs that pass length and positional filter at their first common prefix token."""
        a, b = left_size, right_size
        alike = np.minimum(a, b) >= least_share(self.limit, np.maximum(a, b))
        mask: np.ndarray = alike & passes_position(self.limit, a, left_position, b, right_position, np.zeros_like(a))
        return mask

    def screened(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> np.ndarray:
        """Return a mask of the pairs of the result, by all filters, the suffix filter included, and the exact count."""
        found = kernels.join.screen_pairs(
            self.records(self.sets(documents, workers), workers), left, right, self.limit,
            suffix_depth=self.suffix_depth, min_size=self.min_features, workers=workers,
        )  # fmt: skip
        mask: np.ndarray = found.stage == STAGES.index("similar")
        return mask

    @property
    def candidates(self) -> Join:
        """Join of the sets, exact by their prefixes."""
        return SetJoin(self.sets, JoinLimits(self.cap), prefixes=self, meet=self.meet, statistics=self.statistics_used)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find all pairs at or above the threshold."""
        sets = self.sets(documents, workers)
        joined = kernels.join.join_sets(
            self.records(sets, workers), self.limit, suffix_depth=self.suffix_depth,
            min_size=self.min_features, scope=scope, references=references, workers=workers,
        )  # fmt: skip
        return Meetings(joined.left, joined.right, unseen=sets.lengths == 0)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the Jaccard of the sets and the number of shingles of both; 0 if either has too few to be compared."""
        sets = self.sets(documents, workers)
        sets = at_least(sets, sets.lengths, self.min_features)
        return set_evidence(sets, left, right, jaccard=True, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the shingles compared, and those of the prefix, of which similar documents share one."""
        sets = self.sets(documents, workers)
        enough = at_least(sets, sets.lengths, self.min_features)
        marks = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        frequency = self.known_frequency(sets.values)
        if frequency is None:
            return (marks.kept_by(enough),)
        prefix = kernels.sets.feature_sets(*self.prefixes(sets, frequency), workers=workers)
        return (marks.kept_by(enough), replace(marks, what="prefix").kept_by(prefix))


@dataclass(frozen=True, slots=True)
class PPJoinPlus(PPJoin):
    """PPJoin with the suffix filter: the same pairs, fewer of them counted in full."""

    name: ClassVar[str] = "ppjoin+"
    suffix_depth: ClassVar[int] = 2
    traits: ClassVar[Traits] = _traits("PPJoin with the suffix filter: the same pairs, with fewer full comparisons")
