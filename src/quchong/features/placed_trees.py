"""Offsets of the nodes and sentences of structure trees in the texts, for display."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.features.located_features import tokens_placed
from quchong.kernels.arrays import texts_of
from quchong.kernels.elements import strings
from quchong.kernels.text import Form
from quchong.kernels.tree import Outline, outline
from quchong.seam import Documents, Marks

Hashes = Callable[[Outline], tuple[np.ndarray, np.ndarray]]
"""Function from trees of one sentence each to the values of that sentence: uint64 values, int64 offsets, at most one a tree."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Nodes and sentences of trees as character ranges of their texts.

    Attributes:
        nodes: (n, 2) int64, a line a node. sentences: (m, 2) int64, each up to where the next one begins, marks included.
        node: int64: the node of each sentence.
        offsets: int64: document i owns the sentences offsets[i]:offsets[i + 1].
        texts: the documents.
    """

    nodes: np.ndarray
    sentences: np.ndarray
    node: np.ndarray
    offsets: np.ndarray
    texts: list[str]

    @staticmethod
    def from_trees(trees: Outline, form: Form, documents: Documents, workers: int | None = None) -> Lines:
        """Find the ranges of all nodes and sentences. The title's own line is no node."""
        found = tokens_placed(form, documents, workers)
        nodes, ends, _ = trees.sentence_tokens()
        texts = strings(documents.texts)
        of_nodes: list[tuple[int, int]] = []
        of_sentences: list[tuple[int, int]] = []
        owner: list[int] = []
        offsets = [0]
        for d, text in enumerate(texts):
            here = slice(int(found.docs.offsets[d]), int(found.docs.offsets[d + 1]))
            starts = found.start[here].astype(np.int64)
            lines = _lines(text, starts)
            first, last = int(trees.documents[d]), int(trees.documents[d + 1])
            wanted = [int(ends[nodes[n + 1]] - ends[nodes[n]]) for n in range(first, last)]
            for n, (begin, end, at, _) in zip(range(first, last), _without_title(lines, wanted), strict=False):
                of_nodes.append((begin, end))
                base = int(ends[nodes[n]])
                heads = [int(starts[at + int(ends[s]) - base]) for s in range(int(nodes[n]), int(nodes[n + 1]))]
                heads = [begin, *heads[1:]]
                of_sentences += list(zip(heads, [*heads[1:], end], strict=True))
                owner += [n] * len(heads)
            offsets.append(len(of_sentences))
        return Lines(
            _pairs(of_nodes), _pairs(of_sentences), np.array(owner, np.int64), np.array(offsets, np.int64), texts
        )

    def values(
        self, form: Form, cuts: int, hashes: Hashes, workers: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the value of each sentence by itself (uint64), and a mask of the sentences that have one."""
        document = np.repeat(np.arange(len(self.texts)), np.diff(self.offsets))
        alone = [self.texts[d][a:b] for d, (a, b) in zip(document.tolist(), self.sentences.tolist(), strict=True)]
        trees = outline(form, texts_of([pa.array(alone, pa.large_string())]), cuts=cuts, workers=workers)
        one = np.flatnonzero(trees.sizes == 1)
        found, ends = hashes(trees)
        lengths = np.diff(ends)
        values, has = np.zeros(len(alone), np.uint64), np.zeros(len(alone), bool)
        node = trees.documents[:-1][one]
        some = lengths[node] > 0
        values[one[some]], has[one[some]] = found[ends[:-1][node[some]]], True
        return values, has

    def marks(self, what: str, trees: Outline, values: np.ndarray, has: np.ndarray) -> Marks:
        """Return sentences as marks, each with its node and the node's depth."""
        figures = {
            "node": self.node - trees.documents[:-1][trees.document[self.node]] + 1,
            "depth": trees.depth[self.node],
        }
        return Marks(what, self.offsets, self.sentences, values, has, figures=figures, listed=True)

    def tree(self, trees: Outline, counted: np.ndarray) -> Marks:
        """Return the nodes as marks with their depth; nodes without features are not counted."""
        return Marks(
            "tree", trees.documents.astype(np.int64), self.nodes, np.zeros(len(self.nodes), np.uint64), counted, "nothing",
            {"depth": trees.depth}, listed=True,
        )  # fmt: skip


def _lines(text: str, starts: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Return the lines with a token: start, end, first token and number of tokens."""
    out, begin = [], 0
    for line in text.split("\n"):
        end = begin + len(line)
        at, behind = np.searchsorted(starts, [begin, end + 1]).tolist()
        if behind > at:
            out.append((begin, end, at, behind - at))
        begin = end + 1
    return out


def _without_title(lines: list[tuple[int, int, int, int]], wanted: list[int]) -> list[tuple[int, int, int, int]]:
    """Return the lines that are nodes of a tree: all, or all but the title's, as the token numbers `wanted` show."""
    if len(lines) <= len(wanted):
        return lines
    sizes = [line[3] for line in lines]
    title = next((k for k in range(len(lines)) if sizes[:k] + sizes[k + 1 :] == wanted), 0)
    return lines[:title] + lines[title + 1 :]


def _pairs(places: list[tuple[int, int]]) -> np.ndarray:
    return np.array(places, np.int64).reshape(-1, 2)
