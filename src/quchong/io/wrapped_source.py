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
        """See Source.expected."""
        return self.inner.expected()

    def layout(self) -> tuple[object, ...]:
        """See Source.layout."""
        return self.inner.layout()

    def head_bytes(self) -> int:
        """See Source.head_bytes."""
        return self.inner.head_bytes()

    def column_names(self) -> tuple[str, ...]:
        """See Source.column_names."""
        return self.inner.column_names()

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents."""
        return self.inner.documents(wanted, bad, rows)

    def has_fixed_texts(self, key: str) -> bool:
        """See Source.has_fixed_texts."""
        return self.inner.has_fixed_texts(key)

    def fixed_rows(self, rows: RowSet, key: str) -> RowSet:
        """See Source.fixed_rows."""
        return self.inner.fixed_rows(rows, key)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[RowNumbers, Block]]:
        """See Source.records."""
        return self.inner.records(rows)

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """See Source.writer."""
        return self.inner.writer(path, notes)

    def write_as(self, form: WrittenForm) -> None:
        """See Source.write_as."""
        self.written = form
        self.inner.write_as(form)

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """See Source.check."""
        self.inner.check(records, seen)

    def table_from(self, values: list[Any]) -> pa.Table:
        """See Source.table_from."""
        return self.inner.table_from(values)

    def split(
        self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None, *, stop: Stop | None = None
    ) -> None:
        """See Source.split."""
        self.inner.split(fate, kept, removed, stop=stop)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate."""
        self.inner.annotate(notes, out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """See Source.rewrite."""
        self.inner.rewrite(texts, key, out, without)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        return self.inner.table_of(mask)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """See Source.whole_records."""
        return self.inner.whole_records(rows)

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint."""
        return self.inner.fingerprint()
