"""Memory limits of a run, and the folders for data beyond them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from quchong import kernels
from quchong.engines.local.group_scores import GroupScores
from quchong.engines.local.text_store import FoundKeeper
from quchong.errors import OutputError, Param
from quchong.io.limits import LARGEST, LEAST
from quchong.languages import Message
from quchong.progress import Stages, anonymous_memory
from quchong.seam import KeyJoin, Method
from quchong.work import Work

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
ARRAYS = 45
"""Percent of the memory limit that a run holds before arrays are stored in files; the rest is for data that must be in memory, such as
Arrow tables and texts being read and written."""
BESIDE = 320 << 20
"""Memory that writing takes, when rows and the table of pairs are written while the ledger is being made."""
HELD = 16
"""Memory that a run may need, as a multiple of the size of its files: 6 for zh_100k (Parquet), 17 for zh_short_1m."""


def memory_given() -> int:
    """Return the bytes of memory of the machine or of its container, whichever is less; 0 if unknown."""
    found: list[int] = []
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # "max": no limit
            found.append(int(Path(limit).read_text(encoding="ascii")))
    return min((n for n in found if n > 0), default=0)


def budget(asked: int | None = None) -> int | None:
    """Return the memory limit of a run in bytes: `asked` if given, else half of the available memory; None if that is unknown."""
    return (memory_given() // 2 or None) if asked is None else asked


def heap_bounds(given: int | None) -> tuple[int, int]:
    """Return two bounds for the process's heap under a memory limit (`quchong.kernels.machine.give_back_from`).

    A process with much memory keeps what it frees, because memory of the system is cleared before it is used.

    Returns:
        The size of a freed block that is returned to the system at once, and the free bytes that the end of a heap may hold: a 256th and a
        64th of the limit, at most 32 and 256 MB. Without a limit, the bounds of a small process.
    """
    may = given or 0
    return min(max(may // 256, 1 << 20), 32 << 20), min(max(may // 64, 128 << 10), 256 << 20)


def record_limit(asked: int | None, memory: int | None = None) -> int:
    """Return the maximum size of a record in bytes: `asked` if given, else an eighth of the memory limit, from `LEAST` to `LARGEST`.

    A record of Chinese text takes up to 8 times its bytes while it is read and compared.
    """
    return asked or max(min((budget(memory) or 8 * LARGEST) // 8, LARGEST), LEAST)


def may_exceed(files: int, given: int | None) -> bool:
    """Return True if a run over `files` bytes of input may need more than `given` bytes; False if `given` is None."""
    return given is not None and files * HELD > given


def unbounded(method: Method, files: int, given: int | None) -> Message | None:
    """Return the reason why a run over `files` bytes of input may exceed its memory limit; None if it keeps to the limit.

    Data of the key join beyond the limit is stored in files; other joins hold the data that they compare in memory.
    """
    if given is None or isinstance(method.candidates, KeyJoin) or not may_exceed(files, given):
        return None
    return Message(
        "method {} keeps its data in memory, so a run over {:,} MB may need more than the {:,} MB of --memory; "
        "the method hybrid uses less than --memory",
        method.name,
        files // 1_000_000,
        given // 1_000_000,
    )


@dataclass(frozen=True, slots=True)
class Room:
    """Memory budget of a run, and the folders for data beyond it.

    Attributes:
        memory: limit in bytes; None for half of the machine's memory.
        spill: folder for texts of a run that stores no work; None for the system's temporary folder.
        work: storage of finished stages and of texts, found again after an interruption.
        keeps_reading: True if the results of reading stay in `work` until the run ends, because they are kept in the run folder.
        keeper: storage of results of a run that stores no work.
        scores: scores of candidate pairs that parts of the run have stored; None without parts.
        pairs: file to which the table of pairs is written as it is made; None if the outcome holds it.
    """

    memory: int | None = None
    spill: Path | None = None
    work: Work = field(default_factory=Work)
    keeps_reading: bool = False
    keeper: FoundKeeper = field(default_factory=FoundKeeper)
    pairs: Path | None = None
    scores: GroupScores | None = None

    @contextmanager
    def spilling(self, stages: Stages) -> Iterator[None]:
        """Store arrays and buffers of kernels in files while the process holds more than ARRAYS percent of its memory limit.

        A context manager; `stages` is given the limit and the count of bytes in files.

        Raises:
            OutputError: the folder of the files has no space.
        """
        folder = self.work.folder or self.spill or Path(tempfile.gettempdir())
        may = budget(self.memory)
        if may is None:
            yield
            return
        held = anonymous_memory()
        # Without an explicit limit, memory that the process held before the run does not count towards the limit.
        before = held if self.memory is None else 0
        stages.before = held if self.memory is None or held >= may else 0
        try:
            with kernels.machine.spilling(folder, before + may * ARRAYS // 100) as spills:
                stages.given = may
                if spills:
                    stages.in_files = lambda: kernels.machine.spilled().written
                yield
        except MemoryError as error:
            if not (why := kernels.machine.spilled().error):
                raise
            raise OutputError(
                "{} has no room for the data that did not fit into memory: {}; make room, or name a folder on "
                "another disk with {}",
                folder,
                os.strerror(why),
                Param("work"),
            ) from error

    def has_room_beside(self, workers: int | None) -> bool:
        """Return True if rows and tables may be written while others are being made, which takes up to BESIDE bytes more.

        Never with one worker. A run that stores no work has room: it was begun because it needs far less than its memory.
        """
        may = budget(self.memory)
        return workers != 1 and (not self.work.stores_values or may is None or may >= 8 * BESIDE)

    @property
    def result_limit(self) -> int | None:
        """Bytes of result tables and lists of differences that may be in memory; None for no limit."""
        may = budget(self.memory)
        return None if may is None else may // 16

    @property
    def texts(self) -> int | None:
        """Bytes of texts that may be in memory; None for no limit."""
        may = budget(self.memory)
        return None if may is None else may // 2
