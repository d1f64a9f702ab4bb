"""Sequence of bad records that takes little memory: blocks of columns, from which records are made on access."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.bad_blocks import block_of, check_block, records_of, rows_in, source_runs
from quchong.io.source import Bad
from quchong.languages import filled
from quchong.work import Unencodable

BLOCK, BLOCK_BYTES = 4096, 1 << 20
"""Maximum records of a block, and bytes of raw records at which a block is complete."""
Keep = Callable[[pa.Table], pa.Table]
"""Function that stores a table and returns an equal table, in memory or mapped from a file."""


class BadRecords(MutableSequence[Bad]):
    """List of a run's bad records (unreadable input rows), stored as columns to save memory.

    Appending is cheap, and so are `bad[start:]` and `bad[start:] = ...`; other changes rebuild all later records. A reason remains a
    message with template and values, so that it can be translated.

    Args:
        records: the first records.
        keep: function that stores a block (`FoundKeeper.table`); None for blocks in memory.
    """

    def __init__(self, records: Iterable[Bad] = (), keep: Keep | None = None) -> None:
        self._keep = keep
        self._blocks: list[pa.Table] = []
        self._ends: list[int] = []  # records up to the end of each block
        self._new: list[Bad] = []  # behind the last block
        self._new_bytes = 0
        self._odd: list[str] = []  # reasons that JSON has no word for
        self.extend(records)

    @classmethod
    def from_blocks(cls, blocks: Iterable[pa.Table]) -> BadRecords:
        """Return the records of these blocks, without checking them (see `check`)."""
        made = cls()
        made._add_blocks(blocks)
        return made

    @property
    def blocks(self) -> list[pa.Table]:
        """Blocks that hold all records, in order.

        Raises:
            Unencodable: a reason holds what no file takes.
        """
        self._seal()
        if self._odd:
            raise Unencodable("a reason with values that files of a run do not hold")
        return list(self._blocks)

    def check(self) -> None:
        """Raise Damaged unless all blocks are blocks that a run writes; damaged contents may raise other exceptions too."""
        for block in self._blocks:
            check_block(block)

    def row_numbers(self, start: int = 0, source: str | None = None) -> npt.NDArray[np.int64]:
        """Return the row numbers of the bad records from index `start` on, int64, in order; with `source` only that source's."""
        blocks = zip([0, *self._ends], self._blocks, strict=False)
        found = [rows_in(block.slice(max(start - first, 0)), source) for first, block in blocks]
        rest = self._new[max(start - self._sealed, 0) :]
        return np.concatenate([*found, np.array([one.row for one in rest if source in (None, one.source)], np.int64)])

    def source_runs(self) -> Iterator[tuple[str, int]]:
        """Yield runs of consecutive records of one source, in order: the source's name and the number of records."""
        for block in self._blocks:
            yield from source_runs(block)
        yield from ((one.source, 1) for one in self._new)

    def append(self, one: Bad) -> None:
        """Append a record; a block is made when there are enough new records."""
        self._new.append(one)
        self._new_bytes += len(one.raw)
        if len(self._new) >= BLOCK or self._new_bytes >= BLOCK_BYTES:
            self._seal()

    def finish(self) -> None:
        """Complete the last block and release `keep`; blocks of later records stay in memory."""
        self._seal()
        self._keep = None

    def insert(self, index: int, one: Bad) -> None:
        """Insert a record before `index`; all later records are rebuilt."""
        self[index:index] = [one]

    def __len__(self) -> int:
        return self._sealed + len(self._new)

    def __iter__(self) -> Iterator[Bad]:
        for block in self._blocks:
            yield from records_of(block, self._odd)
        yield from self._new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BadRecords | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(one == it for one, it in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return filled("<{:,} bad records>", (len(self),))

    @overload
    def __getitem__(self, index: int) -> Bad: ...
    @overload
    def __getitem__(self, index: slice) -> BadRecords: ...
    def __getitem__(self, index: int | slice) -> Bad | BadRecords:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return self._between(start, stop) if step == 1 else self._like(self[i] for i in range(start, stop, step))
        at = range(len(self))[index]
        if at >= self._sealed:
            return self._new[at - self._sealed]
        number = bisect_right(self._ends, at)
        first = self._ends[number - 1] if number else 0
        return next(records_of(self._blocks[number].slice(at - first, 1), self._odd))

    @overload
    def __setitem__(self, index: int, value: Bad) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[Bad]) -> None: ...
    def __setitem__(self, index: int | slice, value: Bad | Iterable[Bad]) -> None:
        if isinstance(value, Bad):
            value, at = [value], range(len(self))[index] if isinstance(index, int) else 0
            index = slice(at, at + 1) if isinstance(index, int) else index
        assert isinstance(index, slice)
        start, stop, step = index.indices(len(self))
        if step != 1:  # as a list has it, with its errors
            every = list(self)
            every[index] = value
            start, stop, value = 0, len(self), every
        made, after = self._like(value), self._between(max(start, stop), len(self))
        self._truncate(start)
        self._adopt(made)
        self._adopt(after)

    def __delitem__(self, index: int | slice) -> None:
        at = range(len(self))[index]
        gone = at if isinstance(at, range) else range(at, at + 1)
        if gone:
            start, stop = min(gone), max(gone) + 1
            self[start:stop] = [self[i] for i in range(start, stop) if i not in gone]

    @property
    def _sealed(self) -> int:
        """Number of records in blocks."""
        return self._ends[-1] if self._ends else 0

    def _like(self, records: Iterable[Bad] = ()) -> BadRecords:
        """ArrowArray of the C data interface, as ctypes structure."""
        made = BadRecords((), self._keep)
        made._odd = self._odd
        made.extend(records)
        return made

    def _between(self, start: int, stop: int) -> BadRecords:
        """Return the records from `start` to `stop`, without `stop`; blocks are shared, not copied."""
        made = self._like()
        for first, block in zip([0, *self._ends], self._blocks, strict=False):
            low, high = max(start - first, 0), min(stop - first, len(block))
            if low < high:
                made._add_blocks([block if high - low == len(block) else block.slice(low, high - low)])
        made.extend(self._new[max(start - self._sealed, 0) : max(stop - self._sealed, 0)])
        return made

    def _truncate(self, length: int) -> None:
        """Remove the records from `length` on."""
        left = self._between(0, length)
        self._blocks, self._ends, self._new, self._new_bytes = left._blocks, left._ends, left._new, left._new_bytes

    def _adopt(self, others: BadRecords) -> None:
        """Append the records of a list made by `_like`, block by block."""
        if others._blocks:
            self._seal()
            self._add_blocks(others._blocks)
        self.extend(others._new)

    def _add_blocks(self, blocks: Iterable[pa.Table]) -> None:
        for block in blocks:
            self._blocks.append(block)
            self._ends.append(self._sealed + len(block))

    def _seal(self) -> None:
        """Make a block of the records that are in no block yet."""
        if not self._new:
            return
        new, self._new, self._new_bytes = self._new, [], 0
        block = block_of(new, self._odd)
        self._add_blocks([block if self._keep is None else self._keep(block)])


def row_numbers(bad: Sequence[Bad], start: int = 0, source: str | None = None) -> npt.NDArray[np.int64]:
    """Return the row numbers of bad records from index `start` of the list on; with `source` only those of that source."""
    if isinstance(bad, BadRecords):
        return bad.row_numbers(start, source)
    return np.array([one.row for one in bad[start:] if source in (None, one.source)], np.int64)


def bad_rows(bad: Sequence[Bad], start: int, source: str) -> npt.NDArray[np.int64]:
    """Return the distinct row numbers of a source's bad records from index `start` on, ascending."""
    return np.unique(row_numbers(bad, start, source))


def sort_by_row(bad: MutableSequence[Bad], start: int) -> None:
    """Sort the bad records from `start` on, all of one source, by row number, in place; sorted records are left unchanged."""
    rows = row_numbers(bad, start)
    if (rows[1:] < rows[:-1]).any():
        before = bad[start:]
        bad[start:] = (before[i] for i in np.argsort(rows, kind="stable").tolist())


def by_source(bad: Sequence[Bad]) -> Iterator[tuple[str, MutableSequence[Bad]]]:
    """Yield the name and the bad records of each source, sorted by row number; sources in order of first appearance."""
    runs: dict[str, list[list[int]]] = {}
    start = 0
    for name, count in bad.source_runs() if isinstance(bad, BadRecords) else ((one.source, 1) for one in bad):
        mine = runs.setdefault(name, [])
        if mine and mine[-1][1] == start:
            mine[-1][1] += count
        else:
            mine.append([start, start + count])
        start += count
    every = bad if isinstance(bad, BadRecords) else list(bad)
    for name, (first, *others) in runs.items():
        records = every[slice(*first)]
        for other in others:
            records.extend(every[slice(*other)])
        sort_by_row(records, 0)
        yield name, records
