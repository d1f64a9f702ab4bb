"""Source of a text file of records, read once as documents and once to copy rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, InputError
from quchong.io.bad_records import bad_rows
from quchong.io.documents import in_order
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.streams import Output, beginning, reader
from quchong.io.limits import LARGEST
from quchong.io.records.lines import BLOCK_BYTES, BOM, Records
from quchong.io.records.reader import RecordReader, Refused
from quchong.io.row_changes import among, noted_rows
from quchong.io.source import KEEP, REMOVE, Bad, Rows, WantedColumns, Whole
from quchong.kernels.sorting import distinct

Read = Callable[[int], bytes]


class RecordFile(ABC):
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
        self._file = InputFile.from_path(path)
        self.path = self._file.path
        self.files = (self.path,)
        self._compression = compression
        self._block_bytes = block_bytes
        self._most = most
        self._head = b""  # bytes before the first record; known from the first block on
        self._bad_rows: npt.NDArray[np.int64] | None = None  # known once `documents` has run to its end

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
    def _annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added."""

    @abstractmethod
    def _tabled(self, records: Sequence[bytes]) -> pa.Table:
        """Convert good records, given without line endings, to a table of all columns."""

    @abstractmethod
    def _rewritten(self, record: bytes, key: str, text: str) -> bytes:
        """Return a record, line ending included, with the new text under `key`."""

    def _outward(self, piece: bytes) -> bytes:
        """Convert bytes of blocks to bytes of the file; they differ only if a file in another encoding is read as UTF-8."""
        return piece

    def _output(self, path: Path) -> Output:
        """Open an output for records, with the compression of this file."""
        return Output(path, self._compression)

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

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        self._file.remember()
        before, batches = len(bad), 0
        values: RecordReader | None = None
        for records in self._blocks(digest=True):
            values = values or self._reader(wanted)
            batch = values.batch(records, bad)
            if batch.num_rows:
                batches += 1
                yield batch
        if values is not None:
            values.finish()
        if not batches:
            yield pa.RecordBatch.from_pylist([], schema=wanted.schema())
        self._bad_rows = bad_rows(bad, before, self.name)

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        self._file.check()
        with ExitStack() as stack:
            outputs = [
                (value, stack.enter_context(self._output(path)))
                for value, path in ((KEEP, kept), (REMOVE, removed))
                if path is not None
            ]
            seen = -1
            for records in self._blocks():
                for value, output in outputs:
                    if seen < 0:
                        output.write(self._outward(self._head))
                    chosen = fate[records.row : records.row + len(records)] == value
                    if len(chosen) == len(records):
                        output.write(self._outward(records.copied(chosen)))
                seen = records.row + len(records)
            self._expect(seen, len(fate))

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate. Keys that a JSON object has already are added once more; parsers take the last. A CSV file
        with such columns is refused: parsers take the first.
        """
        self._file.check()
        good = noted_rows(notes, self._bad_rows)
        names = notes.column_names
        with self._output(out) as output:
            seen = -1
            for records in self._blocks():
                pieces = [self._annotated_head(names)] if seen < 0 else []
                seen = records.row + len(records)
                columns = [column.to_pylist() for column in notes.slice(records.row, len(records)).columns]
                for index, values in enumerate(zip(*columns, strict=True)):
                    if good[records.row + index]:
                        record = records.block[records.starts[index] : records.ends[index]]
                        pieces.append(self._annotated(record, names, values))
                output.write(self._outward(b"".join(pieces)))
            self._expect(seen, notes.num_rows)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite. A record without a new text is copied byte for byte."""
        self._file.check()
        with self._output(out) as output:
            seen = -1
            for records in self._blocks():
                pieces = [self._head] if seen < 0 else []
                seen = records.row + len(records)
                for index in np.flatnonzero(~among(self._bad_rows, records.row, len(records))).tolist():
                    row = records.row + index
                    if index not in records.cut:
                        record = records.block[records.starts[index] : records.ends[index]]
                        pieces.append(self._rewritten(record, key, texts[row]) if row in texts else record)
                output.write(self._outward(b"".join(pieces)))
            self._file.check()

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        self._file.check()
        found: list[bytes] = []
        seen = -1
        for records in self._blocks():
            seen = records.row + len(records)
            found += [records.raw(index) for index in np.flatnonzero(mask[records.row : seen]).tolist()]
        self._expect(seen, len(mask))
        try:
            return self._tabled(found)
        except Refused as refused:  # where a row of a run was changed by hand
            raise InputError("{} holds a record that cannot be read: {}", self._file.path, refused.reason) from refused

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """See Source.whole_records; the bytes are the records' lines in the file."""
        asked = distinct(np.asarray(rows, np.int64))
        for records in self._blocks() if len(asked) else ():
            here = asked[(asked >= records.row) & (asked < records.row + len(records))] - records.row
            for index in here.tolist():
                yield records.row + index, records.line_of(index), self._outward(records.raw(index))
            if records.row + len(records) > asked[-1]:
                break

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """See Source.fetch."""
        self._file.check()
        asked = distinct(np.asarray(rows, np.int64))
        batches: list[pa.RecordBatch] = []
        seen = 0
        for records in self._blocks() if len(asked) else ():
            seen = records.row + len(records)
            here = asked[(asked >= records.row) & (asked < seen)] - records.row
            if len(here):
                batches.append(self._reader(wanted).one_by_one(records, here.tolist(), []))
            if seen > asked[-1]:
                break
        if len(asked) and asked[-1] >= seen:
            raise InputChanged("{} has {} records, none with index {}; run again", self._file.path, seen, asked[-1])
        return in_order(batches, wanted.schema(), rows)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint."""
        return self._file.fingerprint(self.name)

    def _expect(self, seen: int, records: int) -> None:
        """Raise InputChanged if the file has changed, or a second pass found `seen` records instead of `records`."""
        self._file.check()
        if max(seen, 0) != records:
            raise InputChanged(
                "{} holds {} records, not {} as before; run again", self._file.path, max(seen, 0), records
            )


def byte_order_mark(block: bytes, shown: str) -> bytes:
    """Return the byte order mark of UTF-8 if the first block of a file has it, else b""; raise InputError for UTF-16."""
    if block.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("{} is UTF-16; convert with iconv -f UTF-16 -t UTF-8", shown)
    return BOM if block.startswith(BOM) else b""
