"""Keep policies: order in which documents are preferred as survivors, written as "longest,earliest" or "source:人民网>新华网"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.kernels.sorting import ordered
from quchong.policy.criteria import Criterion, criterion_of, equal_to
from quchong.policy.times import plain_column, readable_and_unread

DEFAULT = "longest,earliest"
"""Default policy; like every policy it ends with the id."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A criterion's report on missing, unreadable or unknown values.

    Attributes:
        criterion: the criterion as written. column: the column it reads.
        values: number of documents with a value there. unread: number of documents whose value cannot be read as a time; `example` is
            such a value.
        unknown: values the criterion names that no document has; `example` is then one that a document has.
    """

    criterion: str
    column: str
    values: int
    unread: int = 0
    example: str | None = None
    unknown: tuple[str, ...] = ()


Count = tuple[int, int, int, str | None]
"""Index of a criterion, what was counted (0: values, 1: unreadable ones, 2 and more: the values it names), the number, an example."""


@dataclass(frozen=True, slots=True)
class Preference:
    """Order of the documents by a policy alone, without ids.

    Attributes:
        rank: int64 (documents,), smaller is better; equal if no criterion distinguishes two documents.
        published: float64 (documents,), an order that protects who came first where the policy begins with `earliest`: the time of each,
            infinity where it is unknown; with `earliest,first` the place of each by time, then by row, so that rows without a time are
            taken in their order. None under any other policy.
    """

    rank: npt.NDArray[np.int64]
    published: npt.NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Policy:
    """An order of documents: by the first criterion, ties by the next one, and so on, in the end by id (bytewise)."""

    criteria: tuple[Criterion, ...]

    @classmethod
    @lru_cache(maxsize=64)
    def parse(cls, text: str = DEFAULT, *, time_key: str = "time", source_key: str = "source") -> Policy:
        """Parse a policy, criteria separated by commas.

        Args:
            text: for example "longest,earliest", "source:人民网>新华网,latest", "column:quality desc,first".
                `column` without a direction is ascending. Values hold no comma, sources no ">".
            time_key: column of earliest and latest where the criterion names none.
            source_key: column of source.

        Returns:
            The policy; `str` of it is the text in its plain form.

        Raises:
            UsageError: an unknown criterion, or one with a part missing or too much; the message lists the criteria.
        """
        return cls(tuple(criterion_of(part.strip(), text, time_key, source_key) for part in text.split(",")))

    def __str__(self) -> str:
        """Return the policy in the form that `parse` reads."""
        return ",".join(map(str, self.criteria))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns besides `id` that the policy reads, in order of the criteria."""
        return tuple(
            dict.fromkeys(criterion.column for criterion in self.criteria if criterion.column not in ("", "id"))
        )

    @property
    def arrival(self) -> bool:
        """True for a policy that begins with `earliest,first`: the order of rows is that of arrival where times do not tell."""
        return len(self.criteria) > 1 and (self.criteria[0].name, self.criteria[1].name) == ("earliest", "first")

    def ranked(
        self, documents: pa.Table, tokens: npt.NDArray[np.uint32], id_rank: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], Preference]:
        """Return two ranks of the documents: by criteria and then ids (int64), and the preference by criteria alone.

        Args:
            documents: columns `columns`, rows in input order. The time column may be absent where its criterion doesn't name it:
                earliest and latest then change nothing.
            tokens: uint32 (documents,), the length of each in tokens.
            id_rank: int64 (documents,), place of each when ids are sorted bytewise.

        Returns:
            The priority, int64 (documents,), a permutation, 0 = best; and the preference, in which documents that no criterion
            distinguishes have equal rank. An unknown time or value comes after every known one. Only first and last depend on the order of
            rows.

        Raises:
            UsageError: a column is missing or of a type that has no order.
        """
        keys = [criterion.key(documents, tokens) for criterion in self.criteria]
        keys = [np.where(np.isnan(key), np.inf, key) if key.dtype.kind == "f" else key for key in keys]
        telling = [key for key in keys if (key[1:] != key[:-1]).any()]
        order = ordered(*telling, id_rank)
        steps = np.zeros(len(order), np.bool_)
        for key in telling:
            there = key[order]
            steps[1:] |= there[1:] != there[:-1]
        priority, rank = np.empty(len(order), np.int64), np.empty(len(order), np.int64)
        priority[order], rank[order] = np.arange(len(order)), np.cumsum(steps)
        return priority, Preference(rank, self._published(keys))

    def _published(self, keys: list[npt.NDArray[Any]]) -> npt.NDArray[np.float64] | None:
        """Return the order by which earlier documents are protected; None unless the policy begins with earliest."""
        if self.criteria[0].name != "earliest":
            return None
        if not self.arrival:
            return keys[0].astype(np.float64)
        place = np.empty(len(keys[0]), np.float64)
        place[ordered(keys[0], keys[1])] = np.arange(len(keys[0]))
        return place

    def counted(self, documents: pa.Table) -> list[Count]:
        """Count the values of some documents for `doubts`; counts of parts may be added up, and the least example taken."""
        out: list[Count] = []
        for place, criterion in enumerate(self.criteria):
            if criterion.name not in ("earliest", "latest", "source", "prefer"):
                continue
            if criterion.column not in documents.column_names:
                out.append((place, 0, 0, None))
                continue
            column = plain_column(documents[criterion.column])
            if criterion.values:
                is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
                least = pc.min(column).as_py() if is_text else None
                out.append((place, 0, len(column) - column.null_count, least))
                found = [int(pc.sum(pc.fill_null(equal_to(column, v), False)).as_py() or 0) for v in criterion.values]
                out += [(place, 2 + k, n, None) for k, n in enumerate(found)]
            else:
                readable, strange = readable_and_unread(column)
                out.append((place, 0, readable + len(strange), None))
                out.append((place, 1, len(strange), pc.min(strange).as_py()))
        return out

    def doubts(self, counts: Iterable[Count]) -> list[Doubt]:
        """Return the criteria that found no values, or values they cannot use, in all documents, in order.

        Such are: no time at all, times that cannot be read, and sources or values that no document has.
        """
        known: dict[tuple[int, int], int] = {}
        examples: dict[int, str] = {}
        for place, what, n, example in counts:
            known[place, what] = known.get((place, what), 0) + n
            if example is not None:
                examples[place] = min(examples.get(place, example), example)
        out = []
        for place, criterion in enumerate(self.criteria):
            if (place, 0) not in known:
                continue
            unknown = tuple(v for k, v in enumerate(criterion.values) if not known.get((place, 2 + k)))
            doubt = Doubt(
                str(criterion),
                criterion.column,
                known[place, 0],
                known.get((place, 1), 0),
                examples.get(place),
                unknown,
            )
            if doubt.unread or unknown or (not criterion.values and not doubt.values):
                out.append(doubt)
        return out
