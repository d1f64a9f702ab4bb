"""Threads that work in the background of a run."""

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
    """Function call that runs on its own thread; `result` waits for the returned value.

    Use as a context manager. If an error leaves the context (Ctrl-C included, also while `result` waits), the function's kernels are
    stopped and waited for, so that no thread outlives the data that it reads.

    Args:
        function: called with a `Stop`, to hand on to the kernels that may take long.
    """

    def __init__(self, function: Callable[[Stop], T]) -> None:
        self._function = function
        self._stop = Stop()
        self._pool = ThreadPoolExecutor(1, "quchong-background")

    def result(self, waiting: Callable[[], object] | None = None) -> T:
        """Wait for the function and return its value; an error of the function is raised here.

        `waiting` is called now and then meanwhile, and at the end: it may tell how far the function is.
        """
        try:
            return wait_for(self._future, waiting)
        finally:
            if waiting is not None:
                waiting()

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


class Deferred(Generic[T]):
    """Function call with the interface of `Background`, run on the caller's thread when its result is asked for.

    It is for a run that does one thing at a time. Without a call of `result` the function does not run.
    """

    def __init__(self, function: Callable[[Stop], T]) -> None:
        self._function = function

    def result(self) -> T:
        """Run the function and return its value."""
        return self._function(Stop())

    def __enter__(self) -> Deferred[T]:
        return self

    def __exit__(self, *_of_error: object) -> None:
        pass


class Tally:
    """Counter that one thread adds to and another reports to its progress."""

    def __init__(self) -> None:
        self._done = self._told = 0

    def add(self, amount: int) -> None:
        """Add an amount to the count."""
        self._done += amount

    def hand_on(self, advance: Callable[[int], None]) -> None:
        """Call `advance` with the amount added since the last call, unless it is 0."""
        if new := self._done - self._told:
            self._told += new
            advance(new)


def in_order(work: Callable[[T], R], items: Iterable[T], at_once: int) -> Iterator[R]:
    """Yield the function's result for each item, in order of the items, computed by up to `at_once` threads.

    With `at_once` 1 the caller's thread does the work; else up to twice as many items are taken before the first result is, so that one
    slow item keeps no thread waiting. If the function or the caller raises an error, no further item is taken, and the items that were
    begun are waited for.
    """
    if at_once < 2:
        yield from map(work, items)
        return
    pool, begun = ThreadPoolExecutor(at_once, "quchong-blocks"), deque[Future[R]]()
    try:
        for item in items:
            if len(begun) == 2 * at_once:
                yield wait_for(begun.popleft())
            begun.append(pool.submit(copy_context().run, work, item))
        while begun:
            yield wait_for(begun.popleft())
    finally:
        for future in begun:
            future.cancel()
        wait(begun)
        pool.shutdown(wait=False)


def wait_for(future: Future[T], waiting: Callable[[], object] | None = None) -> T:
    """Wait for a future and return its value or raise its error.

    The wait is cut into steps of `_STEP` seconds, because a signal that arrives just before the system's wait begins does not end it.
    """
    while wait([future], _STEP).not_done:
        if waiting is not None:
            waiting()
    try:
        return future.result()
    finally:
        del future  # its error would hold this frame, and so itself and all that was open where it was raised
