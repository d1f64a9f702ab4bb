"""Progress of a run, and the time each stage took."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """What a run tells to whoever watches; the command line draws bars from it."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """A stage begins; `total` units are expected, None if unknown."""
        ...

    def advance(self, amount: int) -> None:
        """So many units more are done."""
        ...


class Silent:
    """Watches nothing."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Ignored."""

    def advance(self, amount: int) -> None:
        """Ignored."""


class Stages:
    """Seconds by stage, in order, around a `Progress`."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress: Progress = progress or Silent()
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "documents") -> Iterator[Progress]:
        """Times a stage; the same name twice adds up."""
        self.progress.stage(name, total, unit)
        start = time.perf_counter()
        try:
            yield self.progress
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def peak_memory() -> int:
    """Most bytes this process ever held; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)
