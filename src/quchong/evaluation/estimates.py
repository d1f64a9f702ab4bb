"""Shares with 95% intervals, for pairs that are not independent.

Pairs of one group of documents are right or wrong together.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from quchong.decision.intervals import wilson
from quchong.languages import Message
from quchong.parameters.other_attributes import SuggestsNames


@dataclass(frozen=True, slots=True)
class Share(SuggestsNames):
    """A share and its 95% interval.

    Attributes:
        value: the share; None if nothing was counted.
        low, high: ends of the interval; 0 and 1 if nothing was counted.
        hits, of: numbers of hits and of all that was counted.
        effective: number of independent pairs with the same information.
    """

    value: float | None
    low: float
    high: float
    hits: int
    of: int
    effective: float

    def describe(self) -> dict[str, Any]:
        """Return the share as a dict for JSON, rounded to six places."""
        value = None if self.value is None else round(self.value, 6)
        return {
            "value": value, "low": round(self.low, 6), "high": round(self.high, 6), "hits": self.hits, "of": self.of,
            "effective": round(self.effective, 2),
        }  # fmt: skip

    @property
    def message(self) -> Message:
        """Message with the share and its interval; "-" without a value."""
        if self.value is None:
            return Message("-")
        return Message("{:.3f} ({:.3f} to {:.3f})", self.value, self.low, self.high)

    @property
    def counted(self) -> Message:
        """Message with the numbers counted, such as "9 of 12"."""
        return Message("{:,} of {:,}", self.hits, self.of)

    def __str__(self) -> str:
        return str(self.message)

    def __float__(self) -> float:
        """Return the share, so that it is compared, rounded and formatted as the number that it is.

        Raises:
            TypeError: nothing was counted.
        """
        if self.value is None:
            raise TypeError(Message("nothing was counted, so that the share has no value").translation())
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __lt__(self, other: Any) -> bool:
        return float(self) < float(other) if _is_number(other) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return float(self) <= float(other) if _is_number(other) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return float(self) > float(other) if _is_number(other) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return float(self) >= float(other) if _is_number(other) else NotImplemented


def _is_number(value: Any) -> bool:
    return isinstance(value, Real | Share)


NOTHING = Share(None, 0.0, 1.0, 0, 0, 0.0)


def share(hit: np.ndarray, group: np.ndarray) -> Share:
    """Return the share of hits among pairs, with its 95% interval; pairs of one `group` are not independent.

    Pairs of one group are not independent. The interval is Wilson's for the effective number of pairs: their number
    divided by the design effect, which is the variance of the share between groups (linearised) divided by that of
    independent pairs. If all pairs hit or none does, groups show no variance, and Kish's number, (sum of sizes)^2 /
    (sum of squared sizes), is used instead.

    Args:
        hit: bool per pair.
        group: int64 per pair; equal for pairs of one group.

    Returns:
        A share; without pairs it has no value.

    >>> import numpy as np
    >>> one = share(np.array([True, True, True, False]), np.arange(4))
    >>> one.value, round(one.low, 4), round(one.high, 4)
    (0.75, 0.3006, 0.9544)
    >>> round(float(share(np.array([True, True, True, False]), np.array([1, 1, 1, 2])).effective), 3)
    1.333
    """
    n, hits = len(hit), int(hit.sum())
    if not n:
        return NOTHING
    p, effective = hits / n, effective_number(hit, group)
    low, high = wilson(p * effective, effective)
    return Share(p, low, high, hits, n, effective)


def effective_number(hit: np.ndarray, group: np.ndarray) -> float:
    """Return how many independent pairs would carry as much information, from 1 to the number of pairs."""
    n = len(hit)
    _, code = np.unique(group, return_inverse=True)
    size = np.bincount(code).astype(float)
    if len(size) == n:
        return float(n)
    # hits by group
    of = np.bincount(code, weights=hit.astype(float))
    p = of.sum() / n
    kish = n * n / float((size**2).sum())
    if p in (0.0, 1.0) or len(size) == 1:
        return kish
    # variance of the share between groups, a ratio estimate linearised around p
    variance = len(size) / (len(size) - 1) * float(((of - p * size) ** 2).sum()) / (n * n)
    independent = p * (1 - p) / n
    # divide by the design effect, variance / independent
    return float(n) if variance <= independent else max(1.0, float(n * independent / variance))


def f_measure(found: np.ndarray, right: np.ndarray, group: np.ndarray) -> Share:
    """Return the F1 of pairs, each found or right or both, with its interval.

    With s the share of pairs found and right among pairs found or right, F1 is 2s / (1 + s), so the interval of F1
    follows from that of s.

    Args:
        found, right: bool per pair; group: as in `share`.
    """
    either = found | right
    s = share((found & right)[either], group[either])
    if s.value is None:
        return s
    f = [2 * x / (1 + x) for x in (s.value, s.low, s.high)]
    return Share(f[0], f[1], f[2], s.hits, s.of, s.effective)
