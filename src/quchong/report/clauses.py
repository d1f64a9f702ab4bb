"""Clauses around changes: the stretch of each text, from one mark of punctuation to the next, in which a change lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quchong.findings import Difference

ENDS = frozenset("，。；：！？、,;:!?\n\r\t…—")
"""Characters at which a clause ends. A full stop, comma or colon of Latin script ends none inside a word or figure."""
INSIDE = frozenset(".,:")
OPENING, CLOSING = "（(《“「『【[", "）)》”」』】]"


@dataclass(frozen=True, slots=True)
class Clause:
    """Clause of both texts that a change turned from `left` to `right`; either may be empty. Punctuation at the ends is left out."""

    left: str
    right: str
    added: int
    cut: int


def clauses(changes: Iterable[Difference], left: str, right: str) -> Iterator[Clause]:
    """Yield the clauses that changes affect, in the order of the right text; several changes in one clause give one.

    `added` and `cut` are the characters that changes of a clause added and left out, white space at their ends not counted.

    >>> one = Difference("wording", False, "", "new ", 4, 4, 4, 8)
    >>> next(clauses([one], "The bridge opens, at last.", "The new bridge opens, at last."))
    Clause(left='The bridge opens', right='The new bridge opens', added=3, cut=0)
    """
    open_: list[int] | None = None
    for c in sorted(changes, key=lambda c: (c.right_start, c.left_start)):
        whole = _is_whole(left, c.left_start, c.left_end) and _is_whole(right, c.right_start, c.right_end)
        places = [
            c.left_start,
            _closing_end(left, c.left_start, c.left_end),
            c.right_start,
            _closing_end(right, c.right_start, c.right_end),
        ]
        if not whole:
            places = [*_clause_bounds(left, *places[:2]), *_clause_bounds(right, *places[2:])]
        size = [len(right[c.right_start : c.right_end].strip()), len(left[c.left_start : c.left_end].strip())]
        if open_ is not None and (places[0] < open_[1] or places[2] < open_[3]):
            open_ = [
                min(open_[0], places[0]), max(open_[1], places[1]), min(open_[2], places[2]), max(open_[3], places[3]),
                open_[4] + size[0], open_[5] + size[1],
            ]  # fmt: skip
            continue
        if open_ is not None:
            yield _made(open_, left, right)
        open_ = [*places, *size]
    if open_ is not None:
        yield _made(open_, left, right)


def _made(found: list[int], left: str, right: str) -> Clause:
    return Clause(_trimmed(left[found[0] : found[1]]), _trimmed(right[found[2] : found[3]]), found[4], found[5])


def _closing_end(text: str, start: int, end: int) -> int:
    """Return the end of the range, moved behind a closing bracket or quotation mark that opens in the range."""
    if start < end < len(text) and text[end] in CLOSING:
        pair = OPENING[CLOSING.index(text[end])]
        return end + (text.count(pair, start, end) > text.count(text[end], start, end))
    return end


def _trimmed(text: str) -> str:
    """Return a text on one line without white space and punctuation at its ends."""
    return " ".join(text.strip().strip("，。；：！？、,;:!?—…").split())


def _is_end(text: str, at: int) -> bool:
    if text[at] in INSIDE:
        return not text[at + 1 : at + 2].isalnum()
    return text[at] in ENDS


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return True if text[start:end] is empty, or begins and ends at borders of clauses or brackets."""
    stretch = text[start:end]
    if not stretch.strip():
        return _border(text, start) or _border(text, end)
    for opening, closing in zip(OPENING, CLOSING, strict=True):
        if closing in stretch and not -1 < stretch.find(opening) < stretch.find(closing):
            return False
    start, end = start + len(stretch) - len(stretch.lstrip()), end - (len(stretch) - len(stretch.rstrip()))
    return (_border(text, start) or _is_end(text, start)) and (_border(text, end) or _is_end(text, end - 1))


def _border(text: str, at: int) -> bool:
    """Return True if a clause or bracket begins or ends at an offset, white space ignored."""
    before = at - 1
    while before >= 0 and text[before] in " \u3000":
        before -= 1
    while at < len(text) and text[at] in " \u3000":
        at += 1
    if before < 0 or at >= len(text):
        return True
    return _is_end(text, before) or _is_end(text, at) or text[before] in OPENING or text[at] in CLOSING


def _clause_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of the clauses that contain text[start:end]."""
    while start > 0 and not _is_end(text, start - 1):
        start -= 1
    while end < len(text) and not _is_end(text, end):
        end += 1
    return start, end
