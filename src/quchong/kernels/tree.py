"""Structure trees, features of their nodes, and comparison of layers.

The twins are in tests/twins/tree.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import _quchong
import numpy as np
import pyarrow as pa

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Texts, text_columns, texts_of
from quchong.kernels.checked import MOST_I32, threads_of
from quchong.kernels.sketch import FeatureWeights
from quchong.kernels.text import Form

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U64, Ints

MARKS = "。，、；：？！"
"""Classes of marks, in the order of their bits: the points (点号) of Chinese writing; ASCII and half-width ones count too."""
HEADING_CHARACTERS = 40
"""Most characters of a bold or numbered line that is a heading. Headings in Chinese news and laws are at most one printed line (about 40
characters); a longer line is a numbered paragraph.
"""
MatchKind = Literal["share", "filters", "whole"]
_KINDS = {"share": 0, "filters": 1, "whole": 2}


class Keywords(NamedTuple):
    """Keywords of documents, ranked: document i owns values[offsets[i]:offsets[i + 1]].

    The first best[i] are its best terms, the others terms of its title. `weights` is tf * idf (uint64, in units of idf's 1/65536).
    """

    values: U64
    weights: U64
    offsets: I64
    best: I64


class Layer(NamedTuple):
    """One layer of every document's tree: document d owns nodes documents[d]:documents[d + 1].

    Node i owns values[nodes[i]:nodes[i + 1]], ascending and distinct.
    """

    values: U64
    nodes: I64
    documents: I64


class LayerMatches(NamedTuple):
    """Numbers of matched nodes and of nodes with values, for each pair (float64); see `match_layers`."""

    left: F64
    right: F64
    of_left: F64
    of_right: F64


class Outline:
    """The structure trees of a batch of documents (正文结构树).

    Every line of a text with a letter or digit is a node; the title is the root and no node of its own. `depth` (1 and more) and `parent`
    (index among the nodes of its document, -1 for the root) are int64 for each node; `documents` are the offsets of the nodes of each
    document. Sentences of node i are nodes[i]:nodes[i + 1], tokens of sentence j sentences[j]:sentences[j + 1].
    """

    def __init__(self, native: _quchong.Outline, workers: int | None) -> None:
        self._native = native
        self._threads = threads_of(workers)
        self.depth: I64 = native.depth()
        self.parent: I64 = native.parent()
        self.documents: I64 = native.documents()

    def __len__(self) -> int:
        return len(self.documents) - 1

    @property
    def sizes(self) -> I64:
        """Number of nodes of each document, without the root, int64."""
        return np.diff(self.documents)

    @property
    def document(self) -> I64:
        """Document of each node, int64."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def mark_counts(self) -> I64:
        """Number of marks of each class of `MARKS`, (documents, 7) int64."""
        out: I64 = self._native.counts().reshape(-1, len(MARKS))
        return out

    def sentence_tokens(self) -> tuple[I64, I64, I64]:
        """Return sentences of nodes, tokens of sentences (offsets) and the marks of each sentence, int64; for inspection."""
        return self._native.nodes(), self._native.sentences(), self._native.marks().astype(np.int64)

    def long_sentences(self, which: Ints, count: int = 1, more_from: int = 0, least: int = 1) -> tuple[U64, I64]:
        """Return hashes of the `count` longest sentences of some nodes: uint64 values, int64 offsets.

        Length is in tokens, numbers left out, which is Han characters in Chinese text. Nodes longer than `more_from` (0: none) give one
        more; sentences shorter than `least` are ignored. Ties go to the first.
        """
        how = (
            checked.number(count, 1, MOST_I32, "count"), checked.number(more_from, 0, 2**62, "more_from"),
            checked.number(least, 0, 2**62, "least"),
        )  # fmt: skip
        values, offsets = self._native.long_sentences(self._which(which), *how, self._threads)
        return values, offsets

    def keywords(self, idf: FeatureWeights, count: int = 10, wanted: np.ndarray | None = None) -> Keywords:
        """Return the `count` terms of highest tf * idf in text and title, then the title's other terms; ties: the lower hash.

        A term is two neighbouring characters of a script without spaces, or a word. Documents left out by the mask `wanted`
        have none.
        """
        count = checked.number(count, 1, MOST_I32, "count")
        mask = np.ones(len(self), np.uint8) if wanted is None else checked.u8(wanted, "wanted", len(self))
        return Keywords(*self._native.keywords(idf, count, mask, self._threads))

    def key_sentences(self, which: Ints, keywords: Keywords, rate: int = 20) -> tuple[U64, I64]:
        """Return hashes of the sentences of some nodes that contain keywords of their document, the best first.

        There is one for every `rate` tokens (without numbers) of the node, rounded up, as far as sentences contain a keyword; at least one,
        the longest if none does.
        """
        known, ends = checked.ragged64(keywords.values, keywords.offsets, "keywords")
        if len(ends) != len(self) + 1:
            raise ValueError(f"keywords of {len(ends) - 1} documents for {len(self)}")
        values, offsets = self._native.key_sentences(
            self._which(which), known, checked.u64(keywords.weights, "weights", len(known)), ends,
            checked.number(rate, 1, 2**62, "rate"), self._threads,
        )  # fmt: skip
        return values, offsets

    def head_tails(self, which: Ints, marks: int) -> tuple[U64, I64]:
        """Return hashes of the first and last character of the sentences of some nodes that contain one of the marks.

        `marks` are bits of `MARKS`. Only characters of scripts without spaces count; a sentence with fewer than two gives nothing. The
        value is the BKDR hash of the two << 32, OR their AP hash.
        """
        values, offsets = self._native.head_tails(self._which(which), _marks(marks, "marks"), self._threads)
        return values, offsets

    def terms(self, *, title: bool = False) -> tuple[U64, I64]:
        """Return the terms of each document, repeated by frequency, with `title` also the title's: uint64 values, int64 offsets."""
        values, offsets = self._native.terms(title, self._threads)
        return values, offsets

    def title_pairs(self) -> tuple[U64, I64]:
        """Return hashes of two neighbouring tokens of each title; of its token if it has only one; none without a title."""
        values, offsets = self._native.title_pairs(self._threads)
        return values, offsets

    def _which(self, which: Ints) -> I64:
        return checked.indices64(which, len(self.depth), "which", what="node")


def outline(
    form: Form,
    texts: AnyTexts,
    blocks: pa.Array | None = None,
    titles: pa.Array | None = None,
    *,
    cuts: int = 0,
    heading_characters: int = HEADING_CHARACTERS,
    workers: int | None = None,
) -> Outline:
    """Build the structure trees of texts with one block element a line.

    Args:
        form: how text becomes tokens; single characters are not supported.
        blocks: one character a line of each text: "1" to "6" a heading, "b" wholly bold, anything else a paragraph; null,
            or another number of them, for a text whose lines are all paragraphs.
        titles: null if there is none: the first heading "1" to "6" is then the title. A heading that the title contains (of 4 tokens and
            more), and a first line equal to it, is the title itself and no node.
        cuts: marks that end sentences in addition to the terminators, bits of `MARKS`.
        heading_characters: bold and numbered lines (一、 第一章 （一） 1. (1)) are headings up to this many characters.

    Cost: O(characters); memory about 12 bytes a character of the batch while it lives.
    """
    if form.characters:
        raise ValueError("structure trees need a form of words and characters, not of single characters")
    view = texts if isinstance(texts, Texts) else texts_of([texts])
    known = [view if c is None else _column(c, len(view)) for c in (blocks, titles)]
    empty = np.zeros(len(view), np.int64)
    block_length = empty if blocks is None else known[0].length
    title_length = empty if titles is None else known[1].length
    native = _quchong.outline(
        form.tables, *text_columns(view), known[0].address, block_length, known[1].address, title_length, form.full,
        _marks(cuts, "cuts"), checked.number(heading_characters, 0, MOST_I32, "heading_characters"), threads_of(workers),
    )  # fmt: skip
    return Outline(native, workers)


def match_layers(
    left_layer: Layer, right_layer: Layer, left: Ints, right: Ints, *, how: MatchKind = "share", least: float = 0.0,
    bits: int = 1024, workers: int | None = None,
) -> LayerMatches:  # fmt: skip
    """Match layers of pairs of documents.

    `how` "share": two nodes are partners if they share a value, and at least `least` of the smaller one's values. "filters": the same, with
    shared and contained values estimated by Bloom filters of `bits` (BKDR, AP). "whole": the values of a layer are one set; `left` and
    `right` are what both share by its filter, `of_left` and `of_right` the values they contain. A filter half full or more is unusable:
    both sides are then compared by filters of twice as many bits.
    """
    bits = checked.number(bits, 64, 2**32, "bits")
    if bits & (bits - 1):
        raise ValueError(f"bits must be a power of two from 64 on, got {bits}")
    if how not in _KINDS:
        raise ValueError(f"unknown way to match {how!r}: use {', '.join(_KINDS)}")
    sides = [_flat(layer) for layer in (left_layer, right_layer)]
    a, b = checked.pairs(left, right, min(len(documents) for *_, documents in sides) - 1)
    share = checked.real(least, "least", 0)
    return LayerMatches(
        *_quchong.match_layers(*sides[0], *sides[1], a, b, _KINDS[how], share, bits, threads_of(workers))
    )


def _marks(bits: int, name: str) -> int:
    return checked.number(bits, 0, 2 ** len(MARKS) - 1, name)


def _flat(layer: Layer) -> tuple[U64, I64, I64]:
    values, nodes = checked.ragged64(layer.values, layer.nodes, "values")
    return values, nodes, checked.offsets_of(layer.documents, len(nodes) - 1, "documents")


def _column(column: pa.Array, n: int) -> Texts:
    if not isinstance(column, pa.Array):
        raise TypeError(f"blocks and titles must be Arrow arrays, got {type(column).__name__}")
    if len(column) != n:
        raise ValueError(f"{len(column)} values for {n} texts")
    return texts_of([column.cast(pa.large_string()).fill_null("")])
