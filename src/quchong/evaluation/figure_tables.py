"""Tables of figures as text, for terminals of any width."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.languages import Message
from quchong.report.text_width import cells, padded
from quchong.report.visible import Shown, compose, shown_name

GAP = 2
"""Number of spaces between columns."""
LONGEST = 60
"""Maximum length, in characters, of a name that is shown in full."""

Rows = Sequence[tuple[str, Sequence[str]]]
"""Rows of a table: a label and its cells."""


def in_columns(corner: str, heads: Sequence[str], rows: Rows, columns: int, *, indent: int = 2) -> list[Shown]:
    r"""Format rows under heads as a table.

    If the table is wider than `columns`, each cell gets a line of its own below the row's label, with its head before
    it.

    Args:
        corner: text above the labels; not printed if the table is too wide.

    >>> rows = [("long texts", ["0.9 of 120", "0.8 of 97"]), ("short", ["-", "0.5 of 4"])]
    >>> print("\n".join(in_columns("by length", ["here", "there"], rows, 40)))
    by length     here        there
      long texts  0.9 of 120  0.8 of 97
      short       -           0.5 of 4
    >>> print("\n".join(in_columns("by length", ["here", "there"], rows, 30)))
      long texts
        here   0.9 of 120
        there  0.8 of 97
      short
        here   -
        there  0.5 of 4
    """
    head = [_shown_text(one) for one in heads]
    body = [(Shown(" " * indent + _shown_text(label)), [_shown_text(one) for one in row]) for label, row in rows]
    first = max(cells(one) for one in (_shown_text(corner), *(label for label, _ in body))) + GAP
    wide = [max(cells(one) for one in column) + GAP for column in zip(head, *(row for _, row in body), strict=True)]
    if first + sum(wide) - GAP <= columns:
        return [_line(label, row, first, wide) for label, row in [(_shown_text(corner), head), *body]]
    beside = max(map(cells, head)) + indent + 2 + GAP
    lines = []
    for label, row in body:
        lines.append(label)
        lines += [
            Shown(padded(" " * (indent + 2) + one, beside) + figure) for one, figure in zip(head, row, strict=True)
        ]
    return lines


def _shown_text(text: str) -> Shown:
    """Return a message in the current language, or foreign text escaped on one line."""
    return compose("{}", text) if isinstance(text, Message | Shown) else shown_name(text, LONGEST)


def _line(label: str, row: Sequence[str], first: int, wide: Sequence[int]) -> Shown:
    parts = [padded(label, first), *(padded(one, size) for one, size in zip(row, wide, strict=True))]
    return Shown("".join(parts).rstrip())
