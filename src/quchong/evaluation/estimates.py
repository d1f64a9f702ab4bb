"""Shares with their 95% intervals, where pairs of one group of documents stand or fall together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.languages import Message
from quchong.review.intervals import wilson


@dataclass(frozen=True, slots=True)
class Share:
    """A share and its 95% interval.

    Attributes:
        value: None where nothing was counted.
        low, high: of the interval; 0 and 1 where nothing was counted.
        hits, of: what was counted.
        effective: how many independent pairs tell as much.
    """

    value: float | None
    low: float
    high: float
    hits: int
    of: int
    effective: float

    def describe(self) -> dict[str, Any]:
        """As JSON, rounded to six places."""
        value = None if self.value is None else round(self.value, 6)
        return {
            "value": value, "low": round(self.low, 6), "high": round(self.high, 6), "hits": self.hits, "of": self.of,
            "effective": round(self.effective, 2),
        }  # fmt: skip

    @property
    def said(self) -> Message:
        """The share with its interval, for people."""
        if self.value is None:
            return Message("-")
        return Message("{:.3f} ({:.3f} to {:.3f})", self.value, self.low, self.high)

    @property
    def counted(self) -> Message:
        """What was counted, for people."""
        return Message("{:,} of {:,}", self.hits, self.of)

    def __str__(self) -> str:
        return str(self.said)


NOTHING = Share(None, 0.0, 1.0, 0, 0, 0.0)


def share(hit: np.ndarray, group: np.ndarray) -> Share:
    """The share of pairs that hit.

    Pairs of one group are counted as what they tell together: the interval is Wilson's for the effective number of pairs, which is
    their number over the design effect, the variance of the share between groups (linearised) over that of independent pairs.
    Where all hit or none, the groups tell no variance: Kish's number, (sum of sizes)^2 / (sum of squared sizes), stands in its
    place.

    Args:
        hit: bool, one a pair.
        group: int64, aligned; equal for pairs that hang together.

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
    """How many independent pairs tell as much as these: at least 1, at most their number."""
    n = len(hit)
    _, code = np.unique(group, return_inverse=True)
    size = np.bincount(code).astype(float)
    if len(size) == n:
        return float(n)
    of = np.bincount(code, weights=hit.astype(float))
    p = of.sum() / n
    kish = n * n / float((size**2).sum())
    if p in (0.0, 1.0) or len(size) == 1:
        return kish
    variance = len(size) / (len(size) - 1) * float(((of - p * size) ** 2).sum()) / (n * n)
    independent = p * (1 - p) / n
    return float(n) if variance <= independent else max(1.0, float(n * independent / variance))


def f_measure(found: np.ndarray, right: np.ndarray, group: np.ndarray) -> Share:
    """F1 of pairs that were found or are right.

    F1 is 2s / (1 + s) of the share s of those found and right among those found or right, so the interval of s gives its own.

    Args:
        found, right: bool, one a pair; group: as in `share`.
    """
    either = found | right
    s = share((found & right)[either], group[either])
    if s.value is None:
        return s
    f = [2 * x / (1 + x) for x in (s.value, s.low, s.high)]
    return Share(f[0], f[1], f[2], s.hits, s.of, s.effective)
