"""Keep policies: which of two documents stays. Written as a list, such as "longest,earliest" or "source:人民网>新华网"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.cluster.times import plain, times, unread
from quchong.errors import UsageError

Key = npt.NDArray[Any]

DEFAULT = "longest,earliest"
"""The policy used unless told otherwise; like every policy it ends with the id."""

RULES = {
    "longest": "longest",
    "shortest": "shortest",
    "earliest": "earliest or earliest:column",
    "latest": "latest or latest:column",
    "first": "first",
    "last": "last",
    "source": "source:best>second>...",
    "column": "column:name asc or column:name desc",
    "prefer": "prefer:column=value",
}
"""Every rule and how it is written."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a policy: an order of the documents that may leave ties.

    Attributes:
        name: one of `RULES`.
        column: the column it reads; empty for longest, shortest, first and last.
        named: the column was written in the rule, so it has to be there.
        values: sources, best first, or the one preferred value.
        descending: of `column`, the largest value is best.
    """

    name: str
    column: str = ""
    named: bool = False
    values: tuple[str, ...] = ()
    descending: bool = False

    def __str__(self) -> str:
        """Write the rule as it stands in a policy."""
        detail = {
            "source": ">".join(self.values),
            "column": f"{self.column} {'desc' if self.descending else 'asc'}",
            "prefer": f"{self.column}={''.join(self.values)}",
        }.get(self.name, self.column if self.named else "")
        return f"{self.name}:{detail}" if detail else self.name

    def key(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> Key:
        """Give each document a number, smallest for the best; the unknown gets the largest or NaN."""
        match self.name:
            case "longest" | "latest" | "last":
                return -self._ascending(documents, tokens)
            case "shortest" | "earliest" | "first":
                return self._ascending(documents, tokens)
            case "source":
                sources = pa.array(self.values, pa.large_string())
                return _numpy(pc.fill_null(pc.index_in(_texts(self._read(documents)), sources), len(sources)))
            case "prefer":
                return ~_numpy(pc.fill_null(_equal(self._read(documents), self.values[0]), False))
            case _:
                return _order(self._read(documents), self.column, self.descending)

    def _ascending(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> Key:
        """Length, time (NaN where unknown) or row."""
        if self.name in ("longest", "shortest"):
            return tokens.astype(np.int64)
        if self.name in ("first", "last"):
            return np.arange(documents.num_rows)
        if not self.named and self.column not in documents.column_names:
            return np.zeros(documents.num_rows)
        return times(self._read(documents))

    def _read(self, documents: pa.Table) -> Any:
        if self.column in documents.column_names:
            return plain(documents[self.column])
        there = ", ".join(documents.column_names)
        raise UsageError(f"policy rule {str(self)!r} needs the column {self.column!r}; the documents have {there}")


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a rule could not go by.

    Attributes:
        rule: as written. column: the one it reads.
        values: documents with a value there. unread: those whose value is no time that can be read; `example` is one of them.
        unknown: values the rule names that no document has.
    """

    rule: str
    column: str
    values: int
    unread: int = 0
    example: str | None = None
    unknown: tuple[str, ...] = ()


Count = tuple[int, int, int, str | None]
"""Place of a rule, what was counted (0: values, 1: unread ones, 2 and more: the values a rule names), how many, an example."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What a policy says of documents where ids play no part.

    Attributes:
        rank: int64 (documents,), smaller is better; equal where no rule tells two documents apart.
        published: float64 (documents,), the time of each where the policy begins with `earliest` and so protects who
            published first, infinity where it is unknown; None under any other policy.
    """

    rank: npt.NDArray[np.int64]
    published: npt.NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Policy:
    """An order of documents: by the first rule, ties by the next one, and so on, in the end by id (bytewise)."""

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str = DEFAULT, *, time_key: str = "time", source_key: str = "source") -> Policy:
        """Read a policy as the user writes it, rules separated by commas.

        Args:
            text: for example "longest,earliest", "source:人民网>新华网,latest", "column:quality desc,first".
                `column` without a direction is ascending. Values hold no comma, sources no ">".
            time_key: column of earliest and latest where the rule names none.
            source_key: column of source.

        Returns:
            The policy; `str` of it is the text in its plain form.

        Raises:
            UsageError: an unknown rule, or one with a part missing or too much; the message lists the rules.
        """
        return cls(tuple(_rule(part.strip(), text, time_key, source_key) for part in text.split(",")))

    def __str__(self) -> str:
        """Write the policy as `parse` reads it."""
        return ",".join(map(str, self.rules))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns besides `id` that have to be read for this policy, in order of the rules."""
        return tuple(dict.fromkeys(rule.column for rule in self.rules if rule.column not in ("", "id")))

    def priority(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        """Rank the documents.

        Args:
            documents: columns id (unique strings) and `columns`, rows in input order. The time column may be
                absent where its rule doesn't name it: earliest and latest then change nothing.
            tokens: uint32 (documents,), the length of each in tokens.

        Returns:
            int64 (documents,), a permutation, 0 = best. An unknown time or value comes after every known one.
            Only first and last depend on the order of rows.

        Raises:
            UsageError: a column is missing or of a type that has no order.
        """
        by_id = np.empty(documents.num_rows, dtype=np.int64)
        by_id[_numpy(pc.sort_indices(documents["id"]))] = np.arange(len(by_id))
        keys = [rule.key(documents, tokens) for rule in self.rules]
        priority = np.empty(len(by_id), dtype=np.int64)
        priority[np.lexsort([by_id, *reversed(keys)])] = np.arange(len(by_id))
        return priority

    def preference(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> Preference:
        """Rank the documents by the rules alone, and say when each was published where that protects it.

        Args and errors: as of `priority`. Unknown values rank last, all alike.
        """
        keys = [np.where(np.isnan(k), np.inf, k) for k in (rule.key(documents, tokens) for rule in self.rules)]
        order = np.lexsort(keys[::-1])
        steps = np.zeros(len(order), dtype=np.int64)
        for key in keys:
            steps[1:] |= key[order][1:] != key[order][:-1]
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.cumsum(steps)
        return Preference(rank, keys[0].astype(np.float64) if self.rules[0].name == "earliest" else None)

    def counted(self, documents: pa.Table) -> list[Count]:
        """What `doubts` needs of a part of the documents; counts of parts may be added up, and the least example taken."""
        out: list[Count] = []
        for place, rule in enumerate(self.rules):
            if rule.name not in ("earliest", "latest", "source", "prefer"):
                continue
            if rule.column not in documents.column_names:
                out.append((place, 0, 0, None))
                continue
            column = plain(documents[rule.column])
            if rule.values:
                out.append((place, 0, len(column) - column.null_count, None))
                found = [int(pc.sum(pc.fill_null(_equal(column, v), False)).as_py() or 0) for v in rule.values]
                out += [(place, 2 + k, n, None) for k, n in enumerate(found)]
            else:
                strange = unread(column)
                out.append((place, 0, int(np.isfinite(times(column)).sum()) + len(strange), None))
                out.append((place, 1, len(strange), pc.min(strange).as_py()))
        return out

    def doubts(self, counts: Iterable[Count]) -> list[Doubt]:
        """Rules that had nothing, or not all, to go by in all documents, in order: no time, times that cannot be read, sources
        or values that nobody has.
        """
        known: dict[tuple[int, int], int] = {}
        examples: dict[int, str] = {}
        for place, what, n, example in counts:
            known[place, what] = known.get((place, what), 0) + n
            if example is not None:
                examples[place] = min(examples.get(place, example), example)
        out = []
        for place, rule in enumerate(self.rules):
            if (place, 0) not in known:
                continue
            unknown = tuple(v for k, v in enumerate(rule.values) if not known.get((place, 2 + k)))
            doubt = Doubt(
                str(rule), rule.column, known[place, 0], known.get((place, 1), 0), examples.get(place), unknown
            )
            if doubt.unread or unknown or (not rule.values and not doubt.values):
                out.append(doubt)
        return out


def _rule(part: str, text: str, time_key: str, source_key: str) -> Rule:
    name, colon, detail = (piece.strip() for piece in part.partition(":"))
    if name in ("longest", "shortest", "first", "last") and not colon:
        return Rule(name)
    if name in ("earliest", "latest") and bool(detail) == bool(colon):
        return Rule(name, detail or time_key, named=bool(detail))
    if name == "source":
        sources = tuple(piece.strip() for piece in detail.split(">"))
        if all(sources) and len(set(sources)) == len(sources):
            return Rule(name, source_key, named=True, values=sources)
    if name == "column" and detail:
        column, _, direction = (piece.strip() for piece in detail.rpartition(" "))
        if column and direction in ("asc", "desc"):
            return Rule(name, column, named=True, descending=direction == "desc")
        return Rule(name, detail, named=True)
    if name == "prefer":
        column, _, value = (piece.strip() for piece in detail.partition("="))
        if column and value:
            return Rule(name, column, named=True, values=(value,))
    trouble = f"rule {part!r} is not written as" if name in RULES else f"unknown rule {part!r}; use"
    raise UsageError(f"policy {text!r}: {trouble} {RULES[name] if name in RULES else '; '.join(RULES.values())}")


def _numpy(values: Any) -> Key:
    return np.asarray(values.to_numpy(zero_copy_only=False) if isinstance(values, pa.Array) else values)


def _texts(values: Any) -> Any:
    try:
        return values.cast(pa.large_string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise UsageError(f"a column of type {values.type} holds no values a policy can compare") from None


def _equal(values: Any, wanted: str) -> Any:
    kind = values.type
    if pa.types.is_boolean(kind):
        wanted = wanted.lower()
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        try:
            return pc.equal(values.cast(pa.float64(), safe=False), float(wanted))
        except ValueError:
            return pa.array(np.zeros(len(values), dtype=np.bool_))
    return pc.equal(_texts(values), wanted)


def _order(values: Any, column: str, descending: bool) -> Key:
    """Place each value among the different ones; null, NaN and empty strings come after all others."""
    if pa.types.is_null(values.type):
        return np.zeros(len(values))
    if pa.types.is_nested(values.type):
        raise UsageError(f"the column {column!r} is of type {values.type}, which has no order")
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int8())
    elif pa.types.is_large_string(values.type):
        values = _numbers_if_all(values)
    if pa.types.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
    try:
        encoded = values.dictionary_encode()
        order = _numpy(pc.sort_indices(encoded.dictionary))
    except pa.ArrowNotImplementedError as error:  # intervals
        raise UsageError(f"the column {column!r} is of type {values.type}, which has no order") from error
    place = np.full(len(encoded.dictionary) + 1, len(encoded.dictionary))  # the last one for what is missing
    place[order] = np.arange(len(encoded.dictionary))
    if descending:
        place[:-1] = -place[:-1]
    return place[_numpy(pc.fill_null(encoded.indices, -1))]


def _numbers_if_all(texts: Any) -> Any:
    """Read the strings as numbers if every one is a number, else leave them; empty ones become null."""
    stripped = pc.utf8_trim_whitespace(texts)
    stripped = pc.if_else(pc.equal(stripped, ""), pa.scalar(None, stripped.type), stripped)
    for kind in (pa.int64(), pa.float64()):
        try:
            return stripped.cast(kind)
        except pa.ArrowInvalid:
            continue
    return stripped
