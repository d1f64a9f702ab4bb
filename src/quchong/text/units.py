"""Units of texts: their lines or paragraphs, with offsets in bytes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from quchong.kernels.sorting import distinct

UNITS = ("line", "paragraph")
"""Units into which texts are split."""
_FEED, _RETURN = 10, 13
_BLANK = np.zeros(256, bool)
_BLANK[[9, 10, 11, 12, 13, 32]] = True
"""ASCII bytes that are white space."""
_WIDE_BLANKS = ((0xE3, 0x80, 0x80), (0xC2, 0xA0))
"""UTF-8 bytes of the ideographic space and of the no-break space."""
_STEPS = 32
"""White-space characters at the beginning of lines that are looked at for all lines together."""


class Units(NamedTuple):
    """Units of a batch of texts, one after another; together they are the texts, byte for byte.

    Attributes:
        text: int64, text of each unit, ascending.
        start: int64, offset of the unit in the bytes of the batch.
        end: int64, offset behind its content, without the line breaks that end it.
        stop: int64, offset behind these breaks, where the next unit of the text begins.
        first: int64 (texts + 1,), number of the first unit of each text.
    """

    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    stop: np.ndarray
    first: np.ndarray

    def __len__(self) -> int:
        return len(self.text)


def bytes_of(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of a batch of texts, uint8, and the offsets of the texts in them, int64 (texts + 1,), from 0 on."""
    _, places, data = texts.buffers()
    offsets = (
        np.frombuffer(places, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        if len(texts)
        else np.zeros(1, np.int64)
    )
    held = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return held[offsets[0] : offsets[-1]], offsets - offsets[0]


def split_units(texts: pa.Array, unit: str) -> Units:
    """Split a batch of texts into lines or paragraphs.

    A line ends at a line feed, at a carriage return, or at both together. A paragraph is a run of lines with anything but white space,
    with the blank lines behind it; blank lines at the beginning of a text are a paragraph of their own. An empty text has no unit.

    Args:
        texts: large_string, without nulls.
        unit: one of `UNITS`.

    Cost: O(bytes); memory of the bytes again, and 50 bytes for a line.
    """
    held, offsets = bytes_of(texts)
    begins = distinct(np.concatenate([_behind_breaks(held), offsets[:-1][offsets[1:] > offsets[:-1]]]))
    start = begins[begins < len(held)]
    stop = np.append(start[1:], len(held))[: len(start)]
    end = _before_breaks(held, start, stop)
    text: np.ndarray = np.searchsorted(offsets, start, side="right") - 1
    if unit == "paragraph" and len(start):
        # A paragraph begins with a text, and with a line that follows a blank one; its content ends with its last line that is not blank.
        filled = ~_blank_lines(held, start, end)
        leads = np.append(True, (text[1:] != text[:-1]) | (filled[1:] & ~filled[:-1]))
        last = np.maximum.accumulate(np.where(filled, np.arange(len(start)), -1))
        first_line = np.flatnonzero(leads)
        last_line = last[np.append(first_line[1:], len(start)) - 1]
        end = np.where(last_line >= first_line, end[last_line], start[first_line])
        start, text = start[first_line], text[first_line]
        stop = np.append(start[1:], len(held))
    return Units(text, start, end, stop, np.searchsorted(text, np.arange(len(texts) + 1)))


def _behind_breaks(held: np.ndarray) -> np.ndarray:
    """Return the offsets after all line breaks, int64, unsorted."""
    behind = np.flatnonzero(held == _FEED) + 1
    turns = np.flatnonzero(held == _RETURN) + 1
    if not len(turns):
        return behind
    alone = np.append(held, 0)[turns] != _FEED  # of both together the line feed ends the line
    return np.concatenate([behind, turns[alone]])


def _before_breaks(held: np.ndarray, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Return the ends of lines without their line breaks, int64."""
    if not len(stop):
        return stop
    last = held[stop - 1]
    end = stop - ((last == _FEED) | (last == _RETURN))
    both = (last == _FEED) & (end > start) & (held[np.maximum(end - 1, 0)] == _RETURN)
    out: np.ndarray = end - both
    return out


def _blank_lines(held: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return a mask of the lines that have nothing but white space."""
    blank: np.ndarray = start == end
    there = np.flatnonzero(~blank)
    at = start[there]
    padded = np.append(held, np.zeros(2, np.uint8))
    for _ in range(_STEPS):
        width = _blank_width(padded, at)
        there, at = there[width > 0], (at + width)[width > 0]
        over = at >= end[there]
        blank[there[over]] = True
        there, at = there[~over], at[~over]
    for line, first in zip(there.tolist(), at.tolist(), strict=True):  # very long indents
        blank[line] = not held[first : end[line]].tobytes().decode("utf-8", "replace").strip()
    return blank


def _blank_width(padded: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the length in bytes of the white-space character at each offset, 0 if there is none."""
    width: np.ndarray = _BLANK[padded[at]].astype(np.int64)
    for signs in _WIDE_BLANKS:
        there = np.flatnonzero(padded[at] == signs[0])
        for k in range(1, len(signs)):
            there = there[padded[at[there] + k] == signs[k]]
        width[there] = len(signs)
    return width
