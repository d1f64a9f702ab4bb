"""Copying of the rows of a source, written once over two verbs: `records` reads whole records, `writer` writes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.files.write_behind import WriteQueue
from quchong.io.files.written_form import AS_READ, WrittenForm
from quchong.io.row_changes import among, noted_rows
from quchong.kernels.machine import Stop
from quchong.kernels.sorting import distinct

KEEP, REMOVE, BAD = 0, 1, 2
"""Fates of a record in `RowCopies.split`; a bad record is written to neither side."""

Mask = npt.NDArray[np.bool_]
RowSet = npt.NDArray[np.int64]
"""Numbers of rows, ascending and each once."""
RowNumbers = slice | RowSet
"""Numbers of the rows of a block, as an index of arrays by row: a slice, or an ascending array if rows are left out."""
Rows = Sequence[int] | npt.NDArray[np.int64]
"""Numbers of rows."""
Whole = tuple[int, int | None, bytes]
"""Row, line and raw bytes of one whole record, as `Bad` has them."""


class Block(ABC):
    """Consecutive whole records of a source. Pieces are what the writer of the same source takes: bytes, batches, places in a file.

    A source of a block without one of the last four functions does without it, as the pages of a WARC have no new texts.
    """

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def slice(self, start: int, end: int) -> Block:
        """Return the records from index `start` to `end`, without `end`."""

    @abstractmethod
    def piece(self, mask: Mask | None = None, others: bool = True) -> Any:
        """Return the piece with all records, or with those that a mask chooses; None if there is nothing to write.

        `others` says whether records that are no rows, such as the requests in a WARC, are in it.
        """

    def sizes(self) -> npt.NDArray[np.int64]:
        """Return estimated bytes of each record in an uncompressed file; estimates are never much too low.

        Raises:
            NotImplementedError: the records of this format have no such sizes.
        """
        raise NotImplementedError

    def other_sizes(self) -> npt.NDArray[np.int64] | int:
        """Return the bytes that each record adds to the file of kept rows even if it is removed."""
        return 0

    def piece_bytes(self) -> int:
        """Return the most bytes that a file has for each piece (`piece`, `noted`) besides its records."""
        return 0

    def noted(self, notes: pa.Table, mask: Mask) -> Any:
        """Return the piece with the chosen records and their notes; `notes` has a row for each record of the block."""
        raise NotImplementedError

    def unnoted(self, names: Sequence[str]) -> Any:
        """Return the piece with all records without the notes of these names that `noted` added, the last in each record."""
        raise NotImplementedError

    def rewritten(self, first: int, texts: Mapping[int, str], key: str, mask: Mask) -> Any:
        """Return the piece with the chosen records, of which some get a new text; `first` is the row of the first record."""
        raise NotImplementedError

    def values(self, mask: Mask) -> list[Any]:
        """Return the chosen records as `RowCopies.table_from` takes them."""
        raise NotImplementedError

    def whole_record(self, index: int) -> tuple[int | None, bytes]:
        """Return line and raw bytes of a record, as `Bad` has them."""
        raise NotImplementedError


class BlockWriter(Protocol):
    """Writer of a file in the format of a source, a context manager; if an exception leaves the context, the file is closed if possible."""

    def write(self, piece: Any, /) -> None:
        """Append the records of a piece."""
        ...

    def __enter__(self) -> BlockWriter: ...

    def __exit__(self, *error: Any) -> None: ...


class RowCopies(ABC):
    """Base class of a source that copies its rows: into two files, with notes, with new texts, as a table.

    Attributes:
        path: file or folder that the source was opened from; None for memory, and for the files that a run split
    """

    path: Path | None
    queued: ClassVar[bool] = False
    """True if `split` writes each side on a thread of its own."""
    written: WrittenForm = AS_READ
    """Form of the files that `writer` writes; set by `write_as`."""
    _bad_rows: RowSet | None = None
    """Rows that are no documents; None before `documents` has run to its end."""

    @abstractmethod
    def records(self, rows: RowSet | None = None) -> Iterator[tuple[RowNumbers, Block]]:
        """Yield blocks of whole records in order, bad ones included, each with the numbers of its rows.

        With `rows` blocks without any of these rows may be left out.
        """

    @abstractmethod
    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """Open a writer of a file like that of the source; with `notes` for records with these columns added.

        Raises:
            OutputError: the file cannot be written
        """

    def unnoted_writer(self, path: Path, names: Sequence[str]) -> BlockWriter:
        """Open a writer of a file like that of the source without the columns of these notes, for what `Block.unnoted` returns.

        Raises:
            OutputError: the file cannot be written
        """
        raise NotImplementedError

    def without_notes(self, names: Sequence[str], out: Path) -> None:
        """Write the records without the notes of these names, in which each was written by `annotate` or `writer`.

        Raises:
            InputChanged: a record has no such notes
            OutputError: as `split`
        """
        self.check()
        with self.unnoted_writer(out, names) as writer:
            for _, block in self.records():
                if len(block):
                    writer.write(block.unnoted(names))

    @abstractmethod
    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Raise InputChanged if the source is no longer the one that `documents` read, or has not `records` records.

        `seen` is the number of records that were read; without it only a source that knows its number compares it.
        """

    @abstractmethod
    def table_from(self, values: list[Any]) -> pa.Table:
        """Return records, as `Block.values` gives them, as a table of all columns."""

    def write_as(self, form: WrittenForm) -> None:
        """Make `writer` write files of another form; their names must have the suffix that `WrittenForm.suffix` gives."""
        self.written = form

    def check_written(self) -> None:  # noqa: B027 - most formats show no more than `records` finds
        """Raise InputChanged if the file cannot be one that `split` wrote."""

    def agree(self, others: Sequence[RowCopies]) -> None:  # noqa: B027 - for formats with types or row groups
        """Make the source write files that hold its rows and those of `others`, which are of the same format."""

    def split(
        self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None, *, stop: Stop | None = None
    ) -> None:
        """Copy whole records, in order, to the file of kept or of removed records.

        Args:
            fate: uint8 (records,), KEEP, REMOVE or BAD by row
            kept: file to write; None to write no kept records
            removed: file to write; None to write no removed records
            stop: set by another thread, it ends the copying early; the files are of no use then

        Raises:
            InputChanged: the source is no longer the one that `documents` read
            OutputError: a side cannot be written
        """
        self.check(len(fate))
        with ExitStack() as stack:
            targets = [(value, path) for value, path in ((KEEP, kept), (REMOVE, removed)) if path is not None]
            writers = [(value, stack.enter_context(self.writer(path)).write) for value, path in targets]
            if self.queued:
                writers = [(value, stack.enter_context(WriteQueue(write))) for value, write in writers]
            seen = 0
            for rows, block in self.records():
                if stop is not None and stop.is_set():
                    return
                seen = _end_of(rows)
                for value, write in writers:
                    mine = fate[rows] == value
                    if len(mine) == len(block) and (piece := block.piece(mine, value == KEEP)) is not None:
                        write(piece)
            self.check(len(fate), seen)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """Write the good records with the columns of `notes` added; bad records are left out.

        Args:
            notes: one row per record, bad ones included (their values are not used); strings and numbers
            out: file to write

        Bad records are those that `documents` found; if it has not run to its end, rows of `notes` that are all null. A column of a
        table or a key of an object gives way to one of the same name; a CSV file with such a column is refused.

        Raises:
            InputChanged, OutputError: as `split`
        """
        self.check(notes.num_rows)
        good, seen = noted_rows(notes, self._bad_rows), 0
        with self.writer(out, notes.schema) as writer:
            for rows, block in self.records():
                seen = _end_of(rows)
                mask = good[rows]
                if len(mask) == len(block):
                    mine = (
                        notes.slice(rows.start, len(block)) if isinstance(rows, slice) else notes.take(pa.array(rows))
                    )
                    writer.write(block.noted(mine, mask))
            self.check(notes.num_rows, seen)

    def write_noted(self, fate: npt.NDArray[np.uint8], notes: pa.Table, out: Path) -> None:
        """Write the records with the fate KEEP with the columns of `notes` added.

        Args:
            fate: uint8 (records,), KEEP or another by row
            notes: one row per record; the source has no columns of these names
            out: file to write

        Raises:
            InputChanged, OutputError: as `split`
        """
        self.check(len(fate))
        seen = 0
        with self.writer(out, notes.schema) as writer:
            for rows, block in self.records():
                mine = fate[rows]
                if len(mine) == len(block):  # else the source has changed, which `check` tells
                    writer.write(block.noted(notes.slice(seen, len(block)), mine == KEEP))
                seen += len(block)
            self.check(len(fate), seen)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """Write the records with new texts in some of them, otherwise unchanged; bad records are left out.

        Args:
            texts: the new texts by row
            key: the column of the text; it is added to a record that lacks it
            out: file to write; for files of a folder a folder
            without: rows that are left out too

        Raises:
            InputChanged, OutputError: as `split`
            UsageError: the text of a record cannot be replaced (WARC, files that are pages)
        """
        self.check()
        with self.writer(out) as writer:
            for rows, block in self.records():
                first = _end_of(rows) - len(block)
                there = ~(among(self._bad_rows, first, len(block)) | among(without, first, len(block)))
                writer.write(block.rewritten(first, texts, key, there))
            self.check()

    def table_of(self, mask: Mask) -> pa.Table:
        """Return selected records as a table of all columns, in order, read as `documents` reads them.

        JSONL: each key that occurs is a column; one of mixed types, or of integers of more than 64 bits, holds text. CSV: all values
        are text, unchanged. Pages: `url` and the other metadata. Files of a folder: `path`.

        Args:
            mask: bool (records,), True for the selected records, which must not be bad

        Raises:
            InputChanged: the source is no longer the one that `documents` read
        """
        self.check(len(mask))
        found: list[Any] = []
        seen = 0
        for rows, block in self.records():
            seen = _end_of(rows)
            mine = mask[rows]
            if len(mine) == len(block) and mine.any():
                found += block.values(mine)
        self.check(len(mask), seen)
        return self.table_from(found)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Yield whole records by row, including bad ones, in ascending order; nothing if records cannot be read again.

        The bytes of bad records are read with this method when they are written, so that they need not be in memory meanwhile.
        """
        asked = distinct(np.asarray(rows, np.int64))
        for numbers, block in self.records(asked) if len(asked) else ():
            end = _end_of(numbers)
            first = end - len(block)
            for row in asked[(asked >= first) & (asked < end)].tolist():
                yield row, *block.whole_record(row - first)


def _end_of(rows: RowNumbers) -> int:
    """Return the row after the last one of a block."""
    if isinstance(rows, slice):
        return int(rows.stop)
    return int(rows[-1]) + 1 if len(rows) else 0
