"""Source and writer of Arrow IPC files and streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputError
from quchong.io.columnar.columns import Batches, Columns
from quchong.io.columnar.file import ColumnFile
from quchong.io.files.location import location_of
from quchong.io.files.streams import FileWriter, closed_on_error, writing
from quchong.io.row_copies import RowSet
from quchong.io.source import WantedColumns

_MAGIC = b"ARROW1"
SPLIT = "split"
"""Column with the name of the split of a data set to which a row belongs."""


_HEAD, _BUFFER = 512, 128
"""Bytes of a file for each batch, and for each buffer of it: its place and length in the head, up to 64 bytes behind it, and the place
and the count of nulls of its array."""


def _buffers(kind: pa.DataType) -> int:
    """Return the greatest number of buffers that an array of this type has in a batch."""
    inner = [kind.field(k).type for k in range(kind.num_fields)]
    if pa.types.is_dictionary(kind):
        inner = [kind.value_type]
    return 3 + sum(map(_buffers, inner))


class ArrowFile(ColumnFile):
    """Source of an Arrow IPC file (Feather included) or stream; kept and removed rows are written in the same container.

    The compression of the batches cannot be read, so outputs are LZ4 for .feather, which is usual, and uncompressed otherwise.

    Attributes:
        split_name: split of a saved data set to which the rows belong. It is read as a column `split`, which is no column of the rows
            copied; None for a file of its own, and without effect if the rows have such a column.
    """

    split_name: str | None = None

    def _is_file(self) -> bool:
        with self._file.location.open() as file:
            start = file.read(len(_MAGIC))
        if start.startswith(b"FEA1"):
            raise InputError(
                "{} is Feather version 1: write it again as version 2 with pyarrow.feather", self._file.path
            )
        return start == _MAGIC

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns known before reading; empty if none is (see Source.column_names)."""
        names = super().column_names()
        return (*names, SPLIT) if names and self.split_name is not None and SPLIT not in names else names

    def _columns(self, wanted: WantedColumns) -> Columns:
        schema = self._checked_schema()
        if self.split_name is not None and SPLIT not in schema.names:
            schema = schema.append(pa.field(SPLIT, pa.string()))
        return Columns.from_schema(schema, wanted, self._shown, most=self._most)

    def _read(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        if columns is None or SPLIT not in columns or SPLIT in self._checked_schema().names:
            yield from super()._read(columns, rows)
            return
        for row, batch in super()._read([name for name in columns if name != SPLIT], rows):
            yield row, batch.append_column(SPLIT, pa.array([self.split_name] * len(batch), pa.string()))

    def expected(self) -> int | None:
        """Return the number of rows; None for a stream, which has to be read to count them, and with an older pyarrow."""
        try:
            with self._open(None) as reader:
                count = getattr(reader, "count_rows", None)  # pyarrow 20 has none
                rows: int | None = count() if self._is_file() and count is not None else None
                return rows
        except (InputError, OSError, UnicodeDecodeError, pa.ArrowException):  # reading says so
            return None

    @contextmanager
    def _open(self, columns: Sequence[str] | None) -> Iterator[Any]:
        whole = self._is_file()
        options = pa.ipc.IpcReadOptions()
        if columns is not None:
            names = self._schema().names
            options.included_fields = [names.index(name) for name in columns]
        with self._file.location.native() as raw:
            opened = pa.ipc.open_file if whole else pa.ipc.open_stream
            with opened(raw, options=options) as reader:
                yield reader

    def _schema(self) -> pa.Schema:
        with self._open(None) as reader:
            return reader.schema

    def _batches(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        with self._open(columns) as reader:
            row = 0
            batches = (
                (reader.get_batch(index) for index in range(reader.num_record_batches))
                if hasattr(reader, "get_batch")
                else reader
            )
            for batch in batches:
                yield row, batch
                row += batch.num_rows

    def _piece_bytes(self) -> int:
        """See ColumnSource. A batch has a head, and the ends of its buffers are filled up."""
        return _HEAD + _BUFFER * sum(map(_buffers, (field.type for field in self._checked_schema())))

    def _writer(self, path: Path, schema: pa.Schema) -> ArrowWriter:
        compression = "lz4" if self.suffix == ".feather" and pa.Codec.is_available("lz4") else None
        return ArrowWriter(path, schema, self._is_file(), compression)


class ArrowWriter(FileWriter):
    """Writer of an Arrow IPC file or stream, batch by batch.

    Raises:
        OutputError: on opening, writing or closing
    """

    def __init__(self, path: Path, schema: pa.Schema, as_file: bool, compression: str | None) -> None:
        self._path = path
        with writing(path):
            self._raw = location_of(path).create_native()
            new = pa.ipc.new_file if as_file else pa.ipc.new_stream
            with closed_on_error(self._raw):
                self._writer = new(self._raw, schema, options=pa.ipc.IpcWriteOptions(compression=compression))

    def write(self, batch: pa.RecordBatch) -> None:
        """Append one batch of rows."""
        with writing(self._path):
            self._writer.write_batch(batch)

    def close(self) -> None:
        """Write the end of the container and close the file."""
        with writing(self._path):
            try:
                self._writer.close()
            finally:
                self._raw.close()
