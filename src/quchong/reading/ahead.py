"""Reads the next batch while the current one is worked on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from queue import Empty, Queue
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 5.0
"""Seconds the thread is waited for when the consumer stops early: reading that hangs must not keep a run from ending."""


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items in the same order, taken from their iterator by a thread of its own, at most one ahead.

    An error of the iterator is raised where its item would have come. When the consumer stops early, the thread ends
    with the item it is at; where that takes longer than PATIENCE it is left to it.
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
