"""Restoring of rows in a run that added columns to its kept rows."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io import KEEP, open_file
from quchong.io.files.input_file import File
from quchong.io.files.location import FileBeneath
from quchong.io.formats import suffix_of
from quchong.io.merge import restore_rows
from quchong.io.row_copies import Mask


class Noting(Protocol):
    """Maker of the columns that a run added to kept rows."""

    def table(self, documents: pa.Table, ledger: pa.Table) -> pa.Table:
        """Return the columns that the run adds to its kept rows, a row for each of `documents`, computed from the tables given."""
        ...

    def describe(self, columns: pa.Table) -> dict[str, Any]:
        """Return the entries of run.json about columns that `table` returned."""
        ...


@dataclass(frozen=True, slots=True)
class ChangedNotes:
    """Columns added to kept rows after a restore.

    Attributes:
        table: the columns by document.
        names: their names, in the order in which the rows have them.
        changed: bool, True for a document that stays among the kept ones with other values.
        about: entries of run.json on them.
    """

    table: pa.Table
    names: tuple[str, ...]
    changed: np.ndarray
    about: dict[str, Any]

    def take(self, docs: np.ndarray) -> pa.Table:
        """Return the columns of these documents."""
        return self.table.take(pa.array(docs))


def changed_notes(
    manifest: Mapping[str, Any],
    noting: Noting | None,
    tables: Mapping[str, pa.Table],
    ledger: pa.Table,
    back: np.ndarray,
) -> ChangedNotes | None:
    """Return the columns added to kept rows, recomputed after documents were put back; None if the run added none.

    Args:
        tables: of the run before it. ledger: the ledger afterwards. back: mask of the documents that are put back.
    """
    names = tuple(manifest.get("added_columns", ()))
    if not names:
        return None
    assert noting is not None, "a run with added columns is restored with what makes them"
    documents = tables["documents"]
    before = noting.table(documents, tables["ledger"])
    place = documents.schema.get_field_index("removed")
    stays = pc.and_(documents["removed"], pa.array(~back))
    after = noting.table(documents.set_column(place, documents.schema.field(place), stays), ledger)
    changed = np.zeros(len(documents), bool)
    for name in names:
        old, new = (_comparable(table[name]) for table in (before, after))
        changed |= ~np.asarray(pc.fill_null(pc.equal(old, new), False)) & ~np.asarray(
            pc.and_(pc.is_null(old), pc.is_null(new))
        )
    return ChangedNotes(after.select(names), names, changed, noting.describe(after))


def restore_noted(
    kept: File, removed: File, before: Mask, after: Mask, new_kept: Path, new_removed: Path, encoding: str | None, notes: pa.Table
) -> None:  # fmt: skip
    """Write kept and removed rows of an input anew, as `restore_rows`, with new values in the columns added to kept rows.

    Args:
        notes: the columns of the rows that are kept afterwards, in order.

    Cost: kept rows are copied three times, through temporary files beside the new ones.
    """
    new_kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=new_kept.parent) as aside:
        end = suffix_of(new_kept.name) or ""
        plain, merged = Path(aside) / f"plain{end}", Path(aside) / f"merged{end}"
        open_file(kept, encoding=encoding).without_notes(notes.column_names, plain)
        if (before != after).any():
            restore_rows(plain, removed, before, after, merged, new_removed, encoding)
        else:
            merged = plain
        open_file(merged, encoding=encoding).write_noted(np.full(len(notes), KEEP, np.uint8), notes, new_kept)


def plain_copy(kept: FileBeneath, names: list[str], folder: Path, encoding: str | None) -> Path:
    """Copy a file of kept rows into a temporary folder without the columns that the run added; return its path."""
    path = Path(tempfile.mkdtemp(dir=folder)) / kept.path.name
    open_file(kept, encoding=encoding).without_notes(names, path)
    return path


def _comparable(column: pa.ChunkedArray) -> Any:
    """Return a column with comparable values: lists are joined to texts."""
    if pa.types.is_list(column.type):
        return pc.binary_join(column, pa.scalar("\n", pa.large_string()))
    return column
