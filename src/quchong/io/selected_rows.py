"""Source of selected rows of another source."""

from __future__ import annotations

from collections.abc import MutableSequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.io.wrapped_source import SourceAround


class ChosenRows(SourceAround):
    """Source whose documents are only the chosen rows of another, such as the kept rows of an annotated file.

    Rows keep their numbers, and everything else is delegated to the source.

    Args:
        inner: the source.
        rows: int64, the rows that are read, ascending.
    """

    def __init__(self, inner: Source, rows: npt.NDArray[np.int64]) -> None:
        super().__init__(inner)
        self.rows = rows

    def expected(self) -> int | None:
        """Return the number of rows that are read."""
        return len(self.rows)

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; bad records among the other rows are reported too, and rows that are asked for are read."""
        if rows is not None:
            yield from self.inner.documents(wanted, bad, rows)
            return
        for batch in self.inner.documents(wanted, bad):
            yield batch.filter(pa.array(np.isin(batch.column("row").to_numpy(), self.rows)))

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint; `kept_rows` is the number of rows that are read."""
        return self.inner.fingerprint() | {"kept_rows": len(self.rows)}
