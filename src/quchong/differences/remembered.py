"""Values of windows, found for many of them at once and remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from quchong.differences.windows import Window

MOST = 4096
"""Most windows that are remembered: copies of one text have the same stretch of it in many pairs, and an index in many questions."""
T = TypeVar("T")


class Remembered(Generic[T]):
    """Values of windows, such as the names in them; each is found once as long as it is remembered.

    Args:
        find: returns the values of different windows, in their order; they are not to be changed.
    """

    def __init__(self, find: Callable[[Sequence[Window]], list[T]]) -> None:
        self._find = find
        self._known: dict[Window, T] = {}

    def values_of(self, windows: Sequence[Window]) -> list[T]:
        """Return the value of each window, computing only those not remembered."""
        known = {w: value for w in windows if (value := self._known.get(w)) is not None}
        fresh = [w for w in dict.fromkeys(windows) if w not in known]
        found = dict(zip(fresh, self._find(fresh), strict=True))
        if len(self._known) + len(found) > MOST:
            self._known.clear()
        if len(found) <= MOST:
            self._known.update(found)
        known |= found
        return [known[w] for w in windows]
