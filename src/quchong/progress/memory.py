"""Memory of this process and of children that work for it: private and mapped apart, sampled by a thread, and the kernel's own peak."""

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
"""Children of the process are looked for at every so many samples."""
_counted = set[int]()
"""Process ids of children whose memory counts."""


def count_child(process: int) -> None:
    """Count the memory of a child of this process as the process's own, by its process id, until `uncount_child`.

    Other children do not count: a notebook may have started Spark's Java, which holds gigabytes that are not the run's.
    """
    _counted.add(process)


def uncount_child(process: int) -> None:
    """Count the memory of a child no more."""
    _counted.discard(process)


@dataclass(slots=True)
class Span:
    """Peaks of a stretch of time, in bytes; 0 where the system does not tell (anywhere but on Linux).

    Attributes:
        private: most memory that belonged to this process and its counted children alone.
        mapped: most memory that was pages of files, those of mapped values and of arrays in files among them.
    """

    private: int = 0
    mapped: int = 0


class Sampler:
    """A thread that looks at the memory of this process and its counted children every 20 ms; a context, to be entered more than once.

    The thread lives while the context does, and ends with it. A look takes 5 to 10 microseconds, less than one part in a thousand of
    the time. A peak between two looks, or within one call that lets no other thread run, can be missed by the thread; where the
    kernel's own peak of the whole process (VmHWM) grew meanwhile, it is at least that less the pages of files, and counts.

    Attributes:
        now: bytes of private memory at the last look, 0 before the first.
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
        """What was measured; the thread and its locks belong to this process."""
        return self.now, self.whole

    def __setstate__(self, state: tuple[int, Span]) -> None:
        """Take what another process measured."""
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
        """A stretch of time within the context, whose peaks are known when it has ended.

        Where others change memory at the same time, as a thread beside, they count too.
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
    """Reads /proc/PID/statm of this process and its counted children."""

    def __init__(self) -> None:
        self._page = os.sysconf("SC_PAGE_SIZE")
        self._count = 0
        self._children: list[str] = []

    def look(self) -> tuple[int, int]:
        """Private and mapped bytes now; those that the kernel has not yet added up, some dozen pages a thread, are not in it."""
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
    """Bytes of memory that belong to this process and its counted children alone, not to files; 0 where the system does not tell."""
    total = _anonymous("self")
    if total:
        total += sum(map(_anonymous, _children()))
    return total


def _children() -> Iterator[str]:
    """Process ids of the counted children, as far as they are still children of this process: a number may have gone to another."""
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
    """A size in /proc/PID/status, in bytes; 0 where the system does not tell."""
    with suppress(OSError, ValueError), Path(f"/proc/{process}/status").open("rb") as status:
        for line in status:
            if line.startswith(name):
                return int(line.split()[1]) << 10
    return 0


def peak_memory() -> int:
    """Most bytes this process ever held, pages of mapped files included: the kernel's own figure (VmHWM on Linux, else that of
    getrusage); 0 where the system does not tell.
    """
    if high := _status("self", b"VmHWM:"):
        return high
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)
