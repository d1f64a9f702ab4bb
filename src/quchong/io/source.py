"""Base class of a source, the columns that a run reads from it, and bad records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa

from quchong.errors import Param, UsageError
from quchong.io.arrays import in_order
from quchong.io.row_copies import BAD, KEEP, REMOVE, RowCopies, Rows, RowSet, Whole
from quchong.kernels.sorting import distinct
from quchong.languages import Message, join_names
from quchong.tables import DOCUMENTS

__all__ = [
    "BAD",
    "ENCODING_REMEDY",
    "KEEP",
    "REMOVE",
    "Bad",
    "Chosen",
    "Documents",
    "Rows",
    "Source",
    "WantedColumns",
    "Whole",
]

ENCODING_REMEDY = Message("if the file is GB18030, convert it with iconv -f GB18030 -t UTF-8")
"""Remedy in messages about bytes that are not UTF-8: most Chinese text in other encodings is GB18030, GBK or GB2312."""


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
                raise UsageError(
                    "{!r} contains an incomplete character, so no column can have this name: check the name", name
                )
        already = {"id"} if self.id == "id" else set()
        already |= {"text"} if self.text == ("text",) else set()
        extra = tuple(name for name in dict.fromkeys(self.extra) if name not in already and name != self.instead)
        if self.instead is not None:
            if self.instead in self.text or self.instead == self.id:
                raise UsageError(
                    "column {!r} is already used as the text or the id, so it cannot replace a missing text",
                    self.instead,
                )
            extra = (*extra, self.instead)
        for name in extra:
            if name in DOCUMENTS.names:
                raise UsageError(
                    "the column cannot be called {!r}, because the run itself uses {}: rename the column",
                    name,
                    join_names(DOCUMENTS.names),
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


Documents = Iterator[pa.RecordBatch]
"""Documents of a source, batch by batch."""
Chosen = Callable[[int], bool]
"""Function that says by number whether a block of a source belongs to this process."""


class Source(RowCopies):
    """Source of records, which can be read twice: once as documents, once to be copied whole.

    It has three verbs, `documents`, `records` and `writer`; all else is written once over them.

    Attributes:
        name: shown to the user, part of generated ids and of output paths; unique among the sources of one call
        suffix: of the output files, ".jsonl.gz" for instance
        annotated_suffix: of the file that `annotate` writes
        path: file or folder that the source was opened from; None for memory, and for the files that a run split
        files: files that the source reads, in order
        leaves_out: True if `documents` heeds `chosen`, so that other blocks are hardly read
        chosen: blocks of which `documents` yields documents and bad records, by number from 0; None for all. The division into blocks
            depends on the file alone
    """

    leaves_out: ClassVar[bool] = False
    chosen: Chosen | None = None
    name: str
    suffix: str
    annotated_suffix: str
    path: Path | None
    files: tuple[Path, ...]

    @abstractmethod
    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order as batches of `wanted.schema()` with about 16 MB of text; at least one, maybe empty.

        Bad records are left out and appended to `bad`, in order. The same file always gives the same batches.

        With `rows` only the documents of these rows, as far as they are usable; reading stops after the last.

        Raises:
            InputError: the file as a whole cannot be read, or none of its records has the keys wanted
            InputChanged: there is no such row
        """

    @abstractmethod
    def expected(self) -> int | None:
        """Return the approximate number of records, for progress; None if it cannot be found cheaply. Never raises."""

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns, as far as they are known before the source is read; empty if none is. Never raises.

        Of JSON lines they are the keys of the first records.
        """
        return ()

    def has_fixed_texts(self, key: str) -> bool:
        """Return True if it is known before reading that no text under `key` can be replaced in its record. Never raises.

        Of JSON lines the first records are looked at.
        """
        return False

    def fixed_rows(self, rows: RowSet, key: str) -> RowSet:
        """Return those of the rows whose text cannot be replaced in its record: it is in a string that holds JSON, or in a map.

        Raises:
            InputChanged: as `split`.
        """
        return np.zeros(0, np.int64)

    @property
    def written_suffix(self) -> str:
        """Suffix of the files of rows: `suffix`, or that of the form of `write_as`."""
        return self.written.suffix(self.suffix)

    def layout(self) -> tuple[object, ...]:
        """Return the properties that two files must share for one file to hold the rows of both: format, and columns of tables."""
        return (type(self).__name__,)

    def head_bytes(self) -> int:
        """Return about how many bytes a written file has besides its rows, known when `documents` has run."""
        return 0

    @abstractmethod
    def fingerprint(self) -> dict[str, object]:
        """Return `name`, `bytes` and `blake2b` (128 bits, hex) of the bytes on disk; for memory `name` and `rows`."""

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """Return the documents of these rows, in this order, without bad records; reading stops after the last row.

        Raises:
            InputChanged: the source is no longer the one that `documents` read, or has no such row
        """
        batches = list(self.documents(wanted, [], distinct(np.asarray(rows, np.int64))))
        schema = batches[0].schema
        place = schema.get_field_index("id")  # that its ids were numbers is true of the rows read, not of the column
        return in_order(batches, schema.set(place, schema.field(place).remove_metadata()), rows)
