"""Results that have no truth value: `if` would take any of them as true, whatever it found."""

from __future__ import annotations

from typing import Any, ClassVar

from quchong.languages import Message


class NoTruthValue:
    """Base of a class whose objects raise a TypeError when they are used as a condition.

    Attributes:
        _ASKED: expressions that are true or false, one of which is meant. Classes set it without an annotation.
        _MEASURE: expression of the number that is meant by an object that is compared with a number; "" if none is.
    """

    __slots__ = ()
    _ASKED: ClassVar[str] = ""
    _MEASURE: ClassVar[str] = ""

    def __bool__(self) -> bool:
        """Raise the TypeError about a condition, with the expressions that are true or false."""
        said = Message(
            "{!r} object is neither true nor false; as a condition, use {}", type(self).__name__, self._ASKED
        )
        raise TypeError(said.translation())

    def _no_order(self, other: object) -> Any:
        """Raise the TypeError about an object that is compared with a number, with the expression of the number that is meant."""
        if not self._MEASURE:
            return NotImplemented
        said = Message("{!r} object is not a number; compare {}", type(self).__name__, self._MEASURE)
        raise TypeError(said.translation())

    __lt__ = __le__ = __gt__ = __ge__ = _no_order
