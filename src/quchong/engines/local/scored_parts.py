"""Scores of candidate pairs that parts of a run have stored, group by group (`quchong.engines.local.scores`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from quchong.engines.local.examined_parts import KnownExaminations, PairExaminations, check_examinations
from quchong.engines.local.group_scores import Examinations
from quchong.engines.local.part_shares import PartNumber
from quchong.work import Damaged, Work

VERIFIED = "verified"
"""Name of the value that a part stores when its share of the pairs is scored: the number of all pairs, and of groups."""
EXAMINATIONS = "examinations"
"""Name of the value with the differences of its pairs, see `PairExaminations`."""


class OwnGroups:
    """Scores for a part of a run: groups of other parts have no pairs, and its own must be compared."""

    def __init__(self, part: PartNumber) -> None:
        self._part = part
        self.pairs = self.groups = 0

    def group(self, number: int, pairs: int, groups: int, check: Callable[[Any], None]) -> list[Any] | None:
        """Return the scored blocks of a group; None if its texts must be compared (see GroupScores)."""
        self.pairs, self.groups = pairs, groups
        return None if number % self._part.count == self._part.number - 1 else []

    def examinations(self, classes: int) -> Examinations | None:
        """Return the examinations of pairs known beforehand; None if there can be none (see GroupScores)."""
        return None


class StoredGroups:
    """Scores that parts have stored; those of a part that has not scored all of its share are not used.

    Args:
        opened: functions that open the work of each part, in order.
    """

    def __init__(self, opened: Sequence[Callable[[], Work]]) -> None:
        self._opened = opened
        self._told: dict[int, Any] = {}

    def group(self, number: int, pairs: int, groups: int, check: Callable[[Any], None]) -> list[Any] | None:
        """Return the scored blocks of a group; None if its texts must be compared (see GroupScores)."""
        part = number % len(self._opened)
        if self._verified(part) != (pairs, groups):
            return None
        work = self._opened[part]()
        try:
            found = work.get(f"scored-{number:05}", check)
            return None if found is None else list(found[0])
        finally:
            work.close()

    def examinations(self, classes: int) -> Examinations | None:
        """Return the stored examinations of all parts that have verified their share, by pair of classes; maybe empty, never None."""
        return KnownExaminations([PairExaminations(*one) for one in self._examined(classes)], classes)

    def _examined(self, classes: int) -> Iterator[tuple[Any, ...]]:
        for part, open_work in enumerate(self._opened):
            if self._verified(part) is None:
                continue
            work = open_work()
            try:
                if (found := work.get(EXAMINATIONS, partial(check_examinations, classes=classes))) is not None:
                    yield found[0]
            finally:
                work.close()

    def _verified(self, part: int) -> Any:
        if part in self._told:
            return self._told[part]
        work = self._opened[part]()
        try:
            found = work.get(VERIFIED, _check_verified)
            self._told[part] = None if found is None else found[0]
            return self._told[part]
        finally:
            work.close()


def _check_verified(value: Any) -> None:
    if type(value) is not tuple or len(value) != 2 or any(type(one) is not int for one in value):
        raise Damaged("no numbers of pairs and groups")
