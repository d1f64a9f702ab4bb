"""Defaults for methods without special features."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Self

import numpy as np

from quchong.methods.bases.join_sights import seen_by_join
from quchong.languages import Message
from quchong.parameters import check_values
from quchong.seam import Differences, Documents, FirstSeen, Gate, Measures, Method, Sight, Spans
from quchong.similarity import widths_of
from quchong.similarity.gates import floor_gates, relation_gates
from quchong.features.statistics import ShingleCount


class Plain:
    """Defaults of a method: no statistics, no passages of its own, no first stage, no differences."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_values(self)
        self.check()

    def check(self) -> None:
        """Check parameters that depend on each other, beyond their metadata; raise UsageError if they disagree."""

    @property
    def statistics_needed(self) -> str:
        """Name of the statistics to count; "" because this method needs no statistics."""
        return ""

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths at which candidate recall is measured: those of the default method."""
        return widths_of()

    @property
    def counting(self) -> ShingleCount | None:
        """Definition of the statistics to count; always None, because this method counts nothing."""
        return None

    def fitted(self, documents: Documents, workers: int | None = None) -> Self:
        """Return the method itself, because it takes no statistics from the documents."""
        return self

    def held_to(self: Method) -> dict[str, Any]:
        """Return the thresholds of the default method's test, by name."""
        return asdict(self.thresholds)

    def lacks(self: Method, other: Method) -> str | None:
        """Return the reason why `other` cannot re-decide pairs: its threshold is below the candidates' completeness; else None."""
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
        """Treatment of variants: kept, unless the run names them among the relations that remove."""
        return "keep"

    @property
    def tells_differences(self) -> bool:
        """True if the method determines the differences of pairs; always False here."""
        return False

    def differences(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None = None
    ) -> Differences | None:
        """Return None, because this method determines no differences."""
        return None

    def passages(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> Spans | None:
        """Return None, so that the engine searches for the passages that both documents share."""
        return None

    def sights(self: Method, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the values by which candidates are found."""
        return seen_by_join(self, documents, workers)

    def gates(self: Method, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the floor and of the default method's test."""
        return (
            *floor_gates(measures, self.thresholds),
            *relation_gates(measures, self.thresholds, guards=self.tells_differences),
        )

    @property
    def unconfirmed(self) -> str | None:
        """Rule of removals by an unconfirmed filter; always None, because there is no first stage."""
        return None

    def first_stage(self) -> FirstSeen | None:
        """Return None, because exact classes are made by the engine."""
        return None
