"""Makes Ctrl-C end a command even if its main thread hangs in a call, such as a read on a dead mount."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
PATIENCE = 10.0
"""Seconds the main thread has to take notice of a signal. Python's handlers run between two of its own steps, so a call of a
library that hangs keeps them waiting for ever."""
_NUMBERS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_SAID = (
    b"\nquchong: stopped in a call that did not come back; the next command there clears away what was not finished\n"
)
_noticed = threading.Event()


def noticed() -> None:
    """Whoever handles such a signal says here that it has come through."""
    _noticed.set()


def _stop(_number: int, _frame: FrameType | None) -> None:
    noticed()
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Within, Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt; where none has done so PATIENCE seconds later, the process ends
    as by kill -9: what was being written is left beside its place. A signal that was ignored before stays so, but SIGTERM.
    """
    _noticed.clear()
    for number in _NUMBERS:
        if number == signal.SIGTERM or signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(target=_watch, args=(reading,), name="quchong-stop", daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)  # the watch reads the end of the pipe
        noticed()
        watch.join()
        os.close(reading)


def _watch(reading: int) -> None:
    while came := os.read(reading, 64):
        if set(came) & set(_NUMBERS) and not _noticed.wait(PATIENCE):
            os.write(2, _SAID)
            os._exit(INTERRUPTED)
