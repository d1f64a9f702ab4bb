"""The longest common subsequence or substring of two texts, and its share of each (最长公共子序列, 最长公共子串).

Source: Wei 2013, which names them as the traditional measures; Hyyro 2004 for subsequences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import met_by
from quchong.features.feature_sets import concatenate_sets, places
from quchong.features.located_features import shingles_placed
from quchong.features.passage_characters import spans_of
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Tokenised
from quchong.languages import Message
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.papers import BySets
from quchong.parameters import CONTAINMENT, LEAST, MOST, THRESHOLD, TOKENS, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, JoinLimits, Meetings, SetJoin, Sight, Spans, Traits
from quchong.similarity.coverage import lesser, share
from quchong.similarity.subsequence import common_subsequences
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Lcs(BySets, OverlapMethod):
    """Method on the longest common subsequence, or substring: the share of each document that it makes up."""

    threshold: float | None = THRESHOLD(
        None, "two documents are duplicates if their common text makes up at least this share of the longer one."
    )
    containment: float | None = CONTAINMENT(
        None,
        "lowest share of a document at which it is contained in the other; if both documents reach it, they are "
        "duplicates.",
    )
    least: float | None = LEAST(
        None,
        "lowest share of a document at which a pair is listed as partial. The default is the value of "
        "`containment`. A lower value is slow, because most texts of one language have half of their "
        "characters in common.",
    )
    most: int = MOST(128)

    measure: str = parameter(
        "subsequence",
        'what is matched. "subsequence": tokens in the same order, with gaps. "substring": one run of tokens.',
        choices=("subsequence", "substring"),
    )
    longest: int = parameter(
        100_000,
        "largest number of tokens of a compared document. Longer documents are only checked for equality; a "
        "note states their number.",
        least=1,
        most=2**31 - 1,
    )
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "lcs"
    usual: ClassVar[float] = 0.8
    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="longest common subsequence or substring, as a share of either text",
        paper="Wei 2013 (traditional measures); Hyyro 2004",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time per pair grows with the product of both text lengths / 64. Each document is compared with at "
            "most 128 earlier ones. The number of candidates is nearly quadratic in the number of documents"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    @property
    def candidates(self) -> Join:
        """Join of the multisets of tokens, because every token of a common subsequence is in both."""
        return SetJoin(self.sets_of, self.join_limits(), meet=self.meet, statistics=self.statistics_used)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of the shorter document."""
        return JoinLimits(self.cap, 1, self.floor, self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the multiset of tokens of each document; none for a document that is too long."""
        parts = []
        for index in places(documents.texts):
            docs = kernels.text.names(
                form(self.normalise, self.tokens), documents.texts.take(index), workers=workers
            ).docs
            hashes = kernels.features.ragged_shingles(docs, 1, workers)
            sets = kernels.sets.feature_sets(*hashes, weighted=True, workers=workers)
            parts.append(sets.select_values(np.repeat(docs.lengths <= self.longest, sets.lengths)))
        return concatenate_sets(parts)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find candidate pairs by the join of the sets, with a note on documents that are too long."""
        sets = self.sets_of(documents, workers)
        met = met_by(sets, self.join_limits(), scope, references, workers)
        long = int(((sets.lengths == 0) & (documents.texts.length > self.longest)).sum())
        if not long:
            return met
        message = Message(
            "{:,} documents have more than {:,} tokens; such documents were only checked for equality",
            long,
            self.longest,
        )
        return replace(met, bounded=(*met.bounded, (message, {"documents": long, "longest": self.longest})))

    def _runs(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None
    ) -> tuple[Tokenised, np.ndarray]:
        """Return the tokens, and the longest common passage of each pair, (pairs, 3): left and right position, length; 0 for none."""
        found = kernels.text.tokenise(form(self.normalise, self.tokens), documents.texts, places=True, workers=workers)
        shared = kernels.runs.shared_runs(found.docs, left, right, 1, workers=workers)
        pair = np.repeat(np.arange(len(left)), np.diff(shared.offsets))
        order = np.lexsort((shared.runs[:, 0], -shared.runs[:, 2].astype(np.int64), pair))
        first = order[np.searchsorted(pair[order], np.arange(len(left)))[np.diff(shared.offsets) > 0]]
        out = np.zeros((len(left), 3), np.uint32)
        out[pair[first]] = shared.runs[first]
        return found, out

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the covered shares of both documents, the lesser one, and their tokens; all 0 if one is too long."""
        docs, _ = documents.tokenised(form(self.normalise, self.tokens), workers)
        size = np.where(docs.lengths <= self.longest, docs.lengths, 0)
        a, b = size[left], size[right]
        fit = (a > 0) & (b > 0)
        common = np.zeros(len(left), np.int64)
        if self.measure == "subsequence":
            common[fit] = common_subsequences(docs, left[fit], right[fit])
        else:
            common[fit] = self._runs(documents, left[fit], right[fit], workers)[1][:, 2]
        out = {"covered_left": share(common, a), "covered_right": share(common, b)}
        sizes = {"features_left": a.astype(np.float64), "features_right": b.astype(np.float64)}
        return out | sizes | {"evidence": lesser(out)}

    def passages(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> Spans | None:
        """Return the longest passage of each pair; None if the method compares subsequences, whose passages the engine finds itself."""
        if self.measure == "subsequence":
            return None
        found, runs = self._runs(documents, left, right, workers)
        some = runs[:, 2] > 0
        return spans_of(found, left, right, prefix_sums(some), runs[some])

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the tokens as marks, in order."""
        return (shingles_placed("tokens", form(self.normalise, self.tokens), documents, 1, workers),)
