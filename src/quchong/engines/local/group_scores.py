"""Interfaces of scores and differences of candidate pairs that are known before the texts are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from quchong.decision.examination import Examined
from quchong.decision.expansion import ClassPairs


class Examinations(Protocol):
    """Differences of pairs that were examined before."""

    def completed(self, pairs: ClassPairs, some: np.ndarray, examine: Callable[[np.ndarray], Examined]) -> Examined:
        """Return the examination of the pairs `some` (indices): known ones, and the results of `examine` for the others."""
        ...


class GroupScores(Protocol):
    """Source of stored scores for groups of pairs, used instead of comparing their texts."""

    def group(self, number: int, pairs: int, groups: int, check: Callable[[Any], None]) -> list[Any] | None:
        """Return the scored blocks of a group, or None if its texts must be compared.

        Args:
            number: of the group, from 0.
            pairs, groups: number of all candidate pairs and groups of the run.
            check: raises Damaged for blocks that cannot be of this run.
        """
        ...

    def examinations(self, classes: int) -> Examinations | None:
        """Return the examinations of pairs among `classes` classes that are known beforehand; None if there can be none."""
        ...
