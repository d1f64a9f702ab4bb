"""Text view of templates: the frame with its slots marked, and what fills each slot."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quchong.errors import InputError
from quchong.patterns import lazy_pattern
from quchong.report.visible import BETWEEN, Shown, compose, shown_name

Line = tuple[int, Shown]
"""A line of output: columns of indent, and the text, which may be wider than a terminal."""
FRAME, FILLER, FILLERS = 240, 40, 5
"""Most characters of a frame and of a filler that are shown of a template in a list, and most fillers of a slot."""
LONGEST = 5000
"""Most characters of a frame that is shown in full."""
LEAST = 16
"""Least width of a fixed stretch that is exported; Chinese characters count two. Shorter ones stand in too many other texts."""


_OUTSIDE = lazy_pattern(r"^[\W_]+|[\W_]+$")


def slot_mark(number: int) -> str:
    """Return the mark that shows a slot in a frame.

    >>> slot_mark(2)
    '‹2›'
    """
    return f"‹{number}›"


def pieces_of(row: Mapping[str, Any]) -> list[str]:
    """Return the fixed parts of a template (a row of TEMPLATES): before, between and behind its slots.

    Raises:
        InputError: the slots are not in the text, or not in order.

    >>> pieces_of({"text": "Dear Ann, your bill is 5 euros.", "slots": [{"start": 5, "end": 8}, {"start": 23, "end": 24}]})
    ['Dear ', ', your bill is ', ' euros.']
    """
    out, at = [], 0
    for slot in row["slots"]:
        if not at <= slot["start"] <= slot["end"] <= len(row["text"]):
            raise InputError("template {} is not valid: its slots are outside its text", row["template"])
        out.append(row["text"][at : slot["start"]])
        at = slot["end"]
    return [*out, row["text"][at:]]


def frame_of(row: Mapping[str, Any]) -> str:
    """Return the text of a template with slot numbers in place of the fillers.

    >>> frame_of({"text": "Dear Ann, your bill is 5 euros.", "slots": [{"start": 5, "end": 8}, {"start": 23, "end": 24}]})
    'Dear ‹1›, your bill is ‹2› euros.'
    """
    first, *rest = pieces_of(row)
    return first + "".join(slot_mark(k) + piece for k, piece in enumerate(rest, 1))


def template_lines(row: Mapping[str, Any], *, whole: bool = False) -> Iterator[Line]:
    """Yield the lines of one template, a row of TEMPLATES: its records, its frame, and a line for each slot.

    Args:
        whole: True for all of the frame and all fillers of the row, False for as much as a list shows.
    """
    slots = row["slots"]
    yield 0, compose("{}. {:,} records", row["template"], row["records"])
    frame = frame_of(row)
    for line in frame[:LONGEST].splitlines() if whole else [" ".join(frame.split())]:
        yield 3, shown_name(line, LONGEST if whole else FRAME)
    for number, slot in enumerate(slots, 1):
        yield 3, _slot_line(number, slot, whole)
    if whole:
        yield 3, compose("the text is taken from {}", row["model_id"])


def _slot_line(number: int, slot: Mapping[str, Any], whole: bool) -> Shown:
    fillers = slot["fillers"] if whole else slot["fillers"][:FILLERS]
    shown = [
        compose("{} ({:,})", shown_name(one["text"], LONGEST if whole else FILLER), one["records"]) for one in fillers
    ]
    shown += [Shown("…")] if len(fillers) < slot["different"] else []
    said = Shown(compose("{}", BETWEEN).join(shown))
    return compose("{} {:,} different: {}", Shown(slot_mark(number)), slot["different"], said)


def boilerplate_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the fixed parts of templates as lines of a boilerplate file, distinct and sorted.

    A line holds no line break, begins and ends with a letter or digit, since copies change the marks around, and is at least LEAST wide.

    >>> slots = [{"start": 5, "end": 8}, {"start": 37, "end": 38}]
    >>> boilerplate_lines([{"text": "Dear Ann, your bill of this month is 5 euros.", "slots": slots}])
    ['your bill of this month is']
    """
    lines = (_OUTSIDE.sub("", line) for row in rows for piece in pieces_of(row) for line in piece.splitlines())
    return sorted({line for line in lines if _width(line) >= LEAST})


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
