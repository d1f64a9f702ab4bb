"""Source made of lists, dicts or tables in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence, Set
from io import IOBase
from pathlib import Path
from typing import Any, ClassVar, TypeGuard

import numpy as np
import pyarrow as pa

from quchong.errors import InputChanged, Param, UsageError
from quchong.io.arrays import for_parquet, is_view, opened_type, to_plain_type
from quchong.io.arrow_input import arrow_data
from quchong.io.bad_records import bad_rows
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.parquet import ParquetWriter
from quchong.io.columnar.source import ColumnSource
from quchong.io.data_advice import advice_on_data, advice_on_items
from quchong.io.dicts import concat_by_name, strings, table_of_dicts, texts_of_lists
from quchong.io.files.written_form import WrittenForm
from quchong.io.given_data import (
    holds_splits,
    holds_texts_by_id,
    index_of_series,
    rows_in_kind,
    table_of_texts,
    with_split,
)
from quchong.io.lakehouse import table_of_library
from quchong.io.limits import LARGEST
from quchong.io.missing_values import with_none
from quchong.io.row_changes import among, rewritten
from quchong.io.row_copies import RowSet
from quchong.io.source import KEEP, Bad, Documents, Source, WantedColumns
from quchong.languages import Message
from quchong.patterns import lazy_pattern

_WRITE_ROWS = 1 << 16
_MIXED = lazy_pattern(r"Conversion failed for column (.+?) with type object")
"""Error of Arrow about a column of pandas that it cannot convert."""
_UNNAMED_INDEX = lazy_pattern(r"__index_level_\d+__")


class MemorySource(ColumnSource):
    """Source of a table in memory; rows are written to Parquet files.

    Attributes:
        table: the whole input with all columns
        rows_in_kind: function that selects rows by number in the kind in which the data was given; None if that is a table of Arrow
    """

    rows_in_kind: Callable[[Any], Any] | None = None

    FOUND: ClassVar[tuple[str, ...]] = ("_bad_rows",)
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""
    path: Path | None = None
    files: tuple[Path, ...] = ()

    def __init__(self, table: pa.Table, most: int = LARGEST, texts: Mapping[str, pa.Array] | None = None) -> None:
        """Make a source of a table; `texts` are read instead of the columns of their names, which are copied as they are."""
        super().__init__("memory", ".parquet", Message("the data given"), most)
        self.table = self._read_table = table
        for name, values in (texts or {}).items():
            place = table.column_names.index(name)
            self._read_table = self._read_table.set_column(place, name, values)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"rows_in_kind": None}  # a copy of the data would go along

    def expected(self) -> int | None:
        """Return the number of rows of the table, which is always known."""
        rows: int = self.table.num_rows
        return rows

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        before = len(bad)
        yield from super().documents(wanted, bad, rows)
        if rows is None:
            self._bad_rows = bad_rows(bad, before, self.name)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """Write the records, some of them with new texts; see Source.rewrite."""
        table = self.with_texts(texts, key, without)
        MemorySource(table).split(np.full(len(table), KEEP, np.uint8), out, None)

    def with_texts(self, texts: Mapping[int, str], key: str, without: RowSet | None = None) -> pa.Table:
        """Return the table with new texts in some rows, and without bad records.

        Args:
            texts: the new texts by row.
            key: the text column.
            without: rows that are left out too.
        """
        whole = self.table.combine_chunks()
        row, parts = 0, []
        for batch in whole.to_batches():
            there = ~(among(self._bad_rows, row, len(batch)) | among(without, row, len(batch)))
            parts.append(rewritten(batch, row, texts, key, there))
            row += len(batch)
        return pa.Table.from_batches(parts, schema=whole.schema)

    def rows_without(self, without: RowSet | None = None) -> RowSet:
        """Return the numbers of the rows of `with_texts`: all but bad records and the rows `without`."""
        return np.flatnonzero(~(among(self._bad_rows, 0, len(self.table)) | among(without, 0, len(self.table))))

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """See Source.check: the table never changes."""
        if records not in (None, self.table.num_rows):
            raise InputChanged(
                "the table has {} rows, but it had {} rows when it was first read; give the same data again",
                self.table.num_rows,
                records,
            )

    def fingerprint(self) -> dict[str, object]:
        """Return name, size and digest of the source, as run.json lists them; see Source.fingerprint."""
        return {"name": self.name, "rows": self.table.num_rows}

    def _checked_schema(self) -> pa.Schema:
        return self.table.schema

    def _read(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        row = 0
        for batch in self._batches_of(columns):
            yield row, batch
            row += batch.num_rows

    def check_wanted(self, wanted: WantedColumns) -> None:
        """Raise InputError if the table lacks a wanted column; see `Columns.from_schema`."""
        self._columns(wanted)

    def _columns(self, wanted: WantedColumns) -> Columns:
        return Columns.from_schema(self._read_table.schema, wanted, self._shown, most=self._most)

    def _batches_of(self, columns: Sequence[str] | None) -> list[pa.RecordBatch]:
        """Return the batches of some columns, or those of all columns, of limited size because they are copied."""
        if columns is None:
            return list(self.table.to_batches(max_chunksize=_WRITE_ROWS))
        return list(self._read_table.select(columns).to_batches())

    def _open_writer(self, path: Path, schema: pa.Schema) -> _PlainWriter:
        own = zip(self.table.schema, self.table.columns, strict=True)
        plain = {field.name for field, column in own if field in schema and for_parquet(column).type != field.type}
        return _PlainWriter(path, schema, plain, self.written)


class _PlainWriter:
    """Writer of a Parquet file in which columns of types that Parquet does not have become plain (see `arrays.for_parquet`)."""

    def __init__(self, path: Path, schema: pa.Schema, plain: Set[str], form: WrittenForm) -> None:
        fields = [field.with_type(opened_type(field.type)) if field.name in plain else field for field in schema]
        self._schema, self._plain = pa.schema(fields, schema.metadata), plain
        self._writer = ParquetWriter(path, self._schema, form=form)

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch."""
        columns = [
            to_plain_type(column) if name in self._plain else column
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        ]
        self._writer.write(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def __enter__(self) -> _PlainWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        self._writer.__exit__(*error)


Choose = Callable[[Sequence[str]], WantedColumns]
"""Function that chooses the wanted columns by the names of all columns."""


def from_object(data: object, wanted: WantedColumns, most: int = LARGEST, choose: Choose | None = None) -> Source:
    """Make a source of data in memory; tables are copied only if Arrow has to.

    Args:
        data: strings (one column, named by the text key), dicts (a missing key is null), a table, or an object that gives a table as
            an Arrow stream; iterables are read to their end
        wanted: columns that the data must have; checked at once
        most: maximum bytes of a row; a larger row is a bad record
        choose: called with the names of all columns, maybe more than once; returns those that the data must have

    Raises:
        UsageError: data of another kind, an item that is neither str nor dict, or a text in a dict that is no string
        InputError: the data lacks a wanted column
    """
    if type(data).__module__.startswith("polars.") and hasattr(data, "collect"):  # a LazyFrame
        data = data.collect()
    if (table := table_of_library(data)) is not None:
        data = table
    if isinstance(data, IOBase):
        path = getattr(data, "name", None)
        named = path if isinstance(path, str) else "news.jsonl"
        raise UsageError(
            "an open file was given: give its path instead, such as {}, or its texts as a list", repr(named)
        )
    if isinstance(data, Iterator | tuple) and not hasattr(data, "__arrow_c_stream__"):
        data = list(data)  # read once
    table = _without_unnamed_index(_table(data, wanted, choose))
    table = _with_features(_plain_strings(_without_null_types(table)), data)
    if choose is not None:
        wanted = choose(table.column_names)
    source = MemorySource(table, most, texts_of_lists(data, table, wanted.text) if _are_dicts(data) else None)
    source.check_wanted(wanted)
    source.rows_in_kind = rows_in_kind(data)
    return source


def _are_dicts(data: object) -> TypeGuard[list[Mapping[str, Any]]]:
    return isinstance(data, list) and bool(data) and all(isinstance(item, Mapping) for item in data)


def _without_unnamed_index(table: pa.Table) -> pa.Table:
    """Return the table without the unnamed index columns of pandas; a named index remains a column."""
    made_up = [name for name in table.column_names if _UNNAMED_INDEX.fullmatch(name)]
    metadata = dict(table.schema.metadata or {})
    if not made_up or metadata.pop(b"pandas", None) is None:
        return table
    return table.drop_columns(made_up).replace_schema_metadata(metadata)


def _with_features(table: pa.Table, data: object) -> pa.Table:
    """Return the table with the features of a data set of Hugging Face in its metadata, from which `datasets` makes them again."""
    arrow_schema = getattr(getattr(data, "features", None), "arrow_schema", None)
    if not type(data).__module__.startswith("datasets.") or not isinstance(arrow_schema, pa.Schema):
        return table
    if arrow_schema.names != table.column_names:
        return table
    return table.replace_schema_metadata({**(table.schema.metadata or {}), **(arrow_schema.metadata or {})})


def _without_null_types(table: pa.Table) -> pa.Table:
    """Return a table; without rows, its columns of type null become strings. pandas gives that type where no value tells another."""
    if table.num_rows:
        return table
    for index, field in enumerate(table.schema):  # one by one: Arrow has no empty array of some types, such as unions
        if pa.types.is_null(field.type):
            table = table.set_column(index, field.name, pa.chunked_array([], pa.large_string()))
    return table


def _plain_strings(table: pa.Table) -> pa.Table:
    """Convert views, as Polars gives them, to large strings or binary, because some Arrow functions do not support views."""
    for index, field in enumerate(table.schema):
        if is_view(field.type):
            chunks = [to_plain_type(chunk) for chunk in table.column(index).chunks]
            table = table.set_column(index, field.name, pa.chunked_array(chunks, opened_type(field.type)))
    return table


def _table(data: object, wanted: WantedColumns, choose: Choose | None = None) -> pa.Table:
    if holds_splits(data):
        return concat_by_name([with_split(_table(part, wanted), str(name)) for name, part in data.items()])
    if holds_texts_by_id(data):
        return table_of_texts(data, wanted.text[0], wanted.id)
    try:
        given = arrow_data(data)
    except (pa.ArrowException, TypeError, ValueError) as error:  # pandas: repeated columns, half characters
        if (found := _MIXED.search(str(error))) is not None:
            column = found[1]
            written = f"data[{column!r}] = data[{column!r}].astype('string')"
            raise UsageError(
                "the column {!r} of the {} has values of several types: make them texts, {}",
                column,
                type(data).__name__,
                written,
            ) from error
        raise UsageError("{} does not give an Arrow table: {}", type(data).__name__, error) from error
    if given is not None:
        return given if isinstance(given, pa.Table) else _one_column(given, wanted, index_of_series(data))
    if isinstance(data, str | bytes | Path | Mapping) or not isinstance(data, Iterable):
        raise UsageError("cannot read documents from {}: {}", type(data).__name__, advice_on_data(data))
    ids = index_of_series(data)
    return (
        _table_of_items(list(data), wanted, choose)
        if ids is None
        else _one_column(strings(with_none(data)), wanted, ids)
    )


def _table_of_items(items: list[Any], wanted: WantedColumns, choose: Choose | None) -> pa.Table:
    if items and all(isinstance(item, pa.RecordBatch | pa.Table) for item in items):
        return _table_of_batches(items)
    if items and all(isinstance(item, Mapping) for item in items):
        if choose is not None:
            wanted = choose(list(dict.fromkeys(str(key) for item in items for key in item)))
        return table_of_dicts(items, wanted.text, wanted.instead)
    texts = with_none(items)  # a column of texts in pandas has NaN in its empty cells
    for index, item in enumerate(texts):
        if not isinstance(item, str | None):
            if index:
                first = type(items[0]).__name__
                raise UsageError(
                    "data[{}] is {}, but data[0] is {}: {}",
                    index,
                    type(item).__name__,
                    first,
                    advice_on_items(items, index),
                )
            raise UsageError("the items have the type {}: {}", type(item).__name__, advice_on_items(items, index))
    return _one_column(strings(texts), wanted)


def _table_of_batches(items: Sequence[pa.RecordBatch | pa.Table]) -> pa.Table:
    """Return batches, as an iterator gives them, as one table; nothing is copied.

    Raises:
        UsageError: their columns differ.
    """
    tables: list[Any] = [arrow_data(item) for item in items]
    for index, table in enumerate(tables):
        if not table.schema.equals(tables[0].schema):
            raise UsageError(
                "batch {} does not have the columns or types of the first batch: give batches with one schema", index
            )
    return pa.concat_tables(tables)


def _one_column(values: Any, wanted: WantedColumns, ids: pa.Array | None = None) -> pa.Table:
    if len(wanted.text) > 1:
        raise UsageError(
            "a list of strings has one text column, but {} text columns were named: give dicts or a table",
            len(wanted.text),
        )
    if ids is None and wanted.id_required:
        raise UsageError(
            "a list of texts has no column {!r}: leave out {}, or give dicts such as {}",
            wanted.id,
            Param("id", str(wanted.id)),
            f"{{{str(wanted.id)!r}: ..., {wanted.text[0]!r}: ...}}",
        )
    return pa.table(({} if ids is None else {wanted.id or "id": ids}) | {wanted.text[0]: values})
