"""Merging of kept and removed rows in the order of the input, for restoring removed rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.columnar.file import ColumnFile
from quchong.io.columnar.parquet import ParquetFile, ParquetWriter
from quchong.io.columnar.sheets import SheetFile
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.streams import Output
from quchong.io.formats import TEXTS
from quchong.io.open import open_file
from quchong.io.part_writers import Batches, Bytes, Stretches
from quchong.io.records.file import RecordFile
from quchong.io.records.lines import Records
from quchong.io.warc.file import WarcFile
from quchong.languages import Message

Mask = npt.NDArray[np.bool_]
Rows = tuple[int, Callable[[int, int], Any]]
"""Number of rows in a block, and a function that returns the rows from a start to an end of the block."""
Sink = Callable[[Any], None]
File = File


def restore_rows(
    kept: File | None,
    removed: File,
    before: Mask,
    after: Mask,
    new_kept: Path,
    new_removed: Path,
    encoding: str | None = None,
) -> None:
    """Write both sides of a split input, or of a part of one, again, with some removed rows put back among the kept ones.

    Text is copied byte for byte, columns with their types and metadata. Memory is bounded by the largest record or batch of columns.

    Args:
        kept: file of kept rows written by `Source.split`, its format given by the suffix; None if all rows were removed
        removed: file of removed rows
        before: bool (rows,), one entry for each row of both files in the order of the input: True if it is in `removed`
        after: bool (rows,), True if the row is to be in `new_removed`; True only where `before` is
        new_kept: file to write
        new_removed: file to write
        encoding: of CSV files, if it is not UTF-8

    Raises:
        InputError: a file cannot be read
        InputChanged: a file does not hold the number of rows that `before` gives
        OutputError: a file cannot be written
    """
    old = [InputFile.from_path(file) for file in (kept, removed) if file is not None]
    counts = [int((~before).sum()), int(before.sum())]
    with ExitStack() as stack:
        rows, sinks = _open(old, [new_kept, new_removed], stack, encoding)
        cursors = [
            _Cursor(file.path, some, count) for file, some, count in zip(old, rows, counts[-len(old) :], strict=True)
        ]
        way = 2 * before.view(np.int8) + after.view(np.int8)
        edges = np.flatnonzero(np.diff(way, prepend=-1, append=-1))
        for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            for piece in cursors[int(before[start]) - (kept is None)].take(end - start):
                sinks[int(after[start])](piece)
        for cursor in cursors:
            cursor.finish()


def regroup(files: Sequence[tuple[File, int]], new: Sequence[tuple[Path, int]], like: File) -> None:
    """Distribute the rows of files of lines or columns, in order, over new files with given numbers of rows.

    Args:
        files: files to read, with their numbers of rows
        new: files to write, with their numbers of rows; the sums are equal
        like: a file of the same format, from which the head or schema of the new files is taken

    Raises:
        InputError, InputChanged, OutputError: as `restore_rows`
    """
    cursors = (_Cursor(InputFile.from_path(file).path, _rows(open_file(file)), count) for file, count in files)
    cursor = next(cursors, None)
    for path, count in new:
        with ExitStack() as stack:
            sink = _sink(open_file(like), path, stack)
            while count:
                while cursor is not None and not cursor.left:
                    cursor.finish()
                    cursor = next(cursors, None)
                assert cursor is not None
                taken = min(count, cursor.left)
                for piece in cursor.take(taken):
                    sink(piece)
                count -= taken
    while cursor is not None:
        cursor.finish()
        cursor = next(cursors, None)


class _Cursor:
    """Reader of the rows of one file in order; the file must have exactly `count` rows."""

    def __init__(self, path: Path, rows: Iterator[Rows], count: int) -> None:
        self._path, self._rows, self._count, self.left = path, rows, count, count
        self._size = self._at = 0
        self._cut: Callable[[int, int], Any] = lambda start, end: b""

    def take(self, count: int) -> Iterator[Any]:
        while count:
            while self._at == self._size:  # more than once: a block may end before the record it begins does
                if not self._next():
                    raise self._changed(Message("{} holds fewer rows than the {} it was written with"))
            start, self._at = self._at, min(self._size, self._at + count)
            count -= self._at - start
            self.left -= self._at - start
            yield self._cut(start, self._at)

    def finish(self) -> None:
        while self._at == self._size:
            if not self._next():
                return
        raise self._changed(Message("{} holds more rows than the {} it was written with"))

    def _next(self) -> bool:
        found = next(self._rows, None)
        if found is not None:
            (self._size, self._cut), self._at = found, 0
        return found is not None

    def _changed(self, how: Message) -> InputChanged:
        return InputChanged(how.holding(self._path, self._count))


def _open(
    old: list[InputFile], new: list[Path], stack: ExitStack, encoding: str | None
) -> tuple[list[Iterator[Rows]], list[Sink]]:
    """Open the old files for reading and the two new ones for writing; return their rows and their write functions."""
    if old[0].path.suffix in TEXTS:  # lists of paths
        lines = [_line_ranges(file) for file in old]
        return lines, [stack.enter_context(Bytes(Output(path), b"")).write for path in new]
    sources = [open_file(file, encoding=encoding) for file in old]
    warcs = [source for source in sources if isinstance(source, WarcFile)]
    if warcs:
        files = [stack.enter_context(Stretches(path)) for path in new]
        return [_pages(source, file) for source, file in zip(warcs, files, strict=True)], [file.write for file in files]
    texts = [source for source in sources if isinstance(source, RecordFile)]
    if texts:
        rows, heads = zip(*map(_recorded, texts), strict=True)
        return list(rows), [
            stack.enter_context(Bytes(texts[0]._output(path), head, texts[0]._outward)).write
            for path, head in zip(new, (heads * 2)[:2], strict=True)
        ]
    columns = [source for source in sources if isinstance(source, ColumnFile)]
    if isinstance(columns[0], SheetFile):
        columns[0].agree(columns[1:])
    return [_rows(one) for one in columns], [_column_sink(columns, path, stack) for path in new]


def _column_sink(columns: Sequence[ColumnFile], path: Path, stack: ExitStack) -> Sink:
    """Open a writer with the columns, codec and size of row groups of the last of `columns`; return its write function."""
    with reading(columns[-1].path):
        writer = columns[-1]._writer(path, columns[-1]._schema())
    if isinstance(writer, ParquetWriter):
        writer._group_rows = _group_rows(columns)
    return stack.enter_context(Batches(stack.enter_context(writer))).write


def _sink(source: Any, path: Path, stack: ExitStack) -> Sink:
    """Open a writer in the format of `source`, a file of lines or columns; return its write function."""
    if isinstance(source, RecordFile):
        return stack.enter_context(Bytes(source._output(path), _recorded(source)[1], source._outward)).write
    return _column_sink([source], path, stack)


def _rows(source: Any) -> Iterator[Rows]:
    """Return an iterator over the blocks of rows of a file of records or columns."""
    if isinstance(source, RecordFile):
        return _recorded(source)[0]
    assert isinstance(source, ColumnFile)
    return ((len(batch), _slice(batch)) for _, batch in source._read(None))


def _line_ranges(file: InputFile) -> Iterator[Rows]:
    with reading(file.path), file.location.open() as raw:
        lines = raw.readall().splitlines(keepends=True)
    yield len(lines), lambda start, end: b"".join(lines[start:end])


def _recorded(source: RecordFile) -> tuple[Iterator[Rows], bytes]:
    """Return an iterator over the blocks of records of a text file, and the head before the first record."""
    blocks = source._blocks()
    first = next(blocks)
    return ((len(records), _copy(records)) for records in chain([first], blocks)), source._head


def _copy(records: Records) -> Callable[[int, int], bytes]:
    def cut(start: int, end: int) -> bytes:
        starts, ends = records.starts[start:end], records.ends[start:end]
        if (starts[1:] == ends[:-1]).all():
            return records.block[starts[0] : ends[-1]]
        return b"".join([records.block[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])

    return cut


def _pages(source: WarcFile, new: Stretches) -> Iterator[Rows]:
    """Yield the pages of a WARC that quchong wrote, each with the records before it that are no documents.

    Records behind the last page belong to it. A file without a page is copied whole to the start of the new file.
    """
    ends, size = source.page_ends(), source._file.location.state().size
    edges = [0, *ends[:-1], size] if ends else []
    if not ends:
        new.write((source._file, 0, size))
    for edge in pairwise(edges):
        yield 1, partial(_stretch, source._file, *edge)


def _stretch(file: InputFile, first: int, last: int, _start: int, _end: int) -> tuple[InputFile, int, int]:
    return file, first, last


def _slice(batch: pa.RecordBatch) -> Callable[[int, int], pa.RecordBatch]:
    return lambda start, end: batch.slice(start, end - start)


def _group_rows(files: Iterable[Any]) -> int | None:
    """Return the number of rows of a full row group in the files; None if no file has several row groups."""
    most = [0]
    for file in files:
        assert isinstance(file, ParquetFile)
        with reading(file.path), file._open() as opened:
            sizes = [opened.metadata.row_group(group).num_rows for group in range(opened.num_row_groups)]
        most.append(max(sizes) if len(sizes) > 1 else 0)
    return max(most) or None
