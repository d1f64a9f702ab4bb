"""Postings: for each key the documents that have it, in the order in which they came. A join asks them for one document or for many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from quchong.kernels.postings import DocumentSizes, PostingLists
from quchong.kernels.segments import SortedPostings, lookup_segments

SIZE_TYPES = (np.float64, np.uint32, np.float64, np.uint64)
"""Types of the columns of `DocumentSizes`."""


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
    """Posting lists that a join can ask, and to which documents are added; these are numbered 0, 1, 2, ... in order of arrival."""

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        """Return the list of each key (uint64), empty for a key that no document has, and the sizes of all documents.

        Args:
            keys: keys, in any order; they may repeat.
            most: documents of each list to return, the first ones; 0 for all.
            counted: with `most`, documents of each list to count beyond those returned, see `Lookup.lengths`.
            before: int64 for each key: only documents with lesser numbers are returned and counted; None for all.
        """
        ...

    def append(self, documents: Represented) -> np.ndarray:
        """Add documents to the lists of their keys; return their numbers (int64)."""
        ...


class Lookup(NamedTuple):
    """Documents found by `Postings.lookup`, and the keys of each.

    Attributes:
        lists: one posting list for each key, in the order of the keys; documents ascend in each.
        sizes: of all documents, by number.
        signatures: of all documents, by number: uint64 (documents, words).
        lengths: int64 for each key: number of its documents, those beyond `most` included; with `most`, a number above it and above
            `counted` may be less than the true one.
        weighted: False if all postings of all documents have weight 1.
    """

    lists: PostingLists
    sizes: DocumentSizes
    signatures: np.ndarray
    lengths: np.ndarray
    weighted: bool


def merge_runs(earlier: SortedPostings, later: SortedPostings) -> SortedPostings:
    """Return two runs as one; all documents of `later` have greater numbers. Cost: linear."""
    keys = np.concatenate([earlier.keys, later.keys])
    order = np.argsort(keys, kind="stable")  # of two sorted parts: one merge
    columns = (np.concatenate([a, b])[order] for a, b in zip(earlier[1:], later[1:], strict=True))
    return SortedPostings(keys[order], *columns)


def with_documents(runs: tuple[SortedPostings, ...], documents: Represented, first: int) -> tuple[SortedPostings, ...]:
    """Return runs with the postings of documents numbered from `first` on; each run is longer than twice the next.

    The runs given are not changed. Cost: amortised log(postings) moves for each posting.
    """
    numbers = np.arange(first, first + len(documents), dtype=np.uint32)
    order = np.argsort(documents.keys, kind="stable")
    owner = np.repeat(numbers, np.diff(documents.offsets))
    weights = np.asarray(documents.weights, np.uint32)
    last, earlier = SortedPostings(documents.keys[order], owner[order], weights[order]), list(runs)
    while earlier and 2 * len(last.keys) >= len(earlier[-1].keys):
        last = merge_runs(earlier.pop(), last)
    return (*earlier, last)


class Rows:
    """Column of one row a document, in an array that doubles as it fills."""

    def __init__(self, like: np.ndarray) -> None:
        self._held, self._used = like[:0].copy(), 0

    def add(self, rows: np.ndarray) -> None:
        """Add rows at the end. Cost: amortised one copy of each row."""
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
    Cost: adding is amortised log(postings) moves for each posting; asking is a binary search an array and key, and a copy of the lists.
    Not thread-safe.
    """

    def __init__(self, words: int = 0) -> None:
        """Create postings without documents; `words` of a signature in a join of signatures."""
        self._runs: tuple[SortedPostings, ...] = ()
        self._weighted = False
        empty = np.zeros(0)
        self._sizes = [Rows(np.asarray(empty, dtype)) for dtype in SIZE_TYPES]
        self._signatures = Rows(np.zeros((0, words), np.uint64))

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._sizes[0].rows)

    def append(self, documents: Represented) -> np.ndarray:
        """Add documents to the lists of their keys; return their numbers (int64)."""
        numbers = np.arange(len(self), len(self) + len(documents))
        self._runs = with_documents(self._runs, documents, len(self))
        self._weighted |= bool((documents.weights != 1).any())
        for column, values in zip(self._sizes, documents.sizes, strict=True):
            column.add(np.asarray(values))
        self._signatures.add(documents.signatures)
        return numbers

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        """Return the list of each key and the sizes of all documents, see `Postings.lookup`."""
        lists, lengths = lookup_segments((), self._runs, keys, most=most, counted=counted, before=before)
        sizes = DocumentSizes(*(column.rows for column in self._sizes))
        return Lookup(lists, sizes, self._signatures.rows, lengths, self._weighted)
