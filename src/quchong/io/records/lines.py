"""Finds where the records of a text file begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from quchong.errors import InputError, Param
from quchong.io.limits import HEAD, LARGEST, head_of, too_large

BLOCK_BYTES = 16 << 20
RECORDS_AT_ONCE = 1 << 17
"""Records of a block that are read at once: a block of nothing but line feeds holds a hundred times as many as one of texts."""
LF, CR = 10, 13
BOM = b"\xef\xbb\xbf"

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Records:
    """Some whole records of a text file, one after the other in `block`.

    Args:
        block: the bytes; they may hold more than the records (blank lines, a header)
        starts: int64 (records,) first byte of each
        ends: int64 (records,) past its last byte, line ending included
        lines: int64 (records,) physical line of each in the file, from 1
        row: index of the first record in the file
        broken: reasons by index, of records that the splitting itself found bad
        cut: bytes and beginnings by index, of records that are larger than is read; they are among the broken ones, and the block may
            hold a stand-in of them
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
        """First byte of each record, and past its last one without its line ending."""
        octets = np.frombuffer(self.block, np.uint8)
        ends = self.ends - (octets[self.ends - 1] == LF)
        return self.starts, ends - ((octets[ends - 1] == CR) & (ends > self.starts))

    def raw(self, index: int) -> bytes:
        """One record without its line ending; of one that is larger than is read its beginning."""
        if index in self.cut:
            return self.cut[index][1]
        record = self.block[self.starts[index] : self.ends[index]].removesuffix(b"\n")
        return record.removesuffix(b"\r")

    def line_of(self, index: int) -> int:
        """The physical line on which a record begins, from 1."""
        return int(self.lines[index])

    def with_cut(self, cuts: Sequence[CutLine]) -> Records:
        """Return the same records, told which of them stand for longer lines; each is a line."""
        if not cuts:
            return self
        found = {int(np.searchsorted(self.ends, one.start, "right")): one for one in cuts}
        mine = {index: one for index, one in found.items() if index < len(self) and self.starts[index] <= one.start}
        return replace(self, cut={index: (one.size, one.head) for index, one in mine.items()})

    def limited(self, most: int) -> Records:
        """Return the same records, those of more than `most` bytes broken."""
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

    def copied(self, chosen: npt.NDArray[np.bool_]) -> bytes:
        """The chosen records byte for byte; runs of neighbours are copied at once.

        Raises:
            InputError: one of them is larger than is read, so that only its beginning is here
        """
        for index, (size, _) in self.cut.items():
            if chosen[index]:
                raise InputError(
                    "a record of {:,} bytes cannot be copied: give more with {}", size, Param("max_record")
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
    """A line that is longer than is read: in the block stands another for it, with as many quotes, but for an even number.

    Attributes:
        start: where that one begins in the block
        size: bytes of the line
        head: the first of them
    """

    start: int
    size: int
    head: bytes


Lines = tuple[bytes, list[CutLine]]
"""A block of whole lines, and those in it that stand for longer ones."""


def whole_lines(read: Callable[[int], bytes], most: int = LARGEST, size: int = BLOCK_BYTES) -> Iterator[Lines]:
    """Blocks of about `size` bytes that end after a line feed; only the last may not.

    A line longer than a block makes a block of its own. Of one longer than `most` only its beginning is held: memory is bounded by
    about twice `most` and two blocks, however long it is.
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
    """A line that is passed over.

    Args:
        parts: its beginning.
        first: it begins the file, where a mark may tell the encoding.
    """

    def __init__(self, parts: list[bytes | memoryview], first: bool) -> None:
        begin = b"".join([bytes(part[: 2 * HEAD]) for part in parts])
        self._head, self._size = head_of(begin), sum(map(len, parts))
        self._quotes = sum(bytes(part).count(b'"') for part in parts)
        marks = (BOM, b"\xff\xfe", b"\xfe\xff") if first else ()
        self._mark = next((mark for mark in marks if begin.startswith(mark)), b"")

    def passed(self, piece: bytes) -> bytes | None:
        """Passes over more of it; returns what follows the line, or None if it goes on."""
        end = piece.find(b"\n")
        mine = piece if end < 0 else piece[:end]
        self._size += len(mine)
        self._quotes += mine.count(b'"')
        return None if end < 0 else piece[end + 1 :]

    @property
    def stand_in(self) -> bytes:
        """What stands for the line: a quote where one more is opened or closed in it than not, so that CSV goes on rightly."""
        return self._mark + (b'"' if self._quotes % 2 else b"?")

    @property
    def cut(self) -> CutLine:
        """What is told of it."""
        return CutLine(len(self._mark), self._size - len(self._mark), self._head[len(self._mark) :])
