"""Source of an Excel workbook (.xlsx)."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from quchong.errors import InputError, UsageError, install
from quchong.io.columnar.cells import column_of, common_type, shown
from quchong.io.columnar.columns import Batches
from quchong.io.columnar.file import ColumnFile
from quchong.io.columnar.sheet_writer import SheetWriter
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.limits import LARGEST
from quchong.io.row_copies import RowCopies, RowSet
from quchong.io.source import Bad, Documents, Rows, WantedColumns, Whole

UNPACKED = 2 << 30
"""Maximum uncompressed bytes of a workbook, which is held in memory."""
_PIECE = 1 << 20
_BATCH_ROWS = 1 << 14
_OLE = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Rows of a workbook.

    Attributes:
        names: names of the columns.
        rows: the cells of each row that is not empty.
        places: for each row the index of its sheet in `sheets`, and its row number there from 1.
        sheets: names of the sheets that were read.
        passed: names of the sheets that were not read, because their first row differs.
    """

    names: tuple[str, ...]
    rows: list[list[Any]]
    places: list[tuple[int, int]]
    sheets: tuple[str, ...]
    passed: tuple[str, ...]


class SheetFile(ColumnFile):
    """Source of a workbook, whose columns are named by the first row of its first sheet that is not empty.

    All sheets that begin with the same row are read in order. Other sheets are not read, and reported.

    Cells are values, formulas by the value that was stored with them, errors such as #N/A as empty; formats, pictures and comments
    are not read. Empty rows are no records. Types are those of `cells.column_of`. Kept and removed rows go into workbooks of one
    sheet, values typed as they were read.
    """

    leaves_out: ClassVar[bool] = False  # the types of its columns depend on all rows

    def __init__(self, path: File, name: str, suffix: str, most: int = LARGEST) -> None:
        super().__init__(path, name, suffix, most)
        _library()
        self._loaded: _Loaded | None = None
        self._table: pa.Table | None = None
        self._types: dict[int, pa.DataType] = {}

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; the line of a bad record is its row in the sheet."""
        if rows is not None:
            yield from super().documents(wanted, bad, rows)
            return
        self._loaded = self._table = None
        before = len(bad)
        yield from super().documents(wanted, bad)
        bad[before:] = (
            replace(one, line=self._place(one.row)[1], reason=self._located_reason(one)) for one in bad[before:]
        )

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Yield whole records by row, in ascending order; see `source.Whole`."""
        for row, _, raw in super().whole_records(rows):
            yield row, self._place(row)[1], raw

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint; `sheets_passed_over` names the sheets that were not read, if there are any."""
        passed = self._rows().passed
        return super().fingerprint() | ({"sheets_passed_over": list(passed)} if passed else {})

    def agree(self, others: Sequence[RowCopies]) -> None:
        """See RowCopies.agree: columns get the same types in all workbooks, because in some of a run a column may be empty."""
        sheets = [one for one in (self, *others) if isinstance(one, SheetFile)]
        for k in range(min(len(one._schema().names) for one in sheets)):
            kind = common_type([one._schema().field(k).type for one in sheets])
            for one in sheets:
                one._types[k] = kind
        for one in sheets:
            one._table = None

    def _place(self, row: int) -> tuple[str, int]:
        sheet, at = self._rows().places[row]
        return self._rows().sheets[sheet], at

    def _located_reason(self, one: Bad) -> str:
        sheet, at = self._place(one.row)
        return f"{one.reason} (sheet {sheet!r}, row {at})"

    def _rows(self) -> _Loaded:
        if self._loaded is None:
            with reading(self.path):
                self._loaded = _load(self._file)
        return self._loaded

    def _columns_read(self) -> pa.Table:
        if self._table is None:
            loaded = self._rows()
            cells = zip(*loaded.rows, strict=True) if loaded.rows else [()] * len(loaded.names)
            columns = [column_of(values, self._types.get(k)) for k, values in enumerate(cells)]
            self._table = pa.Table.from_arrays(columns, names=list(loaded.names))
        return self._table

    def _schema(self) -> pa.Schema:
        return self._columns_read().schema

    def _batches(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        table = self._columns_read()
        if columns is not None:
            table = table.select([table.column_names.index(name) for name in columns])
        row = 0
        for batch in table.to_batches(max_chunksize=_BATCH_ROWS):
            yield row, batch
            row += batch.num_rows

    def _writer(self, path: Path, schema: pa.Schema) -> SheetWriter:
        return SheetWriter(path, schema, self._rows().sheets[0])


def _library() -> Any:
    try:
        import python_calamine
        import xlsxwriter  # noqa: F401 - what is read is written too
    except ImportError as error:
        raise UsageError(
            "workbooks are read by python-calamine and written by XlsxWriter: {}", install("report")
        ) from error
    return python_calamine


def _load(file: InputFile) -> _Loaded:
    """Read all rows of a workbook into memory.

    Raises:
        InputError: the file is not a workbook, is encrypted or too large, or has no cell with a value.
    """
    calamine = _library()
    path = file.path
    _check(file)
    try:
        with file.location.open() as raw, calamine.CalamineWorkbook.from_filelike(raw) as book:
            kinds = {one.name: one.typ for one in book.sheets_metadata}
            names = [name for name in book.sheet_names if kinds[name] == calamine.SheetTypeEnum.WorkSheet]
            read = [(name, _cells(book.get_sheet_by_name(name))) for name in names]
    except calamine.CalamineError as error:
        raise InputError(
            "{} cannot be read as a workbook: {}; open and save it again, or save it as CSV", path, error
        ) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise InputError("{} is a damaged workbook; open and save it again, or save it as CSV", path) from error
    return _combine_sheets(path, read)


def _check(workbook: InputFile) -> None:
    """Raise InputError for a file that is not a workbook or exceeds UNPACKED bytes; every part is decompressed once to count them."""
    path = workbook.path
    with workbook.location.open() as file:
        if file.read(4) == _OLE:
            raise InputError(
                "{} is encrypted, or an old .xls file: save it as .xlsx without a password, or as CSV", path
            )
    try:
        with workbook.location.open() as file, zipfile.ZipFile(file) as packed:
            room = UNPACKED
            for part in packed.infolist():
                if not part.filename.lower().endswith((".xml", ".rels")):
                    continue  # pictures and the like are not read
                part.file_size = UNPACKED + 1  # what the file claims bounds nothing
                with packed.open(part) as content:
                    while piece := content.read(_PIECE):
                        room -= len(piece)
                        if room < 0:
                            raise InputError(
                                "{} unpacks to more than {} GiB: save it as CSV, or in several workbooks",
                                path,
                                UNPACKED >> 30,
                            )
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(
            "{} is not a workbook, or is damaged ({}); open and save it again, or save it as CSV", path, error
        ) from error


def _cells(sheet: Any) -> list[tuple[int, list[Any]]]:
    """Return the rows of a sheet that are not empty, with their numbers from 1."""
    found = sheet.to_python(skip_empty_area=False)
    return [(at, row) for at, row in enumerate(found, 1) if any(value != "" for value in row)]


def _combine_sheets(path: Path, read: list[tuple[str, list[tuple[int, list[Any]]]]]) -> _Loaded:
    """Combine the rows of all sheets whose first row has the column names of the first sheet that is not empty."""
    sheets = [(name, cells) for name, cells in read if cells]
    if not sheets:
        raise InputError(
            "{} has no cell with a value: the first row of a sheet must have the names of its columns", path
        )
    first = _column_names(sheets[0][1])
    mine = [(name, cells) for name, cells in sheets if _column_names(cells)[: len(first)] == first]
    wide = max(len(row) for _, cells in mine for _, row in cells)
    names = [*first, *[""] * (wide - len(first))]
    rows = [[*row, *[""] * (wide - len(row))] for _, cells in mine for _, row in cells[1:]]
    used = [k for k in range(wide) if names[k] or any(row[k] != "" for row in rows)]
    places = [(number, at) for number, (_, cells) in enumerate(mine) for at, _ in cells[1:]]
    return _Loaded(
        tuple(names[k] or _letters(k) for k in used),
        [[row[k] for k in used] for row in rows],
        places,
        tuple(name for name, _ in mine),
        tuple(name for name, _ in sheets if name not in {name for name, _ in mine}),
    )


def _column_names(cells: list[tuple[int, list[Any]]]) -> list[str]:
    """Return the column names in the first row, without empty ones at its end."""
    names = [shown(value).strip() for value in cells[0][1]]
    while not names[-1]:
        names.pop()
        if not names:
            return names
    return names


def _letters(k: int) -> str:
    """Return the letters that name a column without a header: A, B, ..., Z, AA.

    >>> _letters(0), _letters(25), _letters(26)
    ('A', 'Z', 'AA')
    """
    found = ""
    while k >= 0:
        found, k = chr(ord("A") + k % 26) + found, k // 26 - 1
    return found
