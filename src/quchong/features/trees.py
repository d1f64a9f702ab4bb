"""Layers of structure trees, and the scores of matching layers of two trees.

Source: Ya 2013; Wei 2007 (正文结构树, 层次比较). Features of a layer are made only for documents of pairs that
got so far: "dynamic, layered".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from quchong import kernels
from quchong.features.layer_filters import LayerFilters, match_filters
from quchong.kernels.hashing import GOLDEN
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.tree import Layer, LayerMatches, Outline

FeaturesOfNodes = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Function from nodes (positions in an outline) to their features: uint64 values, int64 offsets."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Parameters by which layers are compared.

    Args:
        how, share, bits: when nodes match, see `quchong.kernels.tree.match_layers`.
        layer: below this a layer both trees have ends the comparison with 0.
        dice: a layer's score is 2 * matched / (both sizes), else matched / the smaller size.
    """

    how: Literal["share", "filters", "whole"] = "share"
    share: float = 0.0
    bits: int = 1024
    layer: float = 0.3
    dice: bool = False


class Layers:
    """Layers of a batch of structure trees; a layer is all nodes of one depth.

    A layer is a set: nodes of one document and layer with equal features count once, nodes without features not at all.
    `made` counts the nodes whose features were made so far.
    """

    def __init__(self, outline: Outline, features: FeaturesOfNodes, workers: int | None = None) -> None:
        self._outline, self._features, self._workers = outline, features, workers
        self._document = outline.document
        self._known: dict[int, tuple[np.ndarray, Layer]] = {}
        self._filters: dict[int, tuple[Layer, LayerFilters]] = {}
        self.made = 0
        self.height = np.zeros(len(outline), np.int64)
        np.maximum.at(self.height, self._document, outline.depth)

    def __len__(self) -> int:
        return len(self._outline)

    def layer(self, depth: int, documents: np.ndarray) -> Layer:
        """Return the layer at a depth with its nodes' features, complete for the documents of the mask `documents`."""
        known = self._known.get(depth)
        if known is not None and not (documents & ~known[0]).any():
            return known[1]
        wanted = documents if known is None else documents | known[0]
        self.made -= 0 if known is None else len(self._at(depth, known[0]))
        which = self._at(depth, wanted)
        self.made += len(which)
        made = distinct_nodes(*self._features(which), self._document[which], len(self), self._workers)
        self._known[depth] = (wanted, made)
        return made

    def _kept_filters(self, depth: int, layer: Layer) -> LayerFilters:
        """Return the Bloom filters of a layer, one for each document, cached by depth."""
        known = self._filters.get(depth)
        if known is None or known[0] is not layer:
            known = self._filters[depth] = (layer, LayerFilters(layer, self._workers))
        return known[1]

    def _at(self, depth: int, documents: np.ndarray) -> np.ndarray:
        return np.flatnonzero((self._outline.depth == depth) & documents[self._document])

    def match_nodes(
        self, upper: int, lower: int, left: np.ndarray, right: np.ndarray, comparison: Comparison
    ) -> LayerMatches:
        """Match nodes at depth `upper` of left documents with nodes at depth `lower` of right ones; return how many have a partner."""
        of_left, of_right = np.zeros(len(self), bool), np.zeros(len(self), bool)
        of_left[left], of_right[right] = True, True
        if upper == lower:
            of_left |= of_right
            of_right = of_left
        first, second = self.layer(upper, of_left), self.layer(lower, of_right)
        if comparison.how == "whole":
            filters = self._kept_filters(upper, first), self._kept_filters(lower, second)
            return match_filters(*filters, left, right, comparison.bits)
        return kernels.tree.match_layers(
            first, second, left, right, how=comparison.how, least=comparison.share, bits=comparison.bits,
            workers=self._workers,
        )  # fmt: skip


def distinct_nodes(
    values: np.ndarray, offsets: np.ndarray, document: np.ndarray, documents: int, workers: int | None = None
) -> Layer:
    """Build a layer from its nodes: node i has the features values[offsets[i]:offsets[i + 1]] and is of document[i] (ascending).

    Equal nodes of one document are merged.
    """
    sets = kernels.sets.feature_sets(values, offsets, workers=workers)
    keep = np.flatnonzero(sets.lengths > 0)
    if len(keep):
        with np.errstate(over="ignore"):
            mixed = sets.values * GOLDEN
            mixed ^= mixed >> np.uint64(29)
            key = np.add.reduceat(mixed * np.uint64(0xBF58476D1CE4E5B9), sets.offsets[:-1][keep])
            key ^= document[keep].astype(np.uint64) * np.uint64(0x94D049BB133111EB)
        _, first = np.unique(key, return_index=True)
        keep = keep[np.sort(first)]
    mask = np.zeros(len(sets), bool)
    mask[keep] = True
    lengths = sets.lengths[keep]
    return Layer(
        sets.values[np.repeat(mask, sets.lengths)],
        prefix_sums(lengths),
        prefix_sums(np.bincount(document[keep], minlength=documents)),
    )


@dataclass(frozen=True, slots=True)
class TreeScores:
    """Scores of pairs of structure trees, float64 for each pair.

    Attributes:
        score: the layer score. common: number of nodes (features, for filters) that matched in all layers.
        covered_left, covered_right: share of either tree that the other has, its layers weighted as in the score.
    """

    score: np.ndarray
    common: np.ndarray
    covered_left: np.ndarray
    covered_right: np.ndarray


LayerTold = Callable[[int, np.ndarray, np.ndarray, np.ndarray], None]
"""Callback for every layer: its depth, the pairs that reached it, the score of each, and its weight."""


def tree_scores(
    layers: Layers, left: np.ndarray, right: np.ndarray, comparison: Comparison, told: LayerTold | None = None
) -> TreeScores:
    """Return for pairs of structure trees the layer score (weighted share of matched nodes) and both containments.

    Top down: a layer that both have and that scores below `comparison.layer` ends with 0, and deeper layers are not made. A
    layer that only one of them has scores 0 and ends nothing. Weights fall from the greater height to 1.
    """
    height = np.maximum(layers.height[left], layers.height[right])
    total, whole, common = (np.zeros(len(left)) for _ in range(3))
    covered, own = np.zeros((2, len(left))), np.zeros((2, len(left)))
    alive = np.arange(len(left))
    for depth in range(1, int(height.max(initial=0)) + 1):
        alive = alive[height[alive] >= depth]
        if not len(alive):
            break
        found = layers.match_nodes(depth, depth, left[alive], right[alive], comparison)
        both, any_ = (found.of_left > 0) & (found.of_right > 0), (found.of_left > 0) | (found.of_right > 0)
        matched = np.minimum(found.left, found.right)
        if comparison.dice:
            score = np.where(both, _share(2 * matched, found.of_left + found.of_right), 0)
        else:
            score = _share(matched, np.minimum(found.of_left, found.of_right))
        weight = (height[alive] - depth + 1) * any_
        if told is not None:
            told(depth, alive, score, weight)
        total[alive] += weight * score
        whole[alive] += weight
        common[alive] += matched
        for side, (met, of) in enumerate(((found.left, found.of_left), (found.right, found.of_right))):
            covered[side, alive] += weight * _share(met, of)
            own[side, alive] += weight * (of > 0)
        ended = both & (score < comparison.layer)
        total[alive[ended]] = common[alive[ended]] = 0
        covered[:, alive[ended]] = 0
        alive = alive[~ended]
    return TreeScores(_share(total, whole), common, _share(covered[0], own[0]), _share(covered[1], own[1]))


def subtree_scores(
    layers: Layers, small: np.ndarray, large: np.ndarray, comparison: Comparison
) -> tuple[np.ndarray, np.ndarray]:
    """Return how well each small tree fits into its large one at the best depth: layer score, and number of matching nodes.

    The layers of the small tree are compared with those of the large one, shifted by 0, 1, ...; a layer scores the share of the small
    tree's nodes that are found, so that no single subtree of the large one can do better than its whole layer. A layer that is missing
    there, or scores below `comparison.layer`, ends the shift.
    """
    best, matched = np.zeros(len(small)), np.zeros(len(small))
    for shift in range(int(layers.height[large].max(initial=0))):
        pairs = np.flatnonzero(layers.height[small] + shift <= layers.height[large])
        total, whole, common = (np.zeros(len(pairs)) for _ in range(3))
        alive = np.arange(len(pairs))
        for depth in range(1, int(layers.height[small[pairs]].max(initial=0)) + 1):
            alive = alive[layers.height[small[pairs[alive]]] >= depth]
            if not len(alive):
                break
            a, b = small[pairs[alive]], large[pairs[alive]]
            found = layers.match_nodes(depth, depth + shift, a, b, comparison)
            has = found.of_left > 0
            score = np.divide(found.left, found.of_left, out=np.zeros(len(alive)), where=has)
            weight = (layers.height[a] - depth + 1) * has
            total[alive] += weight * score
            whole[alive] += weight
            common[alive] += found.left
            ended = has & (score < comparison.layer)
            total[alive[ended]] = 0
            alive = alive[~ended]
        score = np.divide(total, whole, out=np.zeros(len(pairs)), where=whole > 0)
        better = score > best[pairs]
        best[pairs[better]], matched[pairs[better]] = score[better], common[better]
    return best, matched


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole; 0 if `whole` is 0."""
    out: np.ndarray = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return out
