"""CoDet: containment by paths of words inside sentences (语料树, 包含检测).

Source: Varol 2011; the mechanism is a reconstruction, see docs/methods/codet.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.nearest import nearest
from quchong.candidates.set_join import capped_note
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least
from quchong.features.located_features import runs_placed, tokens_placed
from quchong.features.paths import ONE, Paths, word_values
from quchong.features.shingles import shingle_sets
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items
from quchong.kernels.sorting import distinct
from quchong.languages import Message
from quchong.methods.bases import frequencies
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import PaperMethod
from quchong.methods.bases.rules import PaperRule
from quchong.parameters import CAP, MOST, STATISTICS, STOP_WORDS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Measures, Meetings, Sight, Statistics, Traits, Values
from quchong.similarity.paper_rules import set_evidence, size_ratio, smaller_inside


@dataclass(frozen=True, slots=True)
class ContainRule(PaperRule):
    """Rule of CoDet: a tree that contains enough of a lighter one contains it; two that contain each other are duplicates."""

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation of each pair: duplicate if both trees contain each other, else the lighter one is contained."""
        both = measures["evidence"] * size_ratio(measures) >= self.limit - 1e-12
        return np.where(both, DUPLICATE, smaller_inside(measures)).astype(object)


@dataclass(frozen=True, slots=True)
class CoDet(PaperMethod):
    """Method on trees of word paths: the weight of a document's tree that another's contains."""

    threshold: float | None = THRESHOLD(
        None,
        "T: contain(A -> B) = weight of the nodes in both documents / weight of A's nodes. At T or above, A is "
        "contained in B; if both directions reach T, the two documents are duplicates. The paper does not give "
        "T (docs/decisions/0025).",
    )
    cap: int = CAP(
        10000,
        "maximum number of documents with the same node that are compared with others: the documents with the "
        "greatest weight.",
    )
    most: int = MOST(
        1000,
        "maximum number of heavier documents (documents with more weight) with which a document is compared; 0 means "
        "all. The policy chooses one half; the other half are those that share the most weight with the document. "
        "An alarm states how many documents have more heavier documents.",
    )

    depth: int = parameter(4, "D, the largest number of words in a path.", least=1, most=16)
    weights: str = parameter(
        "idf",
        'weight of a node. "idf": the sum of the idf of its words. "unit": 1.',
        choices=("idf", "unit"),
    )
    stop_words: str = STOP_WORDS("standard")
    min_paths: int = parameter(40, "documents with fewer nodes than this are not compared.", least=1)
    statistics: Given = STATISTICS(
        None,
        "document frequencies of words: a file written by `quchong statistics --ngram-size 1 --tokens auto` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts compared. "
        "A comparison of only two texts has no frequencies: every node has the weight 1.",
    )

    name: ClassVar[str] = "codet"
    rule_name: ClassVar[str] = "contain"
    usual: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="paths of words within sentences, containment in both directions",
        paper="Varol 2011 (CoDet)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the number of words and with the parameter `depth`. Candidate pairs are "
            "found with the shortest posting lists of the document of smaller weight. Each document is compared "
            "with at most 1,000 heavier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        if self.statistics is not None and self.weights != "idf":
            raise UsageError("{} needs {}", Param("statistics"), Param("weights", "idf"))
        self.paths  # noqa: B018 - raises
        how = frequencies.counted_as(self.normalise)
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, how))

    @property
    def paths(self) -> Paths:
        """Settings of the paths that are a document's nodes."""
        return Paths(self.depth, self.stop_words)

    def _sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        s = self.statistics
        known = (s.features, s.frequencies, s.documents) if isinstance(s, FeatureStatistics) else None
        sets = self.paths.sets(self.form, documents.texts, known, workers)
        return at_least(sets, sets.lengths, self.min_paths)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of words, for idf weights."""
        return corpus_statistics(
            self.statistics, "document frequencies" if self.weights == "idf" else "", self.with_counts
        )

    def with_counts(self, documents: Documents, workers: int | None = None) -> CoDet:
        """Return the method with the document frequencies of the words of these texts."""
        words = shingle_sets(self.form, documents, 1, workers)
        return replace(self, statistics=frequencies.count(words, frequencies.counted_as(self.normalise)))

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the pairs of which the heavier tree contains the lighter one."""
        sets = self._sets(documents, workers)
        met = kernels.sets.meet_contained(
            sets, self.limit, cap=self.cap, scope=scope, references=references, workers=workers
        )
        left, right, bounded = met.left, met.right, 0
        if self.most:
            size = sets.sizes
            turned = size[left] < size[right]  # the lighter one asks; of equal ones the later
            lighter, heavier = np.where(turned, left, right), np.where(turned, right, left)
            weight, _ = kernels.sets.shared_sets(sets, left, right, workers)
            count, kept = nearest(2 * lighter + (heavier >= references), heavier, weight, self.most)
            left, right, bounded = left[kept], right[kept], len(distinct(lighter[count > self.most]))
        note = capped_note(
            met.capped,
            met.largest,
            self.cap,
            what=Message("nodes"),
            met=Message("the documents with the largest weights"),
        )
        return Meetings(left, right, note + JoinLimits(self.cap, most=self.most).notes(bounded), sets.lengths == 0)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the larger of both containments, and the weight of both trees."""
        out = set_evidence(self._sets(documents, workers), left, right, workers=workers)
        scale = ONE if self.statistics is not None else 1
        return out | {k: out[k] / scale for k in ("features_left", "features_right")}

    @property
    def rule(self) -> ContainRule:
        """Rule of the containment of trees."""
        return self.rule_of(ContainRule)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the words that make nodes, and the nodes."""
        found = tokens_placed(self.form, documents, workers)
        at = positions_in_items(found.docs.lengths)
        words = runs_placed("words", found, word_values(found.docs.tokens), found.docs.offsets, at, 1)
        counted = ~self.paths.stop_mask(self.form, found.docs)
        return (replace(words, counted=counted, why="stop words"), Values("paths", self._sets(documents, workers)))
