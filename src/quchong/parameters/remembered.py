"""Values that follow from an object which never changes, remembered for the objects asked about last."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Owner = TypeVar("Owner")
Value = TypeVar("Value")
MOST = 16
"""Most objects whose value is remembered."""


def remembered(make: Callable[[Owner], Value]) -> Callable[[Owner], Value]:
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
    known: dict[int, tuple[Owner, Value]] = {}

    @wraps(make)
    def value_of(one: Owner) -> Value:
        found = known.get(id(one))
        if found is not None and found[0] is one:  # the object is held, so that no other one gets its number
            return found[1]
        if len(known) >= MOST:
            known.clear()
        value = make(one)
        known[id(one)] = one, value
        return value

    return value_of
