"""Ctrl-C that ends a command even if its main thread hangs in a call, such as a read on a dead mount."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from quchong.languages import Message

INTERRUPTED = 130
PATIENCE = 10.0
"""Seconds within which the main thread must handle a signal. Python runs handlers between two of its own steps, so a library call
that hangs would delay them for ever."""
CLEARING = 10.0
"""Seconds of clearing up after which a message says that a second signal ends it."""
WAKING = 0.25
"""Seconds after which a main thread that has not handled a signal is woken from a call that waits, such as one for a key. A signal that
comes just before such a call begins, or that another thread receives, does not end the call by itself.
"""
_NUMBERS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_SAID = Message(
    "quchong: stopped during a call that did not return; the next command with this output removes the unfinished files"
)
_AGAIN = Message(
    "quchong: still cleaning up; press Ctrl-C again to end now; the next command with this output then removes the rest"
)
_noticed, _ended, _left = threading.Event(), threading.Event(), threading.Event()
_WAKER = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None
"""Signal that wakes the main thread: it does nothing but end a call that waits, after which Python runs the handlers that are due."""


def noticed() -> None:
    """Record that a signal was handled; every handler of these signals must call this."""
    _noticed.set()


def leave_to_command() -> None:
    """Leave signals to the command from now on: it takes the time that it needs, and says itself what it does."""
    _left.set()


def _stop(_number: int, _frame: FrameType | None) -> None:
    noticed()
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt within the block on Ctrl-C, SIGTERM and SIGHUP.

    If the main thread does not react within PATIENCE seconds, the process is killed.

    Killing the process leaves unfinished output in the staging folder. After a second signal, clearing up also has PATIENCE seconds,
    because it may wait for a writer that hangs. A signal that was ignored before stays ignored, except SIGTERM.
    """
    for one in (_noticed, _ended, _left):
        one.clear()
    for number in _NUMBERS:
        if number == signal.SIGTERM or signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
    if _WAKER is not None and signal.getsignal(_WAKER) in (signal.SIG_DFL, signal.SIG_IGN):
        signal.signal(_WAKER, lambda _number, _frame: None)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(
        target=_watch,
        args=(reading, *(f"\n{said.translation()}\n".encode() for said in (_SAID, _AGAIN))),
        name="quchong-stop",
        daemon=True,
    )
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)  # the watch reads the end of the pipe
        noticed()
        _ended.set()
        watch.join()
        os.close(reading)


def _handled(seconds: float) -> bool:
    """Return True as soon as the main thread has handled a signal, False after some seconds; wake it from a call that waits."""
    main = threading.main_thread().ident
    for _ in range(max(round(seconds / WAKING), 1)):
        if _noticed.wait(WAKING):
            return True
        if _WAKER is not None and main is not None:
            signal.pthread_kill(main, _WAKER)
    return _noticed.wait(WAKING)


def _watch(reading: int, ended: bytes, again: bytes) -> None:
    asked = False
    while came := os.read(reading, 64):
        if _left.is_set() or not set(came) & set(_NUMBERS):
            continue
        if not (_ended.wait(PATIENCE) if asked else _handled(PATIENCE)):
            os.write(2, ended)
            os._exit(INTERRUPTED)
        if not asked and not _ended.wait(CLEARING):
            os.write(2, again)
        asked = True
