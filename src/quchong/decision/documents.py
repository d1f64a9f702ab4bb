"""Documents of a run as columns: everything that decisions need, without texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from quchong.decision.scope import ScopeColumns
from quchong.errors import UsageError
from quchong.kernels.sorting import distinct, ordered
from quchong.policy.policy import Policy, Preference
from quchong.policy.times import times
from quchong.seam import Features

SCORED_TOKENS = 4
"""Least tokens of a text that is compared beyond equality; shorter ones have fewer than two shingles of three tokens."""


_DAY = 86_400


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """Columns of the documents of a run, without their texts.

    An engine builds one for the whole run, or for one connected component of it. Arrays have one entry for each document; the reference
    corpus comes first.

    Attributes:
        ids: unique, large_string.
        id_rank: int64, place of each document when ids are sorted bytewise.
        tokens, singles: uint32, tokens of the text, and how many of them are one character.
        high, low: uint64, both halves of the digest of the normal form.
        references: how many documents at the front belong to the reference corpus.
        numbers: True if every id of the input was a 64-bit whole number, and none was generated or changed.
        scope: which documents may be compared with each other.
        protected: bool, documents that are never removed.
        priority: int64, rank of each document, 0 the best: by id until `under` applies a policy.
        preference: rank by the policy alone, without ids.
        published: the column of times, or None.
        overturned: bool, documents kept because a person overturned their removal; None if no removal was overturned.
        unseen: bool, documents in which the method saw nothing by which they could meet others; None before candidates are found, or if
            there are none.
        forwards: bool, documents that quote somebody with a mark of forwarding; None if there are none.
        apart: int64, pairs in which neither document is removed for the other, encoded by `pair_codes`; None for no such pairs.
    """

    ids: pa.Array
    id_rank: np.ndarray
    tokens: np.ndarray
    singles: np.ndarray
    high: np.ndarray
    low: np.ndarray
    references: int
    numbers: bool
    scope: ScopeColumns
    protected: np.ndarray
    priority: np.ndarray
    preference: Preference
    published: pa.Array | pa.ChunkedArray | None = None
    overturned: np.ndarray | None = None
    apart: np.ndarray | None = None
    unseen: np.ndarray | None = None
    forwards: np.ndarray | None = None

    @staticmethod
    def unranked(
        ids: pa.Array, id_rank: np.ndarray, features: Features, references: int = 0, numbers: bool = False
    ) -> DocumentColumns:
        """Build the columns without a scope or policy; `features` provides lengths and digests."""
        n = len(ids)
        return DocumentColumns(
            ids, id_rank, features.tokens, features.singles, features.high, features.low, references, numbers,
            ScopeColumns(), np.zeros(n, bool), id_rank, Preference(np.zeros(n, np.int64), None),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.ids)

    def under(self, policy: Policy, columns: pa.Table, protected: np.ndarray, time_key: str) -> DocumentColumns:
        """Return the columns ranked by a policy: reference documents first, then protected ones, then by policy.

        A document whose removal a person overturned is protected too.

        Args:
            policy: the keep policy.
            columns: the columns it reads, one row for each document.
            protected: mask of the documents that are never removed.
            time_key: name of the column of times.
        """
        if self.overturned is not None:
            protected = protected | self.overturned
        rank, preference = policy.ranked(columns, self.tokens, self.id_rank)
        if self.references or protected.any():
            order = ordered(2 * ~self.reference + ~protected, rank)
            rank = np.empty(len(self), np.int64)
            rank[order] = np.arange(len(self))
        published = columns[time_key] if time_key in columns.column_names else None
        return replace(self, protected=protected, priority=rank, preference=preference, published=published)

    def later(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return by how many seconds the document `left` is newer than `right`, float64; NaN if their times do not decide it.

        That is so if either has no readable time, or if both are of one day and either is at midnight, because such a time states no hour.

        Cost: reads the times of these documents only, each once; nothing if no document has one.
        """
        if self.published is None or self.published.null_count == len(self.published):
            return np.full(len(left), np.nan)
        docs = distinct(np.concatenate([left, right]).astype(np.int64))
        seconds = seconds_of(self.published.take(pa.array(docs)), len(docs))
        return seconds_between(seconds[np.searchsorted(docs, left)], seconds[np.searchsorted(docs, right)])

    @property
    def reference(self) -> np.ndarray:
        """Mask of the documents of the reference corpus."""
        mask: np.ndarray = np.arange(len(self)) < self.references
        return mask

    @property
    def rank(self) -> np.ndarray:
        """Rank by which documents represent their exact class and are compared: references first, then by id; int64."""
        return self.id_rank + np.where(self.reference, -len(self), 0)

    @property
    def unscored(self) -> np.ndarray:
        """Mask of the documents that are not compared beyond equality: too short, or without anything that the method sees."""
        few: np.ndarray = self.tokens < SCORED_TOKENS
        return few if self.unseen is None else few | self.unseen

    def shown_ids(self, index: np.ndarray, own: bool = False) -> pa.Array:
        """Return the ids of these documents as tables show them: int64 if all ids came as whole numbers, else text.

        A column has one type. Ids of the reference corpus have a prefix and are text, so that all ids of a run with references are text,
        except in a column of documents of the input alone (`own`).
        """
        found = self.ids.take(pa.array(index, pa.int64()))
        return found.cast(pa.int64()) if self.numbers and (own or not self.references) else found

    def same(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs whose normal forms have the same digest."""
        mask: np.ndarray = (self.high[left] == self.high[right]) & (self.low[left] == self.low[right])
        return mask

    def compared(self, left: np.ndarray, right: np.ndarray, only_against: bool) -> np.ndarray:
        """Return a mask of the pairs to compare: none within the reference corpus; with `only_against`, none within the input either."""
        inner, outer = (left < self.references), (right < self.references)
        mask: np.ndarray = inner != outer if only_against else ~(inner & outer)
        return mask


def seconds_of(published: pa.Array | pa.ChunkedArray | None, n: int) -> np.ndarray:
    """Return the times of `n` documents in seconds, float64; NaN for one without a readable time, and where the column holds no times."""
    if published is None or not n:
        return np.full(n, np.nan)
    try:
        return times(published)
    except UsageError:  # the column has that name but holds no times, and the user did not name it
        return np.full(n, np.nan)


def seconds_between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the seconds by which each time `one` is later than `other`, float64; NaN where their times do not decide it."""
    out: np.ndarray = one - other
    # Only times that are both known and differ are looked at: in most corpora there are none, and remainders of NaN are slow.
    some = np.flatnonzero(np.abs(out) > 0)
    mine, theirs = one[some], other[some]
    day = (mine // _DAY == theirs // _DAY) & ((mine % _DAY == 0) | (theirs % _DAY == 0))
    out[some[day]] = np.nan
    return out


class PairIndex:
    """Index of pairs of documents, each unordered.

    Args:
        left, right: numbers of the documents of each pair.
        n: number of documents.
    """

    def __init__(self, left: np.ndarray, right: np.ndarray, n: int) -> None:
        self._n, self._codes = n, pair_codes(left, right, n)
        self._order = np.argsort(self._codes, kind="stable")

    def rows(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the row of each pair of documents, in either order; -1 for a pair that is not in the index, or with a number below 0."""
        if not len(self._codes):
            return np.full(len(one), -1)
        wanted = pair_codes(one, other, self._n)
        at = self._order[np.minimum(np.searchsorted(self._codes, wanted, sorter=self._order), len(self._codes) - 1)]
        found: np.ndarray = np.where((self._codes[at] == wanted) & (one >= 0) & (other >= 0), at, -1)
        return found


def pair_codes(left: np.ndarray, right: np.ndarray, n: int) -> np.ndarray:
    """Return one number for each unordered pair of `n` documents, int64."""
    codes: np.ndarray = np.minimum(left, right).astype(np.int64) * n + np.maximum(left, right)
    return codes
