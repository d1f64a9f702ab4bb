"""Workbook of tables for people: sheets with a head, column widths, a filter, and cells of text, numbers and times."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from quchong.errors import UsageError, install
from quchong.io.columnar.sheet_writer import FORMULA, ROWS

CELL = 32_000
"""Maximum number of characters of a cell."""
_OLDEST = datetime.datetime(1900, 3, 1)  # Excel has a 29 February 1900


class TableBook:
    """Workbook with one sheet for each table; a context manager, which writes the file at its end.

    Texts are text cells: one that begins like a formula is marked as text permanently (Excel's quote prefix). A number that is NaN or
    infinite leaves its cell empty, and so do None and an empty text. Times and dates are date cells, without their zone. The same
    tables give the same bytes.

    Args:
        path: the file. made_by: comment in the properties of the workbook by which its maker is recognised.

    Raises:
        UsageError: the extra `report` is not installed.
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, made_by: str) -> None:
        try:
            import xlsxwriter
        except ImportError as error:
            raise UsageError("workbooks are written by XlsxWriter: {}", install("report")) from error
        options = {
            "constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
        }  # fmt: skip
        self._book = xlsxwriter.Workbook(str(path), options)
        self._book.set_properties({"comments": made_by, "created": datetime.datetime(2000, 1, 1)})
        top = {"valign": "top"}
        self._plain, self._quoted = self._book.add_format(top), self._book.add_format(top | {"quote_prefix": True})
        self._wrapped = self._book.add_format(top | {"text_wrap": True})
        self._head = self._book.add_format(top | {"bold": True, "bottom": 1, "bg_color": "#EEF2F7", "text_wrap": True})
        self._number = self._book.add_format(top | {"num_format": "0.000"})
        self._whole = self._book.add_format(top | {"num_format": "#,##0"})
        self._day = self._book.add_format(top | {"num_format": "yyyy-mm-dd"})
        self._time = self._book.add_format(top | {"num_format": "yyyy-mm-dd hh:mm"})

    def table(self, title: str, heads: Sequence[tuple[str, float]], rows: Iterable[Sequence[Any]]) -> int:
        """Write a sheet with a table, at most as many rows as a sheet holds; return their number.

        Args:
            title: name of the sheet. heads: head and width of each column. rows: cells of each row.
        """
        sheet = self._book.add_worksheet(title)
        sheet.freeze_panes(1, 1)
        for column, (name, width) in enumerate(heads):
            sheet.set_column(column, column, width)
            sheet.write_string(0, column, name, self._head)
        at = 0
        for at, values in enumerate(rows, 1):
            for column, value in enumerate(values):
                self._cell(sheet, at, column, value)
            if at == ROWS:
                break
        sheet.autofilter(0, 0, max(at, 1), len(heads) - 1)
        return at

    def list(self, title: str, rows: Iterable[tuple[str, str]]) -> None:
        """Write a sheet with a label and a text in each row."""
        sheet = self._book.add_worksheet(title)
        sheet.set_column(0, 0, 28)
        sheet.set_column(1, 1, 70)
        for at, (label, value) in enumerate(rows):
            sheet.write_string(at, 0, label, self._plain)
            sheet.write_string(at, 1, cell(value), self._quoted if value.startswith(FORMULA) else self._wrapped)

    def _cell(self, sheet: Any, at: int, column: int, value: Any) -> None:
        if isinstance(value, float):
            if math.isfinite(value):  # a cell holds no other; the tables of a stranger may
                sheet.write_number(at, column, value, self._number)
        elif isinstance(value, int):
            sheet.write_number(at, column, value, self._whole)
        elif isinstance(value, datetime.datetime) and value.replace(tzinfo=None) >= _OLDEST:
            sheet.write_datetime(at, column, value.replace(tzinfo=None, microsecond=0), self._time)
        elif type(value) is datetime.date and value >= _OLDEST.date():
            sheet.write_datetime(at, column, value, self._day)
        elif value:
            text = cell(str(value))
            sheet.write_string(at, column, text, self._quoted if text.startswith(FORMULA) else self._plain)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from xlsxwriter.exceptions import FileCreateError, XlsxFileError

        if error is not None:
            return
        try:
            self._book.close()
        except (FileCreateError, XlsxFileError) as closing:
            raise OSError(str(closing)) from closing


def cell(text: str) -> str:
    """Return a text that fits into a cell: cut to Excel's limit, without lone surrogates.

    >>> cell("=1+1"), len(cell("a" * 40_000))
    ('=1+1', 32000)
    """
    cut = text if len(text) <= CELL else text[: CELL - 1] + "…"
    while len(cut.encode("utf-16-le", "surrogatepass")) > 2 * 32_767:  # Excel counts in units of UTF-16
        cut = cut[: len(cut) * 3 // 4] + "…"
    return cut.encode("utf-8", "replace").decode()
