"""Blocks of records of a text file: offsets of records, and lines above the size limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from quchong.errors import InputError, Param
from quchong.io.limits import HEAD, LARGEST, head_of, too_large

BLOCK_BYTES = 16 << 20
RECORDS_AT_ONCE = 1 << 17
"""Maximum records that are read at once, because a block of very short lines has a hundred times as many as one of texts."""
LF, CR = 10, 13
BOM = b"\xef\xbb\xbf"

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Records:
    """Consecutive whole records of a text file, in one block of bytes.

    Args:
        block: the bytes; they may hold more than the records (blank lines, a header)
        starts: int64 (records,) first byte of each
        ends: int64 (records,) past its last byte, line ending included
        lines: int64 (records,) physical line of each in the file, from 1
        row: index of the first record in the file
        broken: reasons by index, for records that were found bad when the file was split
        cut: bytes and beginnings by index, for records above the size limit; they are also in `broken`, and the block may have a
            placeholder for them
    """

    block: bytes
    starts: Positions
    ends: Positions
    lines: Positions
    row: int = 0
    broken: dict[int, str] = field(default_factory=dict)
    cut: dict[int, tuple[int, bytes]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.starts)

    def bounds(self) -> tuple[Positions, Positions]:
        """Return the start and end offsets of the records, without their line endings."""
        octets = np.frombuffer(self.block, np.uint8)
        ends = self.ends - (octets[self.ends - 1] == LF)
        return self.starts, ends - ((octets[ends - 1] == CR) & (ends > self.starts))

    def raw(self, index: int) -> bytes:
        """Return a record without its line ending; of a record above the size limit its beginning."""
        if index in self.cut:
            return self.cut[index][1]
        record = self.block[self.starts[index] : self.ends[index]].removesuffix(b"\n")
        return record.removesuffix(b"\r")

    def line_of(self, index: int) -> int:
        """Return the physical line on which a record begins, from 1."""
        return int(self.lines[index])

    def with_cut(self, cuts: Sequence[CutLine]) -> Records:
        """Return the records of which those whose line is a placeholder in `cuts` are marked as cut."""
        if not cuts:
            return self
        found = {int(np.searchsorted(self.ends, one.start, "right")): one for one in cuts}
        mine = {index: one for index, one in found.items() if index < len(self) and self.starts[index] <= one.start}
        return replace(self, cut={index: (one.size, one.head) for index, one in mine.items()})

    def limited(self, most: int) -> Records:
        """Return the records of which those longer than `most` bytes are marked as broken and cut."""
        starts, ends = self.bounds()
        sizes = ends - starts
        cut = dict(self.cut)
        for index in np.flatnonzero(sizes > most).tolist():
            start = int(starts[index])
            cut.setdefault(index, (int(sizes[index]), head_of(self.block[start : start + 2 * HEAD])))
        if not cut:
            return self
        large = {index: too_large(size, most) for index, (size, _) in cut.items()}
        said = {index: why for index, why in self.broken.items() if index in self.cut or index not in cut}
        return replace(self, broken=large | said, cut=cut)

    def slice(self, start: int, end: int) -> Records:
        """Return the records from index `start` to `end`, without `end`, in the same block of bytes."""
        broken = {index - start: why for index, why in self.broken.items() if start <= index < end}
        cut = {index - start: one for index, one in self.cut.items() if start <= index < end}
        starts, ends, lines = self.starts[start:end], self.ends[start:end], self.lines[start:end]
        return Records(self.block, starts, ends, lines, self.row + start, broken, cut)

    def copied(self, chosen: npt.NDArray[np.bool_]) -> bytes:
        """Return the bytes of the chosen records; consecutive ones are copied at once.

        Raises:
            InputError: a chosen record is above the size limit, so that only its beginning is in memory
        """
        for index, (size, _) in self.cut.items():
            if chosen[index]:
                raise InputError(
                    "a record of {:,} bytes is too large to be copied: allow larger records with {}",
                    size,
                    Param("max_record"),
                )
        edges = np.flatnonzero(np.diff(chosen.view(np.int8), prepend=0, append=0))
        if not len(edges):
            return b""
        first, last = edges[0::2], edges[1::2] - 1
        # a run that bridges a blank line is cut there, as the line between belongs to no record
        breaks = np.flatnonzero((self.starts[1:] != self.ends[:-1]) & chosen[1:] & chosen[:-1])
        first, last = np.sort(np.append(first, breaks + 1)), np.sort(np.append(last, breaks))
        view = memoryview(self.block)
        spans = zip(self.starts[first].tolist(), self.ends[last].tolist(), strict=True)
        return b"".join([view[start:end] for start, end in spans])


@dataclass(frozen=True, slots=True)
class CutLine:
    """Line above the size limit, which a block holds only as a placeholder with the same parity of quotes.

    Attributes:
        start: offset of the placeholder in the block
        size: bytes of the line
        head: first bytes of the line
    """

    start: int
    size: int
    head: bytes


Lines = tuple[bytes, list[CutLine]]
"""A block of whole lines, and the lines above the size limit for which it has placeholders."""


def whole_lines(read: Callable[[int], bytes], most: int = LARGEST, size: int = BLOCK_BYTES) -> Iterator[Lines]:
    """Yield blocks of about `size` bytes that end after a line feed; only the last block may end without one.

    A line longer than a block becomes a block. Of a line longer than `most` only the beginning is in memory: memory is bounded by
    about twice `most` and two blocks.
    """
    parts: list[bytes | memoryview] = []
    held = 0
    long: LongLine | None = None
    cuts: list[CutLine] = []
    first = True
    while piece := read(size):
        if long is not None:
            if (rest := long.passed(piece)) is None:
                continue
            piece, cuts, long = long.stand_in + b"\n" + rest, [long.cut], None
        cut = piece.rfind(b"\n") + 1
        if not cut:
            parts.append(piece)
            held += len(piece)
            if held > most:
                long, parts, held = LongLine(parts, first), [], 0
            continue
        view = memoryview(piece)
        parts.append(view[:cut])
        block = piece if len(parts) == 1 and cut == len(piece) else b"".join(parts)
        parts = [view[cut:].tobytes()] if cut < len(piece) else []
        held = len(piece) - cut
        del piece, view
        yield block, cuts
        first, cuts = False, []
        del block
    if long is not None:
        yield long.stand_in, [long.cut]
    elif parts:
        yield b"".join(parts), []


class LongLine:
    """Line above the size limit that is skipped.

    Args:
        parts: its beginning.
        first: True if it begins the file, where it may have a byte order mark.
    """

    def __init__(self, parts: list[bytes | memoryview], first: bool) -> None:
        begin = b"".join([bytes(part[: 2 * HEAD]) for part in parts])
        self._head, self._size = head_of(begin), sum(map(len, parts))
        self._quotes = sum(bytes(part).count(b'"') for part in parts)
        marks = (BOM, b"\xff\xfe", b"\xfe\xff") if first else ()
        self._mark = next((mark for mark in marks if begin.startswith(mark)), b"")

    def passed(self, piece: bytes) -> bytes | None:
        """Skip bytes of the line; return the bytes after its end, or None if it has not ended."""
        end = piece.find(b"\n")
        mine = piece if end < 0 else piece[:end]
        self._size += len(mine)
        self._quotes += mine.count(b'"')
        return None if end < 0 else piece[end + 1 :]

    @property
    def stand_in(self) -> bytes:
        """Placeholder of the line: a quote if the line has an odd number of quotes, so that CSV after it is read correctly, else "?"."""
        return self._mark + (b'"' if self._quotes % 2 else b"?")

    @property
    def cut(self) -> CutLine:
        """Size and beginning of the line, without a byte order mark, for a block that begins with its placeholder."""
        return CutLine(len(self._mark), self._size - len(self._mark), self._head[len(self._mark) :])
