"""Postings in PostgreSQL: a row for each key of each document, in hash partitions by key."""

from __future__ import annotations

import numpy as np

from quchong.candidates.postings import Lookup, Represented
from quchong.engines.index.shared.binary import Bigints, Doubles
from quchong.engines.index.shared.shared_documents import Arrivals, SharedDocuments
from quchong.engines.index.shared.size_cache import SizeCache
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import PostingLists

MOST_DOCUMENTS = 2**31 - 1
_LISTS = (
    "SELECT array_agg(place), array_agg(number), array_agg(weight) FROM unnest(?, ?) WITH ORDINALITY AS asked (key, before, place) "
    "CROSS JOIN LATERAL (SELECT number, weight FROM postings WHERE postings.key = asked.key AND number < asked.before "
    "AND NOT EXISTS (SELECT FROM gone WHERE gone.number = postings.number) ORDER BY number LIMIT ?) AS found"
)
_COUNTS = (
    "SELECT array_agg((SELECT count(*) FROM (SELECT FROM postings WHERE postings.key = asked.key AND number < asked.before "
    "AND NOT EXISTS (SELECT FROM gone WHERE gone.number = postings.number) LIMIT ?) AS found) ORDER BY place) "
    "FROM unnest(?, ?) WITH ORDINALITY AS asked (key, before, place)"
)
_APPEND = (
    "WITH listed AS (INSERT INTO postings SELECT * FROM unnest(?, ?, ?)), "
    "sized AS (INSERT INTO sizes SELECT * FROM unnest(?, ?, ?, ?, ?, ?::bytea[]))"
)
_SIZES = (
    "SELECT array_agg(number), array_agg(size), array_agg(reach), array_agg(time), array_agg(scope), string_agg(signature, '') "
    "FROM (SELECT * FROM sizes WHERE number = ANY(?) ORDER BY number) AS found"
)


class SharedPostings:
    """Postings of an index in PostgreSQL: see `quchong.candidates.postings.Postings`.

    Lists are read in the snapshot or transaction of the thread; documents are appended in its transaction. One round trip looks up all
    keys of a batch, another one the lengths of lists that are longer than what was asked for, if there are any, and a third one the
    sizes of documents that this process meets for the first time.

    Args:
        documents: the tables. words: words of a signature; 0 for none.
    """

    def __init__(self, documents: SharedDocuments, words: int) -> None:
        self._documents, self._words = documents, words
        self._sizes = SizeCache(words)
        documents.sessions.lost = self._sizes.clear
        documents.settled = lambda first, end, committed: self._sizes.settle(first, end, committed=committed)

    def check_keys(self, keys: np.ndarray) -> None:
        """Do nothing, because the server checks its own storage."""

    def append(self, documents: Represented) -> np.ndarray:
        """Append documents to the posting lists of their keys, in this thread's transaction; return their numbers (int64)."""
        arrivals = self._documents.arrivals()
        first, end = arrivals.next, arrivals.next + len(documents)
        if end > MOST_DOCUMENTS:
            raise ValueError(f"an index has {MOST_DOCUMENTS} documents at most")
        numbers = np.arange(first, end)
        keys = documents.keys.view(np.int64)
        owner = np.repeat(numbers, np.diff(documents.offsets))
        order = np.argsort(keys, kind="stable")  # neighbours in a B-tree are written one after the other
        size, reach, time, scope = documents.sizes
        signatures = [one.astype("<u8").tobytes() for one in documents.signatures]
        values = (
            Bigints(keys[order]), Bigints(owner[order]), Bigints(documents.weights[order]),
            Bigints(numbers), Doubles(size), Bigints(reach), Doubles(time), Bigints(scope), signatures,
        )  # fmt: skip
        weighted = arrivals.weighted or bool((documents.weights != 1).any())
        self._documents.append_arrived(_APPEND, values, Arrivals(end, weighted))
        self._sizes.fill(numbers, [*documents.sizes, documents.signatures], pending=True)
        return numbers

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        """Return the list of each key without deleted documents, and the sizes of the documents in these lists, see `Postings.lookup`.

        Sizes have a row for every number; those of documents in no list that was ever looked up are zeros.
        """
        if not len(keys):
            empty = PostingLists(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(1, np.int64))
            return Lookup(empty, *self._sizes.rows(0), np.zeros(0, np.int64), False)
        arrivals = self._documents.arrivals()
        limits = np.full(len(keys), arrivals.next) if before is None else np.minimum(before, arrivals.next)
        asked = Bigints(keys), Bigints(limits)
        found = self._documents.select(_LISTS, *asked, most or MOST_DOCUMENTS)[0]
        place, number, weight = (np.zeros(0, np.int64) if one is None else one for one in found)
        order = np.lexsort((number, place))
        lengths = np.bincount(place - 1, minlength=len(keys)).astype(np.int64)
        lists = PostingLists(
            number[order].astype(np.uint32), weight[order].astype(np.uint32), prefix_sums(lengths)
        )  # fmt: skip
        if most and counted >= most and (long := np.flatnonzero(lengths == most)).size:
            counts = self._documents.select(_COUNTS, counted + 1, Bigints(keys[long]), Bigints(limits[long]))[0][0]
            lengths[long] = counts
        self._learn_sizes(np.unique(number).astype(np.int64))
        return Lookup(lists, *self._sizes.rows(arrivals.next), lengths, arrivals.weighted)

    def _learn_sizes(self, numbers: np.ndarray) -> None:
        """Read the sizes of documents that are not cached yet."""
        own = self._documents.in_transaction
        lacking = self._sizes.missing(numbers, own=own)
        if not len(lacking):
            return
        known, size, reach, time, scope, signatures = self._documents.select(_SIZES, Bigints(lacking))[0]
        if known is None or len(known) != len(lacking) or len(signatures) != 8 * self._words * len(known):
            raise ValueError("documents without sizes")
        words = np.frombuffer(signatures, "<u8").astype(np.uint64).reshape(len(known), self._words)
        self._sizes.fill(known, [size, reach.astype(np.uint32), time, scope.view(np.uint64), words], pending=False)
