"""The stages of a run, kept when they are done."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa

from quchong import kernels
from quchong.engines.local.held import FoundKeeper
from quchong.progress import Stages, anonymous_memory
from quchong.runs.layout import ROW_GROUP
from quchong.work import Damaged, Unencodable, Work
from quchong.work.checks import check_type

T = TypeVar("T")
LITTLE = 64 << 20
"""Bytes that a run took or wrote for which nobody looks for what can be given back: looking takes up to 50 ms."""
PIECE = ROW_GROUP >> 3
"""Rows of a piece of a table: pairs with what they differ in take up to 1 KB each while it is made. A row group of Parquet has
several, all whole, so that the file is the same however the table was made."""


Check = Callable[[Any], None]
"""Raises Damaged for a value that is none of the stage it is kept for."""


def give_back() -> None:
    """Memory that is let go goes back to the system: circles, which are found late where modules asked for patience, and what Arrow
    keeps for later, and what small blocks left in holes.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    kernels.machine.trim()


class KeptStages:
    """Makes the value of each stage, or takes it from the process that was stopped, with what that process noted of its time.

    Args:
        work: where values are kept. It lets go of all, and the run goes on without it, where a value cannot be written: a method
            of another package may hold what no file takes.
        stages: where time is noted.
        whole: what is in the work must stay there until the run ends: then the stages from that one on are not kept, and no more.
        found: holds the pieces of tables of a run that keeps no work.
    """

    def __init__(self, work: Work, stages: Stages, *, whole: bool = False, found: FoundKeeper | None = None) -> None:
        self._work, self._stages, self._whole, self._keeps = work, stages, whole, work.kept
        self._tables = found or FoundKeeper()
        self._begun = anonymous_memory()

    @property
    def keeps(self) -> bool:
        """Are values still kept?"""
        return self._keeps

    def stage(self, name: str, make: Callable[[], T], frees: Sequence[str] = (), check: Check | None = None) -> T:
        """The value of a stage, see `Work.stage`; `make` notes its own time."""
        if not self._keeps:
            return make()
        if (found := self._work.get(name, partial(_check_noted, check))) is not None:
            value, noted = found[0]
            self._stages.recall(noted)
        else:
            value = make()
            try:
                before = self._work.written
                value, _ = self._work.put(name, (value, self._stages.noted()))
                stage = next(reversed(self._stages.seconds), name)  # the one that ended last
                self._stages.spilled[stage] = self._stages.spilled.get(stage, 0) + self._work.written - before
            except Unencodable:
                self._keeps = False
                if not self._whole:
                    self._work.let_go()
        for other in frees:
            self._work.forget(other)
        if not self._begun or anonymous_memory() - self._begun > LITTLE:
            give_back()
        kept: T = value
        return kept

    def pieces(
        self, name: str, rows: int, make: Callable[[int, int], pa.Table], check: Callable[[int], Check]
    ) -> pa.Table:
        """A table of so many rows, made and kept piece by piece: only one is in memory, and where no work is kept those there is
        room for. `make` gives the rows from one place to another, `check` what a piece of so many rows must pass.
        """
        if not self._keeps and not self._tables.bounded:
            return make(0, rows)
        spans = [(start, min(start + PIECE, rows)) for start in range(0, max(rows, 1), PIECE)]
        if not self._keeps:
            return pa.concat_tables([self._held(make, *span) for span in spans])
        tables = [
            self.stage(f"{name}-{i:05}", partial(make, start, end), check=check(end - start))
            for i, (start, end) in enumerate(spans)
        ]
        return pa.concat_tables(tables)

    def _held(self, make: Callable[[int, int], pa.Table], start: int, end: int) -> pa.Table:
        """A piece of a table as it is held."""
        before, table = self._tables.written, self._tables.table(make(start, end))
        if written := self._tables.written - before:
            stage = next(reversed(self._stages.seconds), "tables")
            self._stages.spilled[stage] = self._stages.spilled.get(stage, 0) + written
            give_back()
        return table


def _check_noted(check: Check | None, found: Any) -> None:
    """Raise Damaged unless this is the value of a stage with what was noted of its time."""
    check_type(found, tuple)
    if len(found) != 2:
        raise Damaged("a value without its time")
    value, noted = found
    check_type(noted, dict)
    for name, times in noted.items():
        check_type(name, str)
        check_type(times, dict)
        for stage, time in times.items():
            if not isinstance(stage, str) or type(time) not in (int, float):
                raise Damaged("a time that is none")
    if check is not None:
        check(value)
