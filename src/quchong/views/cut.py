"""What of a long text goes into a page, and its places there."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quchong.report.visible import named

LONGEST = 8000
"""Characters of a text that stand in the page."""
LEAD = 400
"""Characters before the first passage where a text is cut at its beginning."""
ID = 200


def short(text: str, longest: int = ID) -> str:
    """A name on one line, as it is where it is short; else cut, with its length and a digest."""
    return text if len(text) <= longest else str(named(text, longest))


def visible_id(name: str) -> str:
    """Return an id as a page and a cell show it: an empty one as two quotation marks, because an empty cell means no document."""
    return name or '""'


def first_words(text: str, columns: int = 72) -> str:
    """The beginning of a text on one line, so many columns wide; Chinese characters take two.

    >>> first_words("今天天气很好，我们去公园。", 12)
    '今天天气很好…'
    """
    begin = " ".join(text[: 4 * columns].split())
    wide = 0
    for at, sign in enumerate(begin):
        wide += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if wide > columns:
            return begin[:at] + "…"
    return begin + ("…" if len(text) > 4 * columns else "")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a text that stands in the page.

    Attributes:
        text: that part.
        begin: characters left out before it.
        rest: characters left out behind it.
        wide: places, in the part, of characters that are two units in JavaScript; int64.
    """

    text: str
    begin: int
    rest: int
    wide: np.ndarray

    @classmethod
    def of(cls, text: str, first: int = 0) -> Excerpt:
        """The part of a text that has the character `first`, its beginning where that is enough."""
        begin = 0 if first < LONGEST - LEAD else max(0, min(first - LEAD, len(text) - LONGEST))
        part = text[begin : begin + LONGEST]
        wide = (
            [] if part.isascii() or max(part) < "\U00010000" else [i for i, c in enumerate(part) if c >= "\U00010000"]
        )
        return cls(part, begin, len(text) - begin - len(part), np.array(wide, np.int64))

    def places(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int] | None]:
        """Stretches of the whole text, in characters, as places in the part in JavaScript's units; None where all of one is left out."""
        if not spans:
            return []
        ends = np.array(spans, np.int64).reshape(-1, 2) - self.begin
        inside = (ends[:, 1] >= 0) & (ends[:, 0] <= len(self.text)) & ((ends[:, 1] > 0) | (self.begin == 0))
        inside &= (ends[:, 0] < len(self.text)) | (self.rest == 0)
        ends = np.clip(ends, 0, len(self.text))
        units = ends + np.searchsorted(self.wide, ends.ravel()).reshape(ends.shape)
        return [(int(a), int(b)) if ok else None for (a, b), ok in zip(units.tolist(), inside.tolist(), strict=True)]
