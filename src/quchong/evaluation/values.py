"""Which parameter of a method is its threshold, and which values of it are tried."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from quchong.errors import Param, UsageError, meant
from quchong.languages import Message
from quchong.parameters import MethodParameter, parameters_of
from quchong.seam import Method

STEPS = tuple(round(0.05 * k, 2) for k in range(6, 21))
"""Thresholds tried: 0.30 to 1.00."""
DISTANCES = tuple(range(13))
"""Distances tried."""
THRESHOLDS = ("distance", "threshold", "containment")
"""Parameters that are thresholds of copies, the first first."""
MOST = 200
"""Values tried at most."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """A parameter that is tuned.

    Attributes:
        name: of the parameter. whole: it takes whole numbers only.
        own: the value the method has; None where it chooses by itself.
        decides: whether it enters the decision alone, so that pairs can be decided again.
        values: those to be tried, ascending.
    """

    name: str
    whole: bool
    own: float | None
    decides: bool
    values: tuple[float, ...]


def thresholds_after(method: Method, name: str) -> tuple[str, ...]:
    """The thresholds that a method states besides this one, where this one is a threshold: what it calls a copy hangs on each."""
    known = parameters_of(type(method))
    stated = [one for one in THRESHOLDS if one in method.traits.decided_by and one in known]
    return tuple(one for one in stated if one != name) if name in stated else ()


def tunable(method: Method, name: str | None = None, values: Any = None) -> Tunable:
    """The parameter to tune and its values.

    Args:
        name: of a number the method takes; without it its threshold: the distance where its rule decides by one, else `threshold`.
        values: numbers, or a text of them with commas, or "from:to:step"; usual ones without.

    Raises:
        UsageError: a method without a threshold, an unknown parameter, values it does not take.
    """
    known = parameters_of(type(method))
    numbers = {p.name: p for p in known.values() if p.type in (int, float)}
    chosen = _threshold_of(method, numbers) if name is None else name
    if chosen is None:
        if not numbers:
            raise UsageError("method {} has no threshold to tune", method.name)
        raise UsageError(
            "method {} has no threshold to tune; its numbers are {}: name one with {}",
            method.name,
            ", ".join(numbers),
            Param("parameter"),
        )
    if chosen not in numbers:
        guess = meant(chosen, numbers)
        raise UsageError(
            "{}: method {} has no such number; it has {}{}",
            Param("parameter", chosen),
            method.name,
            ", ".join(numbers) or Message("none"),
            guess,
        )
    about = numbers[chosen]
    whole = about.type is int
    own = getattr(method, chosen)
    tried = _usual(about, whole, own) if values is None else _given(values, whole)
    return Tunable(chosen, whole, own, chosen in method.traits.decided_by, tried)


def _threshold_of(method: Method, numbers: dict[str, MethodParameter]) -> str | None:
    decided = method.traits.decided_by
    if "distance" in numbers and "distance" in decided:
        return "distance"
    return "threshold" if "threshold" in numbers else None


def _usual(about: MethodParameter, whole: bool, own: float | None) -> tuple[float, ...]:
    """Thresholds from 0.30 on; whole numbers around the method's own."""
    if not whole:
        return STEPS
    around = DISTANCES if own is None or own < 7 else tuple(range(max(1, int(own) - 6), int(own) + 7))
    return tuple(v for v in around if about.about.holds(v))


def _given(values: Any, whole: bool) -> tuple[float, ...]:
    """Values as a caller has them."""
    try:
        if isinstance(values, str):
            found = _spread(values) if ":" in values else [float(v) for v in values.split(",") if v.strip()]
        elif isinstance(values, Iterable):
            found = [float(v) for v in values]
        else:
            raise TypeError
    except (TypeError, ValueError):
        raise UsageError(
            "{} wants numbers such as 0.5,0.6,0.7 or from:to:step such as 0.5:0.9:0.05, got {}",
            Param("values"),
            repr(values)[:100],
        ) from None
    if not found or not all(math.isfinite(v) for v in found) or (whole and not all(v.is_integer() for v in found)):
        template = "{} wants whole numbers, got {}" if whole else "{} wants numbers, got {}"
        raise UsageError(template, Param("values"), repr(values)[:100])
    if len(set(found)) > MOST:
        raise UsageError("{} names {:,} values: give at most {}", Param("values"), len(set(found)), MOST)
    return tuple(sorted({int(v) if whole else round(v, 6) for v in found}))


def _spread(text: str) -> list[float]:
    """The values of from:to:step."""
    first, last, step = (float(part) for part in text.split(":"))
    if not (step > 0 and first <= last and math.isfinite(last - first)):
        raise ValueError(text)
    return [first + k * step for k in range(min(int((last - first) / step + 1e-9) + 1, MOST + 2))]
