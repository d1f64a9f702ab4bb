"""Progress of a run, and what each stage took: seconds, processor seconds, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from quchong.progress.memory import Sampler


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


def _nothing() -> int:
    """Return 0: no bytes of arrays are in files."""
    return 0


_NOTED = ("seconds", "cpu", "memory", "spilled")


class Stages:
    """What stages took, in order, around a `Progress`.

    Attributes:
        seconds: by the clock.
        cpu: seconds of processor time of this process with its threads; processes that read web pages are not among them.
        memory: bytes of private memory of this process and its children, the most in the stage; pages of mapped files do not
            count (`Sampler`). Empty where the system does not tell (anywhere but on Linux).
        spilled: bytes that it put into files because memory had no room for them.
        remarks: what was said once of the way the run takes, in order; no alarm.
        given: bytes of memory the run may take, for a progress that listens; None where there is no bound.
        in_files: tells how many bytes of arrays went to files so far.
        sampler: looks at memory every 20 ms while a stage lasts, or `watching`.
        before: bytes of private memory that the process held before the run, which do not count as the run's.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress: Progress = progress or Silent()
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.memory: dict[str, int] = {}
        self.spilled: dict[str, int] = {}
        self.remarks: list[str] = []
        self.given: int | None = None
        self.in_files: Callable[[], int] = _nothing
        self.sampler = Sampler()
        self.before = 0

    def watching(self) -> Sampler:
        """Return a context in which memory is looked at between stages too; used around a whole run."""
        return self.sampler

    def __getstate__(self) -> dict[str, Any]:
        """What was noted; whoever watches, and what tells of files, belong to this process."""
        return self.__dict__ | {"progress": Silent(), "in_files": _nothing}

    def resumed(self, done: Sequence[str]) -> None:
        """Tells a progress that listens (`resumed`) which stages a stopped process had done."""
        if done and (listens := getattr(self.progress, "resumed", None)):
            listens(done)

    def remark(self, message: str) -> None:
        """Says something of the way the run takes, once: to a progress that listens (`remark`), and to run.json."""
        if message not in self.remarks:
            self.remarks.append(message)
            if listens := getattr(self.progress, "remark", None):
                listens(message)

    def planned(self, reckon: Callable[[], object]) -> None:
        """Tells a progress that listens (`planned`) what the run will take; nothing is reckoned for one that does not."""
        if (listens := getattr(self.progress, "planned", None)) and (found := reckon()) is not None:
            listens(found)

    def noted(self) -> dict[str, dict[str, float]]:
        """All that was noted so far, to be kept and recalled by another process."""
        return {name: dict(getattr(self, name)) for name in _NOTED} | {"remarks": dict.fromkeys(self.remarks, 1.0)}

    def recall(self, noted: dict[str, dict[str, float]]) -> None:
        """What another process noted of the stages it had done stands here as if it were this one's."""
        for name in _NOTED:
            getattr(self, name).update(noted.get(name, {}))
        self.remarks += [one for one in noted.get("remarks", {}) if one not in self.remarks]

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "documents") -> Iterator[Progress]:
        """Times a stage; the same name twice adds up."""
        self.progress.stage(name, total, unit)
        start, used, before = time.perf_counter(), time.process_time(), self.in_files()
        watched, span = _Watched(self), None
        try:
            with self.sampler, self.sampler.span() as span:
                watched.look()
                yield watched
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
            self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - used
            if span is not None and span.private:  # a stop may come before it is there
                self.memory[name] = max(self.memory.get(name, 0), span.private)
            if written := self.in_files() - before:
                self.spilled[name] = self.spilled.get(name, 0) + written


class _Watched:
    """A progress that tells one that listens (`memory`) of the memory with every step."""

    def __init__(self, stages: Stages) -> None:
        self._stages, self._progress = stages, stages.progress
        self._listens = getattr(stages.progress, "memory", None)

    def look(self) -> None:
        """Tell what is held now, of how much, and how much lies in files."""
        if self._listens is not None and (now := self._stages.sampler.now):
            self._listens(now, self._stages.given, sum(self._stages.spilled.values()) + self._stages.in_files())

    def stage(self, name: str, total: int | None, unit: str) -> None:
        self._progress.stage(name, total, unit)

    def advance(self, amount: int) -> None:
        self.look()
        self._progress.advance(amount)
