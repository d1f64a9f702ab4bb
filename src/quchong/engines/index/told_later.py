"""Differences of pairs that were compared, described only when somebody looks at them: who asks whether a text is known need not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quchong.decision.differing import PlainDifference
from quchong.findings import Difference

Lists = Sequence[Sequence[PlainDifference] | None]
"""Lists of the differences of each pair as plain values; None for a pair that was not examined."""


class DescribedOnce:
    """Differences of the pairs of one comparison, described for all of them when the first is looked at.

    Args:
        describe: returns the differences of all pairs; what it holds is let go as soon as it has answered.
    """

    __slots__ = ("_describe", "_lists")

    def __init__(self, describe: Callable[[], Lists]) -> None:
        self._describe: Callable[[], Lists] | None = describe
        self._lists: Lists = ()

    def lists(self) -> Lists:
        """Return the differences of all pairs. Two threads that look at once get equal lists."""
        describe = self._describe
        if describe is not None:
            self._lists = describe()
            self._describe = None
        return self._lists


class DifferencesLater:
    """Differences of one pair of a comparison.

    Args:
        of: differences of all pairs. at: number of the pair among them.
        turned: left and right are exchanged.

    Attributes:
        packed: the differences as the catalogue has them, if they were packed already.
    """

    __slots__ = ("at", "of", "packed", "turned")

    def __init__(self, of: DescribedOnce, at: int, *, turned: bool = False) -> None:
        self.of, self.at, self.turned = of, at, turned
        self.packed: bytes | None = None

    def rows(self) -> Sequence[PlainDifference]:
        """Return the differences as plain values, of left and right as they were compared."""
        return self.of.lists()[self.at] or ()

    def turned_if(self, *, turned: bool) -> DifferencesLater:
        """Return the differences as they are seen from the right document if `turned`."""
        return DifferencesLater(self.of, self.at, turned=True) if turned else self

    def describe(self) -> tuple[Difference, ...]:
        """Return the differences as objects, left and right swapped if they are turned."""
        if self.turned:
            return tuple(Difference(k, c, y, x, b0, b1, a0, a1) for k, c, x, y, a0, a1, b0, b1 in self.rows())
        return tuple(Difference(*row) for row in self.rows())
