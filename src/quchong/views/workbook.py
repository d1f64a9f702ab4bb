"""Workbook with the removals of a run, for Excel."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from quchong.errors import UsageError, install
from quchong.findings import differences_of
from quchong.relations import RELATIONS
from quchong.report.differing import facts_in_words, in_words
from quchong.views.cut import first_words, visible_id
from quchong.views.page import GENERATOR
from quchong.views.subject import Subject
from quchong.views.words import Language, words

ROWS = 1_048_575
"""Maximum number of rows of a sheet below its head."""
CELL = 32_000
"""Maximum number of characters of a cell."""
_FORMULA = tuple("=+-@\t\r\n|%")
_BATCH = 2000
COLUMNS = (
    ("id", 24), ("survivor", 24), ("relation", 12), ("reason", 24), ("jaccard", 9), ("containment", 9), ("threshold", 9), ("facts", 12),
    ("differences", 50), ("time", 18), ("survivor_time", 18), ("source", 16), ("survivor_source", 16),
    ("begins", 50), ("survivor_begins", 50),
)  # fmt: skip
"""Columns of the sheet, with their widths."""


def write_workbook(
    subject: Subject, path: Path, language: Language, advance: Callable[[int], None] = lambda done: None
) -> None:
    """Write a workbook with a sheet of one row for each removed document, and a sheet that describes the run.

    Every text is a text cell; a figure that is no number (NaN) or infinite leaves its cell empty. A text that begins like a formula is
    marked as text permanently (Excel's quote prefix), so that it remains a text when the cell is edited. `advance` is called with 1 for
    every row.

    Raises:
        UsageError: the extra `report` is not installed.
        OSError: the file cannot be written.
    """
    try:
        import xlsxwriter
        from xlsxwriter.exceptions import FileCreateError, XlsxFileError
    except ImportError as error:
        raise UsageError("workbooks are written by XlsxWriter: {}", install("report")) from error
    said = {key: told[language] for key, told in words().items()}
    book = xlsxwriter.Workbook(
        str(path),
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    book.set_properties({"comments": GENERATOR, "created": datetime.datetime(2000, 1, 1)})
    plain, wrapped = book.add_format({"valign": "top"}), book.add_format({"valign": "top", "text_wrap": True})
    quoted = book.add_format({"valign": "top", "quote_prefix": True})
    head = book.add_format({"bold": True, "bottom": 1, "bg_color": "#EEF2F7", "text_wrap": True, "valign": "top"})
    number = book.add_format({"num_format": "0.000", "valign": "top"})
    sheet = book.add_worksheet(said["xlsx.removed"])
    sheet.freeze_panes(1, 1)
    for column, (name, width) in enumerate(COLUMNS):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, said[f"xlsx.{name}"], head)
    at = 0
    for at, values in enumerate(_rows(subject, language, said), 1):
        advance(1)
        for column, value in enumerate(values):
            if isinstance(value, float):
                if math.isfinite(value):  # a cell holds no other; the tables of a stranger may
                    sheet.write_number(at, column, value, number)
            elif value:
                text = cell(str(value))
                sheet.write_string(at, column, text, quoted if text.startswith(_FORMULA) else plain)
    sheet.autofilter(0, 0, max(at, 1), len(COLUMNS) - 1)
    about = book.add_worksheet(said["xlsx.about"])
    about.set_column(0, 0, 28)
    about.set_column(1, 1, 70)
    for at, (label, value) in enumerate(_about_rows(subject, said)):
        about.write_string(at, 0, label, plain)
        about.write_string(at, 1, cell(value), quoted if value.startswith(_FORMULA) else wrapped)
    try:
        book.close()
    except (FileCreateError, XlsxFileError) as error:
        raise OSError(str(error)) from error


def cell(text: str) -> str:
    """Return a text that fits into a cell: cut to Excel's limit, without lone surrogates.

    >>> cell("=1+1"), len(cell("a" * 40_000))
    ('=1+1', 32000)
    """
    cut = text if len(text) <= CELL else text[: CELL - 1] + "…"
    while len(cut.encode("utf-16-le", "surrogatepass")) > 2 * 32_767:  # Excel counts in units of UTF-16
        cut = cut[: len(cut) * 3 // 4] + "…"
    return cut.encode("utf-8", "replace").decode()


def _rows(subject: Subject, language: Language, said: dict[str, str]) -> Iterator[list[Any]]:
    """Yield the cells of each removed document, in the order of their ids."""
    ledger = subject.tables["ledger"]
    for at in range(0, min(len(ledger), ROWS), _BATCH):
        batch = ledger.slice(at, _BATCH)
        own, kept = (side[at : at + _BATCH] for side in subject.removals)
        texts = subject.text_of(int(i) for i in np.concatenate([own, kept]) if i >= 0)
        for row, i, k in zip(batch.to_pylist(), own.tolist(), kept.tolist(), strict=True):
            rule = str(row["rule"])
            yield [
                visible_id(subject.ids[i]), visible_id(subject.ids[k]) if k >= 0 else "",
                said[f"relation.{row['relation']}"], said.get(f"rule.{rule}", rule),
                row["jaccard"], row["containment"], row["threshold"], str(facts_in_words(row["facts"], language)),
                str(in_words(differences_of(row), language)), subject.when[i], subject.when[k] if k >= 0 else "",
                subject.sources[i], subject.sources[k] if k >= 0 else "",
                first_words(texts.get(i) or "", 100), first_words(texts.get(k) or "", 100) if k >= 0 else "",
            ]  # fmt: skip


def _about_rows(subject: Subject, said: dict[str, str]) -> Iterator[tuple[str, str]]:
    manifest, ledger = subject.manifest, subject.tables["ledger"]
    counts = manifest["counts"]
    yield said["about.run"], subject.name
    yield said["about.created"], str(manifest.get("created", ""))
    yield said["about.method"], str(manifest["config"]["method"])
    yield said["about.keep"], str(manifest["config"]["keep"])
    for key in ("read", "kept", "removed"):
        yield said[f"count.{key}"], f"{counts[key]:,}"
    relations = ledger["relation"].to_pylist() if len(ledger) else []
    for name in RELATIONS:
        if n := relations.count(name):
            yield said[f"relation.{name}"], f"{n:,}"
    if len(ledger) > ROWS:
        yield said["xlsx.left_out"], f"{len(ledger) - ROWS:,}"
    yield said["about.version"], f"quchong {manifest.get('quchong', '')}, {manifest.get('config_hash', '')}"
