"""Excerpts of long texts for a page, and offsets within them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quchong.report.visible import shown_name

LONGEST = 8000
"""Maximum number of characters of a text in the page."""
LEAD = 400
"""Number of characters kept before the first passage if a text is cut at its beginning."""
ID = 200


def short(text: str, longest: int = ID) -> str:
    """Return a name unchanged if it is short; otherwise cut it to one line, with its length and a digest."""
    return text if len(text) <= longest else str(shown_name(text, longest))


def visible_id(name: str) -> str:
    """Return an id as a page and a cell show it: an empty one as two quotation marks, because an empty cell means no document."""
    return name or '""'


def first_words(text: str, columns: int = 72) -> str:
    """Cut a text to one line of at most `columns` columns, with an ellipsis if it was cut; Chinese characters take two.

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
    """Part of a text that the page contains.

    Attributes:
        text: the part.
        begin: number of characters left out before it.
        rest: number of characters left out after it.
        wide: offsets, in the part, of characters that are two units in JavaScript; int64.
    """

    text: str
    begin: int
    rest: int
    wide: np.ndarray

    @classmethod
    def with_character(cls, text: str, first: int = 0) -> Excerpt:
        """Return the part of a text that contains the character `first`: the beginning of the text if that is enough."""
        begin = 0 if first < LONGEST - LEAD else max(0, min(first - LEAD, len(text) - LONGEST))
        part = text[begin : begin + LONGEST]
        wide = (
            [] if part.isascii() or max(part) < "\U00010000" else [i for i, c in enumerate(part) if c >= "\U00010000"]
        )
        return cls(part, begin, len(text) - begin - len(part), np.array(wide, np.int64))

    def cut(self, start: int, end: int) -> str:
        """Return the part of text[start:end] that is inside the excerpt."""
        return self.text[max(0, start - self.begin) : max(0, end - self.begin)]

    def places(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int] | None]:
        """Return character ranges of the whole text as offsets in the excerpt (in JavaScript's units); None for ranges outside.

        A stretch outside of the part becomes None.
        """
        if not spans:
            return []
        ends = np.array(spans, np.int64).reshape(-1, 2) - self.begin
        inside = (ends[:, 1] >= 0) & (ends[:, 0] <= len(self.text)) & ((ends[:, 1] > 0) | (self.begin == 0))
        inside &= (ends[:, 0] < len(self.text)) | (self.rest == 0)
        ends = np.clip(ends, 0, len(self.text))
        units = ends + np.searchsorted(self.wide, ends.ravel()).reshape(ends.shape)
        return [(int(a), int(b)) if ok else None for (a, b), ok in zip(units.tolist(), inside.tolist(), strict=True)]
