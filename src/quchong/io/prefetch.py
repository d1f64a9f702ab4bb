"""Prefetching: the next batch is read while the current one is processed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from queue import Empty, Queue
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 5.0
"""Maximum time in seconds to wait for the thread if the consumer stops early, so that hanging reads do not block the end of a run."""


def read_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield the items in order; a separate thread reads at most one item in advance.

    An error of the iterator is raised in place of its item. If the consumer stops early, the thread ends after its
    current item; after PATIENCE seconds it is no longer waited for.
    """
    handed: Queue[tuple[bool, T | BaseException | None]] = Queue(maxsize=1)
    stopped, done = threading.Event(), threading.Event()

    def read() -> None:
        try:
            for item in items:
                if stopped.is_set():
                    return
                handed.put((True, item))
            handed.put((False, None))
        except BaseException as error:
            handed.put((False, error))
        finally:
            done.set()

    thread = threading.Thread(target=read, name="quchong-read", daemon=True)
    thread.start()
    try:
        while True:
            more, value = handed.get()
            if isinstance(value, BaseException) and not more:
                raise value
            if not more:
                return
            yield value  # type: ignore[misc]
    finally:
        stopped.set()
        end = time.monotonic() + PATIENCE
        while not done.is_set() and time.monotonic() < end:  # make room for an item it may still hand over
            try:
                handed.get(timeout=0.02)
            except Empty:
                done.wait(0.02)
