"""Confidence intervals of shares."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


def wilson(hits: float, total: float, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's 95% score interval of the share hits / total; (0, 1) if total is 0. Both numbers may be fractional.

    >>> tuple(round(x, 3) for x in wilson(18, 18))
    (0.824, 1.0)
    """
    if total <= 0:
        return 0.0, 1.0
    p = hits / total
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Total:
    """Estimate of a total, with its 95% interval."""

    value: float
    low: float
    high: float


def stratified_total(stratum: np.ndarray, weight: np.ndarray, true: np.ndarray) -> Total:
    """Estimate the number of true pairs among all pairs, with a 95% interval, from a weighted sample in strata.

    A stratum whose weights are all 1 was drawn as a whole: it adds no uncertainty. In each of the others the share that is true has
    Wilson's interval for the effective number of trials (Kish 1965); the distances of limits from values are added in quadrature
    (Zou 2008). So a stratum in which nothing true was drawn leaves it open that some is.

    Args:
        stratum: int64, the stratum of each drawn one.
        weight: float64, how many each stands for.
        true: bool.
    """
    value = below = above = 0.0
    for one in np.unique(stratum).tolist():
        mine = stratum == one
        some = weight[mine]
        whole = float(some.sum())
        right = float(some[true[mine]].sum())
        value += right
        if (some == 1).all():
            continue
        trials = whole**2 / float((some**2).sum())
        low, high = wilson(right / whole * trials, trials)
        below += (right - whole * low) ** 2
        above += (whole * high - right) ** 2
    return Total(value, max(value - math.sqrt(below), 0.0), value + math.sqrt(above))
