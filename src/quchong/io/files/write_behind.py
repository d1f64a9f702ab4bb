"""Work on a second thread, one step behind the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Queue
from types import TracebackType
from typing import Any


class WriteQueue:
    """Queue whose thread calls a function with each item in order; at most one item waits.

    Use as a context manager: leaving it waits for all items. An error of the function is raised at the next call, or when the
    context ends; items after an error are dropped.
    """

    def __init__(self, function: Callable[[Any], None]) -> None:
        self._function = function
        self._given: Queue[Any] = Queue(maxsize=1)
        self._error: BaseException | None = None
        self._done = threading.Event()
        """Event that is waited for instead of the thread, because a join that Ctrl-C interrupts takes a running thread for ended
        (CPython 3.11)."""
        self._thread = threading.Thread(target=self._work, name="quchong-write", daemon=True)

    def _work(self) -> None:
        try:
            while (item := self._given.get()) is not None:
                if self._error is None:
                    try:
                        self._function(item[0])
                    except BaseException as error:
                        self._error = error
        finally:
            self._done.set()

    def __call__(self, item: Any) -> None:
        """Add one item to the queue; blocks while another item waits.

        Raises:
            BaseException: an error that the function raised for an earlier item.
        """
        if self._error is not None:
            raise self._error
        self._given.put((item,))

    def __enter__(self) -> WriteQueue:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given.put(None)
        self._done.wait()
        if kind is None and self._error is not None:
            raise self._error
