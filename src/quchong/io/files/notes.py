"""CSV files of notes on documents that are not rows of a table: files and WARC records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from quchong.io.files.location import location_of
from quchong.io.files.streams import FileWriter, closed_on_error, writing


def named_notes(names: Mapping[str, Sequence[str | None]], notes: pa.Table) -> pa.Table:
    """Return the notes on documents with the columns that name these before them."""
    named = {name: pa.array(values, pa.large_string()) for name, values in names.items()}
    return pa.table(named | dict(zip(notes.column_names, notes.columns, strict=True)))


class NotesWriter(FileWriter):
    """Writer of a CSV file of notes, a context manager.

    Raises:
        OutputError: on opening, writing or closing
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path = path
        with writing(path):
            self._file = location_of(path).create_native()
            with closed_on_error(self._file):
                self._rows = pacsv.CSVWriter(self._file, schema)

    def write(self, notes: pa.Table) -> None:
        """Append the rows of a table."""
        with writing(self._path):
            self._rows.write_table(notes)

    def close(self) -> None:
        """Write the rows that are left and close the file."""
        with writing(self._path), self._file:
            self._rows.close()
