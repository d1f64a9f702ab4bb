"""Base class of methods in packages of their own, which also carries steps under the names that they had before rules were values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quchong.kernels.arrays import AnyTexts
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import below_completeness
from quchong.seam import Features, Measures, Rule
from quchong.similarity import widths_of

STEPS = {"represent": ("features",), "rule": ("thresholds", "complete_from", "above_floor", "decide", "threshold_used")}
"""Older names of steps that together replace a member of `quchong.seam.Method`."""
MOVED = {
    "fitted": "the statistics of its join (quchong.author.Statistics)",
    "statistics_needed": "the statistics of its join (quchong.author.Statistics)",
    "counting": "the statistics of its join (quchong.author.Statistics)",
    "tells_differences": "its property differences (quchong.seam.DifferenceSteps)",
    "facts_mode": "its property differences (quchong.seam.DifferenceSteps)",
}
"""Older members that are not looked at any more, and where their contents belong now."""


class MethodBase(MethodDefaults):
    """Base class of a method: define `form`, `represent`, `candidates`, `score` and `rule`; other members are optional.

    A class with `features`, and with `thresholds`, `complete_from`, `above_floor`, `decide` and `threshold_used` instead of a `rule`,
    runs as well.
    """

    __slots__ = ()

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        moved = [name for name in MOVED if name in vars(cls)]
        if callable(vars(cls).get("differences")):  # a function of pairs, which is a property now
            moved.append("differences")
        for name in moved:
            place = MOVED.get(name, MOVED["facts_mode"])
            raise TypeError(f"{cls.__name__}.{name} is not looked at any more: it belongs to {place}")

    @classmethod
    def missing_steps(cls) -> list[str]:
        """Base class of a method: define `form`, `represent`, `candidates`, `score` and `rule`; other members are optional."""
        own = [name for name in ("form", "candidates", "score") if not hasattr(cls, name)]
        for member, older in STEPS.items():
            if getattr(cls, member) is getattr(MethodBase, member):
                lacking = [name for name in older if not hasattr(cls, name)]
                own += [member] if len(lacking) == len(older) else lacking
        return sorted(own)

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Compute the features by `features`, the older name of this step."""
        features: Any = getattr(self, "features", None)
        if features is None:
            raise NotImplementedError
        found: Features = features(texts, workers, keep)
        return found

    @property
    def rule(self) -> Rule:
        """Rule made of the steps `thresholds`, `complete_from`, `above_floor`, `decide` and `threshold_used` of the class."""
        return StepsRule(self)


@dataclass(frozen=True, slots=True)
class StepsRule:
    """Rule whose steps are those of a method, under their older names."""

    method: Any

    @property
    def test(self) -> Any:
        """Thresholds of the method."""
        return self.method.thresholds

    @property
    def thresholds(self) -> Mapping[str, Any]:
        """Thresholds by name: the method's `held_to`, or all of its test."""
        own = getattr(self.method, "held_to", None)
        found: Mapping[str, Any] = asdict(self.test) if own is None else own()
        return found

    @property
    def filled(self) -> Mapping[str, Any]:
        """Parameters whose value the method's `settings` fills in or changes, by name."""
        own = getattr(self.method, "settings", None)
        return {} if own is None else own()

    @property
    def given_threshold(self) -> float | None:
        """Threshold given as the parameter `threshold`; None if the method has none or it was not given."""
        found: float | None = getattr(self.method, "threshold", None)
        return found

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths of the method if it has some, else those of the default method."""
        found: tuple[int, int] | None = getattr(self.method, "recall_widths", widths_of())
        return found

    def floor(self, measures: Measures) -> np.ndarray:
        """Return the method's `above_floor`."""
        mask: np.ndarray = self.method.above_floor(measures)
        return mask

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return the method's `decide`."""
        relation, rule = self.method.decide(measures)
        return relation, rule

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the method's `threshold_used`."""
        used: np.ndarray = self.method.threshold_used(measures, rule)
        return used

    def lacks(self, other: Any) -> str | None:
        """Return why `other` cannot decide these pairs (by the method's `lacks`, or its threshold is too low); None if it can."""
        own = getattr(self.method, "lacks", None)
        if own is not None:
            why: str | None = own(getattr(other, "method", other))
            return why
        return below_completeness(other, self.method.complete_from)
