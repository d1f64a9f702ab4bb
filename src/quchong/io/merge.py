"""Merging of kept and removed rows in the order of the input, for restoring removed rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.columnar.source import ColumnSource, GatheredBatches
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.streams import Output
from quchong.io.folder import PathBlock
from quchong.io.formats import TEXTS
from quchong.io.open import open_file
from quchong.io.records.blocks import RecordWriter
from quchong.io.row_copies import Block, BlockWriter, Mask, RowCopies, RowSet
from quchong.languages import Message


def restore_rows(
    kept: File | None,
    removed: File,
    before: Mask,
    after: Mask,
    new_kept: Path,
    new_removed: Path,
    encoding: str | None = None,
) -> None:
    """Write the kept and removed rows of an input anew, with rows in `after` but not in `before` moved back to the kept ones.

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
    sides = [open_side(file, encoding) for file in (kept, removed) if file is not None]
    with ExitStack() as stack:
        sides[-1].agree(sides[:-1])
        writers = [stack.enter_context(merged_writer(sides[-1], path)) for path in (new_kept, new_removed)]
        which = before if kept is not None else np.zeros(len(before), np.bool_)
        for rows, side, block in merged(sides, which, after):
            new = int(after[rows.start]) if len(block) else side + (kept is None)
            if (piece := block.piece()) is not None:
                writers[new].write(piece)


def restore_cut_rows(
    kept: File, removed: File, cut: Mask, gone: Mask, back: Mask, new_kept: Path, new_removed: Path,
    encoding: str | None = None,
) -> None:  # fmt: skip
    """Write the kept and the removed rows of an input with cut texts anew, with the rows in `back` restored to their full text.

    Text is copied byte for byte, columns with their types and metadata. Memory is bounded by the largest record or batch of columns.

    Args:
        kept: file of rows that `Source.rewrite` wrote
        removed: file of the rows as they were whose texts were cut or that were left out, written by `Source.split`
        cut: bool (rows,), in the order of the input: True if the row is in both files
        gone: bool (rows,), True if the row is in `removed` alone
        back: bool (rows,), True if the row is to be in `new_kept` as it was
        new_kept, new_removed: files to write
        encoding: of CSV files, if it is not UTF-8

    Raises:
        InputError, InputChanged, OutputError: as `restore_rows`
    """
    # A row in both files is an entry of each, the kept one first.
    counts = np.where(cut, 2, 1)
    row = np.repeat(np.arange(len(cut)), counts)
    which = gone[row]
    which[np.cumsum(counts)[cut] - 1] = True
    again = back[row]
    sides = [open_side(file, encoding) for file in (kept, removed)]
    with ExitStack() as stack:
        sides[-1].agree(sides[:-1])
        writers = [stack.enter_context(merged_writer(sides[-1], path)) for path in (new_kept, new_removed)]
        for entries, side, block in merged(sides, which, again):
            put_back = len(block) > 0 and bool(again[entries.start])
            if put_back and not side:
                continue
            if (piece := block.piece()) is not None:
                writers[0 if put_back else side].write(piece)


def regroup(
    files: Sequence[tuple[File, int]], new: Sequence[tuple[Path, int]], like: File, encoding: str | None = None
) -> None:
    """Distribute the rows of several files, in order, over new files with given numbers of rows.

    Args:
        files: files to read, with their numbers of rows
        new: files to write, with their numbers of rows; the sums are equal
        like: a file of the same format, from which the head or schema of the new files is taken
        encoding: of CSV files, if it is not UTF-8

    Raises:
        InputError, InputChanged, OutputError: as `restore_rows`
    """
    form = open_side(like, encoding)
    form.agree([])
    next(form.records(), None)  # which finds the head
    blocks = chain.from_iterable(_Cursor(open_side(file, encoding), count).take(count) for file, count in files)
    block: Block | None = None
    for path, count in new:
        with merged_writer(form, path) as writer:
            while count:
                block = block or next(blocks, None)
                assert block is not None, "the sums are equal"
                taken = min(count, len(block))
                writer.write(block.slice(0, taken).piece())
                block = block.slice(taken, len(block)) if taken < len(block) else None
                count -= taken
    for _ in blocks:
        pass


def merged(sides: Sequence[RowCopies], which: Mask, runs: Mask | None = None) -> Iterator[tuple[slice, int, Block]]:
    """Yield the rows of several files merged in one order: their row numbers, the index of their file, and the rows as a block.

    Blocks without rows, which hold what a file has instead, come first.

    Args:
        sides: the files, each of whose rows are in order.
        which: bool (rows,), index of the file of each row.
        runs: bool (rows,); no block has rows of both values. None for no such bound.

    Raises:
        InputChanged: a file does not hold as many rows as `which` says.
    """
    for side in sides:
        side.check_written()
    total = len(which)
    cursors = [_Cursor(side, int((which == k).sum())) for k, side in enumerate(sides)]
    for k, cursor in enumerate(cursors):
        if (block := cursor.rowless()) is not None:
            yield slice(0, 0), k, block
    way = which.view(np.int8) if runs is None else 2 * which.view(np.int8) + runs.view(np.int8)
    edges = np.flatnonzero(np.diff(way, prepend=-1, append=-1))
    for start, end in pairwise(edges.tolist()) if total else ():
        for block in cursors[int(which[start])].take(end - start):
            yield slice(start, start + len(block)), int(which[start]), block
            start += len(block)
    for cursor in cursors:
        cursor.finish()


def merged_writer(form: RowCopies, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
    """Open a writer in the format of `form` that takes the small pieces of merged files."""
    writer = form.writer(path, notes)
    return GatheredBatches(writer) if isinstance(form, ColumnSource) else writer


class _PathList(RowCopies):
    """List of paths that a run wrote in place of texts."""

    def __init__(self, file: File) -> None:
        self._file = InputFile.from_path(file)
        self.path: Path = self._file.path

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[slice, PathBlock]]:
        with reading(self._file.path), self._file.location.open() as raw:
            paths = raw.readall().splitlines()
        yield slice(0, len(paths)), PathBlock([path.decode("utf-8", "surrogateescape") for path in paths])

    def writer(self, path: Path, notes: pa.Schema | None = None) -> RecordWriter:
        return RecordWriter(Output(path))

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        self._file.check()

    def table_from(self, values: list[str]) -> pa.Table:
        return pa.table({"path": pa.array(values, pa.large_string())})


def open_side(file: File, encoding: str | None) -> RowCopies:
    """Open a file of kept or removed rows; of texts, which are named in it, the list of their paths."""
    path = InputFile.from_path(file).path
    return _PathList(file) if path.suffix in TEXTS else open_file(file, encoding=encoding)


class _Cursor:
    """Reader of the rows of one file in order; the file must have exactly `count` rows."""

    def __init__(self, side: RowCopies, count: int) -> None:
        self._side, self._blocks, self._count = side, side.records(), count
        self._block: Block | None = None
        self._at = 0
        self._next()  # the first block finds the head of the file

    def rowless(self) -> Block | None:
        """Return the first block if it has no rows."""
        return self._block if self._block is not None and not len(self._block) else None

    def take(self, count: int) -> Iterator[Block]:
        """Yield the next rows as one block or more."""
        while count:
            block = self._unread_block()
            if block is None:
                raise self._changed(
                    Message("{} has fewer rows than the {} that the run wrote: put the missing rows back, or run again")
                )
            start, self._at = self._at, min(len(block), self._at + count)
            count -= self._at - start
            yield block.slice(start, self._at) if self._at - start < len(block) else block

    def finish(self) -> None:
        """Raise InputChanged if there are more rows."""
        if self._unread_block() is not None:
            raise self._changed(
                Message("{} has more rows than the {} that the run wrote: take out the added rows, or run again")
            )

    def _unread_block(self) -> Block | None:
        """Return the current block with unread rows; None at the end of the file."""
        while self._block is not None and self._at == len(self._block):
            self._next()
        return self._block

    def _next(self) -> None:
        self._block, self._at = next((block for _, block in self._blocks), None), 0

    def _changed(self, how: Message) -> InputChanged:
        return InputChanged(how.holding(self._side.path, self._count))
