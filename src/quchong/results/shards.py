"""Kept and removed rows, or all rows, written as numbered shards, each a whole file of at most a given size."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io import KEEP, REMOVE, Source
from quchong.io.columnar.row_sizes import row_sizes
from quchong.io.files.write_behind import WriteQueue
from quchong.io.row_copies import Block
from quchong.kernels.machine import Stop

SIDES = ("kept", "removed")
ANNOTATED = ("annotated",)
"""Sides of a run that writes all rows to one file, with columns for what was decided."""
_FATES = (KEEP, REMOVE)
_SPARE = 50
"""A file of columns keeps this share of its limit free, for the headers of pages."""


def shard_name(side: str, number: int, suffix: str) -> str:
    """Return the name of a shard in the run folder.

    >>> shard_name("kept", 3, ".jsonl.zst")
    'kept/part-00003.jsonl.zst'
    """
    return f"{side}/part-{number:05d}{suffix}"


class ShardWriter:
    """Writer of the rows of one source after another to shards of kept and of removed rows, or of all rows; a context manager.

    The shards of kept and of removed rows with the same number have the rows of one stretch of the input. A stretch ends before
    the record with which one of both files would exceed the limit. It always has a file of kept rows, and one of removed rows if it
    has any.

    Args:
        folder: the run folder.
        limit: most bytes of a file before compression; a larger record has a file of its own.
        stop: set by another thread, it ends the writing early; the files are of no use then.
        sides: `SIDES`; or `ANNOTATED`, where the rows with the fate KEEP go to its files and no others are written.

    Attributes:
        count: number of stretches so far.
    """

    def __init__(self, folder: Path, limit: int, stop: Stop | None = None, sides: Sequence[str] = SIDES) -> None:
        self._folder, self._limit, self._stop, self._sides = folder, limit, stop, sides
        self._files = ExitStack()
        self._writes: list[Any] = [None, None]
        self._held = [0, 0]
        self._some = [False, False]
        self._head: int | None = None
        self._schema: pa.Schema | None = None
        self.count = 0

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        self._files.__exit__(*error)

    def copy(self, source: Source, fate: npt.NDArray[np.uint8], notes: pa.Table | None = None) -> npt.NDArray[np.int32]:
        """Copy the rows of a source to shards; return for each record the number of its stretch (pair of files), int32.

        Args:
            source: of the same layout (`Source.layout`) as the sources before it.
            fate: uint8 (records,), KEEP, REMOVE or BAD by row.
            notes: columns added to kept rows, one row for each record; None for none.

        Raises:
            InputChanged, OutputError: as `Source.split`.
        """
        self._schema = None if notes is None else notes.schema
        source.check(len(fate))
        if self.count and source.head_bytes() != self._head:  # such as a byte order mark, with which a file begins
            self._end()
        self._head = source.head_bytes()
        limit = self._limit - (self._limit // _SPARE if source.suffix == ".parquet" else 0)
        parts = np.zeros(len(fate), np.int32)
        seen = 0
        for rows, block in source.records():
            if self._stop is not None and self._stop.is_set():
                return parts
            start = seen
            seen += len(block)
            mine = fate[rows]
            if len(mine) == len(block):  # else the source has changed, which `check` tells
                mine_of_notes = None if notes is None else notes.slice(start, len(block)).combine_chunks()
                self._copy_block(source, block, mine, parts[start:seen], limit, mine_of_notes)
        source.check(len(fate), seen)
        return parts

    def finish(self, source: Source) -> None:
        """Close the last files; a run without any record has one shard of kept rows and one of removed rows, both empty.

        Args:
            source: whose form an empty file has.
        """
        if not self.count:
            self._begin(source)
        if self.count == 1 and self._writes[1] is None and len(self._sides) == 2:
            self._open(source, 1)
        self._end()

    def _copy_block(
        self, source: Source, block: Block, mine: npt.NDArray[np.uint8], parts: npt.NDArray[np.int32], limit: int, notes: pa.Table | None
    ) -> None:  # fmt: skip
        """Copy the records of a block to shards by their fates `mine`; set in `parts` the number of each one's stretch."""
        sizes, start = block.sizes(), 0
        if notes is not None:
            sizes = sizes + note_sizes(notes)
        sums: list[npt.NDArray[np.int64]] = []
        for value in _FATES:
            own = mine == value
            costs = np.asarray(np.where(own, sizes, 0) + (block.other_sizes() if value == KEEP else 0), np.int64)
            if own.any():
                costs[int(np.argmax(own))] += block.piece_bytes()
            sums.append(np.cumsum(costs))
        while start < len(block):
            if self._writes[0] is None:
                self._begin(source)
            end = min(self._fitting(side, sums[side], mine == _FATES[side], start, limit) for side in (0, 1))
            if end > start:
                some = None if notes is None else notes.slice(start, end - start)
                self._write(source, block.slice(start, end), mine[start:end], some)
                for side in (0, 1):
                    self._held[side] += int(sums[side][end - 1] - (sums[side][start - 1] if start else 0))
                parts[start:end] = self.count - 1
            if end < len(block):
                self._end()
            start = end

    def _fitting(
        self, side: int, sums: npt.NDArray[np.int64], own: npt.NDArray[np.bool_], start: int, limit: int
    ) -> int:
        """Return the index of the first record from `start` on that no longer fits into the open shard of a side."""
        before = int(sums[start - 1]) if start else 0
        room = limit - self._held[side] - (self._head or 0)
        end = int(np.searchsorted(sums, before + room, "right"))
        if end == len(sums) or self._some[side]:
            return max(end, start)
        first = start + int(np.argmax(own[start:]))  # a record that is larger than a file is the only one in its file
        if end > first:
            return end
        later = np.flatnonzero(own[first + 1 :])
        return first + 1 + int(later[0]) if len(later) else len(sums)

    def _write(self, source: Source, block: Block, mine: npt.NDArray[np.uint8], notes: pa.Table | None) -> None:
        for side, value in enumerate(_FATES):
            mask = mine == value
            if not mask.any():
                continue
            if self._writes[side] is None:
                self._open(source, side)
            self._some[side] = True
            if notes is not None and value == KEEP:
                self._writes[side](block.noted(notes, mask))
            elif (piece := block.piece(mask, value == KEEP)) is not None:
                self._writes[side](piece)

    def _begin(self, source: Source) -> None:
        """Begin a stretch (a pair of files) and open its file of kept rows."""
        self.count += 1
        self._open(source, 0)

    def _open(self, source: Source, side: int) -> None:
        path = self._folder / shard_name(self._sides[side], self.count - 1, source.written_suffix)
        write = self._files.enter_context(source.writer(path, None if side else self._schema)).write
        self._writes[side] = self._files.enter_context(WriteQueue(write)) if source.suffix == ".parquet" else write

    def _end(self) -> None:
        """End a stretch by completing its files."""
        self._files.close()
        self._files = ExitStack()
        self._writes, self._held, self._some = [None, None], [0, 0], [False, False]


def note_sizes(notes: pa.Table) -> npt.NDArray[np.int64]:
    """Return an upper bound of the bytes that the notes of each record take as text, int64."""
    names = sum(len(name) + 8 for name in notes.column_names)
    batches = notes.to_batches()
    sizes: npt.NDArray[np.int64] = np.concatenate([np.zeros(0, np.int64), *(row_sizes(one) for one in batches)])
    return np.asarray(2 * sizes + names + 32 * notes.num_columns)
