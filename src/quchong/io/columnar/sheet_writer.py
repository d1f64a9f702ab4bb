"""Writer of Excel workbooks."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import OutputError
from quchong.io.columnar.cells import shown
from quchong.io.files.location import location_of
from quchong.io.files.streams import FileWriter, closed_on_error, writing

ROWS = 1_048_575
"""Maximum rows of a sheet below its header."""
CELL = 32_767
"""Maximum characters of a cell, in UTF-16 units."""
FORMULA = tuple("=+-@\t\r\n|%")
"""Characters with which a formula may begin."""
_EXACT = 2**53
_OLDEST = datetime.datetime(1900, 3, 1)  # Excel has a 29 February 1900


class SheetWriter(FileWriter):
    """Writer of a workbook: a sheet with the names of the columns in its first row, and further sheets when it is full.

    Texts are text cells, also those that begin as a formula would (marked with Excel's quote prefix); dates, numbers and truth values are
    cells of these sorts. Whole numbers that Excel would round are text. The same rows give the same bytes.

    Raises:
        OutputError: on opening, writing or closing; a text longer than Excel allows.
    """

    def __init__(self, path: Path, schema: pa.Schema, title: str) -> None:
        import xlsxwriter

        self._path, self._names, self._title = path, schema.names, title
        with writing(path):
            self._file = io.BufferedWriter(location_of(path).create())
        with closed_on_error(self._file):
            options = {
                "constant_memory": True,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "strings_to_numbers": False,
            }
            self._book = xlsxwriter.Workbook(self._file, options)
            self._book.set_properties({"created": datetime.datetime(2000, 1, 1)})
            self._head = self._book.add_format({"bold": True})
            self._quoted = self._book.add_format({"quote_prefix": True})
            self._day = self._book.add_format({"num_format": "yyyy-mm-dd"})
            self._time = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
            self._sheets = 0
            self._begin()

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch."""
        columns = [column.to_pylist() for column in batch.columns]
        for row in zip(*columns, strict=True):
            if self._at > ROWS:
                self._begin()
            for column, value in enumerate(row):
                if value is not None:
                    self._cell(column, value)
            self._at += 1

    def _begin(self) -> None:
        """Begin a new sheet and write its header."""
        self._sheets += 1
        title = self._title if self._sheets == 1 else f"{self._title[:26]} {self._sheets}"
        self._sheet = self._book.add_worksheet(title)
        self._sheet.freeze_panes(1, 0)
        self._at = 0
        for column, name in enumerate(self._names):
            self._text(column, name, self._head)
        self._at = 1

    def _cell(self, column: int, value: Any) -> None:
        at, sheet = self._at, self._sheet
        if isinstance(value, bool):
            sheet.write_boolean(at, column, value)
        elif (isinstance(value, int) and abs(value) <= _EXACT) or (isinstance(value, float) and abs(value) < 1e300):
            sheet.write_number(at, column, value)
        elif isinstance(value, datetime.datetime) and value >= _OLDEST and not value.microsecond % 1000:
            sheet.write_datetime(at, column, value, self._time)
        elif type(value) is datetime.date and value >= _OLDEST.date():
            sheet.write_datetime(at, column, value, self._day)
        else:
            text = shown(value)
            self._text(column, text, self._quoted if text.startswith(FORMULA) else None)

    def _text(self, column: int, text: str, form: Any) -> None:
        if len(text) > CELL // 2 and len(text.encode("utf-16-le", "surrogatepass")) > 2 * CELL:
            raise OutputError(
                "cannot write {}: a text in column {!r} has more than {:,} characters, too many for a cell; give "
                "the input as CSV",
                self._path,
                self._names[column],
                CELL,
            )
        self._sheet.write_string(self._at, column, text, form)

    def close(self) -> None:
        """Write the workbook to its file and close it."""
        from xlsxwriter.exceptions import FileCreateError, XlsxFileError

        with writing(self._path):
            try:
                with self._file:
                    self._book.close()
            except (FileCreateError, XlsxFileError) as error:
                raise OSError(str(error)) from error
