"""Records of text files: line ranges of a block, and CSV records, whose quoted fields may contain line feeds.

The twins are in tests/twins/records.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8

MOST_BYTES = 2**62
"""Upper limit of bytes of a block and of records asked for; no limit in practice."""


class OpenQuote(NamedTuple):
    """A quote that opened a field which the block does not close.

    Attributes:
        place: offset of the quote in bytes; -1 if none is open.
        searched: offset up to which nothing closes it.
    """

    place: int = -1
    searched: int = 0

    def moved(self, by: int) -> OpenQuote:
        """Return the same quote for a block that begins `by` bytes later."""
        return self if self.place < 0 else OpenQuote(self.place - by, self.searched - by)


NONE_OPEN = OpenQuote()
"""Value that means no quote is open."""


class FoundRecords(NamedTuple):
    """Records found in a block, without blank ones.

    Attributes:
        starts, ends: int64 (records,) first byte of each, and past its last one, line ending included.
        lines: int64 (records,) line feeds of the block before each, counted from where the search began.
        done: offset of the next record, which needs a longer block, or another call if `full`.
        feeds: line feeds before `done`.
        full: True if `most` records were found.
        unclosed: int64, offsets of quotes that open a CSV field and are never closed, ascending.
        open: the quote that waits to be closed in the record at `done`.
    """

    starts: I64
    ends: I64
    lines: I64
    done: int
    feeds: int
    full: bool
    unclosed: I64
    open: OpenQuote


def line_records(block: bytes, start: int, blanks: bytes, most: int = MOST_BYTES) -> FoundRecords:
    r"""Find the lines of a block, from byte `start` on, as records.

    Args:
        block: its last line may lack the line feed.
        start: offset of the first line.
        blanks: a line of nothing but these bytes is no record; without any, every line is a record, also an empty one.
        most: records at most.

    Raises:
        ValueError: `start` outside the block, or `most` below 1.

    Cost: linear, some 3 GB/s for lines of a thousand bytes. Deterministic.

    >>> found = line_records(b"a\n \nb", 0, b" ")
    >>> found.starts.tolist(), found.ends.tolist(), found.lines.tolist()
    ([0, 4], [2, 5], [0, 2])
    """
    octets = _octets(block, start)
    asked = checked.number(most, 1, MOST_BYTES, "most")
    starts, ends, lines, done, feeds, full = _quchong.line_records(
        octets, start, np.frombuffer(blanks, np.uint8), asked
    )
    return FoundRecords(starts, ends, lines, done, feeds, full, np.empty(0, np.int64), NONE_OPEN)


def csv_records(
    block: bytes,
    start: int,
    delimiter: bytes,
    final: bool,
    longest: int,
    open_quote: OpenQuote = NONE_OPEN,
    most: int = MOST_BYTES,
) -> FoundRecords:
    r"""Find the CSV records of a block; byte `start` must begin a record.

    A quote opens a quoted field only where a field begins. Inside, two quotes are one, and a quote before a delimiter or a line end
    closes. A quote followed by anything else is tolerated on the line of the opening quote (`"so"called`). On a later line it shows
    that the opening quote was never meant to be closed, and the record then ends with the line that opened it.

    Args:
        block: whole lines; only the last of the file may lack its line feed.
        start: the first byte of a record.
        delimiter: the byte between fields.
        final: whether the file ends with this block.
        longest: a quoted field of several lines and more bytes than this counts as never closed.
        open_quote: the open quote that an earlier call returned for this record, in offsets of this block.
        most: records at most.

    Raises:
        ValueError: a place outside the block, no single delimiter, or `most` below 1.

    Cost: linear, without memory besides the result; some 2 GB/s. Deterministic.

    >>> found = csv_records(b'1,"a\nb"\n\n2,c\n3,"d', 0, b",", False, 1 << 26)
    >>> found.starts.tolist(), found.ends.tolist(), found.lines.tolist(), found.done, found.open
    ([0, 9], [8, 13], [0, 3], 13, OpenQuote(place=15, searched=17))
    """
    octets = _octets(block, start)
    if len(delimiter) != 1:
        raise ValueError(f"delimiter must be one byte, got {delimiter!r}")
    place, searched = checked.number(open_quote.place, -1, 2**62, "place"), 0
    if place >= 0:
        if not start <= place < len(block):
            raise ValueError(f"an open quote at {place} does not stand in the record from {start}")
        searched = checked.number(open_quote.searched, place + 1, len(block), "searched")
    found = _quchong.csv_records(
        octets, start, delimiter[0], bool(final), checked.number(longest, 0, 2**62, "longest"), place, searched,
        checked.number(most, 1, MOST_BYTES, "most"),
    )  # fmt: skip
    starts, ends, lines, done, feeds, full, unclosed, place, searched = found
    return FoundRecords(
        starts, ends, lines, done, feeds, full, unclosed, OpenQuote(place, searched) if place >= 0 else OpenQuote()
    )


def _octets(block: bytes, start: int) -> U8:
    if not isinstance(block, bytes):
        raise TypeError(f"a block must be bytes, got {type(block).__name__}")
    checked.number(start, 0, len(block), "start")
    return np.frombuffer(block, np.uint8)
