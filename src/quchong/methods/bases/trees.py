"""Base class of methods on structure trees: titles, then keywords, then layers (正文结构树).

Source: Ya 2013; Wei 2007; Huang 2010. The order of the steps follows the headings of chapter 4 in the table of
contents: the text at hand does not have the chapter's flow. All figures are reconstructions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from quchong import kernels
from quchong.features.located_features import terms_placed
from quchong.features.placed_trees import Lines
from quchong.features.statistics import FeatureStatistics
from quchong.features.trees import Comparison, Layers, LayerTold, subtree_scores, tree_scores
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items, prefix_sums
from quchong.kernels.tree import Keywords, Outline
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.methods.bases.rules import PaperRule
from quchong.methods.bases.terms import TermCount, concat_ragged, idf_table, known_terms, outline_of, outlines
from quchong.parameters import CAP, MIN_SHARED, MOST, STATISTICS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE
from quchong.seam import Documents, Gate, JoinLimits, Marks, Measures, Sight, Statistics, TextValues
from quchong.similarity.coverage import share
from quchong.similarity.paper_rules import size_ratio, smaller_inside
from quchong.text import form

PART = 0.5
"""Largest ratio of nodes at which a tree may be a part of another."""
FEW = 3
"""Trees of this many nodes or fewer have no subtree: the same words may be one paragraph in one text and three in the other."""


@dataclass(frozen=True, slots=True)
class TreeRule(PaperRule):
    """Rule of structure trees: trees whose layers reach the limit are duplicates if both are covered alike.

    A layer's score is that of the smaller layer, which a half of an article reaches as well as a copy: the larger tree must
    be covered as the smaller one is, up to the limit (docs/decisions/0027). Of trees of very different size the smaller one
    is contained, whatever its layers.

    Attributes:
        subtree: True if a tree of at most half the nodes is a part of the larger one.
    """

    subtree: bool = True

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation of each pair: duplicate if both trees are covered alike, else contained."""
        left, right = measures["covered_left"], measures["covered_right"]
        both = np.minimum(left, right) >= self.limit * np.maximum(left, right)
        out = np.select([both, left > right], [DUPLICATE, CONTAINED_IN], CONTAINS).astype(object)
        part = self.subtree & (size_ratio(measures) <= PART)
        relations: np.ndarray = np.where(part, smaller_inside(measures), out).astype(object)
        return relations


@dataclass(frozen=True, slots=True)
class TreeMethod(BySets, PaperMethod):
    """Base class of methods on structure trees; subclasses define the features of a node."""

    threshold: float | None = THRESHOLD(
        None, "lowest layer score at which two trees are duplicates, or one tree is part of the other."
    )

    layer: float = parameter(
        0.3,
        ("minimum score of a layer, if both trees have the layer; the comparison ends at a layer with a lower score."),
        least=0,
        most=1,
    )
    measure: str = parameter(
        "overlap",
        'score of a layer. "overlap": matched nodes / the smaller number of nodes. "dice": 2 * matched nodes / '
        "nodes of both trees.",
        choices=("overlap", "dice"),
    )
    min_shared: int = MIN_SHARED(
        2,
        "number of nodes (or features) that must match in two trees. If the trees have similar sizes and the "
        "smaller one has fewer nodes, all nodes of the smaller one must match.",
    )
    subtree: bool = parameter(
        True,
        "True to find pages that were split: a tree with at most half the nodes of a larger tree (of more than "
        "3 nodes) is also searched for inside that tree, at every depth.",
    )
    title: float = parameter(
        0.8,
        "lowest similarity of titles (Dice of character pairs) at which the layers are compared.",
        above=0,
        most=1,
    )
    keyword: float = parameter(
        0.5,
        "lowest overlap of keyword sets at which the layers are compared although the titles are not similar.",
        above=0,
        most=1,
    )
    keywords: int = parameter(
        10, "number of keywords of a document, besides the terms of its title.", least=1, most=2**31 - 1
    )
    statistics: str | Path | FeatureStatistics | None = STATISTICS(
        None,
        "document frequencies of terms for tf * idf: a file written by `quchong statistics` or "
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts without "
        "exact copies.",
    )
    cap: int = CAP(500)
    most: int = MOST(128)

    usual: ClassVar[float] = 0.6
    keyed: ClassVar[bool] = False
    """True if the features of nodes depend on keywords."""
    index_shared: ClassVar[int] = 1
    """Least number of features that two documents must share to be candidates."""
    opened: ClassVar[bool] = False
    """True if parts of larger trees also need similar titles or keywords, because node features alone are no evidence."""

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if self.statistics is not None:
            object.__setattr__(self, "statistics", known_terms(self.statistics, self.normalise))

    @property
    def comparison(self) -> Comparison:
        """Parameters by which layers are compared."""
        return Comparison(layer=self.layer, dice=self.measure == "dice")

    @property
    def cuts(self) -> int:
        """Marks that end a sentence in addition to the terminators, as bits; none by default."""
        return 0

    def nodes(self, outline: Outline, keywords: Keywords, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the features of the nodes `which`, given as indices: uint64 values, and the int64 offsets of each node's values."""
        raise NotImplementedError

    def with_counts(self, documents: Documents, workers: int | None = None) -> Self:
        """Return the method with frequencies of terms (and marks) counted on these documents; unchanged if they were given."""
        count = TermCount(self.normalise)
        marks = np.zeros(len(kernels.tree.MARKS), np.int64)
        for _, outline in outlines(documents, self.normalise, workers):
            count.add(outline, workers)
            marks += outline.mark_counts.sum(0)
        return self.with_marks(replace(self, statistics=count.total()), marks)

    def with_marks(self, method: Self, marks: np.ndarray) -> Self:
        """Return the method with parameters taken from `marks`, the number of each class of marks in the corpus; most methods take none."""
        return method

    def keywords_of(self, outline: Outline, wanted: np.ndarray | None = None) -> Keywords:
        """Return the keywords of each document, or of the documents of the mask."""
        known = self.statistics if isinstance(self.statistics, FeatureStatistics) else None
        return outline.keywords(idf_table(known), self.keywords, wanted)

    def _keywords_of_nodes(self, outline: Outline) -> Keywords:
        """Return the keywords of documents if the features of nodes depend on them, else none."""
        return self.keywords_of(outline, None if self.keyed else np.zeros(len(outline), bool))

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least number of shared node features, and their least share of the smaller set."""
        return JoinLimits(self.cap, self.index_shared, self.index_share, self.most)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of terms, and marks where features need them."""
        return corpus_statistics(self.statistics, "document frequencies of terms", self.with_counts)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the node features of each document as one set, by which candidates are found; with `subtree` off only of depth 1."""
        parts = []
        for _, outline in outlines(documents, self.normalise, workers, cuts=self.cuts):
            which = self._indexed(outline)
            values, offsets = self.nodes(outline, self._keywords_of_nodes(outline), which)
            ends = np.searchsorted(which, outline.documents)
            parts.append((values, offsets[ends]))
        return kernels.sets.feature_sets(*concat_ragged(parts), workers=workers)

    @property
    def index_share(self) -> float:
        """Share of the smaller feature set that two documents must have in common to be candidates."""
        return max(self.layer, 0.01)

    def _indexed(self, outline: Outline) -> np.ndarray:
        return np.arange(len(outline.depth)) if self.subtree else np.flatnonzero(outline.depth == 1)

    def opens(self, outline: Outline, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs to compare in full, because titles are similar (标题匹配) or else keywords are (关键词匹配)."""
        titles = kernels.sets.feature_sets(*outline.title_pairs())
        out = reaches_coefficient(titles, left, right, self.title, dice=True)
        rest = np.flatnonzero(~out)
        wanted = np.zeros(len(outline), bool)
        wanted[left[rest]] = wanted[right[rest]] = True
        best = best_keywords(self.keywords_of(outline, wanted))
        out[rest] = reaches_coefficient(best, left[rest], right[rest], self.keyword, dice=False)
        return out

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the layer score of each pair, the nodes of both trees, and the share of each in the other."""
        return self._compared(documents, left, right, workers)

    def _compared(
        self,
        documents: Documents,
        left: np.ndarray,
        right: np.ndarray,
        workers: int | None,
        told: LayerTold | None = None,
    ) -> dict[str, np.ndarray]:
        outline = outline_of(documents, self.normalise, workers, cuts=self.cuts)
        keywords = self._keywords_of_nodes(outline)
        layers = Layers(outline, lambda which: self.nodes(outline, keywords, which), workers)
        a, b = outline.sizes[left], outline.sizes[right]
        open_ = self.opens(outline, left, right)
        part = self.subtree & (np.minimum(a, b) <= PART * np.maximum(a, b)) & (np.maximum(a, b) > FEW)
        score, common, covered_left, covered_right = (np.zeros(len(left)) for _ in range(4))
        whole = np.flatnonzero(open_ & ~part)
        found = tree_scores(layers, left[whole], right[whole], self.comparison, told)
        score[whole], common[whole] = found.score, found.common
        covered_left[whole], covered_right[whole] = found.covered_left, found.covered_right
        parts = np.flatnonzero(part & (open_ | (not self.opened)))
        turned = a[parts] > b[parts]
        small, large = np.where(turned, right[parts], left[parts]), np.where(turned, left[parts], right[parts])
        score[parts], common[parts] = subtree_scores(layers, small, large, self.comparison)
        of_large = score[parts] * outline.sizes[small] / np.maximum(1, outline.sizes[large])
        covered_left[parts] = np.where(turned, of_large, score[parts])
        covered_right[parts] = np.where(turned, score[parts], of_large)
        need = np.where(part | self.opened, self.min_shared, np.minimum(self.min_shared, np.minimum(a, b)))
        score[common < need - 0.5] = 0  # a filter's estimate is no whole number
        return {
            "evidence": score, "features_left": a.astype(np.float64), "features_right": b.astype(np.float64),
            "covered_left": covered_left, "covered_right": covered_right,
        }  # fmt: skip

    def sentence_values(self, trees: Outline) -> tuple[np.ndarray, np.ndarray]:
        """Return the features of single sentences, given as trees of one sentence each: uint64 values, int64 offsets."""
        return trees.long_sentences(np.arange(len(trees.depth)))

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the title, keywords, tree and sentences that the method sees of each document."""
        how = form(self.normalise)
        trees = outline_of(documents, self.normalise, workers, cuts=self.cuts)
        keywords = self.keywords_of(trees)
        values, offsets = self.nodes(trees, self._keywords_of_nodes(trees), np.arange(len(trees.depth)))
        known = kernels.sets.feature_sets(values, offsets[trees.documents], workers=workers)
        lines = Lines.from_trees(trees, how, documents, workers)
        made, has = lines.values(how, self.cuts, self.sentence_values, workers)
        sentences = lines.marks(self.sentences_called, trees, made, has).kept_by(known)
        sentences = replace(sentences, counted=sentences.counted & has)
        best = best_keywords(keywords)
        terms = terms_placed(how, documents, best, workers)
        words = _best_keywords(terms, keywords, lines.texts)
        return (
            TextValues("title", tuple(documents.column("title").to_pylist())),
            TextValues("keywords", words),
            lines.tree(trees, np.diff(offsets) > 0),
            sentences,
        )

    @property
    def sentences_called(self) -> str:
        """Key of the displayed name of the sentences that count."""
        return f"sentences.{self.name}"

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of titles, keywords, every layer that was compared, and the layer score."""
        left, right = np.array([0]), np.array([1])
        trees = outline_of(documents, self.normalise, workers, cuts=self.cuts)
        titles = kernels.sets.feature_sets(*trees.title_pairs())
        by_title = bool(reaches_coefficient(titles, left, right, self.title, dice=True)[0])
        out = [Gate("title", likeness(titles, left, right, dice=True)[0].item(), self.title, by_title)]
        if not by_title:
            best = best_keywords(self.keywords_of(trees))
            passed = bool(reaches_coefficient(best, left, right, self.keyword, dice=False)[0])
            out.append(Gate("keywords", likeness(best, left, right, dice=False)[0].item(), self.keyword, passed))

        def add_gate(depth: int, pairs: np.ndarray, score: np.ndarray, weight: np.ndarray) -> None:
            if len(pairs) and weight[0]:
                out.append(Gate(f"layer {depth}", float(score[0]), self.layer, bool(score[0] >= self.layer)))

        self._compared(documents, left, right, workers, add_gate)
        return (*out, *PaperMethod.rule_gates(self, documents, measures, workers))

    @property
    def rule(self) -> TreeRule:
        """Rule of the layer score and the shares of both trees."""
        return self.rule_of(TreeRule, subtree=self.subtree)


def best_keywords(keywords: Keywords) -> FeatureSets:
    """Return the best keywords of each document as sets, without title terms that are not among them."""
    lengths = np.diff(keywords.offsets)
    place = positions_in_items(lengths)
    values = keywords.values[place < np.repeat(keywords.best, lengths)]
    return kernels.sets.feature_sets(values, prefix_sums(keywords.best))


def reaches_coefficient(
    sets: FeatureSets, left: np.ndarray, right: np.ndarray, least: float, *, dice: bool
) -> np.ndarray:
    """Return a mask of the pairs whose Dice coefficient (`dice`), or else overlap coefficient, is at least `least`."""
    if least == 0:
        return np.ones(len(left), bool)
    shared, size = _shared(sets, left, right, dice=dice)
    mask: np.ndarray = (shared > 0) & (shared >= least * size - 1e-9)
    return mask


def likeness(sets: FeatureSets, left: np.ndarray, right: np.ndarray, *, dice: bool) -> np.ndarray:
    """Return the Dice or overlap coefficient of pairs of sets, float64; 0 if either is empty."""
    return share(*_shared(sets, left, right, dice=dice))


def _shared(sets: FeatureSets, left: np.ndarray, right: np.ndarray, *, dice: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return for each pair the size of the intersection, and the size by which Dice (`dice`) or overlap divides it."""
    _, shared = kernels.sets.shared_sets(sets, left, right)
    a, b = sets.lengths[left], sets.lengths[right]
    return shared, (a + b) / 2 if dice else np.minimum(a, b)


def _best_keywords(terms: Marks, keywords: Keywords, texts: list[str]) -> tuple[str | None, ...]:
    """Return the best keywords of each document in order, as first written in its text; those of the title alone are omitted."""
    out: list[str | None] = []
    for d, text in enumerate(texts):
        here = terms.rows_of(d)
        stands = {v: text[a:b] for v, (a, b) in
                  zip(terms.values[here].tolist()[::-1], terms.places[here].tolist()[::-1], strict=True)}  # fmt: skip
        best = keywords.values[keywords.offsets[d] : keywords.offsets[d] + keywords.best[d]].tolist()
        out.append("、".join(stands[v] for v in best if v in stands) or None)
    return tuple(out)
