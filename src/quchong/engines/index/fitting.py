"""Statistics of a method as an index stores them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from quchong.decision.frozen import FrozenStatistics, fitted_fields
from quchong.features.statistics import FeatureStatistics
from quchong.plan.plan import Plan
from quchong.seam import Method


def frozen(plan: Plan, fitted: Method) -> FrozenStatistics:
    """Return the statistics of a fitted method as an index stores them, counted or given."""
    counted = dict(fitted_fields(plan.method, fitted))
    method: Any = fitted
    for one in fields(method) if is_dataclass(method) else ():
        value = getattr(method, one.name)
        if isinstance(value, FeatureStatistics):
            counted[one.name] = replace(value, path=None)
    return FrozenStatistics(fitted.name, counted)
