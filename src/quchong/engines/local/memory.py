"""How much memory there is, and what a run makes of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from quchong import kernels
from quchong.engines.local.held import FoundKeeper
from quchong.errors import OutputError, Param
from quchong.io.limits import LARGEST, LEAST
from quchong.languages import Message
from quchong.progress import Stages, anonymous_memory
from quchong.seam import KeyJoin, Method
from quchong.work import Work

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
ARRAYS = 45
"""Percent of the memory given that a run holds before arrays go to files: the rest is for what cannot, Arrow's tables and texts being
read and written."""
HELD = 16
"""A run needs memory of up to so many times its files: 6 times those of zh_100k (Parquet), 17 times those of zh_short_1m."""


def memory_given() -> int:
    """Bytes of memory that the machine has, or its container is given; 0 where the system does not tell."""
    found: list[int] = []
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # "max": no limit
            found.append(int(Path(limit).read_text(encoding="ascii")))
    return min((n for n in found if n > 0), default=0)


def budget(asked: int | None = None) -> int | None:
    """Bytes a run may take: what was asked for, else half of what there is; None where nobody knows."""
    return (memory_given() // 2 or None) if asked is None else asked


def record_limit(asked: int | None, memory: int | None = None) -> int:
    """Return the bytes of a record at most: what was asked for, else a quarter of the memory a run may take, from `LEAST` to `LARGEST`."""
    return asked or max(min((budget(memory) or 4 * LARGEST) // 4, LARGEST), LEAST)


def may_exceed(files: int, given: int | None) -> bool:
    """May a run over files of so many bytes need more than it is given?"""
    return given is not None and files * HELD > given


def unbounded(method: Method, files: int, given: int | None) -> Message | None:
    """Return why a run over files of so many bytes may hold more than it is given, or None if it keeps to it.

    What is joined by keys lies in files beyond the memory given; other joins hold what they compare in memory.
    """
    if given is None or isinstance(method.candidates, KeyJoin) or not may_exceed(files, given):
        return None
    return Message(
        "method {} holds what it compares in memory, so that a run over {:,} MB may take more than the {:,} MB given; a method "
        "that keeps to --memory: hybrid",
        method.name,
        files // 1_000_000,
        given // 1_000_000,
    )


@dataclass(frozen=True, slots=True)
class Room:
    """What a run may take, and where it puts what memory has no room for.

    Attributes:
        memory: bytes; None for half of what there is.
        spill: folder for texts of a run that keeps no work; None for the system's temporary folder.
        work: where each stage is kept when it is done, and found again after a stop; texts lie there too.
        keeps_reading: what reading found stays in `work` until the run ends, to be kept beyond it.
        keeper: holds what the run found, where no work is kept, in memory or in a file.
    """

    memory: int | None = None
    spill: Path | None = None
    work: Work = field(default_factory=Work)
    keeps_reading: bool = False
    keeper: FoundKeeper = field(default_factory=FoundKeeper)

    @contextmanager
    def spilling(self, stages: Stages) -> Iterator[None]:
        """Within, arrays and what kernels work with lie in files as soon as the process holds more than ARRAYS percent of its memory;
        `stages` learns of it.

        Raises:
            OutputError: no room in the files' folder.
        """
        folder = self.work.folder or self.spill or Path(tempfile.gettempdir())
        may = budget(self.memory)
        if may is None:
            yield
            return
        held = anonymous_memory()
        # A process that holds other things, and asked for no bound, keeps them beside what the run may take.
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
                "{} has no room for what this run holds beyond its memory: {}; make room, or name a folder on another disk with {}",
                folder,
                os.strerror(why),
                Param("work"),
            ) from error

    @property
    def found(self) -> int | None:
        """Bytes of what a run found, as tables and as lists of differences, that are held in memory; None where there is no bound."""
        may = budget(self.memory)
        return None if may is None else may // 16

    @property
    def texts(self) -> int | None:
        """Bytes of texts that are held in memory; None where there is no bound."""
        may = budget(self.memory)
        return None if may is None else may // 2
