"""The protocol of a source, and the columns a run wants of it."""

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
"""The fates of a record in `Source.split`; a bad record goes to neither side."""

ENCODING_REMEDY = Message("is the file GB18030? convert with iconv -f GB18030 -t UTF-8")
"""Said wherever bytes are not UTF-8: most Chinese text that is not UTF-8 is in this family (GB2312, GBK)."""
OR_PAGES = Message("{}, or pages with {} (no {!r})")
"""How the text can be named where pages may stand in for it; templates of what follows "name one with"."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run needs of each record.

    Args:
        text: keys of the text; several are joined by a line feed, those missing or null left out
        id: key of the id, or None for no ids (the id column is then null)
        id_required: the user named the id key, so a record without a usable id is bad; else its id is null
        extra: further columns for policies and scope; null where missing. Large strings for JSONL and CSV,
            the column's own type for Parquet, Arrow and memory
        instead: column that stands in for a missing text, such as "html": a record without a text (null, blank or no such key;
            in CSV an empty cell) is no bad record if it has this. Its text is then "", and the column is the last
            of the extra ones, null wherever the record has a text of its own
        textless: a record without a text (null, or no such key) is a document with the text "", not a bad record

    Raises:
        UsageError: no text key, or an extra column that would stand beside another of the same name
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
        """Every key to read, once each: text, id, extra."""
        return tuple(dict.fromkeys([*self.text, *([] if self.id is None else [self.id]), *self.extra]))

    def schema(self) -> pa.Schema:
        """DOCUMENTS followed by the extra columns as large strings."""
        return pa.schema([*DOCUMENTS, *(pa.field(name, pa.large_string()) for name in self.extra)])


@dataclass(frozen=True, slots=True)
class Bad:
    """One record that could not be used.

    Args:
        source: name of the source
        row: index of the record there, from 0
        line: physical line on which the record begins, from 1; None where there are no lines
        reason: what is wrong with it, for people
        raw: the record as it stands in the file, without its line ending; JSON of the columns read for columnar formats
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
    """Records that can be read twice: once as documents, once to be copied whole.

    Attributes:
        name: shown to the user, part of made-up ids and of output paths; unique among the sources of one call
        suffix: of the output files, ".jsonl.gz" for instance
    """

    name: str
    suffix: str

    @property
    def annotated_suffix(self) -> str:
        """Of the file that `annotate` writes."""
        ...

    @property
    def path(self) -> Path | None:
        """The file or folder it was opened from; None for memory, and for what a run split."""
        ...

    @property
    def files(self) -> tuple[Path, ...]:
        """The files it reads, in order."""
        ...

    def expected(self) -> int | None:
        """About how many records there are, for progress; None where that cannot be told cheaply. Never raises."""
        ...

    def documents(self, wanted: Wanted, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """All usable records in order, `wanted.schema()`, about 16 MB of text a batch; at least one batch, maybe empty.

        Bad records are left out and appended to `bad`, in order. The same file always gives the same batches.

        Raises:
            InputError: the file as a whole cannot be read, or none of its records has the keys wanted
        """
        ...

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """Copies whole records, order kept, to one side or the other; None leaves that side out.

        Args:
            fate: uint8 (records,), KEEP, REMOVE or BAD by row
            kept: file to write
            removed: file to write

        Raises:
            InputChanged: the file is no longer the one that `documents` read
            OutputError: a side cannot be written
        """
        ...

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """Writes the records with the columns of `notes` added; bad records are left out.

        Args:
            notes: one row per record, bad ones included (their values are not used); strings and numbers
            out: file to write

        Bad records are those `documents` found. Where it has not run to its end, rows with nothing but nulls.

        Raises:
            InputChanged: the file is no longer the one that `documents` read
            OutputError: `out` cannot be written
        """
        ...

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """Writes the records with other texts in some of them; all else stays as it is. Bad records are left out.

        Args:
            texts: the text by row
            key: the column of the text; a record that has none gets it
            out: file to write; for files of a folder a folder

        Raises:
            InputChanged, OutputError: as `annotate`
            UsageError: a source whose records cannot take another text (WARC, files that are pages)
        """
        ...

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """Whole records as a table of all columns, read as `documents` reads them; order kept.

        JSONL: every key that occurs is a column; one of mixed types, or of integers of more than 64 bits, holds text.
        CSV: every value is text, as it stands. Pages: `url` and what else is known. Files of a folder: `path`.

        Args:
            mask: bool (records,); no bad record among those chosen

        Raises:
            InputChanged: the file is no longer the one that `documents` read
        """
        ...

    def fetch(self, rows: Sequence[int], wanted: Wanted) -> pa.Table:
        """The documents of these rows, in this order; bad records are absent. Reads no further than it must.

        Raises:
            InputChanged: the file is no longer the one that `documents` read, or has no such row
        """
        ...

    def whole(self, rows: Rows) -> Iterator[Whole]:
        """Whole records by row, bad ones too, in ascending order; nothing where records cannot be read again.

        What is set down of a bad record is read when it is written, and not held meanwhile.
        """
        ...

    def fingerprint(self) -> dict[str, object]:
        """`name`, `bytes` on disk and `blake2b` (128 bits, hex) of the bytes on disk; `name` and `rows` for memory."""
        ...
