"""How do columns that are typed already become documents?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import InputChanged, InputError
from quchong.io.source import ENCODING_REMEDY, Bad, Wanted, assemble, in_order
from quchong.tables import DOCUMENTS

TEXT_BYTES = 16 << 20
"""About so much text goes into one batch of documents."""

_BATCH_ROWS = 1 << 16

Batches = Iterable[tuple[int, pa.RecordBatch]]
"""Batches, each with the index of its first row in the source."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one schema that a run wants, checked: what a column of documents is made of.

    Args:
        wanted: what the run wants
        shown: file or other origin, for messages
        has_id: whether ids can be read from the schema; null ids if not
        present: the columns to read, in the order of the schema
        schema: of the documents
    """

    wanted: Wanted
    shown: str
    has_id: bool
    present: tuple[str, ...]
    schema: pa.Schema

    @classmethod
    def of(cls, schema: pa.Schema, wanted: Wanted, shown: str) -> Columns:
        """Checks `schema` against what is wanted.

        Raises:
            InputError: a text column is missing or no string; an id the user named is missing or cannot be an id;
                a wanted name stands twice
        """
        names = ", ".join(map(repr, schema.names))
        for key in wanted.columns:
            if schema.names.count(key) > 1:
                raise InputError(f"{shown} has {schema.names.count(key)} columns named {key!r}; rename all but one")
        for key in wanted.text:
            if key not in schema.names:
                raise InputError(f"{shown} has no column {key!r}; its columns are: {names}. Name one with --text-key")
            if not _is_text(schema.field(key).type):
                raise InputError(
                    f"{shown}: column {key!r} is {schema.field(key).type}, not text; "
                    "cast it to string, or name another with --text-key"
                )
        has_id = wanted.id in schema.names and _is_id(schema.field(wanted.id).type)
        if wanted.id_required and not has_id:
            if wanted.id not in schema.names:
                raise InputError(f"{shown} has no column {wanted.id!r}; its columns are: {names}. Name one with --id-key")
            raise InputError(
                f"{shown}: column {wanted.id!r} is {schema.field(wanted.id).type}, which cannot be an id; "
                "cast it to string, or name another with --id-key"
            )
        extra = [
            pa.field(name, _plain(schema.field(name).type) if name in schema.names else pa.large_string())
            for name in wanted.extra
        ]
        used = {*wanted.text, *wanted.extra} | ({wanted.id} if has_id else set())
        present = tuple(name for name in schema.names if name in used)
        return cls(wanted, shown, has_id, present, pa.schema([*DOCUMENTS, *extra]))

    def documents(self, batches: Batches, source: str, bad: list[Bad]) -> Iterator[pa.RecordBatch]:
        """Documents of `batches`, which hold at least the columns `present`; at least one batch, maybe empty."""
        count = 0
        for first, batch in batches:
            for offset, portion in _portions(batch, self.wanted.text):
                documents = self._documents(first + offset, portion, source, bad)
                if documents.num_rows:
                    count += 1
                    yield documents
        if not count:
            yield pa.RecordBatch.from_pylist([], schema=self.schema)

    def fetch(self, batches: Batches, rows: Sequence[int]) -> pa.Table:
        """The documents of these rows, in this order; stops taking batches when it has them."""
        asked = np.unique(np.asarray(rows, np.int64))
        found: list[pa.RecordBatch] = []
        missing = len(asked)
        for first, batch in batches if missing else ():
            here = asked[(asked >= first) & (asked < first + batch.num_rows)]
            for row in here.tolist():
                found.append(self._documents(row, batch.slice(row - first, 1), "", []))
            missing -= len(here)
            if not missing:
                break
        if missing:
            raise InputChanged(f"{self.shown} has no record with index {asked[-1]} any more; run again")
        return in_order(found, self.schema, rows)

    def _documents(self, first: int, batch: pa.RecordBatch, source: str, bad: list[Bad]) -> pa.RecordBatch:
        wanted = self.wanted
        texts = [batch.column(key) for key in wanted.text]
        reasons: dict[int, str] = {}
        for key, column in zip(wanted.text, texts, strict=True):
            reasons |= _not_utf8(key, column)
        plain = [_large(column, reasons) for column in texts]
        text = plain[0] if len(plain) == 1 else pc.binary_join_element_wise(*plain, "\n", null_handling="skip")
        null = np.logical_and.reduce([column.is_null().to_numpy(zero_copy_only=False) for column in texts])
        names = " and ".join(wanted.text)
        reasons = dict.fromkeys(np.flatnonzero(null).tolist(), f"{names} {'is' if len(texts) == 1 else 'are'} null") | reasons
        ids = pa.nulls(batch.num_rows, pa.large_string())
        if self.has_id:
            column = batch.column(wanted.id)
            wrong = _not_utf8(str(wanted.id), column)
            ids = _ids(column, wrong)
            if wanted.id_required:
                none = np.flatnonzero(ids.is_null().to_numpy(zero_copy_only=False)).tolist()
                reasons = dict.fromkeys(none, f"{wanted.id} is null or no whole number") | wrong | reasons
        extra = [
            batch.column(name).cast(self.schema.field(name).type)
            if name in self.present
            else pa.nulls(batch.num_rows, pa.large_string())
            for name in wanted.extra
        ]
        rows = np.arange(first, first + batch.num_rows, dtype=np.int64)
        if not reasons:
            return assemble(wanted, rows, ids, text, extra)
        for index in sorted(reasons):
            bad.append(Bad(source, first + index, None, reasons[index], _raw(batch.slice(index, 1))))
        good = np.ones(batch.num_rows, bool)
        good[list(reasons)] = False
        mask = pa.array(good)
        return assemble(wanted, rows[good], ids.filter(mask), text.filter(mask), [one.filter(mask) for one in extra])


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of a column of documents: dictionaries opened, strings of every sort large."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.large_string() if _is_text(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _is_id(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return _is_text(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _large(column: pa.Array, wrong: dict[int, str]) -> pa.Array:
    """As large strings; values that are no UTF-8 become null, as the records are bad anyway."""
    if wrong:
        mask = np.ones(len(column), bool)
        mask[list(wrong)] = False
        column = pc.if_else(pa.array(mask), column, pa.scalar(None, column.type))
    return column.cast(_plain(column.type)).cast(pa.large_string())


def _ids(column: pa.Array, wrong: dict[int, str]) -> pa.Array:
    """Ids as large strings: integers in decimal, whole floats without ".0", other floats null."""
    kind = _plain(column.type)
    if not pa.types.is_floating(kind):
        return _large(column, wrong)
    numbers = column.cast(pa.float64()).to_pylist()
    whole = [None if number is None or not number.is_integer() else str(int(number)) for number in numbers]
    return pa.array(whole, pa.large_string())


def _not_utf8(key: str, column: pa.Array) -> dict[int, str]:
    """Reasons by index; Arrow does not check strings when it reads them."""
    if not _is_text(column.type):
        return {}
    try:
        column.validate(full=True)
        if pa.types.is_dictionary(column.type):
            column.dictionary.validate(full=True)
    except pa.ArrowInvalid:
        reasons = {}
        for index in range(len(column)):
            try:
                column[index].as_py()
            except UnicodeDecodeError as error:
                reasons[index] = f"{key} is invalid UTF-8 at byte {error.start + 1}; {ENCODING_REMEDY}"
        return reasons
    return {}


def _raw(row: pa.RecordBatch) -> bytes:
    """JSON of one row, as far as JSON can say it."""
    record: dict[str, Any] = {}
    for name, column in zip(row.schema.names, row.columns, strict=True):
        try:
            record[name] = column[0].as_py()
        except (UnicodeDecodeError, ValueError):
            record[name] = None
    return orjson.dumps(record, default=str)


def _portions(batch: pa.RecordBatch, keys: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Slices of at most about TEXT_BYTES of text, however large the batches of the source are."""
    sizes: npt.NDArray[np.int64] = np.zeros(batch.num_rows, np.int64)
    for key in keys:
        column = batch.column(key)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if not pa.types.is_string_view(column.type):
            sizes += pc.fill_null(pc.binary_length(column), 0).to_numpy().astype(np.int64)
    total = np.cumsum(sizes)
    start = 0
    while start < batch.num_rows:
        before = int(total[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(total, before + TEXT_BYTES, "right")))
        end = min(end, start + _BATCH_ROWS, batch.num_rows)
        yield start, batch.slice(start, end - start)
        start = end
