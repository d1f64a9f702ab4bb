"""Graphs of words: words as nodes, neighbours in a sentence as edges, and similarity of two graphs (词图).

Source: Yang 2003, of which only the abstract was at hand: nodes, edges and their weights are a reconstruction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least
from quchong.features.graphs import edges
from quchong.features.sentences import SentenceTerms
from quchong.features.synonyms import Synonyms
from quchong.features.words import Words
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.coverage import OVERLAP_DECIDED, OverlapMethod
from quchong.methods.bases.ordered_words import WORDS, word_terms
from quchong.methods.bases.papers import BySets
from quchong.parameters import CONTAINMENT, LEAST, MIN_FEATURES, MOST, STOP_WORDS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, JoinLimits, Traits
from quchong.similarity.coverage import set_coverage, share


@dataclass(frozen=True, slots=True)
class Graph(BySets, OverlapMethod):
    """Method on word graphs: the share of common words, and of common pairs of neighbouring words.

    Words that a table lists as synonyms are one node, so that a light paraphrase keeps its graph.
    """

    threshold: float | None = THRESHOLD(
        None,
        "lowest similarity at which two texts are duplicates: nodes * Jaccard of nodes + (1 - nodes) * Jaccard "
        "of edges. Each occurrence of a node or an edge is counted.",
    )
    containment: float | None = CONTAINMENT(
        None,
        "minimum share of a document's edges that another must have to contain it; if both documents reach "
        "this share, they are duplicates.",
    )
    least: float | None = LEAST(None, "lowest share of a document's edges at which a pair is listed as partial.")
    most: int = MOST(128)

    nodes: float = parameter(
        0.3,
        "weight of the nodes in the similarity, from 0 to 1; the rest is the weight of the edges.",
        least=0,
        below=1,
    )
    window: int = parameter(
        2,
        "size of a window in words: two words of a sentence are neighbours if a window contains both; with 2, only the "
        "next word is a neighbour.",
        least=2,
        most=100,
    )
    directed: bool = parameter(
        True, "True if an edge leads from the earlier word to the later one; False if edges have no direction."
    )
    synonyms: str | None = parameter(
        None,
        "groups of words that are treated as one word: 汽车=轿车,买=购买, or a UTF-8 file with one group per line.",
    )
    tokens: str = WORDS("word")
    stop_words: str = STOP_WORDS(
        "standard", 'words that are left out (see `quchong.features.stopwords`); "none" leaves out no word.'
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer edges than this are not compared.")

    name: ClassVar[str] = "graph"
    usual: ClassVar[float] = 0.5
    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.3
    traits: ClassVar[Traits] = Traits(
        title="graphs of words, in which neighbours in a sentence are joined by edges; synonyms are one node",
        paper="Yang 2003",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows with the product of text length and window size. Chinese is split into words with a "
            "dictionary. Candidate pairs are found with an index of edges. Each document is compared with at "
            "most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read synonyms given as a file."""
        OverlapMethod.check(self)
        self.terms  # noqa: B018 - raises
        if self.limit <= self.nodes:
            raise UsageError(
                "{} must be above {} ({:g}), got {:g}: otherwise the same words in any order would make duplicates",
                Param("threshold"),
                Param("nodes"),
                self.nodes,
                self.limit,
            )
        if self.synonyms is not None:
            object.__setattr__(self, "synonyms", str(Synonyms.parse(self.synonyms)))

    @property
    def terms(self) -> SentenceTerms:
        """Settings by which texts become sentences of words."""
        return word_terms(self.normalise, self.tokens, self.stop_words)

    def words(self, documents: Documents, workers: int | None = None) -> Words:
        """Return the words of each document in order, synonyms replaced by their first word."""
        words = Words.from_texts(documents.texts, self.terms, workers)
        if not self.synonyms:
            return words
        return Words(
            Synonyms.parse(self.synonyms).replace_hashes(words.values, self.terms), words.sentence, words.offsets
        )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of edges that an accepted pair has, of the document with fewer.

        For a duplicate the edges' Jaccard is at least j = (threshold - nodes) / (1 - nodes), even if all nodes are common, so that the
        shared edges are at least 2 j / (1 + j) of the smaller number; for a listed pair they are at least `least`.
        """
        j = (self.limit - self.nodes) / (1 - self.nodes)
        return JoinLimits(self.cap, 1, min(self.floor, 2 * j / (1 + j)), self.most)

    def _edges(self, words: Words, workers: int | None) -> FeatureSets:
        found = edges(words, self.window, self.directed)
        sets = kernels.sets.feature_sets(*found, weighted=True, workers=workers)
        return at_least(sets, np.diff(found[1]), self.min_features)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the edges of each document with their frequencies."""
        return self._edges(self.words(documents, workers), workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the similarity, the shares of edges, and the number of edges of each document."""
        words = self.words(documents, workers)
        between = self._edges(words, workers)
        alone = kernels.sets.feature_sets(words.values, words.offsets, workers=workers)
        out = set_coverage(between, left, right, jaccard=True, workers=workers)
        common = kernels.sets.shared_sets(alone, left, right, workers)[0].astype(np.float64)
        a, b = (alone.lengths[side] for side in (left, right))
        likeness = self.nodes * share(common, a + b - common) + (1 - self.nodes) * out["evidence"]
        return out | {"evidence": np.where(out["evidence"] > 0, likeness, 0.0)}
