"""The stages of a run, kept when they are done."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import pyarrow as pa

from quchong.progress import Stages, anonymous_memory
from quchong.runs.layout import ROW_GROUP
from quchong.work import UNWRITABLE, Work

T = TypeVar("T")
LITTLE = 64 << 20
"""Bytes that a run took or wrote for which nobody looks for what can be given back: looking takes up to 50 ms."""
PIECE = ROW_GROUP >> 3
"""Rows of a piece of a table: pairs with what they differ in take up to 1 KB each while it is made. A row group of Parquet has
several, all whole, so that the file is the same however the table was made."""


def give_back() -> None:
    """Memory that is let go goes back to the system: circles, which are found late where modules asked for patience, and what Arrow
    keeps for later.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()


class KeptStages:
    """Makes the value of each stage, or takes it from the process that was stopped, with what that process noted of its time.

    Args:
        work: where values are kept. It lets go of all, and the run goes on without it, where a value cannot be written: a method
            of another package may hold what no file takes.
        stages: where time is noted.
        whole: what is in the work must stay there until the run ends: then the stages from that one on are not kept, and no more.
    """

    def __init__(self, work: Work, stages: Stages, *, whole: bool = False) -> None:
        self._work, self._stages, self._whole, self._keeps = work, stages, whole, work.kept
        self._begun = anonymous_memory()

    def stage(self, name: str, make: Callable[[], T], frees: Sequence[str] = ()) -> T:
        """The value of a stage, see `Work.stage`; `make` notes its own time."""
        if not self._keeps:
            return make()
        if (found := self._work.get(name)) is not None:
            value, noted = found[0]
            self._stages.recall(noted)
        else:
            value = make()
            try:
                before = self._work.written
                value, _ = self._work.put(name, (value, self._stages.noted()))
                stage = next(reversed(self._stages.seconds), name)  # the one that ended last
                self._stages.spilled[stage] = self._stages.spilled.get(stage, 0) + self._work.written - before
            except UNWRITABLE:
                self._keeps = False
                if not self._whole:
                    self._work.end()
                    self._work.folder = None
        for other in frees:
            self._work.forget(other)
        if not self._begun or anonymous_memory() - self._begun > LITTLE:
            give_back()
        kept: T = value
        return kept

    def pieces(self, name: str, rows: int, make: Callable[[int, int], pa.Table]) -> pa.Table:
        """A table of so many rows, made and kept piece by piece where work is kept: only one is in memory. `make` gives the rows from
        one place to another.
        """
        if not self._keeps:
            return make(0, rows)
        starts = range(0, max(rows, 1), PIECE)
        tables = [
            self.stage(f"{name}-{i:05}", partial(make, start, min(start + PIECE, rows)))
            for i, start in enumerate(starts)
        ]
        return pa.concat_tables(tables)
