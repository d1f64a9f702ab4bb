"""Index of the records of a WARC file: their locations, and the rows of those that are documents."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from quchong.io.source import Rows
from quchong.io.warc.records import Place, WarcRecord

OTHER = -1
"""Row number of a record that is not a document."""


class RecordIndex:
    """Location and row number of each record of a WARC file, in five numbers of 8 bytes a record."""

    def __init__(self) -> None:
        self._numbers = [array("q") for _ in range(4)]
        self._rows = array("q")
        self.rows = 0
        self._bad = array("q")

    def __getstate__(self) -> dict[str, Any]:
        """Return the numbers as NumPy arrays, which files of a run can store."""
        numbers = [np.array(some, np.int64) for some in (*self._numbers, self._rows)]
        return {"numbers": numbers, "rows": self.rows, "bad": self.bad}

    def __setstate__(self, state: dict[str, Any]) -> None:
        *self._numbers, self._rows = (array("q", some.tobytes()) for some in state["numbers"])
        self.rows, self._bad = state["rows"], array("q", state["bad"].tobytes())

    def add(self, found: WarcRecord) -> int:
        """Add a record; return its row number, or -1 if it is neither a document nor broken."""
        place = found.place
        for numbers, value in zip(self._numbers, (place.start, place.end, place.offset, place.size), strict=True):
            numbers.append(value)
        row = OTHER
        if found.counts:
            row, self.rows = self.rows, self.rows + 1
            if found.page is None:
                self._bad.append(row)
        self._rows.append(row)
        return row

    @property
    def bad(self) -> npt.NDArray[np.int64]:
        """Row numbers of the records whose page cannot be read, ascending."""
        return np.array(self._bad, np.int64)

    @property
    def row(self) -> npt.NDArray[np.int64]:
        """Row number of each record, -1 for records that are not rows."""
        return np.array(self._rows, np.int64)

    def place(self, at: int) -> Place:
        """Return the location of the record with index `at` in the file."""
        start, end, offset, size = (numbers[at] for numbers in self._numbers)
        return Place(start, end, offset, size)

    def places(self, rows: Rows) -> Iterator[tuple[int, Place]]:
        """Yield the rows, ascending and each once, with the location of the record of each."""
        mine = self.row
        records = np.flatnonzero(mine != OTHER)
        for row in np.unique(np.asarray(rows, np.int64)):
            yield int(row), self.place(int(records[row]))
