"""Ctrl-C for a command whose state and output must agree: it waits until a batch is decided and written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from quchong.cli.interrupt import noticed


class Stop:
    """Ctrl-C, SIGTERM and SIGHUP, held back while a batch is decided and written, so that state and output agree."""

    def __init__(self) -> None:
        self.waiting = self.asked = self.forced = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """The signal handler. A second signal is not held back."""
        noticed()
        self.forced = self.asked and not self.waiting
        if self.waiting or self.asked:
            raise KeyboardInterrupt
        self.asked = True

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Here a signal counts at once."""
        self.waiting = True
        try:
            if self.asked:
                raise KeyboardInterrupt
            yield
        finally:
            self.waiting = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Takes the signals, and gives them back."""
        numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
        before = [signal.signal(number, self) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
