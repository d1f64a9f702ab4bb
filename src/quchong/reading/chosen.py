"""Some rows of a source as a source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.source import Bad, Source, Wanted, Whole


class ChosenRows:
    """A source of which only some rows are read as documents, such as those that stayed of a file a run annotated. Rows keep their
    numbers, and everything else is left to the source.

    Args:
        inner: the source.
        rows: int64, the rows that are read, ascending.
    """

    def __init__(self, inner: Source, rows: npt.NDArray[np.int64]) -> None:
        self.inner, self.rows = inner, rows
        self.name, self.suffix, self.annotated_suffix = inner.name, inner.suffix, inner.annotated_suffix
        self.path, self.files = inner.path, inner.files

    def expected(self) -> int | None:
        """So many rows."""
        return len(self.rows)

    def documents(self, wanted: Wanted, bad: list[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents; bad records among the other rows are told as well."""
        for batch in self.inner.documents(wanted, bad):
            yield batch.filter(pa.array(np.isin(batch.column("row").to_numpy(), self.rows)))

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        self.inner.split(fate, kept, removed)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        return self.inner.table_of(mask)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate."""
        self.inner.annotate(notes, out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite."""
        self.inner.rewrite(texts, key, out)

    def fetch(self, rows: Sequence[int], wanted: Wanted) -> pa.Table:
        """See Source.fetch."""
        return self.inner.fetch(rows, wanted)

    def whole(self, rows: Sequence[int]) -> Iterator[Whole]:
        """See Source.whole."""
        return self.inner.whole(rows)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint; `kept_rows` says how many are read."""
        return self.inner.fingerprint() | {"kept_rows": len(self.rows)}
