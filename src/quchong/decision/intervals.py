"""Confidence intervals of shares."""

from __future__ import annotations

import math


def wilson(hits: float, total: float, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's 95% score interval of a share; (0, 1) without trials. The number of trials may be fractional.

    >>> tuple(round(x, 3) for x in wilson(18, 18))
    (0.824, 1.0)
    """
    if total <= 0:
        return 0.0, 1.0
    p = hits / total
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, centre - half), min(1.0, centre + half)
