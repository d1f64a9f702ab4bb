"""Reading one step ahead: the next batch is read while this one is worked on."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import Queue
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items in the same order, taken from their iterator by a thread of its own, at most one ahead.

    An error of the iterator is raised where its item would have come. When the consumer stops early, the thread ends
    with the item it is at.
    """
    handed: Queue[tuple[bool, T | BaseException | None]] = Queue(maxsize=1)
    stopped = threading.Event()

    def read() -> None:
        try:
            for item in items:
                handed.put((True, item))
                if stopped.is_set():
                    return
            handed.put((False, None))
        except BaseException as error:
            handed.put((False, error))

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
        while thread.is_alive():  # make room for an item it may still hand over
            try:
                handed.get(timeout=0.02)
            except Exception:
                thread.join(0.02)
