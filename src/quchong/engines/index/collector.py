"""Collections of Python's garbage collector, made rarer while documents are added or asked about."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 100_000
"""Objects that are made between two collections in a call of an index; by default Python makes 700."""
_lock = threading.Lock()
_inside = 0
_before = (0, 0, 0)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect garbage more rarely in the block, in all threads.

    An addition makes rows, pairs and answers by the thousand and no circles of them, so that each collection goes through what is held in
    vain; a collection of everything, which one call in thirty would wait for, takes 45 ms. A collector that is off, or set to collect more
    rarely already, stays as it is. Blocks may be nested and overlap.
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = gc.get_threshold()
            if 0 < _before[0] < OBJECTS:
                gc.set_threshold(OBJECTS, *_before[1:])
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside and gc.get_threshold() == (OBJECTS, *_before[1:]):
                gc.set_threshold(*_before)
