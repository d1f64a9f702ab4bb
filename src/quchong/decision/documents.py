"""The documents of a run as columns: all that deciding needs of them, and no text."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from quchong.cluster.policy import Policy, Preference
from quchong.cluster.times import times
from quchong.decision.scope import ScopeColumns
from quchong.errors import UsageError
from quchong.kernels.sorting import ordered
from quchong.seam import Features

SCORED_TOKENS = 4
"""Texts with fewer tokens have fewer than two shingles of three: too little to compare beyond equality."""


_DAY = 86_400


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """What is known of each document beside its text. Every engine fills one for the documents it decides: of a whole run, or of
    a part that hangs together with nothing else. Arrays have one entry a document; the reference corpus comes first.

    Attributes:
        ids: unique, large_string.
        id_rank: int64, place of each document when ids are sorted bytewise.
        tokens, singles: uint32, tokens of the text, and how many of them are one character.
        high, low: uint64, both halves of the digest of the normal form.
        references: how many documents at the front belong to the reference corpus.
        numbers: every id of the input came as a whole number that 64 bits hold, and none had to be made up or changed.
        scope: who may meet whom.
        protected: bool, what is never removed.
        priority: int64, rank of each document, 0 the best: by id until `under` a policy.
        preference: what the policy says where ids play no part.
        published: the column of times; None where there is none.
        overturned: bool, what stays because a person overturned its removal; None where nobody did.
        apart: int64, pairs of which neither goes for the other's sake, as `pair_codes` has them.
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

    @staticmethod
    def unranked(
        ids: pa.Array, id_rank: np.ndarray, features: Features, references: int = 0, numbers: bool = False
    ) -> DocumentColumns:
        """Documents without a scope or a policy; of `features` lengths and digests are taken."""
        n = len(ids)
        return DocumentColumns(
            ids, id_rank, features.tokens, features.singles, features.high, features.low, references, numbers,
            ScopeColumns(), np.zeros(n, bool), id_rank, Preference(np.zeros(n, np.int64), None),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.ids)

    def under(self, policy: Policy, columns: pa.Table, protected: np.ndarray, time_key: str) -> DocumentColumns:
        """The same under a policy: reference documents are preferred, then protected ones, then by policy.

        What a person overturned is protected too.

        Args:
            policy: who survives.
            columns: what it reads, one row a document.
            protected: mask of the documents that are never removed.
            time_key: the column of times.
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
        """By how many seconds left is newer than right, float64; NaN where their times do not tell.

        So it is where either has no time that can be read, and of one day where either says no hour: it stands at its midnight.

        Cost: times of these documents alone are read, each once.
        """
        docs, index = np.unique(np.concatenate([left, right]).astype(np.int64), return_inverse=True)
        seconds = np.full(len(docs), np.nan)
        if self.published is not None and len(docs):
            try:
                seconds = times(self.published.take(pa.array(docs)))
            except UsageError:  # a column of that name that holds no times, and that nobody asked for
                seconds = np.full(len(docs), np.nan)
        one, other = seconds[index[: len(left)]], seconds[index[len(left) :]]
        day = (one // _DAY == other // _DAY) & ((one % _DAY == 0) | (other % _DAY == 0)) & (one != other)
        out: np.ndarray = np.where(day, np.nan, one - other)
        return out

    @property
    def reference(self) -> np.ndarray:
        """Mask of the reference corpus."""
        mask: np.ndarray = np.arange(len(self)) < self.references
        return mask

    @property
    def rank(self) -> np.ndarray:
        """The order in which documents stand for their exact class and meet others: references, then by id; int64."""
        return self.id_rank + np.where(self.reference, -len(self), 0)

    @property
    def unscored(self) -> np.ndarray:
        """Mask of the documents too short to be compared beyond equality."""
        few: np.ndarray = self.tokens < SCORED_TOKENS
        return few

    def named(self, index: np.ndarray, own: bool = False) -> pa.Array:
        """Ids of these documents as tables show them: int64 where they came as whole numbers, else text.

        A column has one type. Those of the reference corpus stand under a prefix, as text; so then do all ids of a column,
        unless it holds documents of the input alone (`own`).
        """
        found = self.ids.take(pa.array(index, pa.int64()))
        return found.cast(pa.int64()) if self.numbers and (own or not self.references) else found

    def same(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Mask of the pairs whose normal forms have one digest."""
        mask: np.ndarray = (self.high[left] == self.high[right]) & (self.low[left] == self.low[right])
        return mask

    def compared(self, left: np.ndarray, right: np.ndarray, only_against: bool) -> np.ndarray:
        """Mask of the pairs that are looked at: none within the reference corpus; with `only_against` none within the input."""
        inner, outer = (left < self.references), (right < self.references)
        mask: np.ndarray = inner != outer if only_against else ~(inner & outer)
        return mask


def pair_codes(left: np.ndarray, right: np.ndarray, n: int) -> np.ndarray:
    """A number for each pair of n documents, whichever stands left; int64."""
    codes: np.ndarray = np.minimum(left, right).astype(np.int64) * n + np.maximum(left, right)
    return codes
