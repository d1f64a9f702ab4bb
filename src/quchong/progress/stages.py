"""Progress of a run, and the cost of each stage: seconds, processor seconds, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from quchong.progress.logged import log_event, log_stage_end, log_stage_start
from quchong.progress.memory import Sampler, peak_memory


class Progress(Protocol):
    """Receiver of a run's progress, such as the progress bars of the command line."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Note that a stage begins; `total` units are expected, None if unknown."""
        ...

    def advance(self, amount: int) -> None:
        """Note that `amount` more units are done."""
        ...


class Silent:
    """Progress that ignores all calls."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Do nothing. See Progress.stage."""

    def advance(self, amount: int) -> None:
        """Do nothing. See Progress.advance."""


def _nothing() -> int:
    """Return 0, for an engine that moves no arrays to files."""
    return 0


_NOTED = ("seconds", "cpu", "memory", "spilled")


class Stages:
    """Record of a run's stages in order, with the time and memory of each, which also reports them to a `Progress`.

    Args:
        progress: receives stages and their progress; None for nobody.
        logs: whether stages and remarks are logged too (`quchong.progress.logged`): those of a call, not of a part of it, such as an
            estimate.

    Attributes:
        seconds: elapsed seconds by stage.
        cpu: seconds of processor time of this process with its threads by stage, without processes that read web pages.
        memory: peak of private memory of this process and its children in bytes by stage, without pages of mapped files (`Sampler`).
            Empty if the system does not report it (only Linux does).
        spilled: bytes that the stage stored in files because they exceeded its memory, by stage.
        remarks: remarks on how the run proceeds, each once, in order; they are not alarms.
        given: memory limit of the run in bytes, for a progress that shows it; None for no limit.
        in_files: function that returns the bytes of arrays stored in files so far.
        sampler: sampler of memory, active during a stage or `watching`.
        before: bytes of private memory that the process held before the run, which do not count as the run's.
    """

    def __init__(self, progress: Progress | None = None, *, logs: bool = False) -> None:
        self.progress: Progress = progress or Silent()
        self.logs = logs
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
        """Return a context manager in which memory is sampled between stages too; used around a whole run."""
        return self.sampler

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without the progress and the counter of bytes in files, which belong to this process."""
        return self.__dict__ | {"progress": Silent(), "in_files": _nothing}

    def resumed(self, done: Sequence[str]) -> None:
        """Report the stages that an interrupted process had completed, if the progress has a method `resumed`."""
        if not done:
            return
        if self.logs:
            log_event("resumed", f"resumed; done before: {', '.join(done)}", done=list(done))
        if listens := getattr(self.progress, "resumed", None):
            listens(done)

    def remark(self, message: str) -> None:
        """Add a remark on how the run proceeds, for run.json; report it once if the progress has a method `remark`."""
        if message not in self.remarks:
            self.remarks.append(message)
            if self.logs:
                log_event("remark", message)
            if listens := getattr(self.progress, "remark", None):
                listens(message)

    def notice(self, message: str) -> None:
        """Report a message to the user without storing it in run.json; see `remark`."""
        if self.logs:
            log_event("remark", message)
        if listens := getattr(self.progress, "remark", None):
            listens(message)

    def planned(self, reckon: Callable[[], object]) -> None:
        """Report an estimate of the run's cost, if the progress has a method `planned`; otherwise `reckon` is not called."""
        if (listens := getattr(self.progress, "planned", None)) and (found := reckon()) is not None:
            listens(found)

    def describe(self) -> dict[str, Any]:
        """Return the costs of all stages, the peaks of memory in bytes, and the remarks, for run.json.

        `peak_memory_bytes` is the kernel's own figure of the whole process since its start, pages of mapped files included;
        `peak_private_bytes` and `peak_mapped_bytes` are sampled separately during the run (`Sampler`), and left out if the system does
        not report them.
        """
        whole = self.sampler.whole
        sampled = {"peak_private_bytes": whole.private, "peak_mapped_bytes": whole.mapped} if whole.private else {}
        return {
            "seconds": {name: round(spent, 4) for name, spent in self.seconds.items()},
            "cpu_seconds": {name: round(spent, 4) for name, spent in self.cpu.items()},
            "memory_bytes": self.memory,
            "spilled_bytes": self.spilled,
            **({"remarks": [str(one) for one in self.remarks]} if self.remarks else {}),
            "peak_memory_bytes": peak_memory(),
            **sampled,
        }

    def noted(self) -> dict[str, dict[str, float]]:
        """Return all records of stages so far, to be stored and passed to `recall` by another process."""
        return {name: dict(getattr(self, name)) for name in _NOTED} | {"remarks": dict.fromkeys(self.remarks, 1.0)}

    def recall(self, noted: dict[str, dict[str, float]]) -> None:
        """Add the records that another process returned from `noted`; its values replace those of stages with the same name."""
        for name in _NOTED:
            getattr(self, name).update(noted.get(name, {}))
        self.remarks += [one for one in noted.get("remarks", {}) if one not in self.remarks]

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "documents") -> Iterator[Progress]:
        """Record time and memory of a stage, in a context; times of stages with one name are added up."""
        self.progress.stage(name, total, unit)
        if self.logs:
            log_stage_start(name, total, unit)
        start, used, before = time.perf_counter(), time.process_time(), self.in_files()
        watched, span, failed = _Watched(self), None, True
        try:
            with self.sampler, self.sampler.span() as span:
                watched.look()
                yield watched
            failed = False
        finally:
            seconds, cpu = time.perf_counter() - start, time.process_time() - used
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds
            self.cpu[name] = self.cpu.get(name, 0.0) + cpu
            if span is not None and span.private:  # a stop may come before it is there
                self.memory[name] = max(self.memory.get(name, 0), span.private)
            if written := self.in_files() - before:
                self.spilled[name] = self.spilled.get(name, 0) + written
            if self.logs:
                memory = 0 if span is None else span.private
                log_stage_end(name, watched.done, unit, seconds, cpu=cpu, memory=memory, spilled=written, failed=failed)


class UnmeasuredStages(Stages):
    """Stages of a call of a few milliseconds, for which measuring each would cost more than the stage: nothing is recorded or reported."""

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "documents") -> Iterator[Progress]:
        """Do nothing around a stage."""
        yield self.progress


class _Watched:
    """Progress that passes calls on, counts units, and reports memory at every step.

    Attributes:
        done: units done so far.
    """

    def __init__(self, stages: Stages) -> None:
        self._stages, self._progress = stages, stages.progress
        self._listens = getattr(stages.progress, "memory", None)
        self.done = 0

    def look(self) -> None:
        """Report the private memory now, the memory limit, and the bytes stored in files."""
        if self._listens is not None and (now := self._stages.sampler.now):
            self._listens(now, self._stages.given, sum(self._stages.spilled.values()) + self._stages.in_files())

    def stage(self, name: str, total: int | None, unit: str) -> None:
        self._progress.stage(name, total, unit)

    def advance(self, amount: int) -> None:
        self.look()
        self.done += amount
        self._progress.advance(amount)
