"""Python's garbage collector, made rarer: for good in processes that quchong has to itself, else while an index is called."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (100_000, 20, 100)
"""Objects, and collections of each generation, between two collections; by default Python has 700, 10 and 10."""
_lock = threading.Lock()
_inside = 0
_before = (0, 0, 0)


def collect_rarely() -> None:
    """Let this process run the garbage collector rarely, because runs create many objects and few cycles.

    >>> before = gc.get_threshold()
    >>> collect_rarely(); gc.get_threshold()[0]
    100000
    >>> gc.set_threshold(*before)
    """
    gc.set_threshold(*THRESHOLDS)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run the garbage collector more rarely in the block, in all threads.

    An addition makes rows, pairs and answers by the thousand and no circles of them, so that each collection goes through what is held in
    vain; a collection of everything, which one call in thirty would wait for, takes 45 ms. A collector that is off, or set to collect more
    rarely already, stays as it is. Blocks may be nested and overlap.
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = gc.get_threshold()
            if 0 < _before[0] < THRESHOLDS[0]:
                gc.set_threshold(THRESHOLDS[0], *_before[1:])
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside and gc.get_threshold() == (THRESHOLDS[0], *_before[1:]):
                gc.set_threshold(*_before)
