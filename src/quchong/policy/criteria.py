"""Criteria of a keep policy; each is an order of documents that may leave ties."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError, meant
from quchong.languages import SEMICOLON, Message, join_messages, join_names
from quchong.patterns import lazy_pattern
from quchong.policy.times import plain_column, times

Key = npt.NDArray[Any]


CRITERIA = {
    "longest": "longest",
    "shortest": "shortest",
    "earliest": Message("earliest or earliest:column"),
    "latest": Message("latest or latest:column"),
    "first": "first",
    "last": "last",
    "source": Message("source:best>second>..."),
    "column": Message("column:name asc or column:name desc"),
    "prefer": Message("prefer:column=value"),
}
"""Names of the criteria, and how each is written."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a policy: an order of the documents that may leave ties.

    Attributes:
        name: one of `CRITERIA`.
        column: the column it reads; empty for longest, shortest, first and last.
        named: the column was written in the criterion, so it has to be there.
        values: sources, best first, or the one preferred value.
        descending: True if the largest value of `column` is best.
    """

    name: str
    column: str = ""
    named: bool = False
    values: tuple[str, ...] = ()
    descending: bool = False

    def __str__(self) -> str:
        """Return the criterion as it is written in a policy."""
        detail = {
            "source": ">".join(self.values),
            "column": f"{self.column} {'desc' if self.descending else 'asc'}",
            "prefer": f"{self.column}={''.join(self.values)}",
        }.get(self.name, self.column if self.named else "")
        return f"{self.name}:{detail}" if detail else self.name

    def key(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> Key:
        """Return a number for each document, smallest for the best; unknown values get the largest, or NaN."""
        match self.name:
            case "longest" | "latest" | "last":
                return -self._ascending(documents, tokens)
            case "shortest" | "earliest" | "first":
                return self._ascending(documents, tokens)
            case "source":
                sources = pa.array(self.values, pa.large_string())
                return as_numpy(pc.fill_null(pc.index_in(_texts(self._read(documents)), sources), len(sources)))
            case "prefer":
                return ~as_numpy(pc.fill_null(equal_to(self._read(documents), self.values[0]), False))
            case _:
                return _order(self._read(documents), self.column, self.descending)

    def _ascending(self, documents: pa.Table, tokens: npt.NDArray[np.uint32]) -> Key:
        """Return for each document the value that the criterion orders by, ascending: length, time (NaN if unknown) or row number."""
        if self.name in ("longest", "shortest"):
            return tokens.astype(np.int64)
        if self.name in ("first", "last"):
            return np.arange(documents.num_rows)
        if not self.named and self.column not in documents.column_names:
            return np.zeros(documents.num_rows)
        return times(self._read(documents))

    def _read(self, documents: pa.Table) -> Any:
        if self.column in documents.column_names:
            return plain_column(documents[self.column])
        there = join_names(documents.column_names)
        raise UsageError(
            "the policy criterion {!r} needs the column {!r}, but the documents have the columns {}",
            str(self),
            self.column,
            there,
        )


WIDE = "\uff0c\uff1a\uff1e\uff1d\u3001\uff1b"
"""Full-width comma, colon, greater-than and equals sign, the comma of lists, and the full-width semicolon."""
WIDE_AS_ASCII = str.maketrans(WIDE, ",:>=,,")
_BETWEEN = "\uff0c\u3001\uff1b;|\uff5c"
"""Signs that people write between sources: comma and semicolon of a Chinese keyboard, comma of lists, semicolon, bars."""
_OTHER_WORDS = {
    "newest": "latest", "recent": "latest", "most recent": "latest", "most-recent": "latest", "oldest": "earliest", "biggest": "longest",
    "largest": "longest", "smallest": "shortest", "random": "first",
    "最早": "earliest", "最先": "earliest", "最旧": "earliest", "最晚": "latest", "最新": "latest", "最近": "latest", "最长": "longest",
    "最短": "shortest", "第一": "first", "首篇": "first", "最后": "last", "原创": "earliest", "首发": "earliest", "原文": "earliest",
    "original": "earliest",
}  # fmt: skip
"""Words for criteria in other tools and in everyday speech."""
_ORDERS = {
    "highest": "desc", "max": "desc", "best": "desc", "largest": "desc", "top": "desc", "desc": "desc", "最高": "desc", "最大": "desc",
    "lowest": "asc", "min": "asc", "smallest": "asc", "asc": "asc", "最低": "asc", "最小": "asc",
}  # fmt: skip
"""Words for the order of a column, and the direction of each."""
_NO_COPY = "false none no nothing all drop 不保留".split()
"""Words by which other tools keep no copy, or every one."""
_BEST = "best highest quality score max top 最好 最优 质量 评分".split()
"""Words for the order of a column, which has to be named."""
_SOURCES = "来源 媒体 站点 网站 site publisher media domain priority".split()
"""Words for a preference of sources, which has to name them."""


_DIRECTIONS = {
    "descending": "desc", "down": "desc", "decreasing": "desc", "降序": "desc", "从大到小": "desc", "倒序": "desc",
    "ascending": "asc", "up": "asc", "increasing": "asc", "升序": "asc", "从小到大": "asc", "正序": "asc",
}  # fmt: skip
"""Orders by the words that people try for them."""


def criterion_of(part: str, text: str, time_key: str, source_key: str) -> Criterion:
    """Parse one criterion of the policy `text`.

    Raises:
        UsageError: no criterion, or one with a part missing or too much; the message lists the criteria.
    """
    name, colon, detail = (piece.strip() for piece in part.partition(":"))
    if name in ("longest", "shortest", "first", "last") and not colon:
        return Criterion(name)
    if name in ("earliest", "latest") and bool(detail) == bool(colon):
        return Criterion(name, detail or time_key, named=bool(detail))
    if name == "source":
        sources = tuple(piece.strip() for piece in detail.replace("\uff1e", ">").split(">"))
        if any(sign in detail for sign in _BETWEEN):  # it would be the name of one source, which no document has
            ordered = ">".join(piece.strip() for piece in re.split(f"[{_BETWEEN}]", detail.replace("\uff1e", ">")))
            raise UsageError(
                "{}: separate sources by >; did you mean {}? If the name of a source contains this sign, write {}",
                Param("keep", text),
                f"source:{ordered}",
                f"prefer:{source_key}={detail}",
            )
        if all(sources) and len(set(sources)) == len(sources):
            return Criterion(name, source_key, named=True, values=sources)
    if name == "column" and detail:
        column, _, direction = (piece.strip() for piece in detail.rpartition(" "))
        if column and direction in ("asc", "desc"):
            return Criterion(name, column, named=True, descending=direction == "desc")
        if column and (word := _DIRECTIONS.get(direction.lower())) is not None:
            raise UsageError(
                "{}: the order is written asc or desc; did you mean {}?", Param("keep", text), f"column:{column} {word}"
            )
        return Criterion(name, detail, named=True)
    if name == "prefer":
        column, _, value = (piece.strip() for piece in detail.partition("="))
        if column and value:
            return Criterion(name, column, named=True, values=(value,))
    if name in CRITERIA:
        example = {"source": "source:A>B", "column": "column:score desc", "prefer": "prefer:lang=zh"}.get(name, name)
        raise UsageError("{}: criterion {!r} is not written as {}; write for example {}", Param("keep", text), part, CRITERIA[name],
                         example)  # fmt: skip
    ways = join_messages(CRITERIA.values(), SEMICOLON)
    raise UsageError(
        "{}: unknown criterion {!r}; use {}{}", Param("keep", text), part, ways, _criterion_meant(part, text)
    )


_PREFERRED = lazy_pattern(r"(?:优先|首选|prefer[- _]?)(\S+)|(\S+?)(?:优先|首选|[- _]?first)")
"""A word with the wish to prefer it, which names a source."""


def _criterion_meant(part: str, text: str) -> Message:
    """Return `; did you mean ...?` for a part of the policy `text` that is no criterion; an empty message if nobody knows."""
    name = part.partition(":")[0].strip()
    if any(sign in part for sign in WIDE):  # the comma and colon of a Chinese keyboard
        words = [word.strip() for word in part.translate(WIDE_AS_ASCII).split(",")]
        return Message("; did you mean {}?", ",".join(_joined_sources(map(_plain_criterion, words))))
    column, order = part.partition(":")[2].strip(), _ORDERS.get(name.lower())
    same = f"column:{column} {order}" if column and order else _OTHER_WORDS.get(name)
    if same is None and not column and name.lower() in _BEST:
        same = "column:NAME desc"
    if same is None and column and name.lower() in _SOURCES:
        same = ",".join(_joined_sources([_plain_criterion(part)]))
    if same is None and not name.isascii():
        same = next((known for word, known in _OTHER_WORDS.items() if word in name), None)
    if same is not None:
        return Message("; did you mean {}?", same)
    if name.lower() in _NO_COPY:
        return Message("; one of the copies is always kept: leave out the option, or say which copy is kept")
    if name.lower() in _SOURCES or (not name.isascii() and any(word in name for word in _SOURCES)):
        return Message("; did you mean {}?", CRITERIA["source"])
    if found := re.search(rf"(source:[^,]*),\s*{re.escape(part)}(?=,|$)", text):  # sources listed with commas
        return Message("; did you mean {}?", f"{found[1]}>{part}")
    return _source_or_id(name) if not column else meant(name, CRITERIA)


def _source_or_id(word: str) -> Message:
    """Return a hint for a word that is a source name, a column, an id, or a misspelt criterion."""
    if found := _PREFERRED.fullmatch(word):
        return Message("; to prefer a source: {}", f"source:{found[1] or found[2]}")
    near = meant(word, CRITERIA)
    if near:
        return near
    if not re.fullmatch(r"[^\W_]*[-_]?\d+", word):
        return Message("; if {!r} is a column, write {} to keep the largest value", word, f"column:{word} desc")
    return Message(
        "; to keep a document whatever the criteria say, write its id into a file: {}", Param("protect", "ids.txt")
    )


def _plain_criterion(word: str) -> str:
    """Return a criterion with everyday words replaced in its name: 来源 becomes source.

    >>> _plain_criterion("来源:新华社"), _plain_criterion("最早")
    ('source:新华社', 'earliest')
    """
    name, colon, detail = word.partition(":")
    known = _OTHER_WORDS.get(name, "source" if colon and name.lower() in _SOURCES else name)
    return f"{known}{colon}{detail}"


def _joined_sources(criteria: Iterable[str]) -> list[str]:
    """Return criteria in which source names that were split off at commas are joined to their criterion again.

    >>> _joined_sources(["source:a", "b", "longest"])
    ['source:a>b', 'longest']
    """
    found = list[str]()
    for one in criteria:
        if found and found[-1].startswith("source:") and ":" not in one and one not in CRITERIA:
            found[-1] += f">{one}"
        else:
            found.append(one)
    return found


def as_numpy(values: Any) -> Key:
    """Convert Arrow values to NumPy."""
    return np.asarray(values.to_numpy(zero_copy_only=False) if isinstance(values, pa.Array) else values)


def _texts(values: Any) -> Any:
    try:
        return values.cast(pa.large_string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise UsageError(
            "a policy cannot compare the values of a column of type {}: name another column", values.type
        ) from None


def equal_to(values: Any, wanted: str) -> Any:
    """Return a mask of the values that equal the one written in a criterion, null for null.

    Values are compared as numbers if the column has numbers, as truth values if it has these, else as text.
    """
    kind = values.type
    if pa.types.is_boolean(kind):
        wanted = wanted.lower()
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        try:
            return pc.equal(values.cast(pa.float64(), safe=False), float(wanted))
        except ValueError:
            return pa.array(np.zeros(len(values), dtype=np.bool_))
    return pc.equal(_texts(values), wanted)


def _unordered(column: str, kind: pa.DataType) -> UsageError:
    """Return the error about a column whose type has no order."""
    return UsageError(
        "the column {!r} has type {}, and values of this type have no order: choose a column of numbers, dates or text",
        column,
        kind,
    )


def _order(values: Any, column: str, descending: bool) -> Key:
    """Return the rank of each value among the distinct ones; null, NaN and empty strings come last."""
    if pa.types.is_null(values.type):
        return np.zeros(len(values))
    if pa.types.is_nested(values.type):
        raise _unordered(column, values.type)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int8())
    elif pa.types.is_large_string(values.type):
        values = _numbers_if_all(values)
    if pa.types.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
    try:
        encoded = values.dictionary_encode()
        order = as_numpy(pc.sort_indices(encoded.dictionary))
    except pa.ArrowNotImplementedError as error:  # intervals
        raise _unordered(column, values.type) from error
    place = np.full(len(encoded.dictionary) + 1, len(encoded.dictionary))  # the last one for what is missing
    place[order] = np.arange(len(encoded.dictionary))
    if descending:
        place[:-1] = -place[:-1]
    return place[as_numpy(pc.fill_null(encoded.indices, -1))]


def _numbers_if_all(texts: Any) -> Any:
    """Convert strings to numbers if every one is a number, else return them; empty ones become null."""
    stripped = pc.utf8_trim_whitespace(texts)
    stripped = pc.if_else(pc.equal(stripped, ""), pa.scalar(None, stripped.type), stripped)
    for kind in (pa.int64(), pa.float64()):
        try:
            return stripped.cast(kind)
        except pa.ArrowInvalid:
            continue
    return stripped
