"""Memory use of this process and of its worker children: private and mapped bytes, sampled by a thread, and the kernel's own peak."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

STEP = 0.02
"""Seconds between two samples."""
_CHILDREN = 10
"""Number of samples after which the children of the process are listed again."""
_STATUS = 64 << 10
"""More bytes than /proc/PID/status has."""
_counted = set[int]()
"""Process ids of children whose memory counts."""


def count_child(process: int) -> None:
    """Count the memory of a child of this process as the process's own, by its process id, until `uncount_child`.

    Other children do not count: a notebook may have started Spark's Java, which holds gigabytes that are not the run's.
    """
    _counted.add(process)


def uncount_child(process: int) -> None:
    """Stop counting the memory of a child of this process, given by its process id."""
    _counted.discard(process)


@dataclass(slots=True)
class Span:
    """Peaks of memory in a span of time, in bytes; 0 if the system does not report them (only Linux does).

    Attributes:
        private: peak of the memory that belongs to this process and its counted children alone.
        mapped: peak of the memory that is pages of files, including mapped values and arrays in files.
    """

    private: int = 0
    mapped: int = 0


class Sampler:
    """Thread that samples the memory of this process and its counted children every 20 ms; a context manager that can be nested.

    The thread runs while the context is entered. A sample takes 5 to 10 microseconds, less than a thousandth of the time. The thread
    can miss a peak between two samples, or within one call that lets no other thread run. Therefore, if the kernel's own peak of
    the whole process (VmHWM) grew in a span, the span's private peak is at least VmHWM less the pages of files.

    Attributes:
        now: bytes of private memory at the last sample, 0 before the first.
        whole: peaks since the context was first entered.
    """

    def __init__(self) -> None:
        self.now = 0
        self.whole = Span()
        self._spans: list[Span] = [self.whole]
        self._users = 0
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._looks: _Looks | None = None

    def __getstate__(self) -> tuple[int, Span]:
        """Return the measured values; the thread and its locks are not pickled, because they belong to this process."""
        return self.now, self.whole

    def __setstate__(self, state: tuple[int, Span]) -> None:
        """Set the values that another process measured."""
        self.__init__()  # type: ignore[misc]
        self.now, self.whole = state
        self._spans = [self.whole]

    def __enter__(self) -> Sampler:
        with self._lock:
            self._users += 1
            if self._users == 1 and _anonymous("self"):
                self._looks, self._stop = _Looks(), threading.Event()
                self._thread = threading.Thread(target=self._work, name="quchong-memory", daemon=True)
                self._thread.start()
        return self

    def __exit__(self, *_of_error: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users or self._thread is None:
                return
            thread, self._thread = self._thread, None
            self._stop.set()
        thread.join()

    @contextmanager
    def span(self) -> Iterator[Span]:
        """Measure the peaks of the time until the returned context ends; they are complete when it has ended.

        Memory of other threads of the process counts too.
        """
        found, before = Span(), _status("self", b"VmHWM:")
        with self._lock:
            self._spans.append(found)
        self._look()
        try:
            yield found
        finally:
            self._look()
            high = _status("self", b"VmHWM:")
            with self._lock:
                self._spans = [one for one in self._spans if one is not found]
                if high > before:  # the whole process was never so large before this stretch
                    found.private = max(found.private, high - found.mapped)
                    self.whole.private = max(self.whole.private, found.private)

    def _work(self) -> None:
        while not self._stop.wait(STEP):
            self._look()

    def _look(self) -> None:
        if (looks := self._looks) is None:
            return
        with self._lock:
            private, mapped = looks.look()
            self.now = private
            for span in self._spans:
                span.private = max(span.private, private)
                span.mapped = max(span.mapped, mapped)


class _Looks:
    """Reader of /proc/PID/statm of this process and its counted children."""

    def __init__(self) -> None:
        self._page = os.sysconf("SC_PAGE_SIZE")
        self._count = 0
        self._children: list[str] = []

    def look(self) -> tuple[int, int]:
        """Return the private and the mapped bytes now, without pages that the kernel has not yet counted (some dozen pages a thread)."""
        if self._count % _CHILDREN == 0:
            self._children = list(_children())
        self._count += 1
        private = mapped = 0
        for process in ("self", *self._children):
            with suppress(OSError, ValueError, IndexError):
                number = os.open(f"/proc/{process}/statm", os.O_RDONLY | os.O_CLOEXEC)
                try:
                    fields = os.read(number, 256).split()
                finally:
                    os.close(number)
                resident, shared = int(fields[1]), int(fields[2])
                private += (resident - shared) * self._page
                mapped += shared * self._page
        return private, mapped


def anonymous_memory() -> int:
    """Return the bytes of memory of this process and its counted children, without pages of files; 0 if the system does not report it."""
    total = _anonymous("self")
    if total:
        total += sum(map(_anonymous, _children()))
    return total


def _children() -> Iterator[str]:
    """Yield the process ids of the counted children that still are children of this process, because the system may reuse an id."""
    if not _counted:
        return
    with suppress(OSError):
        for task in Path("/proc/self/task").iterdir():
            with suppress(OSError):  # a thread that has ended meanwhile
                children = (task / "children").read_text(encoding="ascii").split()
                yield from (one for one in children if int(one) in _counted)


def _anonymous(process: str) -> int:
    return _status(process, b"RssAnon:")


def _status(process: str, name: bytes) -> int:
    """Return a size from /proc/PID/status in bytes; 0 if the system does not report it. `name` ends in a colon."""
    with suppress(OSError, ValueError, IndexError):
        number = os.open(f"/proc/{process}/status", os.O_RDONLY | os.O_CLOEXEC)
        try:
            status = os.read(number, _STATUS)  # the kernel gives all of it in one read
        finally:
            os.close(number)
        return int(status.partition(b"\n" + name)[2].split(None, 1)[0]) << 10
    return 0


def peak_memory() -> int:
    """Return the peak memory of this process in bytes, including pages of mapped files; 0 if the system does not report it.

    The figure is the kernel's own: VmHWM on Linux, otherwise that of getrusage.
    """
    if high := _status("self", b"VmHWM:"):
        return high
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)
