"""Delay of Ctrl-C for a command whose state and output must agree: the signal takes effect after a batch is decided and written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from quchong.cli.interrupt import noticed


class Stop:
    """Handler of Ctrl-C, SIGTERM and SIGHUP that waits while a batch is decided and written, so that state and output agree."""

    def __init__(self) -> None:
        self.waiting = self.asked = self.forced = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """Handle a signal: raise KeyboardInterrupt while listening, or at the second signal; else remember it."""
        noticed()
        self.forced = self.asked and not self.waiting
        if self.waiting or self.asked:
            raise KeyboardInterrupt
        self.asked = True

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Let a signal interrupt the block at once; a signal that came before raises KeyboardInterrupt at its start."""
        self.waiting = True
        try:
            if self.asked:
                raise KeyboardInterrupt
            yield
        finally:
            self.waiting = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Make this object the handler of Ctrl-C, SIGTERM and SIGHUP during the block, so that a signal stops the command only between two
        batches. The earlier handlers are restored after the block.
        """
        numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
        before = [signal.signal(number, self) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
