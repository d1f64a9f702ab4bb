"""Text of an edit with its surroundings, in normal form."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from quchong.differences.numerals import with_ordinary_numerals
from quchong.text.opencc import folds


class Window(NamedTuple):
    """Differing text of one side of an edit with its surroundings, in normal form; the differing text is `text[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def stretch(self) -> str:
        """Differing text without its surroundings."""
        return self.text[self.start : self.end]

    def with_margin(self, margin: int) -> Window:
        """Return a window of the same differing text with at most `margin` characters on either side."""
        first, last = max(0, self.start - margin), self.end + margin
        return Window(self.text[first:last], self.start - first, self.end - first)

    def touches(self, start: int, end: int) -> bool:
        """Return True if text[start:end] overlaps the stretch, or contains the offset of an empty one strictly within."""
        if self.start == self.end:
            return start < self.start < end
        return start < self.end and end > self.start


_LAST_DIGIT = 0x20000
"""Least code point above the decimal digits of all scripts."""


@cache
def native_digits() -> list[str]:
    """Return the decimal digits of all scripts but ASCII: ٣, ३, ๓."""
    return re.findall(r"\d", _mapped(np.arange(0x80, _LAST_DIGIT), np.arange(_LAST_DIGIT, dtype=np.uint32)))


@cache
def _folding() -> np.ndarray:
    """Return the table of normal forms of characters, uint32, indexed by code point."""
    out = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    for a, b in {**folds(), "○": "〇", "\u2212": "-", "\u2019": "'", "\u02bc": "'"}.items():
        out[ord(a)] = ord(b)
    # Rules of figures are written for ASCII digits and hold for those of every script.
    for digit in native_digits():
        out[ord(digit)] = ord("0") + unicodedata.decimal(digit)
    return out


def dictionary_forms(texts: Sequence[str]) -> list[str]:
    """Return texts in the form of the dictionaries: NFKC, lower case, simplified, character by character."""
    if not texts:
        return []
    joined = "\x00".join(text.replace("\x00", " ") for text in texts)
    if joined.isascii():  # no table changes a character of ASCII
        return joined.lower().split("\x00")
    joined = unicodedata.normalize("NFKC", joined).lower()
    return _mapped(_characters(joined), _folding()).split("\x00")


def _characters(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def _mapped(characters: np.ndarray, table: np.ndarray) -> str:
    mapped: bytes = table[characters].tobytes()
    return mapped.decode("utf-32-le", "surrogatepass")


_USUAL, _CHINESE = ((0x20, 0x7F), (0x2010, 0x2030), (0x3000, 0x302A), (0xFF01, 0xFF5F)), (0x3400, 0xA000)
"""Ranges of characters most texts are made of: ASCII, Chinese marks; and Chinese characters. None of them changes its neighbours."""


@cache
def normal_characters() -> np.ndarray:
    """Return the normal form of each code point, uint32; 0 if it is unusual or becomes several characters."""
    out = np.zeros(sys.maxunicode + 1, np.uint32)
    # NFKC and lower case leave Chinese characters of these ranges as they are: they are only simplified.
    first, last = _CHINESE
    out[first:last] = _folding()[first:last]
    usual = [chr(c) for first, last in _USUAL for c in range(first, last)]
    for character, made in zip(usual, dictionary_forms(usual), strict=True):
        if len(made) == 1:
            out[ord(character)] = ord(made)
    out[ord("\n")] = ord("\n")
    return out


@cache
def _of_ascii() -> bytes:
    """Return the normal form of each ASCII byte, as a translation table; _UNUSUAL for unusual ones."""
    made = normal_characters()[:256].copy()
    made[made == 0] = _UNUSUAL
    made[0] = 0
    return made.astype(np.uint8).tobytes()


_UNUSUAL = 1


def _plain_of_usual(texts: Sequence[str]) -> list[str | None]:
    """Return texts in normal form, as `plain` does but ten times as fast; None for a text with an unusual character."""
    # One array for all texts, separated by NUL characters; texts that contain NUL get a blank instead.
    joined = "\x00".join(texts)
    if joined.count("\x00") != len(texts) - 1:
        return _plain_of_usual([text.replace("\x00", " ") for text in texts])
    if joined.isascii():
        made = joined.encode().translate(_of_ascii()).decode()
        mark = chr(_UNUSUAL)
        return (
            [None if mark in text else text for text in made.split("\x00")] if mark in made else [*made.split("\x00")]
        )
    ascii_too = [k for k, text in enumerate(texts) if text.isascii()]
    if 2 * len(ascii_too) > len(texts):
        out: list[str | None] = [""] * len(texts)
        others = [k for k, text in enumerate(texts) if not text.isascii()]
        for some in (ascii_too, others):
            for k, text in zip(some, _plain_of_usual([texts[k] for k in some]), strict=True):
                out[k] = text
        return out
    return _plain_of_any(joined)


def _plain_of_any(joined: str) -> list[str | None]:
    """Return the normal forms of texts joined by NUL, None for each with an unusual character."""
    characters = _characters(joined + "\x00")
    ends = np.flatnonzero(characters == 0)
    made = normal_characters()[characters]
    other = np.add.reduceat(made == 0, np.concatenate([[0], ends[:-1] + 1]), dtype=np.int64) > 1
    made[made == 0] = ord(" ")  # but for the ends
    made[ends] = 0
    out: list[str | None] = [*made.tobytes().decode("utf-32-le", "surrogatepass").split("\x00")][:-1]
    for k in np.flatnonzero(other).tolist():
        out[k] = None
    return out


def windows(texts: Sequence[str], which: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> list[Window]:
    """Return one window for each range given: the normal form of the text `which[i]`, with the range's offsets in it."""
    if not texts:
        return []
    usual = [text and with_ordinary_numerals(text) for text in _plain_of_usual(texts)]
    # Usual characters are mapped one for one, so that offsets stay valid; other texts are normalised in three parts to find new offsets.
    out = list(map(Window, ["" if (made := usual[k]) is None else made for k in which], starts, ends))
    left: list[int] = []
    parts: list[str] = []
    if None in usual:
        for n, (k, a, b) in enumerate(zip(which, starts, ends, strict=True)):
            if usual[k] is None:  # normalising may change the length of each of the three parts
                left.append(n)
                parts += (texts[k][:a], texts[k][a:b], texts[k][b:])
    clean_parts = dictionary_forms(parts)
    for n, k in enumerate(left):
        before, stretch, after = clean_parts[3 * n : 3 * n + 3]
        out[k] = Window(with_ordinary_numerals(before + stretch + after), len(before), len(before) + len(stretch))
    return out
