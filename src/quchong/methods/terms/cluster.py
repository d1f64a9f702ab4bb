"""Single-pass clustering of tf * idf vectors (基于聚类去重): the third traditional class Ya 2013 names.

High recall; low precision on news of one subject and on texts of one template, as the paper says of the class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.features.located_features import terms_placed
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items
from quchong.kernels.sets import Vectors
from quchong.languages import Message
from quchong.methods.bases.frequencies import idf
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import PaperMethod
from quchong.methods.bases.rules import RoundedRule
from quchong.methods.bases.terms import concat_ragged, count_terms, known_terms, outlines
from quchong.parameters import CAP, STATISTICS, THRESHOLD
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Meetings, Sight, Statistics, Traits
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Cluster(PaperMethod):
    """Method that clusters tf * idf vectors in one pass: a document joins the nearest centroid, or opens a cluster.

    A removal depends on the pair alone: the cosine of two members of a cluster must reach the threshold too, and the one preferred by
    policy is kept. A member near the centroid but near no kept member is kept.
    """

    threshold: float | None = THRESHOLD(
        None,
        "lowest cosine at which a document joins a cluster, and at which two members of a cluster are duplicates.",
    )

    statistics: str | Path | FeatureStatistics | None = STATISTICS(
        None,
        "document frequencies of terms: a file written by `quchong statistics` or `FeatureStatistics.save`, or a "
        "FeatureStatistics object. None: they are counted on the texts without exact copies.",
    )
    cap: int = CAP(
        64,
        "maximum number of members of a cluster with which later documents are compared; the policy chooses "
        "which. A note states how many clusters are larger.",
    )

    name: ClassVar[str] = "cluster"
    rule_name: ClassVar[str] = "cosine in a cluster"
    usual: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="single-pass clustering of tf-idf vectors; documents are compared with members by cosine",
        paper="Ya 2013 (traditional class)",
        finds=(EXACT, DUPLICATE),
        cost="candidates are found with the posting lists of rare terms, in one thread. All vectors are kept in "
        "memory. Each document needs at most 64 comparisons",
        lossless=False,
        evidence="features",
        decided_by=("verify",),
        order="documents are taken in the order in which the policy prefers them, and clusters grow in that order",
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if self.statistics is not None:
            object.__setattr__(self, "statistics", known_terms(self.statistics, self.normalise))

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of terms."""
        return corpus_statistics(self.statistics, "document frequencies of terms", self.with_counts)

    def with_counts(self, documents: Documents, workers: int | None = None) -> Cluster:
        """Return the method with document frequencies counted on these texts."""
        return replace(self, statistics=count_terms(documents, self.normalise, workers))

    def vectors(self, documents: Documents, workers: int | None = None) -> Vectors:
        """Return the tf * idf vector of each document's terms, of length 1; empty for a document without terms."""
        sets = self._terms(documents, workers)
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        return kernels.sets.unit_vectors(sets.values, sets.weights * idf(known, sets.values), sets.offsets)

    def _terms(self, documents: Documents, workers: int | None) -> FeatureSets:
        parts = [o.terms() for _, o in outlines(documents, self.normalise, workers)]
        return kernels.sets.feature_sets(*concat_ragged(parts), weighted=True, workers=workers)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find for each document the earlier members of its cluster."""
        vectors = self.vectors(documents, workers)
        founder, _ = kernels.sets.single_pass(vectors, self.limit, scope)
        order = np.argsort(founder, kind="stable")  # clusters one after another, their members in order
        first = np.searchsorted(founder[order], founder[order])  # where each one's cluster begins
        rank = np.arange(len(order)) - first
        cap = min(self.cap, self.most or self.cap)
        met = np.minimum(rank, cap)
        right = np.repeat(order, met)
        place = positions_in_items(met)
        left = order[np.repeat(first, met) + place]
        beyond = right >= references
        large = int((rank == cap).sum())  # one document a cluster has this rank
        message = Message(
            "{:,} clusters have more than {:,} members. Later documents were compared only with the first {:,} of each",
            large,
            cap,
            cap,
        )
        notes = ((message, {"clusters": large, "cap": cap}),) if large else ()
        return Meetings(left[beyond], right[beyond], notes, np.diff(vectors.offsets) == 0)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the cosine of both documents, and the number of terms of each."""
        v = self.vectors(documents, workers)
        sizes = np.diff(v.offsets).astype(np.float64)
        cosine = kernels.sets.dots(v, left, right, workers)
        return {"evidence": cosine, "features_left": sizes[left], "features_right": sizes[right]}

    @property
    def rule(self) -> RoundedRule:
        """Rule of the cosine of two members of a cluster."""
        return self.rule_of(RoundedRule)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the terms of the vector."""
        return (terms_placed(form(self.normalise), documents, self._terms(documents, workers), workers),)
