"""Conversion of typed columns to documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import InputChanged, InputError, Param
from quchong.io.array_checks import not_utf8
from quchong.io.arrays import chosen_array, is_text, no_rows, opened_type, text_lengths, to_plain_type
from quchong.io.columnar.portions import portions
from quchong.io.columnar.raw import raw_row
from quchong.io.documents import assemble, blank, join_texts
from quchong.io.limits import HEAD, LARGEST, too_large
from quchong.io.missing_columns import column_list, missing_id, missing_text
from quchong.io.nested.columns import NestedColumns, original, reasons_of
from quchong.io.nested.names import names_in_schema, nearest_names
from quchong.io.nested.path import parse_path
from quchong.io.source import ENCODING_REMEDY, Bad, WantedColumns
from quchong.languages import Message
from quchong.tables import DOCUMENTS

Batches = Iterable[tuple[int, pa.RecordBatch]]
"""Batches, each with the index of its first row in the source."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Checked mapping from the columns of a schema to the columns of documents.

    Args:
        wanted: columns that the run reads
        shown: file or other origin, for messages
        text: the text columns that exist; fewer than wanted only if there is a fallback column
        instead: the fallback column for missing texts; None without one
        has_id: True if ids can be read from the schema; otherwise ids are null
        present: the columns to read, in the order of the schema
        schema: schema of the documents
        most: maximum bytes of text and pages of a row; a larger row is bad, and only the beginnings of its values are stored
    """

    wanted: WantedColumns
    shown: str
    text: tuple[str, ...]
    instead: str | None
    has_id: bool
    present: tuple[str, ...]
    schema: pa.Schema
    _nested: NestedColumns
    _numbers: bool = False
    most: int = LARGEST

    @classmethod
    def from_schema(
        cls, schema: pa.Schema, wanted: WantedColumns, shown: str, whole: bool = False, most: int = LARGEST
    ) -> Columns:
        """Check a schema against the wanted columns and return the mapping; with `whole` no text is missing, so no fallback is used.

        Raises:
            InputError: a text column is missing or no string; the id column that the user named is missing or cannot be an id;
                two columns have a wanted name
        """
        for key in wanted.columns:
            if schema.names.count(key) > 1:
                raise InputError(
                    "{} has {} columns named {!r}; rename all but one", shown, schema.names.count(key), key
                )
        nested = NestedColumns.from_schema(
            schema, wanted.text, [key for key in wanted.columns if key not in wanted.text]
        )
        named, schema = schema, nested.schema
        instead = wanted.instead
        if instead not in schema.names or not _may_stand_in(schema.field(instead).type):
            instead = None
        text = tuple(key for key in wanted.text if key in schema.names)
        if not text and wanted.instead in schema.names and instead is None:
            raise InputError(
                "{}: column {!r} is {}, neither text nor bytes; name another column with {}",
                shown,
                wanted.instead,
                schema.field(wanted.instead).type,
                Param("html", "COLUMN"),
            )
        for key in wanted.text:
            if key not in schema.names and (text or instead is None):
                raise missing_text(shown, key, _names(named, key), None if text else wanted.instead)
            if key not in text:
                continue
            nothing = instead is not None and pa.types.is_null(schema.field(key).type)  # as Arrow has it: all null
            if not nothing and pa.types.is_struct(opened_type(schema.field(key).type)):
                within = names_in_schema(pa.schema([schema.field(key)]))
                raise InputError(
                    "{}: column {!r} has several values: {}; name the value that is the text with {}",
                    shown,
                    key,
                    column_list(within),
                    Param("text", within[0] if within else "COLUMN"),
                )
            if not nothing and not _is_text(schema.field(key).type):
                raise InputError(
                    "{}: column {!r} is {}, not text; cast it to string, or name another column with {}",
                    shown,
                    key,
                    schema.field(key).type,
                    Param("text", "COLUMN"),
                )
        has_id = wanted.id in schema.names and _is_id(schema.field(wanted.id).type)
        if wanted.id_required and not has_id:
            if wanted.id not in schema.names:
                raise missing_id(shown, str(wanted.id), _names(named, str(wanted.id)))
            raise InputError(
                "{}: column {!r} is {} and cannot be an id; cast it to string, or name another column with {}",
                shown,
                wanted.id,
                schema.field(wanted.id).type,
                Param("id", "COLUMN"),
            )
        usable = set(schema.names) - ({wanted.instead} if instead is None else set())
        extra = [
            pa.field(name, _document_type(schema.field(name).type) if name in usable else pa.large_string())
            for name in wanted.extra
        ]
        if instead is not None and whole and text:
            instead = None
        used = {*text, *wanted.extra} | ({wanted.id} if has_id else set())
        if instead is None:
            used.discard(wanted.instead)
        present = tuple(name for name in schema.names if name in used)
        numbers = has_id and pa.types.is_integer(opened_type(schema.field(wanted.id).type))
        return cls(
            wanted, shown, text, instead, has_id, present, pa.schema([*DOCUMENTS, *extra]), nested, numbers, most
        )

    @property
    def stored(self) -> tuple[str, ...]:
        """Columns to read of the table: those `present`, or the columns that they are within."""
        return self._nested.stored(self.present)

    def documents(self, batches: Batches, source: str, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """Yield the documents of batches that have at least the columns `stored`; at least one batch, maybe empty."""
        count = 0
        texts = [
            self._nested.column_name(key) for key in (*self.text, *([] if self.instead is None else [self.instead]))
        ]
        for first, stored in batches:
            for offset, portion in portions(self._nested.computed(stored, self.present), texts):
                documents = self._documents(first + offset, portion, source, bad)
                if documents.num_rows:
                    count += 1
                    yield documents
        if not count:
            yield no_rows(self.schema)

    def documents_at(self, batches: Batches, rows: npt.NDArray[np.int64]) -> Iterator[pa.RecordBatch]:
        """Yield the documents of these rows (ascending, distinct), at least one batch; no further batch is read when all are found."""
        missing = len(rows)
        for first, batch in batches if missing else ():
            here = rows[(rows >= first) & (rows < first + batch.num_rows)]
            for row in here.tolist():
                one = self._nested.computed(batch.slice(row - first, 1), self.present)
                yield self._documents(row, one, "", [])
            missing -= len(here)
            if not missing:
                return
        if missing:
            raise InputChanged(
                "{} no longer has a record with the number {} (counted from 0); run again", self.shown, rows[-1]
            )
        yield no_rows(self.schema)

    def _documents(self, first: int, batch: pa.RecordBatch, source: str, bad: MutableSequence[Bad]) -> pa.RecordBatch:
        wanted, size = self.wanted, batch.num_rows
        large = self._too_large(batch)
        if large:
            return self._without_large(first, batch, source, bad, large)
        columns = {name: _document_column(self._column(batch, name)) for name in self.present}
        wrong = {name: _not_utf8(name, column) for name, column in columns.items()}
        missing = pa.nulls(size, pa.large_string())
        texts = [_without(columns[key], wrong[key]) for key in self.text] or [missing]
        none = np.logical_and.reduce([_is_null(columns[key]) for key in self.text] or [np.ones(size, bool)])
        null = none.copy()
        if self.instead is not None:
            none = np.logical_and.reduce([np.asarray(blank(text)) for text in texts])
        named = [*self.text, *([] if self.instead is None else [self.instead])]
        if self.instead is not None:
            null &= _is_null(columns[self.instead])
        refused = [] if wanted.textless else np.flatnonzero(null).tolist()
        reasons: dict[int, str] = dict.fromkeys(refused, f"{' and '.join(named)} {_be(named)} null")
        reasons |= reasons_of(
            batch, self.present if wanted.id_required else [n for n in self.present if n != wanted.id]
        )
        ids = missing
        if self.has_id and wanted.id is not None:
            ids = _ids(_without(columns[wanted.id], wrong[wanted.id]))
        if wanted.id_required:
            nameless = np.flatnonzero(_is_null(ids)).tolist()
            reasons = dict.fromkeys(nameless, Message("{} is null or not a whole number", wanted.id)) | reasons
        for name in self.present:
            if name == self.instead:
                reasons |= {row: why for row, why in wrong[name].items() if none[row]}
            elif name != wanted.id or wanted.id_required:
                reasons |= wrong[name]
        extra = [columns.get(name, missing) for name in wanted.extra]
        text = join_texts(texts)
        if self.instead is not None:
            extra[-1] = _only(extra[-1], none)
        if self.instead is not None or wanted.textless:
            text = pc.fill_null(text, "")
        if self.instead is None and wanted.instead is not None:
            extra[-1] = pa.nulls(size, self.schema.field(wanted.instead).type)
        rows = np.arange(first, first + size, dtype=np.int64)
        if not reasons:
            return assemble(wanted, rows, ids, text, extra, self._numbers)
        for index in sorted(reasons):
            raw = raw_row(original(batch.slice(index, 1)))
            bad.append(Bad(source, first + index, None, reasons[index], raw))
        good = np.ones(size, bool)
        good[list(reasons)] = False
        ids, text, *extra = (chosen_array(column, good) for column in (ids, text, *extra))
        return assemble(wanted, rows[good], ids, text, extra, self._numbers)

    def _column(self, batch: pa.RecordBatch, name: str) -> pa.Array:
        return batch.column(self._nested.column_name(name))

    def _too_large(self, batch: pa.RecordBatch) -> dict[int, int]:
        """Return the rows of the batch that exceed the limit, with their bytes."""
        sizes = np.zeros(batch.num_rows, np.int64)
        for name in self.present:
            column = self._column(batch, name)
            if _may_stand_in(column.type):
                sizes += text_lengths(column)
        return {int(row): int(sizes[row]) for row in np.flatnonzero(sizes > self.most)}

    def _without_large(
        self, first: int, batch: pa.RecordBatch, source: str, bad: MutableSequence[Bad], large: dict[int, int]
    ) -> pa.RecordBatch:
        """Return the documents of a batch without its large rows, in order; the large rows are added to `bad`."""
        found: list[pa.RecordBatch] = []
        start = 0
        for row in [*large, batch.num_rows]:
            if row > start:
                found.append(self._documents(first + start, batch.slice(start, row - start), source, bad))
            if row in large:
                raw = raw_row(original(batch.slice(row, 1)), HEAD)
                bad.append(Bad(source, first + row, None, too_large(large[row], self.most), raw))
            start = row + 1
        if not found:
            return no_rows(self.schema)
        return pa.Table.from_batches(found).combine_chunks().to_batches()[0] if len(found) > 1 else found[0]


def _names(schema: pa.Schema, asked: str) -> list[str]:
    """Return the names that an error about a missing column lists: those of values within columns, if such a one was asked for."""
    return schema.names if parse_path(asked) is None else nearest_names(asked, names_in_schema(schema))


def _document_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column has in documents: its plain type (`opened_type`), and large_string for the null type."""
    kind = opened_type(kind)
    return pa.large_string() if pa.types.is_null(kind) else kind


def _document_column(column: pa.Array) -> pa.Array:
    column = to_plain_type(column)
    return column.cast(pa.large_string()) if pa.types.is_null(column.type) else column


def _is_text(kind: pa.DataType) -> bool:
    return is_text(opened_type(kind))


def _may_stand_in(kind: pa.DataType) -> bool:
    kind = opened_type(kind)
    return is_text(kind) or bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _only(column: pa.Array, chosen: npt.NDArray[np.bool_]) -> pa.Array:
    """Return the column with nulls in the rows that the mask does not choose."""
    if chosen.all() or column.null_count == len(column):
        return column
    if not chosen.any():
        return pa.nulls(len(column), column.type)
    return pc.if_else(pa.array(chosen), column, pa.scalar(None, column.type))


def _is_id(kind: pa.DataType) -> bool:
    kind = opened_type(kind)
    return is_text(kind) or bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _without(column: pa.Array, wrong: dict[int, str]) -> pa.Array:
    """Return the column with nulls in the rows `wrong`, whose values are not UTF-8."""
    if not wrong:
        return column
    good = np.ones(len(column), bool)
    good[list(wrong)] = False
    return pc.if_else(pa.array(good), column, pa.scalar(None, column.type))


def _ids(column: pa.Array) -> pa.Array:
    """Convert ids to large strings: integers in decimal, whole floats without ".0", other floats null."""
    if not pa.types.is_floating(column.type):
        return column.cast(pa.large_string())
    numbers = column.cast(pa.float64()).to_pylist()
    whole = [None if number is None or not number.is_integer() else str(int(number)) for number in numbers]
    return pa.array(whole, pa.large_string())


def _is_null(column: pa.Array) -> npt.NDArray[np.bool_]:
    return np.asarray(column.is_null())


def _be(texts: Sequence[object]) -> str:
    return "is" if len(texts) == 1 else "are"


def _not_utf8(key: str, column: pa.Array) -> dict[int, str]:
    """Return by row the reasons why strings are not UTF-8, because Arrow does not check strings when it reads them."""
    wrong = not_utf8(column)
    return {
        row: Message("{} is invalid UTF-8 at byte {}; {}", key, at + 1, ENCODING_REMEDY) for row, at in wrong.items()
    }
