"""What was found beside for documents that are added next: candidates among the documents that an index has, and their pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.candidates.postings import Lookup, Represented
from quchong.engines.index.document_store import StoredPair
from quchong.engines.index.segments import SegmentPostings, Since
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import PostingLists

Key = tuple[int, int]
"""Index of a document that arrives, and number of one of the index."""


@dataclass(frozen=True, slots=True)
class FoundBeside:
    """What was found for documents at a moment before they are added; whoever adds them completes it.

    Attributes:
        postings: of the index. gone: those that were deleted. end: number of the first document that was not looked at.
        known: the documents as they were asked about; some without keys.
        looked: the answers to lookups, by their limits `most` and `counted`.
        compared: pairs that were compared: as they are stored if they reach the floor, else None. A document that arrives has the number
            -1 - index.
        equal: whether texts of equal digests are equal letter by letter, which stays so whatever is deleted.
    """

    postings: SegmentPostings
    gone: np.ndarray
    end: int
    known: Represented
    looked: dict[tuple[int, int], Lookup]
    compared: dict[Key, StoredPair | None]
    equal: dict[Key, bool]

    def completed(self, postings: object, asked: Represented) -> Completed | None:
        """Return postings that answer lookups of the keys of the documents `asked` by what was found, and by what was appended since.

        Args:
            postings: of the index now. asked: the same documents, perhaps more of them without keys.

        Returns:
            None if they must be looked up as if nothing had been found: documents were deleted meanwhile, or the postings were made anew.
        """
        if postings is not self.postings or (since := self.postings.since(self.end, self.gone)) is None:
            return None
        lengths, had = np.diff(asked.offsets), np.diff(self.known.offsets)
        if len(lengths) != len(had) or not ((lengths == had) | (lengths == 0)).all():
            return None
        return Completed(self.looked, since, np.repeat(lengths > 0, had), self.postings)

    def pair(self, i: int, number: int, own: int) -> StoredPair | None:
        """Return a pair that was compared, with the number `own` of the document that arrives; None if it is below the floor."""
        pair = self.compared[i, number]
        if pair is None:
            return None
        return pair._replace(left=own) if pair.left < 0 else pair._replace(right=own)


@dataclass(frozen=True, slots=True)
class Completed:
    """Postings for one lookup of documents whose lists were found at an earlier moment.

    Attributes:
        looked: see `FoundBeside`. since: what was appended since. some: mask of the keys that are asked for now.
        postings: of the index, asked for everything else.
    """

    looked: dict[tuple[int, int], Lookup]
    since: Since
    some: np.ndarray
    postings: SegmentPostings

    def append(self, documents: Represented) -> np.ndarray:
        """Raise TypeError: these are for one lookup."""
        raise TypeError("nothing is appended to postings of a moment")

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        """Return the list of each key, see `Postings.lookup`; `keys` are those of the documents."""
        earlier = self.looked.get((most, counted))
        if earlier is None:
            return self.postings.lookup(keys, most=most, counted=counted, before=before)
        later = self.since.lookup(keys, most=most, counted=counted, before=before)
        return _join_lists(_lists_in(earlier, self.some), later, most, counted)


def _lists_in(found: Lookup, some: np.ndarray) -> Lookup:
    """Return the lists of the keys in a mask."""
    if some.all():
        return found
    lists = found.lists
    lengths = np.diff(lists.offsets)
    inside = np.repeat(some, lengths)
    taken = PostingLists(lists.documents[inside], lists.weights[inside], prefix_sums(lengths[some]))
    return found._replace(lists=taken, lengths=found.lengths[some])


def _join_lists(earlier: Lookup, later: Lookup, most: int, counted: int) -> Lookup:
    """Return the lists of an earlier lookup, each followed by that of a later one with the same limits."""
    first, second = np.diff(earlier.lists.offsets), np.diff(later.lists.offsets)
    if most:
        second = np.minimum(second, most - first)
    offsets = prefix_sums(first + second)
    documents, weights = np.empty(offsets[-1], np.uint32), np.empty(offsets[-1], np.uint32)
    for lists, lengths, starts in (
        (earlier.lists, first, offsets[:-1]),
        (later.lists, second, offsets[:-1] + first),
    ):
        held = np.flatnonzero(lengths)  # most lists are empty
        step = np.ones(int(lengths[held].sum()), np.int64)
        if not len(step):
            continue
        at = prefix_sums(lengths[held])[:-1]
        to, source = step.copy(), step
        _begin_runs(to, at, starts[held], lengths[held])
        _begin_runs(source, at, lists.offsets[:-1][held], lengths[held])
        documents[to], weights[to] = lists.documents[source], lists.weights[source]
    lengths_now = earlier.lengths + later.lengths
    if most:
        lengths_now = np.minimum(lengths_now, max(most, counted))
    return later._replace(lists=PostingLists(documents, weights, offsets), lengths=lengths_now)


def _begin_runs(steps: np.ndarray, at: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> None:
    """Make of ones the ascending places of runs that begin at `starts`, in place."""
    steps[at] = starts
    steps[at[1:]] -= starts[:-1] + lengths[:-1] - 1
    np.cumsum(steps, out=steps)
