"""Source of some blocks of another source: what one of several processes reads of a file."""

from __future__ import annotations

from collections.abc import MutableSequence

import numpy as np

from quchong.io.bad_records import BadRecords, bad_rows
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Chosen, Documents, Source, WantedColumns
from quchong.io.wrapped_source import SourceAround


class SharedSource(SourceAround):
    """Source that yields the documents and bad records of chosen blocks of another source.

    A source that leaves out blocks by itself (`Source.leaves_out`) is told which; another is read whole, and its batches are the blocks.

    Args:
        inner: the source.
        chosen: see Source.chosen.
    """

    def __init__(self, inner: Source, chosen: Chosen) -> None:
        super().__init__(inner)
        self._chosen = chosen
        self.bad_rows: RowSet = np.zeros(0, np.int64)
        """Rows of the chosen blocks that are no documents; known when `documents` has run to its end."""

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; maybe without any batch."""
        if rows is not None:
            yield from self.inner.documents(wanted, bad, rows)
            return
        own = BadRecords()
        if self.inner.leaves_out:
            self.inner.chosen = self._chosen
            yield from self.inner.documents(wanted, own)
            own.finish()
            self.bad_rows = bad_rows(own, 0, self.name)
            bad.extend(own)
            return
        ends: list[int] = []
        for number, batch in enumerate(self.inner.documents(wanted, own)):
            ends.append(int(batch.column("row")[-1].as_py()) + 1 if len(batch) else 0)
            if self._chosen(number):
                yield batch
        # A bad record belongs to the block whose last document is the first after it; those after all documents to one more block.
        mine = np.array([self._chosen(number) for number in range(len(ends) + 1)])
        found = own.row_numbers()
        here = mine[np.searchsorted(np.array(ends, np.int64), found, "right")]
        self.bad_rows = np.unique(found[here])
        bad.extend(own[index] for index in np.flatnonzero(here).tolist())
