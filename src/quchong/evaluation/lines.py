"""Lines of figures under labels, in the language that is spoken: what eval and tune print."""

from __future__ import annotations

from quchong.languages import Message
from quchong.report.columns import padded
from quchong.report.visible import Shown, compose, named

WIDE = 25
"""Columns of a label with its indent."""
_LABELS = {
    "same": Message("same"),
    "contained": Message("contained"),
    "different": Message("different"),
    "unsure": Message("unsure"),
}


def label_told(name: str) -> Message:
    """A label of a truth; in Chinese with its name, which files and options have."""
    return _LABELS[name]


def cell(text: str, longest: int) -> Shown:
    """A message as it is told; foreign text on one line, cut where it is longer."""
    return compose("{}", text) if isinstance(text, Message) else named(text, longest)


def row(label: str, value: Message, *, indent: int = 2, wide: int = WIDE) -> Shown:
    """A label, and what stands beside it from the same column on.

    >>> row(Message("F1"), Message("{:.2f}", 0.5), wide=8)
    '  F1     0.50'
    """
    return compose("{} {}", Shown(padded(" " * indent + compose("{}", label), wide)), value)
