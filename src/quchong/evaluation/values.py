"""Choice of a method's threshold parameter, and of the values to try."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from quchong.errors import Param, UsageError, meant
from quchong.languages import Message, join_names
from quchong.parameters import MethodParameter, parameters_of
from quchong.seam import Method

STEPS = tuple(round(0.05 * k, 2) for k in range(6, 21))
"""Thresholds tried: 0.30 to 1.00 in steps of 0.05."""
DISTANCES = tuple(range(13))
"""Distances tried: 0 to 12."""
THRESHOLDS = ("distance", "threshold", "containment")
"""Names of parameters that are thresholds of copies, in order of preference."""
MOST = 200
"""Maximum number of values tried."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """A parameter to tune.

    Attributes:
        name: name of the parameter. whole: True if it takes whole numbers only.
        own: the value that the method has; None if it chooses by itself.
        decides: True if only the decision uses it, so that pairs can be decided again.
        values: the values to try, ascending.
    """

    name: str
    whole: bool
    own: float | None
    decides: bool
    values: tuple[float, ...]


def thresholds_after(method: Method, name: str) -> tuple[str, ...]:
    """Return the other thresholds on which a method's copies depend; empty if `name` is not one of them."""
    known = parameters_of(type(method))
    stated = [one for one in THRESHOLDS if one in method.traits.decided_by and one in known]
    return tuple(one for one in stated if one != name) if name in stated else ()


def tunable(method: Method, name: str | None = None, values: Any = None) -> Tunable:
    """Return the parameter to tune and the values to try.

    Args:
        name: name of a numeric parameter; None takes the distance if the method decides by one, else `threshold`.
        values: numbers, or a text with commas between them, or "from:to:step"; None takes the usual ones.

    Raises:
        UsageError: the method has no threshold, or not this parameter, or does not accept the values.
    """
    known = parameters_of(type(method))
    numbers = {p.name: p for p in known.values() if p.type in (int, float)}
    chosen = _threshold_of(method, numbers) if name is None else name
    if chosen is None:
        if not numbers:
            raise UsageError(
                "method {} has no threshold to tune: choose another method, such as {}",
                method.name,
                Param("method", "minhash"),
            )
        raise UsageError(
            "method {} has no threshold to tune; it has these numeric parameters: {}. Choose one with {}",
            method.name,
            join_names([*numbers]),
            Param("parameter"),
        )
    if chosen not in numbers:
        guess = meant(chosen, numbers)
        raise UsageError(
            "{}: method {} has no numeric parameter of that name; it has {}{}",
            Param("parameter", chosen),
            method.name,
            join_names([*numbers]) or Message("none"),
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
    """Return the usual values: thresholds from 0.30, or whole numbers around the method's own value."""
    if not whole:
        return STEPS
    around = DISTANCES if own is None or own < 7 else tuple(range(max(1, int(own) - 6), int(own) + 7))
    return tuple(v for v in around if about.about.holds(v))


def _given(values: Any, whole: bool) -> tuple[float, ...]:
    """Parse values given by a caller, as text or numbers; return them ascending, each once."""
    try:
        if isinstance(values, str):
            found = _spread(values) if ":" in values else [float(v) for v in values.split(",") if v.strip()]
        elif isinstance(values, Iterable):
            found = [float(v) for v in values]
        else:
            raise TypeError
    except (TypeError, ValueError):
        raise UsageError(
            "{} must be numbers such as 0.5,0.6,0.7 or from:to:step such as 0.5:0.9:0.05, got {}{}",
            Param("values"),
            repr(values)[:100],
            _values_meant(values),
        ) from None
    if not found or not all(math.isfinite(v) for v in found) or (whole and not all(v.is_integer() for v in found)):
        template = "{} must be whole numbers, got {}" if whole else "{} must be numbers, got {}"
        raise UsageError(template, Param("values"), repr(values)[:100])
    if len(set(found)) > MOST:
        raise UsageError("{} has {:,} values: give at most {}", Param("values"), len(set(found)), MOST)
    return tuple(sorted({int(v) if whole else round(v, 6) for v in found}))


def _values_meant(values: Any) -> Message:
    """Return `; did you mean ...?` for a range that is written otherwise, or from its end to its begin; else an empty message.

    >>> print(_values_meant("0.5-0.9"), _values_meant("0.9:0.5:0.1"), _values_meant("0.5..0.9"), _values_meant("high"))
    ; did you mean 0.5:0.9:0.05? ; did you mean 0.5:0.9:0.1? ; did you mean 0.5:0.9:0.05?
    """
    numbers = re.findall(r"\d*\.?\d+", values.replace("..", " ")) if isinstance(values, str) else []
    if not 2 <= len(numbers) <= 3 or re.search(r"[^\d.:\s~to-]", str(values)):
        return Message("")
    first, last = sorted(numbers[:2], key=float)
    return Message("; did you mean {}?", ":".join([first, last, *(numbers[2:] or ["0.05"])]))


def _spread(text: str) -> list[float]:
    """Return the values of a range "from:to:step"."""
    first, last, step = (float(part) for part in text.split(":"))
    if not (step > 0 and first <= last and math.isfinite(last - first)):
        raise ValueError(text)
    return [first + k * step for k in range(min(int((last - first) / step + 1e-9) + 1, MOST + 2))]
