"""Protocol of a source, the columns that a run reads from it, and bad records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import Param, UsageError
from quchong.languages import Message
from quchong.tables import DOCUMENTS

KEEP, REMOVE, BAD = 0, 1, 2
"""Fates of a record in `Source.split`; a bad record is written to neither side."""

ENCODING_REMEDY = Message("is the file GB18030? convert with iconv -f GB18030 -t UTF-8")
"""Remedy in messages about bytes that are not UTF-8: most Chinese text in other encodings is GB18030, GBK or GB2312."""
OR_PAGES = Message("{}, or pages with {} (no {!r})")
"""Template of the options that name the text column or the page column; follows "name one with" in messages."""


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """Columns that a run reads from each record.

    Args:
        text: keys of the text; several are joined by a line feed, missing and null ones are left out
        id: key of the id, or None for no ids (the id column is then null)
        id_required: True if the user named the id key, so that a record without a usable id is bad; otherwise its id is null
        extra: further columns for policies and scope; null where missing. Large strings for JSONL and CSV,
            the column's own type for Parquet, Arrow and memory
        instead: fallback column such as "html", used if the text is missing (null, blank or no such key; in CSV an empty cell). A
            record that has it is not bad; its text is then "". The column is the last of the extra ones, null for records
            with a text of their own
        textless: True if a record without a text (null, or no such key) is a document with the text "", not a bad record

    Raises:
        UsageError: no text key, or an extra column with the name of another column
    """

    text: tuple[str, ...] = ("text",)
    id: str | None = "id"
    id_required: bool = False
    extra: tuple[str, ...] = ()
    instead: str | None = None
    textless: bool = False

    def __post_init__(self) -> None:
        if not self.text:
            raise UsageError("no text column: name at least one with {}", Param("text", "COLUMN"))
        for name in (*self.text, self.id or "", *self.extra, self.instead or ""):
            if any("\ud800" <= letter <= "\udfff" for letter in name):
                raise UsageError("{!r} holds half a character and cannot be the name of a column", name)
        already = {"id"} if self.id == "id" else set()
        already |= {"text"} if self.text == ("text",) else set()
        extra = tuple(name for name in dict.fromkeys(self.extra) if name not in already and name != self.instead)
        if self.instead is not None:
            if self.instead in self.text or self.instead == self.id:
                raise UsageError(
                    "column {!r} is the text or the id already, so it cannot also be used where a text is missing",
                    self.instead,
                )
            extra = (*extra, self.instead)
        for name in extra:
            if name in DOCUMENTS.names:
                raise UsageError(
                    "column {!r} cannot be used here: {} are taken; rename it", name, ", ".join(DOCUMENTS.names)
                )
        object.__setattr__(self, "extra", extra)

    @property
    def columns(self) -> tuple[str, ...]:
        """Keys to read, each once: text, id, extra."""
        return tuple(dict.fromkeys([*self.text, *([] if self.id is None else [self.id]), *self.extra]))

    def schema(self) -> pa.Schema:
        """Return the schema DOCUMENTS with the extra columns added as large strings."""
        return pa.schema([*DOCUMENTS, *(pa.field(name, pa.large_string()) for name in self.extra)])


@dataclass(frozen=True, slots=True)
class Bad:
    """Bad record, which could not be used.

    Args:
        source: name of the source
        row: index of the record there, from 0
        line: physical line on which the record begins, from 1; None for formats without lines
        reason: the reason why it is bad, for people
        raw: the bytes of the record in the file, without its line ending; for columnar formats JSON of the columns that were read
    """

    source: str
    row: int
    line: int | None
    reason: str
    raw: bytes


Rows = Sequence[int] | npt.NDArray[np.int64]
"""Numbers of rows."""
Whole = tuple[int, int | None, bytes]
"""Row, line and raw bytes of one whole record, as `Bad` has them."""


class Source(Protocol):
    """Source of records, which can be read twice: once as documents, once to be copied whole.

    Attributes:
        name: shown to the user, part of generated ids and of output paths; unique among the sources of one call
        suffix: of the output files, ".jsonl.gz" for instance
    """

    name: str
    suffix: str

    @property
    def annotated_suffix(self) -> str:
        """Suffix of the file that `annotate` writes."""
        ...

    @property
    def path(self) -> Path | None:
        """File or folder that the source was opened from; None for memory, and for the files that a run split."""
        ...

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that the source reads, in order."""
        ...

    def expected(self) -> int | None:
        """Return the approximate number of records, for progress; None if it cannot be found cheaply. Never raises."""
        ...

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """Yield all usable records in order as batches of `wanted.schema()` with about 16 MB of text; at least one, maybe empty.

        Bad records are left out and appended to `bad`, in order. The same file always gives the same batches.

        Raises:
            InputError: the file as a whole cannot be read, or none of its records has the keys wanted
        """
        ...

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """Copy whole records, in order, to the file of kept or of removed records.

        Args:
            fate: uint8 (records,), KEEP, REMOVE or BAD by row
            kept: file to write; None to write no kept records
            removed: file to write; None to write no removed records

        Raises:
            InputChanged: the file is no longer the one that `documents` read
            OutputError: a side cannot be written
        """
        ...

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """Write the records with the columns of `notes` added; bad records are left out.

        Args:
            notes: one row per record, bad ones included (their values are not used); strings and numbers
            out: file to write

        Bad records are those that `documents` found; if it has not run to its end, rows of `notes` that are all null.

        Raises:
            InputChanged: the file is no longer the one that `documents` read
            OutputError: `out` cannot be written
        """
        ...

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """Write the records with new texts in some of them, otherwise unchanged; bad records are left out.

        Args:
            texts: the new texts by row
            key: the column of the text; it is added to a record that lacks it
            out: file to write; for files of a folder a folder

        Raises:
            InputChanged, OutputError: as `annotate`
            UsageError: the text of a record cannot be replaced (WARC, files that are pages)
        """
        ...

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """Return selected records as a table of all columns, in order, read as `documents` reads them.

        JSONL: each key that occurs is a column; one of mixed types, or of integers of more than 64 bits, holds text. CSV: all values
        are text, unchanged. Pages: `url` and the other metadata. Files of a folder: `path`.

        Args:
            mask: bool (records,), True for the selected records, which must not be bad

        Raises:
            InputChanged: the file is no longer the one that `documents` read
        """
        ...

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """Return the documents of these rows, in this order, without bad records; reading stops after the last row.

        Raises:
            InputChanged: the file is no longer the one that `documents` read, or has no such row
        """
        ...

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Yield whole records by row, including bad ones, in ascending order; nothing if records cannot be read again.

        The bytes of bad records are read with this method when they are written, so that they need not be in memory meanwhile.
        """
        ...

    def fingerprint(self) -> dict[str, object]:
        """Return `name`, `bytes` and `blake2b` (128 bits, hex) of the bytes on disk; for memory `name` and `rows`."""
        ...
