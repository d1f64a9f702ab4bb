"""What a method has that asks for nothing special."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Self

import numpy as np

from quchong.families.seen import seen_by_join
from quchong.languages import Message
from quchong.parameters import check_values
from quchong.seam import Differences, Documents, FirstSeen, Gate, Measures, Method, Sight, Spans
from quchong.similarity import widths_of
from quchong.similarity.gates import floor_gates, relation_gates
from quchong.sketches import ShingleCount


class Plain:
    """What most methods do without: statistics, passages of their own, a first stage."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_values(self)
        self.check()

    def check(self) -> None:
        """What a parameter's metadata cannot say, such as two that must agree; raises UsageError."""

    @property
    def statistics_needed(self) -> str:
        """Nothing is counted."""
        return ""

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Those of the default method."""
        return widths_of()

    @property
    def counting(self) -> ShingleCount | None:
        """None: nothing is counted."""
        return None

    def fitted(self, documents: Documents, workers: int | None = None) -> Self:
        """The method itself."""
        return self

    def held_to(self: Method) -> dict[str, Any]:
        """The thresholds of the default method's test."""
        return asdict(self.thresholds)

    def lacks(self: Method, other: Method) -> str | None:
        """A threshold below that from which on candidates are complete."""
        asked = other.settings().get("threshold")
        if asked is None or asked >= self.complete_from:
            return None
        return Message(
            "candidates were looked for from Jaccard {} on: a threshold of {} needs a new run",
            self.complete_from,
            asked,
        )

    @property
    def facts_mode(self) -> str:
        """Variants stay, unless the run names them among the relations that remove."""
        return "keep"

    @property
    def tells_differences(self) -> bool:
        """No."""
        return False

    def differences(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None = None
    ) -> Differences | None:
        """None: nobody asks what they differ in."""
        return None

    def passages(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> Spans | None:
        """None: the engine looks for what both share."""
        return None

    def sights(self: Method, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """The values documents meet by."""
        return seen_by_join(self, documents, workers)

    def gates(self: Method, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """The floor, and the default method's test."""
        return (
            *floor_gates(measures, self.thresholds),
            *relation_gates(measures, self.thresholds, guards=self.tells_differences),
        )

    @property
    def unconfirmed(self) -> str | None:
        """None: there is no first stage."""
        return None

    def first_stage(self) -> FirstSeen | None:
        """None: exact classes are the engine's."""
        return None
