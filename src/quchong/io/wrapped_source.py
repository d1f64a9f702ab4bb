"""Base class of a source that wraps another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.files.written_form import WrittenForm
from quchong.io.row_copies import Block, BlockWriter, RowNumbers, Rows, RowSet, Whole
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.kernels.machine import Stop


class SourceAround(Source):
    """Source that wraps another one and delegates everything to it, except what a subclass overrides.

    Args:
        inner: the wrapped source.
    """

    def __init__(self, inner: Source) -> None:
        self.inner = inner
        self.name, self.suffix, self.annotated_suffix = inner.name, inner.suffix, inner.annotated_suffix
        self.path, self.files = inner.path, inner.files

    def expected(self) -> int | None:
        """Return the approximate number of records; None if it cannot be found cheaply (see Source.expected)."""
        return self.inner.expected()

    def layout(self) -> tuple[object, ...]:
        """Return the properties in which two files must agree for one file to hold the rows of both; see Source.layout."""
        return self.inner.layout()

    def head_bytes(self) -> int:
        """Return about how many bytes a written file has besides its rows; see Source.head_bytes."""
        return self.inner.head_bytes()

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns known before reading; empty if none is (see Source.column_names)."""
        return self.inner.column_names()

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        return self.inner.documents(wanted, bad, rows)

    def has_fixed_texts(self, key: str) -> bool:
        """Return True if no text under `key` can be replaced in its record; see Source.has_fixed_texts."""
        return self.inner.has_fixed_texts(key)

    def fixed_rows(self, rows: RowSet, key: str) -> RowSet:
        """Return those of the rows whose text cannot be replaced in its record; see Source.fixed_rows."""
        return self.inner.fixed_rows(rows, key)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[RowNumbers, Block]]:
        """Yield blocks of whole records, each with the numbers of its rows; see Source.records."""
        return self.inner.records(rows)

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """Open a writer of a file like that of the source; see Source.writer."""
        return self.inner.writer(path, notes)

    def write_as(self, form: WrittenForm) -> None:
        """Make `writer` write files of another form; see Source.write_as."""
        self.written = form
        self.inner.write_as(form)

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Raise InputChanged if the source is no longer the one that `documents` read; see Source.check."""
        self.inner.check(records, seen)

    def table_from(self, values: list[Any]) -> pa.Table:
        """Return records, as `Block.values` gives them, as a table; see Source.table_from."""
        return self.inner.table_from(values)

    def split(
        self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None, *, stop: Stop | None = None
    ) -> None:
        """Copy whole records to the file of kept or of removed records; see Source.split."""
        self.inner.split(fate, kept, removed, stop=stop)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """Write the good records with the columns of `notes` added; see Source.annotate."""
        self.inner.annotate(notes, out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """Write the records, some of them with new texts; see Source.rewrite."""
        self.inner.rewrite(texts, key, out, without)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """Return the selected records as a table, in order; see Source.table_of."""
        return self.inner.table_of(mask)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Yield whole records by row, in ascending order; see Source.whole_records."""
        return self.inner.whole_records(rows)

    def fingerprint(self) -> dict[str, object]:
        """Return name, size and digest of the source, as run.json lists them; see Source.fingerprint."""
        return self.inner.fingerprint()
