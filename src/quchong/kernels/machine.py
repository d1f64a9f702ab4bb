"""What kernels run on: the instruction set of their loops, how a long one is ended, memory that was let go or that spills."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import _quchong

from quchong.kernels import checked

Stop = _quchong.Stop
"""Given to a long kernel and set (`set()`) by another thread, it ends it early; what comes back then is worth nothing."""


def loops() -> str:
    """The instruction set the tight loops run with: baseline, avx2 or avx512."""
    return str(_quchong.loops())


def give_back_from(size: int = 1 << 20) -> bool:
    """From now on the process returns every block of at least `size` bytes to the system as soon as it is let go.

    glibc begins that way, but raises the limit up to 32 MB by itself: arrays below it then leave holes in a heap that
    only grows (about 100 MB in a run over a million short texts). For a process of its own, not for a library's caller:
    it concerns all of the process. False where the C library is another and nothing changed.

    Raises:
        ValueError: a size below 4096 or above 32 MB, which glibc does not take.
    """
    return bool(_quchong.give_back_from(checked.number(size, 4096, 32 << 20, "size")))


def trim() -> bool:
    """Returns to the system what the C library keeps of memory that was let go, in holes between what is held as well.

    A million small blocks leave some 80 MB of holes. Cost: a look at every page of the heap, some 10 ms a 100 MB. False where nothing went
    back, or the C library is another.
    """
    return bool(_quchong.trim())


@dataclass(frozen=True, slots=True)
class Spilled:
    """What lies in files for want of memory.

    Attributes:
        mapped: bytes in files now. most: the most at once. written: bytes of all blocks since `spilling` began.
        error: why the last file could not be made, as `errno` has it; 0 where none failed.
    """

    mapped: int
    most: int
    written: int
    error: int


def spilled() -> Spilled:
    """What lies in files now; all 0 where nothing spills."""
    return Spilled(*_quchong.spilled())


_SPILLING = threading.Lock()


@contextmanager
def spilling(folder: Path, bound: int, least: int = 4 << 20) -> Iterator[bool]:
    """Within, large blocks lie in files as soon as the process holds more than a bound: results of kernels, what they work with, and
    arrays that NumPy makes in this thread (and in contexts copied from it).

    The files have no name and go with the process, however it ends. Their pages are the system's to drop and to read again: they are
    no memory of the process. Blocks stay where they were made until they are let go, also after the end.

    Args:
        folder: of the files; on a disk, not in memory.
        bound: bytes of the process's own memory.
        least: smaller blocks always lie in memory; at least 65536.

    Yields:
        False where the system cannot do it (it is not Linux), or another run of this process does it: nothing spills then.

    Raises:
        OSError: no file can be made in the folder.
        MemoryError, within: no room for a block there; `spilled().error` says why. No block is taken from memory instead.

    Deterministic: results do not depend on where blocks lie. Cost: a block in a file is touched for the first time at about half the speed
    of one in memory.
    """
    if not _quchong.can_spill() or not _SPILLING.acquire(blocking=False):
        yield False
        return
    stack = ExitStack()
    try:
        where = os.path.realpath(folder)
        if not os.access(where, os.W_OK | os.X_OK):
            raise PermissionError(f"no file can be made in {where}")
        where = _encodable(stack, where)
        _quchong.spill(
            where, checked.number(bound, 0, 1 << 62, "bound"), checked.number(least, 1 << 16, 1 << 40, "least")
        )
        before = _quchong.numpy_memory()
        try:
            yield True
        finally:
            _quchong.numpy_memory_as_before(before)
            _quchong.spill(where, -1, 1 << 20)
    finally:
        stack.close()
        _SPILLING.release()


def _encodable(stack: ExitStack, folder: str) -> str:
    """The path of a folder, or where it is not UTF-8 another one that leads there until the stack is closed."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, descriptor)
        return f"/proc/self/fd/{descriptor}"
    return folder
