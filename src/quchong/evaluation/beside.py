"""Rows of figures in columns, on terminals of any width."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.languages import Message
from quchong.report.columns import cells, padded
from quchong.report.visible import Shown, compose, named

GAP = 2
"""Spaces between columns."""
LONGEST = 60
"""Characters of a name that stand whole."""

Rows = Sequence[tuple[str, Sequence[str]]]
"""A label and the cells beside it."""


def in_columns(corner: str, heads: Sequence[str], rows: Rows, columns: int, *, indent: int = 2) -> list[Shown]:
    r"""Rows under heads. Where they are wider than `columns`, every cell stands on a line of its own, below the label and beside
    its head.

    Args:
        corner: above the labels; left out where there are no heads.

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
    head = [_told(one) for one in heads]
    body = [(Shown(" " * indent + _told(label)), [_told(one) for one in row]) for label, row in rows]
    first = max(cells(one) for one in (_told(corner), *(label for label, _ in body))) + GAP
    wide = [max(cells(one) for one in column) + GAP for column in zip(head, *(row for _, row in body), strict=True)]
    if first + sum(wide) - GAP <= columns:
        return [_line(label, row, first, wide) for label, row in [(_told(corner), head), *body]]
    beside = max(map(cells, head)) + indent + 2 + GAP
    lines = []
    for label, row in body:
        lines.append(label)
        lines += [
            Shown(padded(" " * (indent + 2) + one, beside) + figure) for one, figure in zip(head, row, strict=True)
        ]
    return lines


def _told(text: str) -> Shown:
    """Words of ours in the language that is spoken; foreign text on one line."""
    return compose("{}", text) if isinstance(text, Message | Shown) else named(text, LONGEST)


def _line(label: str, row: Sequence[str], first: int, wide: Sequence[int]) -> Shown:
    parts = [padded(label, first), *(padded(one, size) for one, size in zip(row, wide, strict=True))]
    return Shown("".join(parts).rstrip())
