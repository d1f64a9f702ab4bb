"""Sample of the first documents of a run, read once, from which the whole run is estimated."""

from __future__ import annotations

import time
from collections.abc import Generator, MutableSequence
from contextlib import closing
from typing import cast

import numpy as np
import pyarrow as pa

from quchong.engines.local.inputs import RunInputs
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.io.wrapped_source import SourceAround

CLOCKS = (time.perf_counter, time.process_time)
"""Clocks by which costs are measured: seconds, and seconds of the processor, which do not depend on what else the machine does."""


def clocks() -> np.ndarray:
    """Return the times of all CLOCKS (float64)."""
    return np.array([clock() for clock in CLOCKS])


class Beginning:
    """Cached first documents of a source, read once.

    Attributes:
        seconds, read: times of reading by each of CLOCKS (float64), and number of documents that were read (whole batches, so maybe more
            than asked for).
    """

    def __init__(self, source: Source, rows: int) -> None:
        self.source, self._rows = source, rows
        self.seconds, self.read = np.zeros(len(CLOCKS)), 0
        self._kept: dict[WantedColumns, tuple[list[pa.RecordBatch], list[Bad]]] = {}

    def batches(self, wanted: WantedColumns) -> tuple[list[pa.RecordBatch], list[Bad]]:
        """Return batches with the first documents of the source, and the bad records among them."""
        if wanted not in self._kept:
            start, left, found, bad = clocks(), self._rows, [], list[Bad]()
            with closing(cast("Generator[pa.RecordBatch]", self.source.documents(wanted, bad))) as batches:
                for batch in batches:
                    self.read += len(batch)
                    found.append(
                        batch.take(pa.array(np.arange(min(left, len(batch)))))
                    )  # apart from the rest of the batch
                    left -= len(batch)
                    if left <= 0:
                        break
            self.seconds = self.seconds + clocks() - start
            self._kept[wanted] = found, bad
        return self._kept[wanted]

    def __len__(self) -> int:
        """Source that yields only the first documents of another source."""
        return min(max((sum(map(len, batches)) for batches, _ in self._kept.values()), default=0), self._rows)


class Head(SourceAround):
    """Source that yields the first `rows` documents of another source, or those of them that a mask selects."""

    def __init__(
        self, source: Source, rows: int, beginning: Beginning | None = None, chosen: np.ndarray | None = None
    ) -> None:
        super().__init__(source)
        self._rows, self._chosen = rows, chosen
        self._beginning = Beginning(source, rows) if beginning is None else beginning

    def __reduce__(self) -> tuple[type[Head], tuple[Source, int]]:
        return Head, (self.inner, self._rows)  # what is kept of a run names its sources

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; all bad records that were read go to `bad`."""
        if rows is not None:
            yield from self.inner.documents(wanted, bad, rows)
            return
        batches, skipped = self._beginning.batches(wanted)
        bad.extend(skipped)
        start = 0
        for batch in batches:
            batch = batch.slice(0, self._rows - start)
            yield batch if self._chosen is None else batch.filter(pa.array(self._chosen[start : start + len(batch)]))
            start += len(batch)
            if start >= self._rows:
                return


class Beginnings:
    """The first documents of all sources of a run, equally many of each.

    Args:
        inputs: of the run.
        rows: number of documents, over all sources.
    """

    def __init__(self, inputs: RunInputs, rows: int) -> None:
        self._references = len(inputs.references)
        self._sources = [
            Beginning(source, -(-rows // max(len(inputs.all_sources), 1))) for source in inputs.all_sources
        ]

    @property
    def seconds(self) -> np.ndarray:
        """Times of reading so far, by each of CLOCKS (float64)."""
        return sum((one.seconds for one in self._sources), np.zeros(len(CLOCKS)))

    @property
    def read(self) -> int:
        """Number of documents that were read."""
        return sum(one.read for one in self._sources)

    def __len__(self) -> int:
        """Return the number of documents of all sources that were read and kept."""
        return sum(map(len, self._sources))

    def inputs(self, rows: int | np.ndarray) -> RunInputs:
        """Return inputs with the first `rows` sampled documents, or with those that a mask over the sample selects."""
        heads: list[Source] = []
        start = 0
        for one in self._sources:
            if isinstance(rows, np.ndarray):
                heads.append(Head(one.source, len(one), one, rows[start : start + len(one)]))
                start += len(one)
            else:
                heads.append(Head(one.source, -(-rows // len(self._sources)), one))
        return RunInputs(heads[self._references :], heads[: self._references])
