"""Source of typed columns, read once as documents and once to copy rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, QuchongError
from quchong.io.arrays import select_rows
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.raw import raw_row
from quchong.io.columnar.row_sizes import row_sizes
from quchong.io.limits import HEAD, LARGEST
from quchong.io.row_changes import rewritten, root_and_steps, takes_texts
from quchong.io.row_copies import Block, BlockWriter, Mask, RowSet
from quchong.io.source import Bad, Documents, Source, WantedColumns

_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20


class ColumnBlock(Block):
    """Block of rows of a table, whose pieces are batches.

    Args:
        batch: the rows.
        raw: function that returns one row, given as a batch, as JSON.
        piece_bytes: most bytes of a file for each batch of rows besides these.
    """

    def __init__(self, batch: pa.RecordBatch, raw: Callable[[pa.RecordBatch], bytes], piece_bytes: int = 0) -> None:
        self._batch, self._raw, self._piece_bytes = batch, raw, piece_bytes

    def __len__(self) -> int:
        return int(self._batch.num_rows)

    def slice(self, start: int, end: int) -> ColumnBlock:
        """Return the records from index `start` to `end`, without `end`; see Block."""
        return ColumnBlock(self._batch.slice(start, end - start), self._raw, self._piece_bytes)

    def piece(self, mask: Mask | None = None, others: bool = True) -> pa.RecordBatch | None:
        """Return the piece with all records, or with those that a mask chooses; None if there is nothing to write (see Block)."""
        if mask is None:
            return self._batch if len(self) else None
        return select_rows(self._batch, mask) if mask.any() else None

    def sizes(self) -> npt.NDArray[np.int64]:
        """Return estimated bytes of each record in an uncompressed file; see Block."""
        return row_sizes(self._batch)

    def piece_bytes(self) -> int:
        """Return the most bytes that a file has for each piece besides its records; see Block."""
        return self._piece_bytes

    def noted(self, notes: pa.Table, mask: Mask) -> pa.RecordBatch:
        """See Block. A column of notes takes the place of one of the same name."""
        batch = self._batch
        added = [
            pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)
            for column in notes.columns
        ]
        schema = noted_schema(batch.schema, notes.schema)
        own = schema.names[: len(schema) - len(added)]
        columns = [batch.column(place) for place, name in enumerate(batch.schema.names) if name in own]
        return select_rows(pa.RecordBatch.from_arrays([*columns, *added], schema=schema), mask)

    def unnoted(self, names: Sequence[str]) -> pa.RecordBatch:
        """Return all records without the notes of these names; see Block."""
        return self._batch.drop_columns(list(names))

    def rewritten(self, first: int, texts: Mapping[int, str], key: str, mask: Mask) -> pa.RecordBatch:
        """Return the chosen records, some with a new text; see Block."""
        return rewritten(self._batch, first, texts, key, mask)

    def values(self, mask: Mask) -> list[pa.RecordBatch]:
        """Return the chosen rows as a batch."""
        return [select_rows(self._batch, mask)]

    def whole_record(self, index: int) -> tuple[None, bytes]:
        """Return a row as JSON of all columns."""
        return None, self._raw(self._batch.slice(index, 1))


class ColumnSource(Source):
    """Base class of a source of typed columns; rows are written with all columns, types and metadata, in order.

    Args:
        name, suffix: see Source.
        shown: file or other origin, for messages.
        most: maximum bytes of a row; a larger one is bad, and only the beginnings of its values are stored.
    """

    queued = True

    def __init__(self, name: str, suffix: str, shown: str, most: int = LARGEST) -> None:
        self.name, self._shown, self._most = name, shown, most
        self.suffix = self.annotated_suffix = suffix

    @abstractmethod
    def _checked_schema(self) -> pa.Schema:
        """Return the schema with its metadata, checked to have valid names."""

    @abstractmethod
    def _read(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        """Yield the batches in order, with `columns` or all columns; with `rows` batches without any of these rows may be left out."""

    @abstractmethod
    def _open_writer(self, path: Path, schema: pa.Schema) -> BlockWriter:
        """Open a writer of a file of the same kind and compression."""

    def _piece_bytes(self) -> int:
        """Return the most bytes that a written file needs for each batch of rows, besides the rows themselves."""
        return 0

    def _size_of(self, row: pa.RecordBatch) -> int:
        """Return the bytes of one row, which are compared with the limit."""
        return int(row.nbytes)

    def _columns(self, wanted: WantedColumns) -> Columns:
        return Columns.from_schema(self._checked_schema(), wanted, self._shown, most=self._most)

    def layout(self) -> tuple[object, ...]:
        """Return the properties in which two files must agree for one file to hold the rows of both; see Source.layout."""
        return (*super().layout(), self._checked_schema().serialize().to_pybytes())

    def head_bytes(self) -> int:
        """See Source.head_bytes: the footer has the schema twice, and figures of each column."""
        schema = self._checked_schema()
        return 2 * len(schema.serialize()) + 512 * len(schema) + 1024

    def column_names(self) -> tuple[str, ...]:
        """See Source.column_names: those of the schema."""
        try:
            return tuple(self._checked_schema().names)
        except (QuchongError, OSError, ValueError, pa.ArrowException):  # reading says so
            return ()

    def has_fixed_texts(self, key: str) -> bool:
        """See Source.has_fixed_texts: a column has one type."""
        try:
            schema = self._checked_schema()
        except (QuchongError, OSError, ValueError, pa.ArrowException):  # reading says so
            return False
        root, steps = root_and_steps(key, schema.names)
        return root not in schema.names or not takes_texts(schema.field(root).type, steps)

    def fixed_rows(self, rows: RowSet, key: str) -> RowSet:
        """See Source.fixed_rows: either all rows have fixed positions or none has."""
        return rows if self.has_fixed_texts(key) else rows[:0]

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        if rows is not None:
            self.check()
        columns = self._columns(wanted)
        if rows is not None:
            yield from columns.documents_at(self._read(columns.stored, rows), rows)
            return
        yield from columns.documents(self._read(columns.stored), self.name, bad)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[slice, ColumnBlock]]:
        """Yield blocks of whole records, each with the numbers of its rows; see Source.records."""
        for first, batch in self._read(None, rows):
            yield slice(first, first + len(batch)), ColumnBlock(batch, self._raw, self._piece_bytes())

    def unnoted_writer(self, path: Path, names: Sequence[str]) -> BlockWriter:
        """Open a writer of a file without the columns of these notes; see Source.unnoted_writer."""
        schema = self._checked_schema()
        if missing := [name for name in names if name not in schema.names]:
            raise InputChanged(
                "{} no longer has the column {!r}, which the run added: put it back, or run again",
                self._shown,
                missing[0],
            )
        return self._open_writer(path, pa.schema([one for one in schema if one.name not in names], schema.metadata))

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """See Source.writer. A column of notes takes the place of one of the same name."""
        schema = self._checked_schema()
        return self._open_writer(path, schema if notes is None else noted_schema(schema, notes))

    def table_from(self, values: list[pa.RecordBatch]) -> pa.Table:
        """Return records, as `Block.values` gives them, as a table; see Source.table_from."""
        return pa.Table.from_batches(values, self._checked_schema())

    def _raw(self, row: pa.RecordBatch) -> bytes:
        return raw_row(row, HEAD if self._size_of(row) > self._most else None)


def noted_schema(schema: pa.Schema, notes: pa.Schema) -> pa.Schema:
    """Return the schema without the columns that notes have too, followed by the columns of notes."""
    own = [field for field in schema if field.name not in notes.names]
    return pa.schema([*own, *notes], metadata=schema.metadata)


class GatheredBatches:
    """Writer of columns that combines small batches into batches of about _BATCH_ROWS rows or _BATCH_BYTES bytes."""

    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer
        self._gathered: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch."""
        self._gathered.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= _BATCH_ROWS or self._bytes >= _BATCH_BYTES:
            self._flush()

    def _flush(self) -> None:
        for batch in pa.Table.from_batches(self._gathered).combine_chunks().to_batches() if self._gathered else ():
            self._writer.write(batch)
        self._gathered, self._rows, self._bytes = [], 0, 0

    def __enter__(self) -> GatheredBatches:
        self._writer.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if kind is None:
                self._flush()
        except BaseException as wrong:
            self._writer.__exit__(type(wrong), wrong, None)
            raise
        self._writer.__exit__(kind, error, trace)
