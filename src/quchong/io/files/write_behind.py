"""Runs work on a second thread, one step behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Queue
from types import TracebackType
from typing import Any


class Behind:
    """Calls a function with what it is given, in order, on its own thread; at most one call waits.

    Use as a context: leaving it waits for what was given. An error of the function is raised at the next call, or when
    the context ends; what is given after an error is dropped.
    """

    def __init__(self, function: Callable[[Any], None]) -> None:
        self._function = function
        self._given: Queue[Any] = Queue(maxsize=1)
        self._error: BaseException | None = None
        self._done = threading.Event()
        """Waited for instead of the thread: a join that Ctrl-C interrupts takes a running thread for ended (CPython 3.11)."""
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
        """Hands one item over.

        Raises:
            Whatever the function raised on an earlier one.
        """
        if self._error is not None:
            raise self._error
        self._given.put((item,))

    def __enter__(self) -> Behind:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given.put(None)
        self._done.wait()
        if kind is None and self._error is not None:
            raise self._error
