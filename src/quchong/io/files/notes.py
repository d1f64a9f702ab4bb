"""CSV files of notes on documents that are not rows of a table: files and WARC records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pacsv

from quchong.io.files.location import location_of
from quchong.io.files.streams import writing
from quchong.io.row_changes import noted_rows


def write_notes(named: pa.Table, notes: pa.Table, bad: npt.NDArray[np.int64] | None, out: Path) -> None:
    """Write a CSV file with the names of documents and the notes on them, without bad ones (see `copies.noted_rows`).

    Raises:
        OutputError: the file cannot be written
    """
    table = named
    for name, column in zip(notes.column_names, notes.columns, strict=True):
        table = table.append_column(name, column)
    with writing(out), location_of(out).create_native() as file:
        pacsv.write_csv(table.filter(pa.array(noted_rows(notes, bad))), file)
