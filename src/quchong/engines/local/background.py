"""Runs work on a thread in the background of a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from types import TracebackType
from typing import Generic, TypeVar

from quchong.kernels.machine import Stop

T = TypeVar("T")
R = TypeVar("R")
_STEP = 0.1
"""Seconds after which a signal that was missed is seen."""


class Background(Generic[T]):
    """Calls a function on a thread of its own; `result` waits for what it gives.

    Use as a context: left by an error (Ctrl-C among them, also one that comes while `result` waits) it tells the function's kernels
    to stop and waits for them, so that no thread outlives what it reads.

    Args:
        function: called with a `Stop`, to hand on to the kernels that may take long.
    """

    def __init__(self, function: Callable[[Stop], T]) -> None:
        self._function = function
        self._stop = Stop()
        self._pool = ThreadPoolExecutor(1, "quchong-background")

    def result(self) -> T:
        """What the function gave, or the error it raised."""
        return _waited(self._future)

    def __enter__(self) -> Background[T]:
        self._future: Future[T] = self._pool.submit(copy_context().run, self._function, self._stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._stop.set()
        # No join of the thread: one that Ctrl-C interrupts takes a running thread for ended (CPython 3.11).
        wait([self._future])
        self._pool.shutdown(wait=False)


def in_order(work: Callable[[T], R], items: Iterable[T], at_once: int) -> Iterator[R]:
    """What a function gives for each item, in their order, worked on by up to `at_once` threads; 1: by the caller's alone.

    Left early, by an error of the function or of the caller, it begins no other item and waits for those begun.
    """
    if at_once < 2:
        yield from map(work, items)
        return
    pool, begun = ThreadPoolExecutor(at_once, "quchong-blocks"), deque[Future[R]]()
    try:
        for item in items:
            if len(begun) == at_once:
                yield _waited(begun.popleft())
            begun.append(pool.submit(copy_context().run, work, item))
        while begun:
            yield _waited(begun.popleft())
    finally:
        for future in begun:
            future.cancel()
        wait(begun)
        pool.shutdown(wait=False)


def _waited(future: Future[T]) -> T:
    """In steps: a signal that comes just before the system's wait begins does not end that wait."""
    while wait([future], _STEP).not_done:
        pass
    try:
        return future.result()
    finally:
        del future  # its error would hold this frame, and so itself and all that was open where it was raised
