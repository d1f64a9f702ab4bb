"""Differences of pairs that were compared, described only when somebody looks at them: who asks whether a text is known need not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quchong.decision.differing import PlainDifference
from quchong.findings import Difference

Lists = Sequence[Sequence[PlainDifference] | None]
"""Lists of the differences of each pair as plain values; None for a pair that was not examined."""


class DescribedOnce:
    """Differences of all pairs of one comparison, computed when the first of them is looked at.

    Args:
        describe: returns the differences of all pairs; what it holds is let go as soon as it has answered.
    """

    __slots__ = ("_describe", "_lists")

    def __init__(self, describe: Callable[[], Lists]) -> None:
        self._describe: Callable[[], Lists] | None = describe
        self._lists: Lists = ()

    def lists(self) -> Lists:
        """Return the differences of all pairs; concurrent callers get equal lists."""
        describe = self._describe
        if describe is not None:
            self._lists = describe()
            self._describe = None
        return self._lists


class DifferencesLater:
    """Differences of one pair, computed on first use.

    Args:
        of: differences of all pairs. at: number of the pair among them.
        turned: left and right are exchanged.
    """

    __slots__ = ("at", "of", "turned")

    def __init__(self, of: DescribedOnce, at: int, *, turned: bool = False) -> None:
        self.of, self.at, self.turned = of, at, turned

    def rows(self) -> Sequence[PlainDifference]:
        """Return the differences as plain values, of left and right as they were compared."""
        return self.of.lists()[self.at] or ()

    def turned_if(self, *, turned: bool) -> DifferencesLater:
        """Return the differences with left and right exchanged if `turned`."""
        return DifferencesLater(self.of, self.at, turned=True) if turned else self

    def describe(self) -> tuple[Difference, ...]:
        """Return the differences as objects, left and right exchanged if this view is turned."""
        if self.turned:
            return tuple(Difference(k, c, y, x, b0, b1, a0, a1) for k, c, x, y, a0, a1, b0, b1 in self.rows())
        return tuple(Difference(*row) for row in self.rows())
