"""Texts with what they share and what differs marked, harmless for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any

from quchong.report.differing import Difference
from quchong.report.visible import Shown, compose, visible

Span = tuple[int, int]


Mark = Callable[[str], str]


LEAD = 100  # characters shown before the first passage of a long text
CARET = "‸"
"""Stands where something is missing."""


def bracketed(text: str) -> str:
    """Marks a shared stretch where there are no colours."""
    return f"⟦{text}⟧"


def braced(text: str) -> str:
    """Marks what differs where there are no colours."""
    return text if text == CARET else f"⟪{text}⟫"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, rendered harmless: what differs there, else is it shared; `ours` are words that are not the text's."""

    text: Shown
    shared: bool = False
    difference: Difference | None = None
    ours: bool = False


def pieces(text: str, spans: Sequence[Span], shown: int, differences: Sequence[Difference] = ()) -> list[Piece]:
    """The beginning of a text, or what stands around its first mark, cut where marks begin and end.

    Args:
        spans: what it shares.
        shown: characters shown.
        differences: `left` is the text's own side; where nothing of it stands in this text, a caret does.

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
    """The same as one text: shared stretches marked, what differs in double angle brackets."""
    out: list[str] = []
    for same, run in groupby(pieces(text, spans, shown, differences), key=lambda p: p.shared):
        inner = "".join(p.text if p.difference is None else braced(p.text) for p in run)
        out.append(mark(inner) if same else inner)
    return Shown("".join(out))


def worth_drawing(differences: Sequence[Difference], passages: Sequence[Any]) -> list[Difference]:
    """The differences that are marked in a text: not those that hold a whole shared passage and no fact in conflict. So told are
    texts of very different length: all of them would be marked.
    """
    return [d for d in differences if d.conflict or not any(_holds(d, p) for p in passages)]


def _holds(one: Difference, p: Any) -> bool:
    mine = one.left_start <= p.start and p.end <= one.left_end
    return bool(mine or (one.right_start <= p.survivor_start and p.survivor_end <= one.right_end))
