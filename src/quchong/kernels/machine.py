"""Machine-related parts of kernels: instruction set of loops, early stop, freed memory, and memory spilled to files."""

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
"""Signal for a long kernel: if another thread sets it (`set()`), the kernel ends early and its result is unusable."""


def loops() -> str:
    """Return the instruction set of the inner loops: baseline, avx2 or avx512."""
    return str(_quchong.loops())


def module_file() -> str:
    """Return the path of the compiled module that is loaded; its name if it has none."""
    return str(getattr(_quchong, "__file__", None) or _quchong.__name__)


def give_back_from(size: int = 1 << 20, kept: int = 128 << 10) -> bool:
    """Make the process return every freed block of at least `size` bytes to the system at once; False if unsupported.

    glibc does so initially, but raises the limit up to 32 MB by itself: arrays below it then leave holes in a heap that only grows (about
    100 MB in a run over a million short texts). What is returned has to be cleared by the system before it is used again, which is a
    tenth of the processor time of a run: a process with much memory gives a larger size. It is meant for a process of its own, not for a
    library's caller, because it affects the whole process. False means another C library, and nothing changed.

    Args:
        size: smaller blocks stay in the heap when they are freed.
        kept: free bytes at the end of a heap beyond which its end is returned to the system, too; the default is that of glibc.

    Raises:
        ValueError: a size below 4096 or above 32 MB, which glibc does not take; `kept` below 0 or above 1 GB.
    """
    return bool(
        _quchong.give_back_from(checked.number(size, 4096, 32 << 20, "size"), checked.number(kept, 0, 1 << 30, "kept"))
    )


def trim() -> bool:
    """Return freed memory that the C library keeps, including holes, to the system; False if nothing was returned.

    A million small blocks leave some 80 MB of holes. Cost: a pass over every page of the heap, some 10 ms for 100 MB. Also False if the C
    library is another.
    """
    return bool(_quchong.trim())


@dataclass(frozen=True, slots=True)
class Spilled:
    """State of memory spilled to files.

    Attributes:
        mapped: bytes in files now. most: the most at once. written: bytes of all blocks since `spilling` began.
        error: `errno` of the last file that could not be made; 0 if none failed.
    """

    mapped: int
    most: int
    written: int
    error: int


def spilled() -> Spilled:
    """Return the current state of spilled memory; all 0 if nothing spills."""
    return Spilled(*_quchong.spilled())


_SPILLING = threading.Lock()


@contextmanager
def spilling(folder: Path, bound: int, least: int = 4 << 20) -> Iterator[bool]:
    """Store large blocks in files while the context is open, as soon as the process holds more than `bound` bytes.

    It covers results of kernels, their working memory, and arrays that NumPy makes in this thread (and in contexts copied from it).

    The files have no name and disappear with the process, however it ends. The system may drop their pages and read them again, so that
    they do not count as memory of the process. Blocks stay where they were made until they are freed, also after the end.

    Args:
        folder: folder of the files; on a disk, not in memory.
        bound: limit of the process's own memory in bytes.
        least: smaller blocks are always kept in memory; at least 65536.

    Yields:
        False where the system cannot do it (it is not Linux), or another run of this process does it: nothing spills then.

    Raises:
        OSError: no file can be made in the folder.
        MemoryError, within: no space for a block in the folder; `spilled().error` gives the reason. No block is allocated in memory
            instead.

    Deterministic: results do not depend on where blocks are stored. Cost: the first access to a block in a file has about half the speed of
    memory.
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
    """Return the path of a folder, or if it is not UTF-8 another path to it that exists until the stack is closed."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, descriptor)
        return f"/proc/self/fd/{descriptor}"
    return folder
