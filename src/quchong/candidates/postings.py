"""Postings: for each key the documents that have it, in the order in which they came. A join asks them for one document or for many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from quchong.kernels.arrays import places_of
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import DocumentSizes, PostingLists


@dataclass(frozen=True, slots=True)
class Represented:
    """Documents as a join knows them: document i has the keys keys[offsets[i]:offsets[i + 1]], each once.

    Attributes:
        keys: uint64. weights: uint32, the weight of each key: 1, or a frequency. offsets: int64.
        sizes: what the join compares besides the keys.
        signatures: uint64 (documents, words) in a join of signatures, else (documents, 0).
    """

    keys: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray
    sizes: DocumentSizes
    signatures: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def one(self, document: int) -> Represented:
        """Return one of the documents, by its index."""
        return self.slice(document, document + 1)

    def slice(self, start: int, end: int) -> Represented:
        """Return the documents from `start` to `end` - 1."""
        some = slice(int(self.offsets[start]), int(self.offsets[end]))
        size, window, time, scope = self.sizes
        sizes = DocumentSizes(size[start:end], window[start:end], time[start:end], scope[start:end])
        offsets = self.offsets[start : end + 1] - self.offsets[start]
        return Represented(self.keys[some], self.weights[some], offsets, sizes, self.signatures[start:end])


class Postings(Protocol):
    """Posting lists that a join can ask, and to which documents are added. Documents are numbered 0, 1, 2, ... in the order in which
    they are added.
    """

    def lookup(self, keys: np.ndarray) -> Lookup:
        """Return the list of each key (uint64), empty for a key that no document has, and the sizes of all documents."""
        ...

    def append(self, documents: Represented) -> np.ndarray:
        """Add documents to the lists of their keys; return their numbers (int64)."""
        ...


class Lookup(NamedTuple):
    """Answer of `Postings.lookup`.

    Attributes:
        lists: one posting list for each key, in the order of the keys; documents ascend in each.
        sizes: of all documents, by number.
        signatures: of all documents, by number: uint64 (documents, words).
    """

    lists: PostingLists
    sizes: DocumentSizes
    signatures: np.ndarray


class _Run(NamedTuple):
    """Postings sorted by key, then document."""

    keys: np.ndarray
    documents: np.ndarray
    weights: np.ndarray

    def merged(self, later: _Run) -> _Run:
        """Return both as one; all documents of `later` have greater numbers. Cost: linear."""
        keys = np.concatenate([self.keys, later.keys])
        order = np.argsort(keys, kind="stable")  # of two sorted parts: one merge
        columns = (np.concatenate([a, b])[order] for a, b in zip(self[1:], later[1:], strict=True))
        return _Run(keys[order], *columns)


class _Rows:
    """Column of one row a document, in an array that doubles as it fills."""

    def __init__(self, like: np.ndarray) -> None:
        self._held, self._used = like[:0].copy(), 0

    def add(self, rows: np.ndarray) -> None:
        end = self._used + len(rows)
        if end > len(self._held):
            grown = np.empty((max(end, 2 * len(self._held), 64), *rows.shape[1:]), self._held.dtype)
            grown[: self._used] = self._held[: self._used]
            self._held = grown
        self._held[self._used : end] = rows
        self._used = end

    @property
    def rows(self) -> np.ndarray:
        """All rows, as a view that stays as it is when others are added."""
        return self._held[: self._used]


class MemoryPostings:
    """Postings in memory: sorted arrays, of which each is longer than twice the next, merged as documents come.

    Memory: 16 bytes a posting, and as much again for the longest arrays while they are merged; 28 bytes a document, and its signature.
    Cost: adding is amortised log(postings) moves for each posting; asking is two binary searches an array and key, and a copy of the lists.
    Not thread-safe.
    """

    def __init__(self, words: int = 0) -> None:
        """Create postings without documents; `words` of a signature in a join of signatures."""
        self._runs: list[_Run] = []
        empty = np.zeros(0)
        self._sizes = [_Rows(np.asarray(empty, dtype)) for dtype in (np.float64, np.uint32, np.float64, np.uint64)]
        self._signatures = _Rows(np.zeros((0, words), np.uint64))

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._sizes[0].rows)

    def append(self, documents: Represented) -> np.ndarray:
        """Add documents to the lists of their keys; return their numbers (int64)."""
        numbers = np.arange(len(self), len(self) + len(documents))
        owner = np.repeat(numbers, np.diff(documents.offsets)).astype(np.uint32)
        order = np.argsort(documents.keys, kind="stable")
        self._runs.append(_Run(documents.keys[order], owner[order], documents.weights[order]))
        while len(self._runs) > 1 and 2 * len(self._runs[-1].keys) >= len(self._runs[-2].keys):
            later = self._runs.pop()
            self._runs[-1] = self._runs[-1].merged(later)
        for column, values in zip(self._sizes, documents.sizes, strict=True):
            column.add(np.asarray(values))
        self._signatures.add(documents.signatures)
        return numbers

    def lookup(self, keys: np.ndarray) -> Lookup:
        """Return the list of each key (uint64), empty for a key that no document has, and the sizes of all documents."""
        found = [
            (run, start := np.searchsorted(run.keys, keys), np.searchsorted(run.keys, keys, side="right") - start)
            for run in self._runs
        ]
        counts = (
            np.sum([count for _, _, count in found], axis=0, dtype=np.int64) if found else np.zeros(len(keys), np.int64)
        )
        offsets = prefix_sums(counts)
        documents, weights = np.empty(offsets[-1], np.uint32), np.empty(offsets[-1], np.uint32)
        at = offsets[:-1].copy()  # where the next documents of each list go: earlier arrays hold lesser numbers
        for run, start, count in found:
            here, there = places_of(at, count), places_of(start, count)
            documents[here], weights[here] = run.documents[there], run.weights[there]
            at += count
        sizes = DocumentSizes(*(column.rows for column in self._sizes))
        return Lookup(PostingLists(documents, weights, offsets), sizes, self._signatures.rows)
