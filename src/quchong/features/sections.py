"""Documents as trees of sections with the words of each, and comparison of two trees from the top down.

Source: Si 1997 (CHECK). The trees are those of `quchong.kernels.tree`, the document itself as their root.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.features.lines import line_ends, lines_of_tokens
from quchong.features.sentences import Sentences, Terms
from quchong.features.text_offsets import place_keys
from quchong.features.words import best_words
from quchong.kernels.arrays import FeatureSets, Texts
from quchong.kernels.offsets import batches_by_cost, positions_in_items, prefix_sums
from quchong.kernels.sets import Vectors
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form
from quchong.kernels.tree import Outline

BLOCK = 1 << 21
"""Most pairs of nodes, or of sentences, compared at once."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Section trees of documents; document d owns nodes offsets[d]:offsets[d + 1], of which the first is its root.

    Attributes:
        offsets: int64, one more than there are documents.
        children, child_offsets: int64: the nodes below node i are children[child_offsets[i]:child_offsets[i + 1]].
        keywords: the best words of each node, those of all nodes below it among them.
        vectors: the same words with their frequencies, of length 1.
        own, own_offsets: int64: the sentences of the node itself, as indices in `sentences`.
        sentences: sentences of all documents.
        words: the distinct words of each sentence.
        distinct: int64 a document: its distinct words.
    """

    offsets: np.ndarray
    children: np.ndarray
    child_offsets: np.ndarray
    keywords: FeatureSets
    vectors: Vectors
    own: np.ndarray
    own_offsets: np.ndarray
    sentences: Sentences
    words: FeatureSets
    distinct: np.ndarray

    @staticmethod
    def from_outline(
        texts: Texts,
        outline: Outline,
        form: Form,
        found: tuple[Sentences, Terms],
        keywords: int,
        workers: int | None = None,
    ) -> Sections:
        """Build the section trees of documents.

        Args:
            outline, form: their structure trees, and the form these were made in.
            found: their sentences, and the words of these.
            keywords: number of keywords of a node.

        Cost: O(words * depth).
        """
        sentences, terms = found
        n = len(outline)
        offsets = outline.documents + np.arange(n + 1)
        parent = _parents(outline, offsets)
        node = _nodes_of(texts, outline, form, sentences, offsets, workers)
        order = np.argsort(node, kind="stable")
        counted = _subtree_words(terms, node, parent, workers)
        kept = best_words(counted, counted.weights.astype(np.float64), keywords)
        weight = counted.weights[_places(counted, kept)].astype(np.float64)
        below = np.flatnonzero(parent >= 0)
        below = below[np.argsort(parent[below], kind="stable")]
        counts = np.bincount(terms.sentence, minlength=len(sentences.start))
        words = kernels.sets.feature_sets(terms.value, _ends(counts), workers=workers)
        return Sections(
            offsets, below, _ends(np.bincount(parent[below], minlength=len(parent))), kept,
            kernels.sets.unit_vectors(kept.values, weight, kept.offsets),
            order, _ends(np.bincount(node, minlength=len(parent))), sentences, words, counted.lengths[offsets[:-1]],
        )  # fmt: skip

    @property
    def roots(self) -> np.ndarray:
        """Root of each document, int64."""
        return self.offsets[:-1]


@dataclass(frozen=True, slots=True)
class Matched:
    """Matching sentences of pairs of documents: pair and both sentences of each match (int64).

    `compared` is the number of sentence pairs compared for each pair of documents (int64).
    """

    pair: np.ndarray
    left: np.ndarray
    right: np.ndarray
    compared: np.ndarray


def compare_sections(
    s: Sections, left: np.ndarray, right: np.ndarray, *, root: float, inner: float, share: float, least: int,
    workers: int | None = None,
) -> Matched:  # fmt: skip
    """Compare pairs of trees from the top down; children of two nodes are compared only if the nodes are similar.

    Args:
        root, inner: cosine of two roots, and of two nodes below them, at or above which they are alike. A root of 0 is like any.
        share: words in common / the larger number of words, at or above which two sentences match.
        least: sentences with fewer distinct words match nothing.

    For two similar nodes their own sentences are compared, then all children of one with all children of the other; a childless node is
    compared itself. Cost: at worst the product of the numbers of nodes.
    """
    out = [np.zeros((0, 3), np.int64)]
    compared = np.zeros(len(left), np.int64)
    spoken = s.words.lengths >= least
    nodes = np.diff(s.offsets)
    for piece in batches_by_cost(nodes[left] * nodes[right], BLOCK):
        pair, a, b, limit = piece, s.roots[left[piece]], s.roots[right[piece]], root
        while len(pair):
            alike = kernels.sets.dots(s.vectors, a, b, workers) >= limit - 1e-9
            pair, a, b, limit = pair[alike], a[alike], b[alike], inner
            for some in batches_by_cost(_products(s.own_offsets, a, b), BLOCK):
                at, i, j = _crossed(pair[some], s.own, s.own_offsets, a[some], b[some])
                both = spoken[i] & spoken[j]
                at, i, j = at[both], i[both], j[both]
                compared += np.bincount(at, minlength=len(left))
                common = kernels.sets.shared_sets(s.words, i, j, workers)[1]
                same = common >= share * np.maximum(s.words.lengths[i], s.words.lengths[j]) - 1e-9
                out.append(np.stack([at[same], i[same], j[same]], 1))
            pair, a, b = _below(s, pair, a, b)
    found = np.unique(np.concatenate(out), axis=0)
    return Matched(found[:, 0], found[:, 1], found[:, 2], compared)


def _below(s: Sections, pair: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of children of the paired nodes a and b; a childless node stands for itself, unless both are."""
    below = np.diff(s.child_offsets)
    more = (below[a] > 0) | (below[b] > 0)
    pair, a, b = pair[more], a[more], b[more]
    n = len(s.child_offsets) - 1
    # A childless node gets a list of one, itself, after the lists of children.
    lists = np.concatenate([s.children, np.arange(n)])
    start = np.where(below > 0, s.child_offsets[:-1], len(s.children) + np.arange(n))
    count = np.maximum(below, 1)
    return _pairs_of(pair, lists, start, count, a, b)


def _crossed(
    pair: np.ndarray, lists: np.ndarray, offsets: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return _pairs_of(pair, lists, offsets[:-1], np.diff(offsets), a, b)


def _pairs_of(
    pair: np.ndarray, lists: np.ndarray, start: np.ndarray, count: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all combinations of an element of a's list with an element of b's list, with their pair."""
    n = count[a] * count[b]
    row = np.repeat(np.arange(len(a)), n)
    within = positions_in_items(n)
    wide = count[b][row]
    return (
        pair[row],
        lists[start[a][row] + within // np.maximum(wide, 1)],
        lists[start[b][row] + within % np.maximum(wide, 1)],
    )


def _products(offsets: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    count = np.diff(offsets)
    out: np.ndarray = count[a] * count[b]
    return out


def _ends(counts: np.ndarray) -> np.ndarray:
    return prefix_sums(counts)


def _places(whole: FeatureSets, part: FeatureSets) -> np.ndarray:
    """Return the position of each value of `part` in `whole`, which contains all of them."""
    numbers = distinct(whole.values)
    key = whole.document * len(numbers) + np.searchsorted(numbers, whole.values)
    return np.searchsorted(key, part.document * len(numbers) + np.searchsorted(numbers, part.values))


def _parents(outline: Outline, offsets: np.ndarray) -> np.ndarray:
    """Return the parent of each node, -1 for roots."""
    parent = np.full(int(offsets[-1]), -1, np.int64)
    root = offsets[:-1][outline.document]
    place = np.arange(len(outline.depth)) + outline.document + 1
    parent[place] = root + 1 + outline.parent  # -1 is the root
    return parent


def _subtree_words(terms: Terms, node: np.ndarray, parent: np.ndarray, workers: int | None) -> FeatureSets:
    """Return the words of each node and all nodes below it, with their frequencies."""
    at, value = node[terms.sentence], terms.value
    values, nodes = [value], [at]
    while len(at):
        up = parent[at]
        value, at = value[up >= 0], up[up >= 0]
        values.append(value)
        nodes.append(at)
    flat, of = np.concatenate(values), np.concatenate(nodes)
    order = np.argsort(of, kind="stable")
    return kernels.sets.feature_sets(
        flat[order], _ends(np.bincount(of, minlength=len(parent))), weighted=True, workers=workers
    )


def _nodes_of(
    texts: Texts, outline: Outline, form: Form, sentences: Sentences, offsets: np.ndarray, workers: int | None
) -> np.ndarray:
    """Return the node of each sentence: that of the line in which it begins; the title's sentence belongs to the root."""
    found = kernels.text.tokenise(form, texts, places=True, workers=workers)
    end, counts = line_ends(texts)
    of_token = lines_of_tokens(end, found)
    tokens = np.bincount(of_token, minlength=len(end))
    said = np.flatnonzero(tokens > 0)
    node = _numbered(tokens[said], np.repeat(np.arange(len(texts)), counts)[said], outline, offsets)
    first = np.searchsorted(end[said], place_keys(sentences.start, sentences.counts), side="right")
    if not len(node):
        return np.zeros(0, np.int64)
    out: np.ndarray = node[np.minimum(first, len(node) - 1)]
    return out


def _numbered(tokens: np.ndarray, document: np.ndarray, outline: Outline, offsets: np.ndarray) -> np.ndarray:
    """Return the node of each line that has tokens, by the line's first token.

    A tree leaves out at most one line, the title: the first that fits no node.
    """
    of_nodes, of_sentences, _ = outline.sentence_tokens()
    size = np.diff(of_sentences[of_nodes])
    n = len(outline)
    has = np.bincount(document, minlength=n)
    place = positions_in_items(has)
    titled = has > outline.sizes
    before = np.ones(len(tokens), bool)
    at = np.minimum(outline.documents[:-1][document] + place, max(0, len(size) - 1))
    inside = place < outline.sizes[document]
    unlike = ~inside | (size[at] != tokens if len(size) else True)
    first = np.full(n, np.iinfo(np.int64).max)
    np.minimum.at(first, document[unlike], place[unlike])
    before = place < first[document]
    number = place + 1 - (titled[document] & ~before)
    out: np.ndarray = offsets[:-1][document] + np.where(titled[document] & (place == first[document]), 0, number)
    return out
