"""Measured command in a process of its own: seconds, and the memory of all its processes (psutil)."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from quchong.errors import QuchongError

EVERY = 1.0
"""Seconds between two readings of memory."""


class RunFailed(QuchongError):
    """Error of a command that ended badly, exceeded its memory, or took too long."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Result of a command that ended well: wall-clock seconds from start to end, and the peak of memory in bytes."""

    seconds: float
    peak_bytes: int


def run(command: Sequence[str], log: Path, limit: int, timeout: float, more: Mapping[str, str] | None = None) -> Ended:
    """Run a command in a session of its own and wait for it; its output is written to `log`.

    Args:
        command: program and arguments.
        log: path of the log file, which is replaced.
        limit: most bytes of memory of all its processes together; shared pages count once (PSS), or once for each process if
            the system does not report PSS. Memory is read every second, so a command may exceed the limit for a moment.
        timeout: most seconds.
        more: variables added to the environment.

    Raises:
        RunFailed: the command ended badly (the message has the end of its log), or was killed for its memory or time.
    """
    why = ""
    with log.open("wb") as out, ThreadPoolExecutor(1) as waiter:
        start = time.perf_counter()
        child = subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, **(more or {})},
        )  # fmt: skip
        waited = waiter.submit(_wait, child.pid)
        peak = 0
        try:
            while not why and not wait([waited], EVERY).done:
                peak = max(peak, sum(map(memory, members(child.pid))))
                if peak > limit:
                    why = f"more than {limit / 1e9:.1f} GB of memory"
                elif time.perf_counter() - start > timeout:
                    why = "too much time"
        finally:
            end(child.pid)
        code, own_peak, ended = waited.result()
        child.returncode = code
    if why:
        raise RunFailed(f"needs {why}")
    if code:
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        raise RunFailed(f"ended with code {code}: {' | '.join(lines[-3:])[-500:]}")
    return Ended(ended - start, max(peak, own_peak))


def _wait(process: int) -> tuple[int, int, float]:
    """Wait for a process; return its exit code, its own largest resident memory in bytes, and the time when it ended."""
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss << 10, time.perf_counter()


def members(session: int) -> list[psutil.Process]:
    """Return the processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, PermissionError):  # ended meanwhile; another user's
            if os.getsid(process.pid) == session:
                found.append(process)
    return found


def memory(process: psutil.Process) -> int:
    """Return the bytes of memory of a process, with its share of shared pages; 0 if they cannot be read."""
    try:
        used = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(used, "pss", used.rss))


def end(session: int) -> None:
    """Kill all processes that remain in a session."""
    for process in members(session):
        with suppress(psutil.NoSuchProcess):
            process.kill()
