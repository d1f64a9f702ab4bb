"""Source of a columnar file, read once as documents and once to copy rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.array_checks import check_names, sound
from quchong.io.arrays import select_rows
from quchong.io.bad_records import bad_rows
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.raw import raw_row
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.write_behind import WriteQueue
from quchong.io.limits import HEAD, LARGEST
from quchong.io.row_changes import noted_rows, rewritten
from quchong.io.source import KEEP, REMOVE, Bad, Rows, WantedColumns, Whole
from quchong.kernels.sorting import distinct


class TableWriter(Protocol):
    """Writer of a file of columns, a context manager; if an exception leaves the context, the file is closed if possible."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch."""
        ...

    def __enter__(self) -> TableWriter: ...

    def __exit__(self, *error: Any) -> None: ...


class ColumnFile(ABC):
    """Source of a Parquet, Arrow or Excel file; kept and removed rows are written with all columns, types and metadata, in order."""

    FOUND: ClassVar[tuple[str, ...]] = ("_file", "_bad_rows")
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""

    def __init__(self, path: File, name: str, suffix: str, most: int = LARGEST) -> None:
        self.name = name
        self._most = most
        self.suffix = self.annotated_suffix = suffix
        self._file = InputFile.from_path(path)
        self.path = self._file.path
        self.files = (self.path,)
        self._bad_rows: npt.NDArray[np.int64] | None = None  # known once `documents` has run to its end

    @abstractmethod
    def _schema(self) -> pa.Schema:
        """Return the schema of the file with its metadata."""

    @abstractmethod
    def _batches(self, columns: Sequence[str] | None, rows: npt.NDArray[np.int64] | None = None) -> Batches:
        """Yield the batches in order, with `columns` or all columns; with `rows` batches without any of these rows may be left out."""

    @abstractmethod
    def _writer(self, path: Path, schema: pa.Schema) -> TableWriter:
        """Open a writer of a file of the same kind and compression."""

    def _read(self, columns: Sequence[str] | None, rows: npt.NDArray[np.int64] | None = None) -> Batches:
        """Yield the batches of `_batches`, checked to be sound (`sound.sound`)."""
        with reading(self._file.path):
            for row, batch in self._batches(columns, rows):
                yield row, sound(batch)

    def _open_writer(self, path: Path, schema: pa.Schema) -> TableWriter:
        with reading(self._file.path):  # which tells of codec and row groups
            return self._writer(path, schema)

    def _checked_schema(self) -> pa.Schema:
        """Return the schema, checked to have valid names."""
        with reading(self._file.path):
            schema = self._schema()
            check_names(schema)
        return schema

    def _columns(self, wanted: WantedColumns) -> Columns:
        schema = self._checked_schema()
        with reading(self._file.path):
            whole = wanted.instead is not None and self._whole_texts(wanted.text)
        return Columns.from_schema(schema, wanted, str(self._file.path), whole, self._most)

    def _whole_texts(self, keys: Sequence[str]) -> bool:
        """Return True if the statistics of the file prove that one of these columns has no null or blank value."""
        return False

    def expected(self) -> int | None:
        """Return the number of records according to the file's metadata, None if it has no such number."""
        return None

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        self._file.remember()
        columns = self._columns(wanted)
        self._file.start_digest()
        before = len(bad)
        try:
            yield from columns.documents(self._read(columns.present), self.name, bad)
        except GeneratorExit:
            self._file.end_digest()
            raise
        self._bad_rows = bad_rows(bad, before, self.name)

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        self._file.check()
        schema = self._checked_schema()
        with ExitStack() as stack:
            writers = [
                (value, stack.enter_context(self._open_writer(path, schema)))
                for value, path in ((KEEP, kept), (REMOVE, removed))
                if path is not None
            ]
            sides = [(value, stack.enter_context(WriteQueue(writer.write))) for value, writer in writers]
            seen = 0
            for row, batch in self._read(None):
                seen = row + batch.num_rows
                for value, side in sides:
                    mine = fate[row:seen] == value
                    if len(mine) == batch.num_rows and mine.any():
                        side(select_rows(batch, mine))
            self._expect(seen, len(fate))

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate. A column of notes takes the place of one of the same name."""
        self._file.check()
        good = noted_rows(notes, self._bad_rows)
        schema = self._checked_schema()
        places = [place for place, name in enumerate(schema.names) if name not in notes.column_names]
        fields = [*(schema.field(place) for place in places), *notes.schema]
        noted = pa.schema(fields, metadata=schema.metadata)
        seen = 0
        with self._open_writer(out, noted) as side:
            for row, batch in self._read(None):
                seen = row + batch.num_rows
                rows = notes.slice(row, batch.num_rows)
                if rows.num_rows < batch.num_rows:
                    continue  # told below
                added = [
                    pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)
                    for column in rows.columns
                ]
                columns = [*(batch.column(place) for place in places), *added]
                side.write(select_rows(pa.RecordBatch.from_arrays(columns, schema=noted), good[row:seen]))
            self._expect(seen, notes.num_rows)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite."""
        self._file.check()
        schema = self._checked_schema()
        with self._open_writer(out, schema) as side:
            for row, batch in self._read(None):
                side.write(rewritten(batch, row, texts, key, self._bad_rows))
            self._file.check()

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        self._file.check()
        schema, seen = self._checked_schema(), 0
        found: list[pa.RecordBatch] = []
        for row, batch in self._read(None):
            seen = row + batch.num_rows
            mine = mask[row:seen]
            if len(mine) == batch.num_rows and mine.any():
                found.append(select_rows(batch, mine))
        self._expect(seen, len(mask))
        return pa.Table.from_batches(found, schema)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """See `source.Whole`: JSON of all columns."""
        asked = distinct(np.asarray(rows, np.int64))
        for first, batch in self._read(None, asked):
            here = asked[(asked >= first) & (asked < first + batch.num_rows)]
            for row in here.tolist():
                one = batch.slice(row - first, 1)
                yield row, None, raw_row(one, HEAD if one.get_total_buffer_size() > self._most else None)

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """See Source.fetch."""
        self._file.check()
        columns = self._columns(wanted)
        return columns.fetch(self._read(columns.present, distinct(np.asarray(rows, np.int64))), rows)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint."""
        return self._file.fingerprint(self.name)

    def _expect(self, seen: int, records: int) -> None:
        self._file.check()
        if seen != records:
            raise InputChanged("{} holds {} records, not {} as before; run again", self._file.path, seen, records)
