"""Values that follow from an object which never changes, remembered for the objects asked about last."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

Owner = TypeVar("Owner")
Value = TypeVar("Value")
MOST = 16
"""Most objects whose value is remembered."""


class Remembering(Generic[Owner, Value]):
    """Function of one object that makes the value of each object once; see `remembered`."""

    def __init__(self, make: Callable[[Owner], Value]) -> None:
        self._make, self._known = make, dict[int, tuple[Owner, Value]]()
        update_wrapper(self, make)

    def __call__(self, one: Owner) -> Value:
        """Return the value of an object, made now if it is not remembered."""
        found = self._known.get(id(one))
        if found is not None and found[0] is one:  # the object is held, so that no other one gets its number
            return found[1]
        if len(self._known) >= MOST:
            self._known.clear()
        value = self._make(one)
        self._known[id(one)] = one, value
        return value

    def cache_clear(self) -> None:
        """Forget all values."""
        self._known.clear()


def remembered(make: Callable[[Owner], Value]) -> Remembering[Owner, Value]:
    """Return a function that makes the value of each object once; of objects that never change, such as a method or a plan.

    An object is recognised by itself and not by its fields: to compare the fields of a method takes longer than to make most values.

    Example:
        >>> made = []
        >>> @remembered
        ... def size(one):
        ...     made.append(one)
        ...     return len(one)
        >>> one = (1, 2)
        >>> size(one), size(one), len(made)
        (2, 2, 1)
    """
    return Remembering(make)
