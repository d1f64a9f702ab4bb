"""Source of a text file of records, read once as documents and once to copy rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, InputError
from quchong.io.arrays import no_rows
from quchong.io.bad_records import bad_rows
from quchong.io.file_source import FileSource
from quchong.io.files.input_file import File, reading
from quchong.io.files.streams import Output, beginning, reader
from quchong.io.limits import LARGEST
from quchong.io.records.blocks import RecordBlock, RecordForm, RecordWriter
from quchong.io.records.lines import BLOCK_BYTES, BOM, Records
from quchong.io.records.reader import RecordReader, Refused
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, WantedColumns

Read = Callable[[int], bytes]


class RecordFile(FileSource, RecordForm):
    """Source of a plain or compressed text file whose records are found by byte offsets, so that they are copied byte for byte.

    Other bytes (blank lines) are not copied, except the head (byte order mark, header line), which begins every output. A last record
    without line ending stays so. The subclasses JsonLines and CsvFile define records.

    Args:
        path: the file, or its path
        name, suffix: see Source
        compression: a value of streams.COMPRESSIONS, or None
        block_bytes: read at once; a smaller one changes batches and nothing else
        most: bytes of a record; a larger one is a bad record, of which only the beginning is held
    """

    FOUND: ClassVar[tuple[str, ...]] = ("_file", "_head", "_bad_rows")
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""
    leaves_out: ClassVar[bool] = True

    def __init__(
        self,
        path: File,
        name: str,
        suffix: str,
        compression: str | None = None,
        block_bytes: int = BLOCK_BYTES,
        most: int = LARGEST,
    ) -> None:
        self.name = name
        self.suffix = self.annotated_suffix = suffix
        self._set_file(path)
        self._compression = compression
        self._block_bytes = block_bytes
        self._most = most
        self._head = b""  # bytes before the first record; known from the first block on

    @abstractmethod
    def _records(self, read: Read) -> Iterator[Records]:
        """Yield blocks of all records in order, at least one block, maybe empty; sets `_head` before the first block."""

    @abstractmethod
    def _reader(self, wanted: WantedColumns) -> RecordReader:
        """Return the reader that converts blocks of this file to documents; called after the head is set."""

    @abstractmethod
    def _annotated_head(self, names: Sequence[str]) -> bytes:
        """Return the head with the names of the added columns."""

    @abstractmethod
    def _tabled(self, records: Sequence[bytes]) -> pa.Table:
        """Convert good records, given without line endings, to a table of all columns."""

    def written_bytes(self, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the most bytes that records of these sizes take in the file, without compression; see RecordForm."""
        return sizes + 1

    def head_bytes(self) -> int:
        """Return about how many bytes a written file has besides its rows; see Source.head_bytes."""
        return len(self.outward(self._head))

    def outward(self, piece: bytes) -> bytes:
        """Convert bytes of blocks to bytes of the file; see RecordForm."""
        return piece

    def _sent(self, piece: bytes) -> bytes:
        """Return a piece of bytes as the output file takes it."""
        return self.outward(piece)

    def _output(self, path: Path) -> Output:
        """Open an output for records, with the compression of this file."""
        return Output(path, self.written.compression(self._compression))

    def _blocks(self, digest: bool = False) -> Iterator[Records]:
        """Read the file once and yield its blocks of records; errors of codec and system become InputError."""
        with reading(self._file.path), reader(self._file, self._compression, digest) as read:
            for records in self._records(read):
                yield records.limited(self._most)

    def expected(self) -> int | None:
        """Return the approximate number of records, scaled from the file's beginning; None if it cannot be read."""
        try:
            with beginning(self._file, self._compression) as (read, taken):
                records = float(sum(map(len, self._records(read))))
                size, seen = self._file.location.state().size, taken()
        except (InputError, OSError, pa.ArrowException):  # reading says so
            return None
        if seen < size:
            records = max(records - 0.5, 0.0)  # the last one is cut
        return round(records * size / seen) if seen else 0

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns known before reading; empty if none is (see Source.column_names)."""
        try:
            with beginning(self._file, self._compression) as (read, _):
                return self._names_in(next(iter(self._records(read))))
        except (InputError, OSError, pa.ArrowException, StopIteration):  # reading says so
            return ()

    @abstractmethod
    def _names_in(self, records: Records) -> tuple[str, ...]:
        """Return the names of the columns of a file, of which these are the first records."""

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        if rows is not None:
            yield from self._documents_at(wanted, rows)
            return
        self._file.remember()
        before, batches = len(bad), 0
        values: RecordReader | None = None
        chosen = self.chosen
        for number, records in enumerate(self._blocks(digest=True)):
            values = values or self._reader(wanted)
            mine, start = chosen is None or chosen(number), len(bad)
            if not mine and values.settled:
                continue
            batch = values.batch(records, bad)
            if not mine:
                del bad[start:]
            elif batch.num_rows:
                batches += 1
                yield batch
        if values is not None:
            values.finish()
        if not batches:
            yield pa.RecordBatch.from_pylist([], schema=wanted.schema())
        self._bad_rows = bad_rows(bad, before, self.name)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[slice, RecordBlock]]:
        """See Source.records; reading stops after the last of `rows`."""
        for records in self._blocks():
            end = records.row + len(records)
            yield slice(records.row, end), RecordBlock(records, self)
            if rows is not None and (not len(rows) or end > rows[-1]):
                break

    def writer(self, path: Path, notes: pa.Schema | None = None) -> RecordWriter:
        """See Source.writer; notes are keys of an object, cells of a row."""
        names = None if notes is None else notes.names
        return RecordWriter(
            self._output(path), lambda: self._head if names is None else self._annotated_head(names), self._sent
        )

    def unnoted_writer(self, path: Path, names: Sequence[str]) -> RecordWriter:
        """Open a writer of a file without the columns of these notes; see Source.unnoted_writer."""
        return RecordWriter(self._output(path), lambda: self._unnoted_head(names), self._sent)

    def _unnoted_head(self, names: Sequence[str]) -> bytes:
        """Return the head without the names of these columns."""
        return self._head

    def table_from(self, values: list[bytes]) -> pa.Table:
        """Return records, as `Block.values` gives them, as a table; see Source.table_from."""
        try:
            return self._tabled(values)
        except Refused as refused:  # where a row of a run was changed by hand
            raise InputError(
                "{} contains a record that cannot be read: {}", self._file.path, refused.reason
            ) from refused

    def _documents_at(self, wanted: WantedColumns, rows: RowSet) -> Documents:
        """Yield the documents of some rows, one batch for each block that has any; an empty batch if there are none."""
        self.check()
        seen, found = 0, False
        for records in self._blocks() if len(rows) else ():
            seen = records.row + len(records)
            here = rows[(rows >= records.row) & (rows < seen)] - records.row
            if len(here):
                found = True
                yield self._reader(wanted).one_by_one(records, here.tolist(), [])
            if seen > rows[-1]:
                break
        if len(rows) and rows[-1] >= seen:
            raise InputChanged(
                "{} has {} records, but no record with the number {} (counted from 0); run again",
                self._file.path,
                seen,
                rows[-1],
            )
        if not found:
            yield no_rows(wanted.schema())


def byte_order_mark(block: bytes, shown: str) -> bytes:
    """Return the byte order mark of UTF-8 if the first block of a file has it, else b""; raise InputError for UTF-16."""
    if block.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise wide_file(shown)
    return BOM if block.startswith(BOM) else b""


def wide_file(shown: str) -> InputError:
    """Return the error about a file in UTF-16, whose records cannot be cut."""
    return InputError("{} is UTF-16; convert it with iconv -f UTF-16 -t UTF-8", shown)
