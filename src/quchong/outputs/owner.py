"""Owner record of a staging folder, and a lock that ends with its process."""

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
except ImportError:  # Windows: the owner record alone decides
    fcntl = None  # type: ignore[assignment]

_UNKNOWN = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
"""Error numbers of file systems that do not support locks."""

_TRIES, _PAUSE = 40, 0.025
"""Number of attempts to lock a folder, and seconds between them; other processes hold the lock for milliseconds."""

MARK_BYTES = 1 << 16
"""Most bytes of an owner record that are read."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Contents of the file `owner` in a staging folder: token, output, and the process that writes it.

    Args:
        token: random token, which is part of the folder's name.
        place: name of the output.
        host, pid, start: the process; `start` is its start time, which differs for a later process with the same pid; None if unknown.
    """

    token: str
    place: str
    host: str
    pid: int
    start: str | None

    @staticmethod
    def for_this_process(token: str, place: str) -> Mark:
        """Return the record of this process."""
        return Mark(token, place, socket.gethostname(), os.getpid(), started(os.getpid()))

    def text(self) -> str:
        """Return the record as the text of a file."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> Mark | None:
        """Parse the text of a record; return None if it is no complete record."""
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            found = Mark(**json.loads(text))
            words = (found.token, found.place, found.host, found.start or "")
            if type(found.pid) is int and found.pid > 0 and all(isinstance(word, str) for word in words):
                return found
        return None

    @property
    def has_ended(self) -> bool | None:
        """True if the owner process has ended, False if it is alive, None if it ran on another machine."""
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
    """Return the start time of a process in the machine's own format, or None if the machine does not report it."""
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
    """Lock an open file or folder until it is closed or the process ends.

    Returns:
        True, or False if another process has the lock, or None if the file system does not support locks.
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


def is_locked(path: Path) -> bool | None:
    """Return True if a process has locked a file or folder (`lock`), False if none has, None if that cannot be known."""
    if fcntl is None:
        return None
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        if error.errno in _UNKNOWN:
            return None
        raise
    finally:
        os.close(descriptor)
    return False


@contextlib.contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Lock a folder during the block, so that one process at a time looks for staging folders in it and makes its own.

    If the folder stays locked, the block runs without the lock, because another program has locked it, such as flock(1) around this
    command.
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
