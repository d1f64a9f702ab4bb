"""Text out of which something was cut, with the stretches of the old text that are left in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

Run = tuple[int, int]
"""Stretch of a text: offsets of its first character and behind its last one."""


class CutText(str):
    """Text left after a cut, with the ranges of the old text that it consists of.

    A text that is a list, or lies in several values of a row, can be put back into them only with these runs.

    Attributes:
        runs: stretches of the old text that make up this one, in order, without overlap.

    >>> CutText.from_runs("one two three", [(0, 4), (8, 13)])
    'one three'
    """

    __slots__ = ("runs",)

    runs: tuple[Run, ...]

    def __new__(cls, text: str, runs: Iterable[Run]) -> Self:
        """Create the text from its letters and the ranges of the old text that they were."""
        made = super().__new__(cls, text)
        made.runs = tuple(runs)
        return made

    @classmethod
    def from_runs(cls, text: str, runs: Sequence[Run]) -> Self:
        """Create the text that consists of the ranges `runs` of an old text."""
        return cls("".join([text[start:end] for start, end in runs]), runs)


def split_among(new: str, pieces: Sequence[str], between: str = "\n") -> list[str] | None:
    r"""Return what a cut of the joined text leaves of each piece; None if that cannot be told.

    Of a piece whose last line is cut the line breaks before that line go too, as at the end of a whole text. Line breaks between pieces
    are nobody's.

    Args:
        new: what is left; one piece takes it as it is, several take a `CutText`.
        pieces: the pieces of the old text, in order.
        between: what the old text has between them.

    Returns:
        a text for each piece, "" for one of which nothing is left; None if the pieces are not those of the text, or if it is not known
        where its letters were.

    >>> split_among(CutText.from_runs("a\nb\nc", [(2, 5)]), ["a", "b\nc"])
    ['', 'b\nc']
    """
    if len(pieces) == 1:
        return [str(new)]
    if not isinstance(new, CutText):
        return None
    whole = between.join(pieces)
    if "".join([whole[start:end] for start, end in new.runs]) != new:
        return None
    out, at, first = [], 0, 0
    runs = new.runs
    for piece in pieces:
        end = at + len(piece)
        while first < len(runs) and runs[first][1] <= at:
            first += 1
        left, last, k = [], at, first
        while k < len(runs) and runs[k][0] < end:
            last = min(runs[k][1], end)
            left.append(whole[max(runs[k][0], at) : last])
            k += 1
        text = "".join(left)
        out.append(text if last == end else _with_ending_of(text, piece))
        at = end + len(between)
    return out


def _with_ending_of(text: str, piece: str) -> str:
    """Return a text with at most as many line breaks at its end as `piece` has."""
    bare = text.rstrip("\r\n")
    ending = len(piece) - len(piece.rstrip("\r\n"))
    return text[: len(bare) + ending]
