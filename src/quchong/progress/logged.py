"""Log of runs: events under the logger `quchong`, each a sentence in English with its figures as data."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from typing import Any

LOGGER = logging.getLogger("quchong")
"""Logger of all events. It has a handler that drops them, so that a program which configures no logging sees none."""
LOGGER.addHandler(logging.NullHandler())
FIGURES = "quchong"
"""Attribute of a `logging.LogRecord` of ours: a dict with `event` and its figures, for formatters that write data.

Events: `run started` (task and options), `stage started` (at level DEBUG), `stage ended`, `remark`, `resumed`, `alarm` (level WARNING,
or INFO for a note), `run ended` (task, counts, seconds, memory) and `run failed` (level ERROR, with the reason).
"""
_COUNTS = ("read", "kept", "removed", "skipped")


def log_event(event: str, sentence: str, level: int = logging.INFO, **figures: Any) -> None:
    """Log an event as a sentence in English; `figures` become the dict at `FIGURES` of the record, without those that are None."""
    if LOGGER.isEnabledFor(level):
        found = {"event": event} | {name: value for name, value in figures.items() if value is not None}
        LOGGER.log(level, "%s", str.__str__(sentence), extra={FIGURES: found})


def figures_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the event and figures of a log record of quchong as a dict that JSON can hold; empty for a record of others."""
    found: dict[str, Any] = getattr(record, FIGURES, {})
    return dict(found)


def log_stage_start(name: str, total: int | None, unit: str) -> None:
    """Log at level DEBUG that a stage begins; `total` units are expected, None if unknown."""
    log_event("stage started", f"{name} started", logging.DEBUG, stage=name, expected=total, unit=unit)


def log_stage_end(
    name: str,
    done: int,
    unit: str,
    seconds: float,
    *,
    cpu: float | None = None,
    memory: int = 0,
    spilled: int = 0,
    failed: bool = False,
) -> None:
    """Log that a stage ended: units done, elapsed and processor seconds, peak memory and bytes moved to files.

    Args:
        memory: peak of private memory in bytes, 0 if unknown.
        failed: True if an error or an interrupt ended it.
    """
    counted = f"{done:,} {unit} in " if done else ""
    used = _memory(memory)
    used += f", {_size(spilled)} in files" if spilled else ""
    log_event(
        "stage ended", f"{name}{' stopped' if failed else ''}: {counted}{seconds:.2f} s{used}",
        logging.WARNING if failed else logging.INFO, stage=name, done=done, unit=unit, seconds=round(seconds, 4),
        cpu_seconds=None if cpu is None else round(cpu, 4), memory_bytes=memory or None, spilled_bytes=spilled or None,
        failed=failed or None,
    )  # fmt: skip


def log_alarms(alarms: Iterable[Mapping[str, Any]]) -> None:
    """Log the alarms of a run, as `Result.alarms` has them: at level WARNING, notes at INFO."""
    for one in alarms:
        level = one.get("level", "alarm")
        at = logging.WARNING if level == "alarm" else logging.INFO
        log_event("alarm", one["message"], at, kind=one["kind"], severity=level)


class LoggedRun:
    """Context of a run whose start and end are logged; an error that leaves it is logged at level ERROR and raised again.

    Args:
        task: function or command of the run, such as "dedup".
        **options: options that a reader of the log needs; None is left out.

    >>> with LoggedRun("dedup", method="hybrid") as run:
    ...     run.finish({"read": 2, "kept": 1, "removed": 1, "skipped": 0}, [], 0)
    """

    def __init__(self, task: str, **options: Any) -> None:
        self.task, self.options = task, {name: value for name, value in options.items() if value is not None}
        self.start = time.perf_counter()

    def __enter__(self) -> LoggedRun:
        told = ", ".join(f"{name} {value}" for name, value in self.options.items())
        log_event("run started", f"{self.task} started{told and ': '}{told}", task=self.task, **self.options)
        return self

    def finish(self, counts: Mapping[str, Any], alarms: Iterable[Mapping[str, Any]], memory: int) -> None:
        """Log the alarms and the end of the run.

        Args:
            counts: counts of documents; read, kept, removed and skipped are logged.
            memory: peak of private memory in bytes, 0 if unknown.
        """
        log_alarms(alarms)
        seconds = time.perf_counter() - self.start
        plain = {name: counts[name] for name in _COUNTS if name in counts}
        told = ", ".join(f"{value:,} {name}" for name, value in plain.items())
        log_event(
            "run ended", f"{self.task} ended: {told}{told and '; '}{seconds:.2f} s{_memory(memory)}", task=self.task,
            counts=plain or None, seconds=round(seconds, 4), memory_bytes=memory or None,
        )  # fmt: skip

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if error is not None:
            reason = getattr(error, "english", str(error)) or type(error).__name__
            log_event("run failed", f"{self.task} failed: {reason}", logging.ERROR, task=self.task, reason=reason)


def _memory(size: int) -> str:
    return f", {_size(size)}" if size else ""


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"
