"""The first documents of the sources of a run, read once, which stand for all of them in an estimate."""

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


class Beginning:
    """Cached first documents of a source, read once.

    Attributes:
        seconds, read: time of reading, and number of documents that were read (whole batches, so maybe more than asked for).
    """

    def __init__(self, source: Source, rows: int) -> None:
        self.source, self._rows = source, rows
        self.seconds, self.read = 0.0, 0
        self._kept: dict[WantedColumns, tuple[list[pa.RecordBatch], list[Bad]]] = {}

    def batches(self, wanted: WantedColumns) -> tuple[list[pa.RecordBatch], list[Bad]]:
        """Return batches with the first documents of the source, and the bad records among them."""
        if wanted not in self._kept:
            start, left, found, bad = time.perf_counter(), self._rows, [], list[Bad]()
            with closing(cast("Generator[pa.RecordBatch]", self.source.documents(wanted, bad))) as batches:
                for batch in batches:
                    self.read += len(batch)
                    found.append(
                        batch.take(pa.array(np.arange(min(left, len(batch)))))
                    )  # apart from the rest of the batch
                    left -= len(batch)
                    if left <= 0:
                        break
            self.seconds += time.perf_counter() - start
            self._kept[wanted] = found, bad
        return self._kept[wanted]


class Head(SourceAround):
    """Source that yields only the first `rows` documents of another source."""

    def __init__(self, source: Source, rows: int, beginning: Beginning | None = None) -> None:
        super().__init__(source)
        self._rows, self._beginning = rows, beginning

    def __reduce__(self) -> tuple[type[Head], tuple[Source, int]]:
        return Head, (self.inner, self._rows)  # what is kept of a run names its sources

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; all bad records that were read go to `bad`."""
        if rows is not None:
            yield from self.inner.documents(wanted, bad, rows)
            return
        batches, skipped = (self._beginning or Beginning(self.inner, self._rows)).batches(wanted)
        bad.extend(skipped)
        left = self._rows
        for batch in batches:
            yield batch.slice(0, left)
            left -= len(batch)
            if left <= 0:
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
    def seconds(self) -> float:
        """Time of reading so far."""
        return sum(one.seconds for one in self._sources)

    @property
    def read(self) -> int:
        """Number of documents that were read."""
        return sum(one.read for one in self._sources)

    def inputs(self, rows: int) -> RunInputs:
        """Return inputs of about `rows` documents, at most those of the beginnings."""
        each = -(-rows // max(len(self._sources), 1))
        heads: list[Source] = [Head(one.source, each, one) for one in self._sources]
        return RunInputs(heads[self._references :], heads[: self._references])
