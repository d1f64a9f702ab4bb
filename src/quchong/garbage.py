"""Python's garbage collector in processes that quchong has to itself: commands, their helpers and tests."""

from __future__ import annotations

import gc

THRESHOLDS = (100_000, 20, 100)
"""Objects, and collections of each generation, between two collections; by default Python has 700, 10 and 10."""


def collect_rarely() -> None:
    """Let this process collect garbage rarely: modules and runs make many objects and few circles, so looking for them is time lost.

    >>> before = gc.get_threshold()
    >>> collect_rarely(); gc.get_threshold()[0]
    100000
    >>> gc.set_threshold(*before)
    """
    gc.set_threshold(*THRESHOLDS)
