"""A command under watch: the private memory of its whole process tree every 20 ms, bytes written, and processor seconds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

STEP = 0.02
"""Seconds between two looks."""


def reason_not_to_run() -> str | None:
    """Return why memory cannot be watched on this machine, or None if it can."""
    if not sys.platform.startswith("linux"):
        return "only Linux tells the private memory of a process"
    try:
        found = b"RssAnon:" in Path("/proc/self/status").read_bytes()
    except OSError:
        found = False
    return None if found else "/proc tells no RssAnon here"


@dataclass(frozen=True, slots=True)
class Watched:
    """What a command took.

    Attributes:
        code: exit code; negative for a signal; None where it was ended.
        peak: bytes of private memory (RssAnon) of the process tree, the most seen at once.
        highest: VmHWM of the command's own process, pages of mapped files included: the kernel's own figure.
        seconds, cpu: by the clock, and of processors, children included.
        written: bytes that were written to files (`wchar` of /proc/PID/io), and dirtied pages of mapped files are not in it.
        said: the last of what it printed.
    """

    code: int | None
    peak: int
    highest: int
    seconds: float
    cpu: float
    written: int
    said: str


def watch(command: Sequence[str], seconds: float, most: int, environment: dict[str, str] | None = None) -> Watched:
    """Run a command to its end; end it after so many processor seconds, after five times as many by the clock, or as soon as it holds
    more than `most` bytes.

    Children that live shorter than a step are not seen. Bytes written are read at every step, so that what a process writes in its
    last step is missed.
    """
    peak = highest = 0
    written: dict[int, int] = {}
    cpu: dict[int, float] = {}
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as heard:
        process = subprocess.Popen(command, stdout=heard, stderr=subprocess.STDOUT, env=environment)
        ended = False
        while process.poll() is None:
            total = 0
            for pid in _tree(process.pid):
                private, high = _memory(pid)
                total += private
                highest = max(highest, high) if pid == process.pid else highest
                written[pid] = max(written.get(pid, 0), _written(pid))
                cpu[pid] = max(cpu.get(pid, 0.0), _cpu(pid))
            peak = max(peak, total)
            if sum(cpu.values()) > seconds or time.perf_counter() - begun > 5 * seconds or total > most:
                ended = True
                process.kill()
            time.sleep(STEP)
        heard.seek(0)
        said = heard.read()[-2000:].decode("utf-8", "replace")
    code = None if ended else process.returncode
    return Watched(code, peak, highest, time.perf_counter() - begun, sum(cpu.values()), sum(written.values()), said)


def _tree(pid: int) -> Iterator[int]:
    """The process and all that descend from it."""
    yield pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        try:
            children = (task / "children").read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in children:
            yield from _tree(int(child))


def _memory(pid: int) -> tuple[int, int]:
    """Private memory now, and the most of all memory so far, in bytes."""
    private = high = 0
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return 0, 0
    for line in lines:
        if line.startswith(b"RssAnon:"):
            private = int(line.split()[1]) << 10
        elif line.startswith(b"VmHWM:"):
            high = int(line.split()[1]) << 10
    return private, high


def _written(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/io").read_bytes().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"wchar:")), 0)


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100
