"""Source made of lists, dicts or tables in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, UsageError
from quchong.io.arrays import for_parquet, is_view, opened_type, select_rows, to_plain_type
from quchong.io.arrow_input import arrow_data
from quchong.io.bad_records import bad_rows
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.parquet import ParquetWriter
from quchong.io.columnar.raw import raw_row
from quchong.io.dicts import strings, table_of_dicts
from quchong.io.limits import HEAD, LARGEST
from quchong.io.row_changes import noted_rows, rewritten
from quchong.io.source import KEEP, REMOVE, Bad, Rows, Source, WantedColumns, Whole
from quchong.kernels.sorting import distinct
from quchong.languages import Message

_ACCEPTED = Message(
    "accepted are a list of str or of dict, a pyarrow Table, RecordBatch, RecordBatchReader or ChunkedArray of "
    "strings, and anything with __arrow_c_stream__: Polars, pandas 2.2 or later, DuckDB"
)

_WRITE_ROWS = 1 << 16
_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


class MemorySource:
    """Source of a table in memory.

    Attributes:
        table: the whole input with all columns
    """

    FOUND: ClassVar[tuple[str, ...]] = ("_bad_rows",)
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""
    name = "memory"
    suffix = annotated_suffix = ".parquet"
    path: Path | None = None
    files: tuple[Path, ...] = ()

    def __init__(self, table: pa.Table, most: int = LARGEST) -> None:
        self.table = table
        self._most = most
        self._bad_rows: npt.NDArray[np.int64] | None = None

    def expected(self) -> int | None:
        """Return the number of rows of the table, which is always known."""
        rows: int = self.table.num_rows
        return rows

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        before = len(bad)
        columns = Columns.from_schema(self.table.schema, wanted, Message("the data given"), most=self._most)
        yield from columns.documents(_batches(self.table.select(columns.present)), self.name, bad)
        self._bad_rows = bad_rows(bad, before, self.name)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        self._expect(len(mask))
        batches = [select_rows(batch, mask[row : row + len(batch)]) for row, batch in _batches(self.table)]
        return pa.Table.from_batches(batches, self.table.schema)

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split: Parquet files."""
        self._expect(len(fate))
        for value, path in ((KEEP, kept), (REMOVE, removed)):
            if path is not None:
                _write(self.table, fate == value, path)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate: a Parquet file. A column of notes takes the place of one of the same name."""
        self._expect(notes.num_rows)
        places = [place for place, name in enumerate(self.table.column_names) if name not in notes.column_names]
        table = self.table.select(places)
        for field, column in zip(notes.schema, notes.columns, strict=True):
            table = table.append_column(field, column)
        _write(table, noted_rows(notes, self._bad_rows), out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite: a Parquet file."""
        table = self.with_texts(texts, key)
        _write(table, np.ones(len(table), bool), out)

    def with_texts(self, texts: Mapping[int, str], key: str) -> pa.Table:
        """Return the table with new texts in some rows, and without bad records.

        Args:
            texts: the new texts by row.
            key: the text column.
        """
        whole = self.table.combine_chunks()
        row, parts = 0, []
        for batch in whole.to_batches():
            parts.append(rewritten(batch, row, texts, key, self._bad_rows))
            row += len(batch)
        return pa.Table.from_batches(parts, schema=whole.schema)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """See `source.Whole`: JSON of all columns."""
        asked = distinct(np.asarray(rows, np.int64))
        for first, batch in _batches(self.table):
            mine = asked[slice(*np.searchsorted(asked, (first, first + len(batch))))] - first
            mask = np.zeros(len(batch), np.bool_)
            mask[mine] = True
            some = select_rows(batch, mask)  # any type can be chosen, not any can be taken
            for place, row in enumerate(mine.tolist()):
                one = some.slice(place, 1)
                yield first + row, None, raw_row(one, HEAD if one.nbytes > self._most else None)

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """See Source.fetch."""
        columns = Columns.from_schema(self.table.schema, wanted, Message("the data given"), most=self._most)
        return columns.fetch(_batches(self.table.select(columns.present)), rows)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint."""
        return {"name": self.name, "rows": self.table.num_rows}

    def _expect(self, records: int) -> None:
        if records != self.table.num_rows:
            raise InputChanged("the table has {} rows, not {}; pass the same data again", self.table.num_rows, records)


def from_object(data: object, wanted: WantedColumns, most: int = LARGEST) -> Source:
    """Make a source of data in memory; tables are copied only if Arrow has to.

    Args:
        data: strings (one column, named by the text key), dicts (a missing key is null), a table, or an object that gives a table as
            an Arrow stream; iterables are read to their end
        wanted: columns that the data must have; checked at once
        most: maximum bytes of a row; a larger row is a bad record

    Raises:
        UsageError: data of another kind, an item that is neither str nor dict, or a text in a dict that is no string
        InputError: the data lacks a wanted column
    """
    table = _without_unnamed_index(_table(data, wanted))
    table = _plain_strings(table)
    Columns.from_schema(table.schema, wanted, Message("the data given"))
    return MemorySource(table, most)


def _without_unnamed_index(table: pa.Table) -> pa.Table:
    """Return the table without the unnamed index columns of pandas; a named index remains a column."""
    made_up = [name for name in table.column_names if _UNNAMED_INDEX.fullmatch(name)]
    metadata = dict(table.schema.metadata or {})
    if not made_up or metadata.pop(b"pandas", None) is None:
        return table
    return table.drop_columns(made_up).replace_schema_metadata(metadata)


def _plain_strings(table: pa.Table) -> pa.Table:
    """Convert views, as Polars gives them, to large strings or binary, because some Arrow functions do not support views."""
    for index, field in enumerate(table.schema):
        if is_view(field.type):
            chunks = [to_plain_type(chunk) for chunk in table.column(index).chunks]
            table = table.set_column(index, field.name, pa.chunked_array(chunks, opened_type(field.type)))
    return table


def _table(data: object, wanted: WantedColumns) -> pa.Table:
    try:
        given = arrow_data(data)
    except (pa.ArrowException, TypeError, ValueError) as error:  # pandas: repeated columns, half characters
        raise UsageError("{} gives no Arrow table: {}; {}", type(data).__name__, error, _ACCEPTED) from error
    if given is not None:
        return given if isinstance(given, pa.Table) else _one_column(given, wanted)
    if type(data).__module__.startswith("polars.") and hasattr(data, "collect"):  # a LazyFrame
        return _table(data.collect(), wanted)
    if isinstance(data, Mapping) and data and all(hasattr(part, "column_names") for part in data.values()):
        splits = ", ".join(map(repr, data))
        raise UsageError(
            "a {} holds several data sets ({}): give one, such as data[{!r}]",
            type(data).__name__,
            splits,
            next(iter(data)),
        )
    if isinstance(data, str | bytes | Path | Mapping) or not isinstance(data, Iterable):
        columns = Message("; make a dict of columns a table: pyarrow.table(data)") if isinstance(data, Mapping) else ""
        raise UsageError("cannot read documents from {}; {}{}", type(data).__name__, _ACCEPTED, columns)
    items = list(data)
    if items and all(isinstance(item, Mapping) for item in items):
        return table_of_dicts(items, wanted.text, wanted.instead)
    for index, item in enumerate(items):
        if not isinstance(item, str | None):
            raise UsageError(
                "item {} is {}, where the first are str or None; {}", index, type(item).__name__, _ACCEPTED
            )
    return _one_column(strings(items), wanted)


def _one_column(values: Any, wanted: WantedColumns) -> pa.Table:
    if len(wanted.text) > 1:
        raise UsageError("plain strings have one text column, not {}; pass dicts or a table", len(wanted.text))
    return pa.table({wanted.text[0]: values})


def _batches(table: pa.Table) -> Batches:
    row = 0
    for batch in table.to_batches():
        yield row, batch
        row += batch.num_rows


def _write(table: pa.Table, mask: npt.NDArray[np.bool_], path: Path) -> None:
    table = pa.table([for_parquet(column) for column in table.columns], _fields(table))
    with ParquetWriter(path, table.schema) as writer:
        for row, batch in _batches(pa.Table.from_batches(table.to_batches(max_chunksize=_WRITE_ROWS), table.schema)):
            writer.write(select_rows(batch, mask[row : row + batch.num_rows]))


def _fields(table: pa.Table) -> pa.Schema:
    fields = [
        field.with_type(for_parquet(column).type) for field, column in zip(table.schema, table.columns, strict=True)
    ]
    return pa.schema(fields, table.schema.metadata)
