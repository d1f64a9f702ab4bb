"""Results that have no truth value: `if` would take any of them as true, whatever it found."""

from __future__ import annotations

from typing import ClassVar

from quchong.languages import Message


class NoTruthValue:
    """Base of a class whose objects raise a TypeError when they are used as a condition.

    Attributes:
        _ASKED: expressions that are true or false, one of which is meant. Classes set it without an annotation.
    """

    __slots__ = ()
    _ASKED: ClassVar[str] = ""

    def __bool__(self) -> bool:
        """Raise the TypeError about a condition, with the expressions that are true or false."""
        said = Message(
            "{!r} object is neither true nor false; as a condition, use {}", type(self).__name__, self._ASKED
        )
        raise TypeError(said.translation())
