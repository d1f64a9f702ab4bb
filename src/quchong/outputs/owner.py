"""Marks a staging folder with its process, and holds a lock that ends with the process."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: the mark alone tells
    fcntl = None  # type: ignore[assignment]

_UNKNOWN = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
"""What a file system says that knows no locks."""

_TRIES, _PAUSE = 40, 0.025
"""How often, and how many seconds apart, a locked folder is asked for: a turn takes milliseconds."""

MARK_BYTES = 1 << 16
"""So much of a file of the mark is read."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in a staging folder of its owner.

    Args:
        token: unlike any other, and part of the folder's name
        place: name of what is being written
        host, pid, start: the process; `start` tells it from a later one of the same number, None where nobody knows
    """

    token: str
    place: str
    host: str
    pid: int
    start: str | None

    @staticmethod
    def mine(token: str, place: str) -> Mark:
        """That of this process."""
        return Mark(token, place, socket.gethostname(), os.getpid(), started(os.getpid()))

    def text(self) -> str:
        """As it stands in a file."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> Mark | None:
        """What `text` wrote; None where it is no whole mark."""
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            found = Mark(**json.loads(text))
            words = (found.token, found.place, found.host, found.start or "")
            if type(found.pid) is int and found.pid > 0 and all(isinstance(word, str) for word in words):
                return found
        return None

    @property
    def gone(self) -> bool | None:
        """Has the process ended? None where this machine cannot know, as it runs on another one."""
        if self.host != socket.gethostname():
            return None
        if not _alive(self.pid):
            return True
        return self.start is not None and started(self.pid) not in (None, self.start)

    def __str__(self) -> str:
        here = self.host == socket.gethostname()
        return f"process {self.pid}" if here else f"process {self.pid} on {self.host}"


def _alive(pid: int) -> bool:
    if os.name != "posix":  # there a signal of 0 would end it
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def started(pid: int) -> str | None:
    """When a process began, in the machine's own words; None where the machine does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return f"{_boot()}:{fields[19]}"
    except (OSError, IndexError):
        return None


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def lock(descriptor: int) -> bool | None:
    """Locks an open file or folder until it is closed or the process ends.

    Returns:
        True, or False where another process has it, or None where the file system knows no locks.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _UNKNOWN:
            return None
        raise
    return True


@contextlib.contextmanager
def turn(folder: Path) -> Iterator[None]:
    """One process at a time looks around in a folder and makes its own in there.

    A folder that is locked for longer is locked by somebody else, such as flock(1) around this very command.
    """
    descriptor = None
    try:
        with contextlib.suppress(PermissionError):
            descriptor = os.open(folder, os.O_RDONLY)
            for _ in range(_TRIES):
                if lock(descriptor) is not False:
                    break
                time.sleep(_PAUSE)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
