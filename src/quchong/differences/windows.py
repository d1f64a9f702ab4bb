"""What stands at an edit, with some text around it, in normal form."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from quchong.text.opencc import folds


class Window(NamedTuple):
    """A stretch of one text and what stands around it: `text[start:end]` is the stretch, in normal form."""

    text: str
    start: int
    end: int

    @property
    def stretch(self) -> str:
        """What differs."""
        return self.text[self.start : self.end]

    def within(self, margin: int) -> Window:
        """The same stretch with at most so many characters around it."""
        first, last = max(0, self.start - margin), self.end + margin
        return Window(self.text[first:last], self.start - first, self.end - first)

    def touches(self, start: int, end: int) -> bool:
        """Does text[start:end] have a character of the stretch in it, or the place of an empty one within?"""
        if self.start == self.end:
            return start < self.start < end
        return start < self.end and end > self.start


@cache
def _folding() -> np.ndarray:
    """What stands for each character, uint32."""
    out = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    for a, b in {**folds(), "○": "〇", "\u2212": "-", "\u2019": "'", "\u02bc": "'"}.items():
        out[ord(a)] = ord(b)
    return out


def plain(texts: Sequence[str]) -> list[str]:
    """Texts in the form the dictionaries are written in: NFKC, lower case, simplified, character by character."""
    if not texts:
        return []
    joined = unicodedata.normalize("NFKC", "\x00".join(text.replace("\x00", " ") for text in texts)).lower()
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4")
    folded: bytes = _folding()[characters].tobytes()
    return folded.decode("utf-32-le", "surrogatepass").split("\x00")


def windows(texts: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> list[Window]:
    """Windows of texts whose stretch begins and ends at these characters."""
    parts: list[str] = []
    for text, a, b in zip(texts, starts, ends, strict=True):
        parts += (text[:a], text[a:b], text[b:])
    clean_parts = plain(parts)
    out = []
    for k in range(0, len(clean_parts), 3):
        before, stretch, after = clean_parts[k : k + 3]
        out.append(Window(before + stretch + after, len(before), len(before) + len(stretch)))
    return out
