"""Source of a columnar file, read once as documents and once to copy rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import MutableSequence, Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from quchong.io.array_checks import check_names, sound
from quchong.io.bad_records import bad_rows
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.source import ColumnSource
from quchong.io.file_source import FileSource
from quchong.io.files.input_file import File, reading
from quchong.io.limits import LARGEST
from quchong.io.row_copies import BlockWriter, RowSet
from quchong.io.source import Bad, Documents, WantedColumns


class ColumnFile(ColumnSource, FileSource):
    """Source of a Parquet, Arrow or Excel file."""

    FOUND: ClassVar[tuple[str, ...]] = ("_file", "_bad_rows")
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""
    leaves_out: ClassVar[bool] = True

    def __init__(self, path: File, name: str, suffix: str, most: int = LARGEST) -> None:
        self._set_file(path)
        super().__init__(name, suffix, str(self.path), most)

    @abstractmethod
    def _schema(self) -> pa.Schema:
        """Return the schema of the file with its metadata."""

    @abstractmethod
    def _batches(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        """Yield the batches as `_read`, unchecked."""

    @abstractmethod
    def _writer(self, path: Path, schema: pa.Schema) -> BlockWriter:
        """Open a writer of a file of the same kind and compression."""

    def _read(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        with reading(self.path):
            for row, batch in self._batches(columns, rows):
                yield row, sound(batch)

    def _open_writer(self, path: Path, schema: pa.Schema) -> BlockWriter:
        with reading(self.path):  # which tells of codec and row groups
            return self._writer(path, schema)

    def _checked_schema(self) -> pa.Schema:
        with reading(self.path):
            schema = self._schema()
            check_names(schema)
        return schema

    def _size_of(self, row: pa.RecordBatch) -> int:
        return int(row.get_total_buffer_size())

    def _columns(self, wanted: WantedColumns) -> Columns:
        schema = self._checked_schema()
        with reading(self.path):
            whole = wanted.instead in schema.names and self._whole_texts(wanted.text)
        return Columns.from_schema(schema, wanted, self._shown, whole, self._most)

    def _whole_texts(self, keys: Sequence[str]) -> bool:
        """Return True if the statistics of the file prove that one of these columns has no null or blank value."""
        return False

    def expected(self) -> int | None:
        """Return the number of records according to the file's metadata, None if it has no such number."""
        return None

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        if rows is not None:
            yield from super().documents(wanted, bad, rows)
            return
        self._file.remember()
        columns = self._columns(wanted)
        with reading(self.path):
            spans = None if self.chosen is None or self.chosen(0) else self._chosen_spans()
        if spans is None:
            self._file.start_digest()
        else:
            self._file.start_pieces(spans)
        before = len(bad)
        try:
            yield from columns.documents(self._chosen_batches(columns.stored), self.name, bad)
        except GeneratorExit:
            self._file.end_digest()
            raise
        self._bad_rows = bad_rows(bad, before, self.name)

    def _chosen_spans(self) -> list[tuple[int, int]] | None:
        """Return the byte spans of the blocks in `chosen`, and of the metadata needed for them; None if the whole file is read."""
        return None

    def _chosen_batches(self, columns: Sequence[str]) -> Batches:
        """Yield the batches of the blocks in `chosen`; a block is a batch."""
        for number, found in enumerate(self._read(columns)):
            if self.chosen is None or self.chosen(number):
                yield found
