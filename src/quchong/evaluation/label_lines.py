"""Lines of labels and figures that eval and tune print, in the language that is spoken."""

from __future__ import annotations

from quchong.languages import Message
from quchong.report.text_width import padded
from quchong.report.visible import Shown, compose, shown_name

WIDE = 25
"""Width of a label with its indent, in columns."""
_LABELS = {
    "same": Message("same"),
    "contained": Message("contained"),
    "different": Message("different"),
    "unsure": Message("unsure"),
}


def label_told(name: str) -> Message:
    """Return the message for a label; in Chinese with its English name, which files and options use."""
    return _LABELS[name]


def cell(text: str, longest: int) -> Shown:
    """Return a message as safe text; foreign text is escaped on one line and cut to `longest` characters."""
    return compose("{}", text) if isinstance(text, Message) else shown_name(text, longest)


def row(label: str, value: Message, *, indent: int = 2, wide: int = WIDE) -> Shown:
    """Format a label and its value as a line, with all values starting in the same column.

    >>> row(Message("F1"), Message("{:.2f}", 0.5), wide=8)
    '  F1     0.50'
    """
    return compose("{} {}", Shown(padded(" " * indent + compose("{}", label), wide)), value)
