"""Finds where the records of a text file begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

BLOCK_BYTES = 16 << 20
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
        newlines: int64, the line feeds of the block
        row: index of the first record in the file
        line: physical line on which the block begins, from 1
        broken: reasons by index, of records that the splitting itself found bad
        lines: int64 (records,) physical line of each, where the line feeds of the block do not tell
    """

    block: bytes
    starts: Positions
    ends: Positions
    newlines: Positions
    row: int = 0
    line: int = 1
    broken: dict[int, str] = field(default_factory=dict)
    lines: Positions | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def bounds(self) -> tuple[Positions, Positions]:
        """First byte of each record, and past its last one without its line ending."""
        octets = np.frombuffer(self.block, np.uint8)
        ends = self.ends - (octets[self.ends - 1] == LF)
        return self.starts, ends - ((octets[ends - 1] == CR) & (ends > self.starts))

    def raw(self, index: int) -> bytes:
        """One record without its line ending."""
        record = self.block[self.starts[index] : self.ends[index]].removesuffix(b"\n")
        return record.removesuffix(b"\r")

    def line_of(self, index: int) -> int:
        """The physical line on which a record begins, from 1."""
        if self.lines is not None:
            return int(self.lines[index])
        return self.line + int(np.searchsorted(self.newlines, self.starts[index]))

    def copied(self, chosen: npt.NDArray[np.bool_]) -> bytes:
        """The chosen records byte for byte; runs of neighbours are copied at once."""
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


def whole_lines(read: Callable[[int], bytes], size: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Blocks of about `size` bytes that end after a line feed; only the last may not.

    A line longer than a block makes a block of its own, so memory is bounded by about twice the longest line.
    """
    parts: list[bytes | memoryview] = []
    while piece := read(size):
        cut = piece.rfind(b"\n") + 1
        if not cut:
            parts.append(piece)
            continue
        view = memoryview(piece)
        parts.append(view[:cut])
        block = piece if len(parts) == 1 and cut == len(piece) else b"".join(parts)
        parts = [view[cut:].tobytes()] if cut < len(piece) else []
        del piece, view
        yield block
        del block
    if parts:
        yield b"".join(parts)


def newlines_in(block: bytes) -> Positions:
    """int64, positions of all line feeds."""
    return np.flatnonzero(np.frombuffer(block, np.uint8) == LF)


def cut(block: bytes, newlines: Positions, start: int, blanks: bytes) -> tuple[Positions, Positions]:
    """Records of one line each, from byte `start` on: their starts and ends.

    Lines of nothing but the bytes `blanks` are blank: they belong to no record.
    """
    after = newlines[np.searchsorted(newlines, start) :] + 1
    last = int(after[-1]) if len(after) else start
    ends = after if last == len(block) else np.append(after, len(block))
    if not len(ends):
        return ends, ends
    starts = np.empty_like(ends)
    starts[0], starts[1:] = start, ends[:-1]
    first = np.frombuffer(block, np.uint8)[starts]
    maybe = np.flatnonzero(np.isin(first, np.frombuffer(blanks + b"\n", np.uint8)))
    blank = [index for index in maybe.tolist() if not block[starts[index] : ends[index]].strip(blanks + b"\n")]
    return np.delete(starts, blank), np.delete(ends, blank)
