"""A command in a process of its own: seconds, and the memory of it and of all it starts. Linux; elsewhere less is known."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quchong.errors import QuchongError

PROC = Path("/proc")
EVERY = 1.0
"""Seconds between two looks at the memory."""
PSS = re.compile(rb"^Pss:\s+(\d+) kB", re.M)


class RunFailed(QuchongError):
    """A run that did not end well, needed more memory than it may, or took too long."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that ended well: wall-clock seconds from start to end, and the peak of memory in bytes."""

    seconds: float
    peak_bytes: int


class _Watch(threading.Thread):
    """Looks at the memory of a session again and again; ends it where it has too much, or takes too long."""

    def __init__(self, session: int, limit: int, timeout: float) -> None:
        super().__init__(daemon=True)
        self.session, self.limit, self.deadline = session, limit, time.monotonic() + timeout
        self.peak, self.why, self.over = 0, "", threading.Event()

    def run(self) -> None:
        """Until `over` is set."""
        while not self.over.wait(EVERY):
            self.peak = max(self.peak, sum(map(memory, members(self.session))))
            if self.peak > self.limit:
                self.why = f"more than {self.limit / 1e9:.1f} GB of memory"
            elif time.monotonic() > self.deadline:
                self.why = "too much time"
            if self.why:
                end(self.session)
                return


def run(command: Sequence[str], log: Path, limit: int, timeout: float, more: Mapping[str, str] | None = None) -> Ended:
    """Runs a command in a session of its own and waits for it; what it prints goes to `log`.

    Args:
        command: program and arguments.
        log: a file, written anew.
        limit: bytes of memory it and what it starts may have together; pages they share count once (PSS). It is looked
            at every second, so that a command may have more for a moment.
        timeout: seconds.
        more: variables of the environment, added to ours.

    Raises:
        RunFailed: it ended badly (the end of its log is in the message), or was ended for its memory or time.
    """
    with log.open("wb") as out:
        start = time.perf_counter()
        child = subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, **(more or {})},
        )  # fmt: skip
        watch = _Watch(child.pid, limit, timeout)
        watch.start()
        try:
            _, status, used = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            watch.over.set()
            watch.join()
            end(child.pid)
    if watch.why:
        raise RunFailed(f"needs {watch.why}")
    if child.returncode:
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        raise RunFailed(f"ended with code {child.returncode}: {' | '.join(lines[-3:])[-500:]}")
    return Ended(seconds, max(watch.peak, used.ru_maxrss << 10))


def members(session: int) -> list[int]:
    """Processes of a session; none where there is no /proc."""
    found = []
    for entry in PROC.iterdir() if PROC.is_dir() else ():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text("utf-8", "replace")
            except OSError:
                continue  # ended meanwhile
            if int(stat.rpartition(")")[2].split()[3]) == session:
                found.append(int(entry.name))
    return found


def memory(process: int) -> int:
    """Bytes of memory a process has, its share of pages it has with others; 0 where that cannot be read."""
    try:
        found = PSS.search((PROC / str(process) / "smaps_rollup").read_bytes())
    except OSError:
        return 0
    return int(found.group(1)) << 10 if found else 0


def end(session: int) -> None:
    """Ends what is left of a session."""
    for process in members(session):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
