"""Files of chains by suffix: JSON lines or Parquet for programs, a workbook or CSV with flat rows for people."""

from __future__ import annotations

import csv
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import Param, UsageError
from quchong.io.columnar.sheet_writer import FORMULA
from quchong.io.columnar.table_book import TableBook
from quchong.languages import LANGUAGES, Language, Message, language
from quchong.outputs import settled, staged_file
from quchong.outputs.replacing import check_replaceable_file
from quchong.report.reprints import (
    MEDIA,
    REPRINTS,
    SERIES,
    head,
    heads,
    media_rows,
    reprint_rows,
    series_rows,
)
from quchong.runs.layout import write_table
from quchong.tables import CHAINS

SUFFIXES = (".jsonl", ".parquet", ".xlsx", ".csv")
SUMMARY = ".media.csv"
"""End of the name of the file beside a CSV of reprints that has a row for each medium."""
GENERATOR = "quchong chains"
_BEGINNING = b'{"chain_id": '


def chain_files(out: Path) -> tuple[Path, ...]:
    """Return the files that chains are written to: the path, and for a CSV the summary by medium beside it.

    >>> [path.name for path in chain_files(Path("chains.csv"))]
    ['chains.csv', 'chains.media.csv']
    """
    return (out, out.with_name(out.stem + SUMMARY)) if out.suffix.lower() == ".csv" else (out,)


def check_chain_file(out: Path, overwrite: bool) -> None:
    """Check that chains can be written to a path.

    Raises:
        UsageError: the path has another suffix.
        OutputError: the file exists (without `overwrite`), or contains no chains.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise UsageError("{} must end in {}, {}, {} or {}, such as {}", Param("out", str(out)), *SUFFIXES,
                         Param("out", f"{out.with_suffix('') or 'chains'}.xlsx"))  # fmt: skip
    for path in chain_files(out):
        settled(path)
        check_replaceable_file(path, Message("a file of chains"), _is_ours, overwrite=overwrite)


def _is_ours(out: Path) -> bool:
    """Return True if the file contains chains, or is empty."""
    try:
        if not out.is_file():
            return False
        if out.suffix.lower() == ".xlsx":
            with zipfile.ZipFile(out) as packed:
                return GENERATOR.encode() in packed.read("docProps/core.xml")[:4000]
        if out.suffix.lower() == ".parquet":
            with pa.OSFile(os.fsencode(out)) as file:
                names = pq.read_schema(file).names
                return names[:3] == CHAINS.names[:3] and set(names) <= set(CHAINS.names)
        with out.open("rb") as file:
            if out.suffix.lower() == ".csv":
                first = file.readline(4096).decode("utf-8-sig")
                known = [_line(heads(of, lang)) for of in (REPRINTS, MEDIA) for lang in LANGUAGES]
                return not first or first.rstrip("\r\n") in known
            beginning = file.read(len(_BEGINNING))
        return not beginning or beginning == _BEGINNING
    except (OSError, ValueError, KeyError, pa.ArrowException, zipfile.BadZipFile):
        return False


def _line(of: Sequence[tuple[str, float]]) -> str:
    return ",".join(name for name, _ in of)


def write_chains(table: pa.Table, out: Path, overwrite: bool) -> None:
    """Write CHAINS to a file atomically; the same table gives the same bytes.

    A workbook has the reprints, the media and the series, each on a sheet of its own. A CSV has the reprints, and a second file
    beside it the media (`chain_files`). Their heads are in the language that is spoken.

    Raises:
        UsageError, OutputError: as `check_chain_file`; or the file cannot be written, or the extra `report` is not installed.
    """
    check_chain_file(out, overwrite)
    kind = out.suffix.lower()
    with ExitStack() as stack:
        new, *beside = [stack.enter_context(staged_file(path)) for path in chain_files(out)]
        if kind == ".parquet":
            write_table(table, new)
        elif kind == ".jsonl":
            with new.open("w", encoding="utf-8", newline="\n") as file:
                each_line(table, lambda line: file.write(line + "\n"))
        elif kind == ".xlsx":
            with TableBook(new, GENERATOR) as book:
                add_chain_sheets(book, table, language())
        else:
            rows = flat(table)
            _write_csv(new, heads(REPRINTS, language()), reprint_rows(rows, language()))
            _write_csv(beside[0], heads(MEDIA, language()), media_rows(rows, language()))


def flat(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows of CHAINS as dictionaries without the lists of single differences."""
    rows: list[dict[str, Any]] = table.select([n for n in table.column_names if n != "changes"]).to_pylist()
    return rows


def add_chain_sheets(book: TableBook, table: pa.Table, lang: Language) -> None:
    """Add the sheets of reprints, media and series to a workbook; that of series only if there are any."""
    rows = flat(table)
    book.table(head("sheet.reprints", lang), heads(REPRINTS, lang), reprint_rows(rows, lang))
    book.table(head("sheet.media", lang), heads(MEDIA, lang), media_rows(rows, lang))
    if any(row["role"] == "series" for row in rows):
        book.table(head("sheet.series", lang), heads(SERIES, lang), series_rows(rows, lang))


def _write_csv(path: Path, names: Sequence[tuple[str, float]], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table as CSV in UTF-8 with a byte order mark, which spreadsheets need to show Chinese.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    with path.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([name for name, _ in names])
        writer.writerows([_csv_cell(value) for value in row] for row in rows)


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat(sep=" "))
    text = str(value)
    return "'" + text if isinstance(value, str) and text.startswith(FORMULA) else text


def each_line(table: pa.Table, take: Callable[[str], Any]) -> None:
    """Call `take` with every row of CHAINS as a JSON line; times are in ISO 8601, with a zone if the input has one."""
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            row["published"] = None if row["published"] is None else row["published"].isoformat()
            take(json.dumps(row, ensure_ascii=False))
