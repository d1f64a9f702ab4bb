"""Masks of stretches with figures, digits above the line and capitals, for many stretches at once, from the bytes of their texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.differences.stretches import SMALL_NUMBERS, is_capitalised, is_numbered, is_scripted

_LETTER, _CAPITAL, _DIGIT, _FOREIGN, *_NO_GRADE = (1 << k for k in range(8))
"""Classes of bytes, as bits: letters, capitals and digits of ASCII, other bytes than ASCII, and those that are in no grade of one form."""
_GRADES = ("Aa", "Bb", "Cc", "IVXivx")
"""Letters of the grades of each form: AAA, IV."""


def _classes() -> np.ndarray:
    out = np.zeros(256, np.uint8)
    small, capital = np.arange(ord("a"), ord("z") + 1), np.arange(ord("A"), ord("Z") + 1)
    out[small], out[capital], out[np.arange(ord("0"), ord("9") + 1)] = _LETTER, _LETTER | _CAPITAL, _DIGIT
    out[0x80:] = _FOREIGN
    for bit, letters in zip(_NO_GRADE, _GRADES, strict=True):
        others = np.ones(256, bool)
        others[list(letters.encode())] = False
        out[others] |= bit
    return out


_CLASSES = _classes()


class StretchLetters(NamedTuple):
    """Masks of texts: True where `is_numbered`, `is_scripted` and `is_capitalised` are."""

    numbered: np.ndarray
    scripted: np.ndarray
    capitalised: np.ndarray


def letters_of(stretches: pa.Array) -> StretchLetters:
    """Return masks of the texts that have figures, digits above or below the line, and capitals.

    Cost: a few passes over the bytes; stretches with other bytes than ASCII are asked one by one.
    """
    texts = stretches.cast(pa.large_string())
    n = len(texts)
    _, places, data = texts.buffers()
    if data is None or not n:
        none = np.zeros(n, bool)
        return StretchLetters(none, none.copy(), none.copy())
    offsets = np.frombuffer(places, np.int64)[texts.offset : texts.offset + n + 1]
    classes = _CLASSES[np.frombuffer(data, np.uint8)[offsets[0] : offsets[-1]]]
    first, size = offsets[:-1] - offsets[0], np.diff(offsets)
    every = _any_of(classes, first, size)
    # A capital with a letter beside it, in one stretch.
    letter, capital = (classes & _LETTER) != 0, (classes & _CAPITAL) != 0
    beside = np.zeros(len(classes), np.uint8)
    beside[:-1] = (capital[:-1] & letter[1:]) | (letter[:-1] & capital[1:])
    beside[(first + size - 1)[size > 0]] = 0
    numbered = (every & _DIGIT) != 0
    numbered |= (size == 1) & ((every & _LETTER) != 0)
    numbered |= (size > 0) & ((every & sum(_NO_GRADE)) != sum(_NO_GRADE))
    numbered |= np.asarray(pc.is_in(pc.ascii_lower(texts), value_set=_small_numbers()), bool)
    out = StretchLetters(numbered, np.zeros(n, bool), _any_of(beside, first, size) != 0)
    foreign = np.flatnonzero(every & _FOREIGN)
    asked: tuple[Callable[[str], bool], ...] = (is_numbered, is_scripted, is_capitalised)
    written = texts.take(pa.array(foreign)).to_pylist()
    for mask, ask in zip(out, asked, strict=True):
        mask[foreign] = [ask(stretch) for stretch in written]
    return out


def _small_numbers() -> pa.Array:
    return pa.array(SMALL_NUMBERS, pa.large_string())


def _any_of(bits: np.ndarray, first: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the OR of the bits of the bytes of each range (first, size), 0 for an empty one; ranges follow each other without gaps."""
    out = np.zeros(len(first), np.uint8)
    filled = np.flatnonzero(size)
    if len(filled):
        out[filled] = np.bitwise_or.reduceat(bits, first[filled])
    return out
