"""Texts for a terminal in which shared passages and differences are marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any

from quchong.findings import Difference
from quchong.report.visible import Shown, compose, visible

Span = tuple[int, int]


Mark = Callable[[str], str]


LEAD = 100  # characters shown before the first passage of a long text
CARET = "‸"
"""Sign at a place where words of the other text are missing."""


def bracketed(text: str) -> str:
    """Put brackets around a shared stretch, for output without colours."""
    return f"⟦{text}⟧"


def braced(text: str) -> str:
    """Put double angle brackets around a difference, for output without colours; a caret is returned unchanged."""
    return text if text == CARET else f"⟪{text}⟫"


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a text, escaped for a terminal, with its marks.

    `difference` is the difference that covers it, else `shared` is True if both texts share it. `ours` is True for
    words that quchong adds, such as "(120 characters before)".
    """

    text: Shown
    shared: bool = False
    difference: Difference | None = None
    ours: bool = False


def pieces(text: str, spans: Sequence[Span], shown: int, differences: Sequence[Difference] = ()) -> list[Piece]:
    """Cut the shown part of a text into pieces where marks begin or end.

    The shown part is the beginning, or the neighbourhood of the first mark if that is further on.

    Args:
        spans: shared stretches of the text, in characters.
        shown: maximum number of characters shown.
        differences: `left` is the text's own side; an empty side is shown as a caret.

    Cost: O(characters shown).
    """
    conflicts = [d.left_start for d in differences if d.conflict]
    first = min(conflicts or [start for start, _ in spans] or [0])
    begin = max(0, min(first - LEAD, len(text))) if first > shown // 2 else 0  # a place may be that of another text
    width = min(len(text), begin + shown) - begin
    shared, differs = bytearray(width), [-1] * width
    for start, end in spans:
        a, b = max(start - begin, 0), min(end - begin, width)
        shared[a:b] = b"\x01" * max(0, b - a)
    carets: dict[int, list[int]] = {}
    for number, one in enumerate(differences):
        if one.left_start == one.left_end and begin <= one.left_start <= begin + width:
            carets.setdefault(one.left_start - begin, []).append(number)
        for k in range(max(one.left_start - begin, 0), min(one.left_end - begin, width)):
            differs[k], shared[k] = number, 0
    before = accumulate(k in carets for k in range(width))  # a caret cuts a stretch in two
    runs = list(zip(shared, differs, before, strict=True))
    out = [Piece(compose("({:,} characters before) … ", begin), ours=True)] if begin else []
    for (same, number, _), run in groupby(range(width), key=runs.__getitem__):
        at = list(run)
        out += [Piece(Shown(CARET), False, differences[n]) for n in carets.pop(at[0], ())]
        stretch = visible(text[begin + at[0] : begin + at[-1] + 1])
        out.append(Piece(stretch, bool(same), differences[number] if number >= 0 else None))
    out += [Piece(Shown(CARET), False, differences[n]) for left in carets.values() for n in left]
    if (rest := len(text) - begin - width) > 0:
        out.append(Piece(compose(" … ({:,} characters more)", rest), ours=True))
    return out


def marked(text: str, spans: Sequence[Span], mark: Mark, shown: int, differences: Sequence[Difference] = ()) -> Shown:
    """Return the shown part of a text with shared passages marked and differences in double angle brackets."""
    out: list[str] = []
    for same, run in groupby(pieces(text, spans, shown, differences), key=lambda p: p.shared):
        inner = "".join(p.text if p.difference is None else braced(p.text) for p in run)
        out.append(mark(inner) if same else inner)
    return Shown("".join(out))


def worth_drawing(differences: Sequence[Difference], passages: Sequence[Any]) -> list[Difference]:
    """Return the differences to mark in a text: facts in conflict, and differences that cover no whole shared passage.

    Texts of very different length have differences that cover whole passages; marking them would mark everything.
    """
    return [d for d in differences if d.conflict or not any(_holds(d, p) for p in passages)]


def _holds(one: Difference, p: Any) -> bool:
    mine = one.left_start <= p.start and p.end <= one.left_end
    return bool(mine or (one.right_start <= p.survivor_start and p.survivor_end <= one.right_end))
