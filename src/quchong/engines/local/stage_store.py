"""Stored values of a run's finished stages, from which an interrupted run resumes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa

from quchong import kernels
from quchong.engines.local.text_store import FoundKeeper
from quchong.progress import Stages, anonymous_memory
from quchong.runs.layout import ROW_GROUP
from quchong.work import Damaged, Unencodable, Work
from quchong.work.checks import check_type

T = TypeVar("T")
LITTLE = 64 << 20
"""Bytes taken or written below which no memory is returned to the system, because that takes up to 50 ms."""
PIECE = ROW_GROUP >> 3
"""Rows of one stored part of a table: a pair with its differences takes up to 1 KB while the part is made. A Parquet row group holds a
whole number of parts, so that the file does not depend on how the table was made."""


Check = Callable[[Any], None]
"""Function that raises Damaged if a stored value is not a valid value of its stage."""


def give_back() -> None:
    """Return freed memory to the operating system: collect garbage, release Arrow's pool, and trim the C heap."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    kernels.machine.trim()


class KeptStages:
    """Runner of stages that stores their values: a value of an interrupted process is reused with its times, others are made.

    Args:
        work: storage of the values. If a value cannot be written, as of a method of another package that no file can store, all
            stored values are deleted and the run continues without storing.
        stages: record of the times.
        whole: if True, values already stored stay stored when a later one cannot be written.
        found: storage for the parts of tables of a run that stores no work.
    """

    def __init__(self, work: Work, stages: Stages, *, whole: bool = False, found: FoundKeeper | None = None) -> None:
        self._work, self._stages, self._whole, self._keeps = work, stages, whole, work.stores_values
        self._tables = found or FoundKeeper()
        self._begun = anonymous_memory()

    @property
    def keeps(self) -> bool:
        """True while values of stages are stored."""
        return self._keeps

    def stage(self, name: str, make: Callable[[], T], frees: Sequence[str] = (), check: Check | None = None) -> T:
        """Return the value of a stage: the stored one if it passes `check`, else that of `make`, which is then stored.

        Args:
            name: name of the stored value.
            make: function that makes the value and notes its own time.
            frees: names or prefixes of stored values that are deleted, because this one replaces them.
            check: see `Check`.
        """
        if not self._keeps:
            return make()
        if (found := self._work.get(name, partial(_check_noted, check))) is not None:
            value, noted = found[0]
            self._stages.recall(noted)
        else:
            value = make()
            try:
                before = self._work.written
                value, _ = self._work.store(name, (value, self._stages.noted()))
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
        """Return a table of `rows` rows, made and stored in parts of PIECE rows.

        If work is stored, only one part is in memory at a time; otherwise as many parts as the memory bound allows.

        Args:
            name: name of the table; the stored parts are numbered.
            make: function that makes the rows from a start to an end, without the end.
            check: function that returns the check of a part, given its number of rows.
        """
        if not self._keeps and not self._tables.bounded:
            return make(0, rows)
        spans = [(start, min(start + PIECE, rows)) for start in range(0, max(rows, 1), PIECE)]
        if not self._keeps:
            return pa.concat_tables([self._store_part(make, *span) for span in spans])
        tables = [
            self.stage(f"{name}-{i:05}", partial(make, start, end), check=check(end - start))
            for i, (start, end) in enumerate(spans)
        ]
        return pa.concat_tables(tables)

    def _store_part(self, make: Callable[[int, int], pa.Table], start: int, end: int) -> pa.Table:
        """Make one part of a table and store it in memory or in a file; bytes in the file are noted for the last stage."""
        before, table = self._tables.written, self._tables.table(make(start, end))
        if written := self._tables.written - before:
            stage = next(reversed(self._stages.seconds), "tables")
            self._stages.spilled[stage] = self._stages.spilled.get(stage, 0) + written
            give_back()
        return table


def _check_noted(check: Check | None, found: Any) -> None:
    """Raise Damaged unless `found` is a tuple of a stage's value and the times noted for it, and the value passes `check`."""
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
