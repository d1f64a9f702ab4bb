"""A command in a process of its own: seconds, and the memory of it and of all it starts (psutil, extra `[lab]`)."""

from __future__ import annotations

import importlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from quchong.errors import QuchongError, UsageError, install

if TYPE_CHECKING:
    from psutil import Process

EVERY = 1.0
"""Seconds between two looks at the memory."""


class RunFailed(QuchongError):
    """A run that did not end well, needed more memory than it may, or took too long."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that ended well: wall-clock seconds from start to end, and the peak of memory in bytes."""

    seconds: float
    peak_bytes: int


def run(command: Sequence[str], log: Path, limit: int, timeout: float, more: Mapping[str, str] | None = None) -> Ended:
    """Runs a command in a session of its own and waits for it; what it prints goes to `log`.

    Args:
        command: program and arguments.
        log: a file, written anew.
        limit: bytes of memory it and what it starts may have together; pages they share count once (PSS), but once for each
            process where the system does not tell. It is looked at every second: a command may have more for a moment.
        timeout: seconds.
        more: variables of the environment, added to ours.

    Raises:
        RunFailed: it ended badly (the end of its log is in the message), or was ended for its memory or time.
        UsageError: psutil is missing.
    """
    _psutil()
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
    """Exit code, largest resident memory of this process alone, and when it ended."""
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss << 10, time.perf_counter()


def members(session: int) -> list[Process]:
    """Processes of a session."""
    found = []
    for process in _psutil().process_iter():
        with suppress(ProcessLookupError, PermissionError):  # ended meanwhile; another user's
            if os.getsid(process.pid) == session:
                found.append(process)
    return found


def memory(process: Process) -> int:
    """Bytes of memory a process has, its share of pages it has with others; 0 where that cannot be read."""
    try:
        used = process.memory_full_info()
    except _psutil().Error:
        return 0
    return int(getattr(used, "pss", used.rss))


def end(session: int) -> None:
    """Ends what is left of a session."""
    for process in members(session):
        with suppress(_psutil().NoSuchProcess):
            process.kill()


def _psutil() -> ModuleType:
    try:
        return importlib.import_module("psutil")
    except ImportError as error:
        raise UsageError("memory of other processes is read by psutil: {}", install("lab")) from error
