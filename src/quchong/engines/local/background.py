"""Runs work on a thread in the background of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Generic, TypeVar

from quchong.kernels.machine import Stop

T = TypeVar("T")


class Beside(Generic[T]):
    """Calls a function on a thread of its own; `result` waits for what it gives.

    Use as a context: left by an error (Ctrl-C among them) it tells the function's kernels to stop and waits for them, so
    that no thread outlives what it reads.

    Args:
        function: called with a `Stop`, to hand on to the kernels that may take long.
    """

    def __init__(self, function: Callable[[Stop], T]) -> None:
        self._function = function
        self._stop = Stop()
        self._value: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="quchong-beside", daemon=True)

    def _work(self) -> None:
        try:
            self._value.append(self._function(self._stop))
        except BaseException as error:
            self._error = error

    def result(self) -> T:
        """What the function gave, or the error it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._value[0]

    def __enter__(self) -> Beside[T]:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._stop.set()
        self._thread.join()
