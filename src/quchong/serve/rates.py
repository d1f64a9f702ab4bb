"""Rates of callers: how often each may ask."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

BURST_SECONDS = 5.0
"""Seconds whose requests a caller may send at once."""
CALLERS = 10_000
"""Most callers that are remembered; those who have not asked for the longest are forgotten."""


class Rates:
    """Rates of callers, by a bucket of tokens for each.

    Args:
        rate: requests per second of one caller; None for any number.
        clock: seconds that only grow.
    """

    def __init__(self, rate: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, caller: str) -> int:
        """Count a request of a caller; return 0 if it may pass, else the whole seconds after which the next one may."""
        if self._rate is None:
            return 0
        most = max(1.0, self._rate * BURST_SECONDS)
        now = self._clock()
        left, before = self._buckets.pop(caller, (most, now))
        left = min(most, left + (now - before) * self._rate)
        passes = left >= 1.0
        self._buckets[caller] = (left - passes, now)
        while len(self._buckets) > CALLERS:
            self._buckets.popitem(last=False)
        return 0 if passes else max(1, math.ceil((1.0 - left) / self._rate))
