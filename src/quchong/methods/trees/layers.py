"""Structure trees compared layer by layer: by longest sentences (基于正文结构树和长句提取), by sentences with keywords
(基于正文结构树和关键句), and by the first and last characters of sentences (基于正文结构树和特征串, 首尾汉字).

Source: Huang 2010, the baseline of Ya 2013; Ya 2013, chapters 3 and 4. The features of chapter 4 are small on purpose: whatever
changes inside a sentence leaves its first and last character alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import capped_note
from quchong.errors import Param, UsageError
from quchong.features.trees import Comparison
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sorting import distinct
from quchong.kernels.tree import MARKS, Keywords, Outline
from quchong.methods.bases.terms import concat_ragged, outlines
from quchong.methods.bases.trees import TreeMethod, best_keywords
from quchong.parameters import parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT
from quchong.seam import Documents, Join, Meetings, Search, Traits, UnitedSets

USUAL_MARKS = "，。、"
"""High-frequency marks used if there is no corpus to count."""


@dataclass(frozen=True, slots=True)
class TreeLongSentence(TreeMethod):
    """Method on structure trees: nodes match if they share a longest sentence, letter for letter except figures and marks."""

    sentences: int = parameter(1, "number of sentences taken from a node, the longest first.", least=1, most=2**31 - 1)
    more_from: int = parameter(0, "a node with more characters than this gets one more sentence; 0: never.", least=0)
    least: int = parameter(1, "minimum number of characters of a sentence that is compared.", least=1)

    name: ClassVar[str] = "tree-long-sentence"
    rule_name: ClassVar[str] = "layers of long sentences"
    traits: ClassVar[Traits] = Traits(
        title="structure tree, longest sentence of each paragraph, layer by layer",
        paper="Huang 2010; Ya 2013",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 128 earlier ones. All nodes of a "
            "pair are compared"
        ),
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
        needs=("title", "blocks"),
    )

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return hashes of the longest sentences of the nodes `which`: uint64 values, and int64 offsets of each node's values."""
        return outline.long_sentences(which, self.sentences, self.more_from, self.least)


@dataclass(frozen=True, slots=True)
class TreeKeySentence(TreeMethod):
    """Method on structure trees: nodes match if they share enough key sentences, whose number grows with the node's length."""

    rate: int = parameter(20, "number of characters of a node per key sentence.", least=1)
    share: float = parameter(
        0.5, "minimum share of the smaller node's key sentences that both nodes must have.", above=0, most=1
    )

    name: ClassVar[str] = "tree-key-sentence"
    keyed: ClassVar[bool] = True
    index_shared: ClassVar[int] = 2
    rule_name: ClassVar[str] = "layers of key sentences"
    traits: ClassVar[Traits] = Traits(
        title="structure tree, sentences with keywords of each paragraph, layer by layer",
        paper="Ya 2013, chapter 3",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the text length. Document frequencies are counted first. The number of "
            "pairs grows with the sum of the squared posting-list lengths, but each document is compared with at "
            "most 128 earlier ones. All nodes of a pair are compared"
        ),
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
        needs=("title", "blocks"),
    )

    @property
    def comparison(self) -> Comparison:
        """Parameters of the comparison: nodes need a common share of their sentences."""
        return Comparison(share=self.share, layer=self.layer, dice=self.measure == "dice")

    @property
    def index_share(self) -> float:
        """Share of the smaller feature set required of candidates; low, because few nodes may contain most sentences."""
        return max(self.layer / 3, 0.01)

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return hashes of the key sentences of the nodes `which`: uint64 values, and int64 offsets of each node's values."""
        return outline.key_sentences(which, keywords, self.rate)


@dataclass(frozen=True, slots=True)
class TreeFeatureString(TreeMethod):
    """Method on structure trees: layers match by Bloom filters of the first and last characters of their sentences."""

    marks: str | None = parameter(
        None,
        "high-frequency marks (高频标点), from `quchong.kernels.tree.MARKS`: only sentences with such a mark are "
        "used. None: the fewest marks that make up `coverage` of all marks of the corpus.",
    )
    coverage: float = parameter(0.8, "share of all marks that the high-frequency marks make up.", above=0, most=1)
    unit: str = parameter(
        "sentence",
        "text whose beginning and end are compared: a sentence, or a clause between high-frequency marks.",
        choices=("sentence", "clause"),
    )
    filters: str = parameter(
        "layer",
        'what gets a Bloom filter: each "layer" of a tree, or each "node". With "node", two nodes match '
        "if they share at least half.",
        choices=("layer", "node"),
    )
    bits: int = parameter(
        1024,
        "number of bits of a filter, a power of two. A layer that would set half of the bits gets a larger filter.",
        least=64,
    )

    name: ClassVar[str] = "tree-feature-string"
    rule_name: ClassVar[str] = "layers of feature strings"
    opened: ClassVar[bool] = True
    traits: ClassVar[Traits] = Traits(
        title="structure tree, beginnings and ends of sentences, Bloom filters of layers",
        paper="Ya 2013, chapter 4",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the text length. Document frequencies are counted first. The number of "
            "pairs grows with the sum of the squared posting-list lengths of titles and keywords, but each "
            "document is compared with at most 256 earlier ones. Each layer has one Bloom filter"
        ),
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
        needs=("title", "blocks"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        TreeMethod.check(self)
        if self.marks is not None and (not self.marks or set(self.marks) - set(MARKS)):
            raise UsageError("{} must be one or more of {}, got {!r}", Param("marks"), MARKS, self.marks)
        if self.bits & (self.bits - 1):
            raise UsageError("{} must be a power of two, got {}", Param("bits"), self.bits)

    @property
    def comparison(self) -> Comparison:
        """Parameters of the comparison of layers, or of their nodes, by filters."""
        how = ("whole", 0.0) if self.filters == "layer" else ("filters", 0.5)
        return Comparison(*how, self.bits, self.layer, self.measure == "dice")  # type: ignore[arg-type]

    @property
    def _marked(self) -> int:
        return sum(1 << MARKS.index(c) for c in self.marks or USUAL_MARKS)

    @property
    def cuts(self) -> int:
        """High-frequency marks as bits, each of which ends a clause; 0 where sentences are compared."""
        return self._marked if self.unit == "clause" else 0

    def with_marks(self, method: Self, marks: np.ndarray) -> Self:
        """Return the method with the high-frequency marks of the corpus."""
        if self.marks is not None:
            return method
        return replace(method, marks=frequent_marks(marks, self.coverage))

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return hashes of the first and last characters of the sentences of the nodes `which`: uint64 values, int64 offsets."""
        return outline.head_tails(which, self._marked)

    def sentence_values(self, trees: Outline) -> tuple[np.ndarray, np.ndarray]:
        """Return hashes of the first and last character of each sentence with a high-frequency mark."""
        return trees.head_tails(np.arange(len(trees.depth)), self._marked)

    @property
    def candidates(self) -> Join:
        """Search by two indexes, of titles and of keywords."""
        opening = UnitedSets(self.opening_sets, (self.title, self.keyword), (True, False), self.cap, 2 * self.most)
        return Search(self.meet, self.cap, self.statistics_used, opening)

    def opening_sets(self, documents: Documents, workers: int | None = None) -> tuple[FeatureSets, FeatureSets]:
        """Return the sets that open the comparison of layers: character pairs of titles, and the best keywords."""
        titles, keys = [], []
        for _, outline in outlines(documents, self.normalise, workers):
            titles.append(outline.title_pairs())
            best = best_keywords(self.keywords_of(outline))
            keys.append((best.values, best.offsets))
        one, other = (kernels.sets.feature_sets(*concat_ragged(parts), workers=workers) for parts in (titles, keys))
        return one, other

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find candidate pairs: documents with similar titles or keywords, by inverted indexes of both, that share at least two features.

        Features are computed only for documents with such a partner.
        """
        unseen = np.ones(len(documents), bool)
        left = right = np.zeros(0, np.int64)
        notes: tuple[tuple[str, dict[str, int]], ...] = ()
        for sets, least, dice in zip(
            self.opening_sets(documents, workers), (self.title, self.keyword), (True, False), strict=True
        ):
            unseen &= sets.lengths == 0
            met = kernels.sets.meet_sets(
                sets, least / (2 - least) if dice else least, jaccard=dice, cap=self.cap, scope=scope,
                references=references, most=self.most, workers=workers,
            )  # fmt: skip
            left, right = np.concatenate([left, met.left]), np.concatenate([right, met.right])
            notes += capped_note(met.capped, met.largest, self.cap) + self.join_limits().notes(met.bounded)
        pairs = distinct(left * len(documents) + right)
        left, right = np.divmod(pairs, max(1, len(documents)))
        met_docs, index = np.unique(np.concatenate([left, right]), return_inverse=True)
        strings = []
        for _, outline in outlines(documents.take(met_docs), self.normalise, workers, cuts=self.cuts):
            values, offsets = outline.head_tails(np.arange(len(outline.depth)), self._marked)
            strings.append((values, offsets[outline.documents]))
        sets = kernels.sets.feature_sets(*concat_ragged(strings), workers=workers)
        _, shared = kernels.sets.shared_sets(sets, index[: len(left)], index[len(left) :], workers)
        enough = shared >= self.min_shared
        return Meetings(left[enough], right[enough], notes, unseen)


def frequent_marks(counts: np.ndarray, coverage: float) -> str:
    """Return the fewest classes of marks that make up the share `coverage` of all marks; USUAL_MARKS if none were counted."""
    order = np.argsort(-counts, kind="stable")
    share = np.cumsum(counts[order])
    if not share[-1]:
        return USUAL_MARKS
    return "".join(MARKS[i] for i in order[: int(np.searchsorted(share, coverage * share[-1])) + 1])
