"""Source of the pages of a WARC file, which copies its records unchanged."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator, Mapping, MutableSequence, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged, InputError, Param, Remedy, UsageError
from quchong.io.arrays import select_rows
from quchong.io.columnar.portions import TEXT_BYTES
from quchong.io.documents import assemble
from quchong.io.file_source import FileSource
from quchong.io.files.input_file import File, reading
from quchong.io.files.notes import NotesWriter, named_notes
from quchong.io.files.streams import Output
from quchong.io.limits import LARGEST, too_large
from quchong.io.row_changes import noted_rows
from quchong.io.row_copies import BAD, BlockWriter, RowSet
from quchong.io.source import Bad, Documents, WantedColumns
from quchong.io.warc.copies import RAW_BYTES, OpenWarc, RecordBlock, RecordWriter
from quchong.io.warc.index import OTHER, RecordIndex
from quchong.io.warc.members import MARK, PACKINGS, Unread
from quchong.io.warc.pages import WarcPage
from quchong.io.warc.records import WarcRecord, packing_of, page_at
from quchong.io.warc.scan import scan
from quchong.kernels.machine import Stop
from quchong.languages import Message, join_names

COLUMNS = ("id", "url", "record_id", "crawl_time", "content_type")
"""Metadata columns of a page. The id is the address, or the record id without an address."""
_BATCH_ROWS = 1 << 16
_BLOCK_ROWS = 1 << 10
_COUNTED, _COUNTED_BYTES = 256, 8 << 20
"""Pages, and bytes of the file, from which the number of pages is estimated."""


class WarcFile(FileSource):
    """Source of the HTML pages of a WARC file, compressed or not: responses with status 200, and resources.

    All other whole records (requests, metadata, images, redirects, ...) are not documents: they are not counted and always kept. A
    broken record is a bad record and affects no other. Records are copied byte for byte; a record that shares a gzip member with
    others gets its own member.

    The keys of the text are ignored. The page is in the fallback column (`WantedColumns.instead`), as bytes; the extra columns `COLUMNS`
    are filled, others are null.

    Args:
        path: the file
        name: see Source
        suffix: see Source; replaced by that of the file's real compression
        most: maximum bytes of a page; a larger page is a bad record, as is one of more than `http_body.PAGE_BYTES`
    """

    FOUND: ClassVar[tuple[str, ...]] = ("_file", "_packing", "_index")
    """Attributes that `documents` sets, see `quchong.io.found_properties`."""

    def __init__(self, path: File, name: str, suffix: str, most: int = LARGEST) -> None:
        self.name, self._most, self.annotated_suffix = name, most, ".csv"
        self._set_file(path)
        self._packing: str | None = None
        with self._open_file() as file:
            file.seek(0)
            known = self._packing is not None or file.read(len(MARK)) == MARK
        if known:
            suffix = ".warc" + next((end for end, packing in PACKINGS.items() if packing == self._packing), "")
        self.suffix = suffix
        self._index: RecordIndex | None = None

    def expected(self) -> int | None:
        """Return the approximate number of pages, scaled from the file's beginning; None if it cannot be found."""
        pages = taken = 0
        try:
            size = self._file.location.state().size
            with closing(self._scan()) as records:
                for found in records:
                    pages += found.page is not None
                    taken = found.place.end if found.place.alone else found.place.start
                    if pages >= _COUNTED or taken >= _COUNTED_BYTES:
                        return round(pages * size / taken) if taken else None
        except (InputError, OSError):  # reading says so
            return None
        return pages

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        self._check_wanted(wanted)
        if rows is not None:
            yield self._documents_at(wanted, rows.tolist())
            return
        self._file.remember()
        self._file.start_digest()
        index = RecordIndex()
        try:
            yield from self._batches(wanted, bad, index)
        except GeneratorExit:
            self._file.end_digest()
            raise
        self._index = index

    def _batches(
        self, wanted: WantedColumns, bad: MutableSequence[Bad], index: RecordIndex
    ) -> Iterator[pa.RecordBatch]:
        """Yield the batches of `documents`, and add all records to the index."""
        count = size = 0
        rows: list[int] = []
        pages: list[WarcPage] = []
        for found in self._scan():
            row = index.add(found)
            if found.page is None:
                if row != OTHER:
                    bad.append(Bad(self.name, row, None, self._located_reason(found), b""))
                continue
            rows.append(row)
            pages.append(found.page)
            size += len(found.page.html)
            if size >= TEXT_BYTES or len(rows) >= _BATCH_ROWS:
                count += 1
                yield _batch(wanted, rows, pages)
                rows, pages, size = [], [], 0
        if rows or not count:
            yield _batch(wanted, rows, pages)

    def split(
        self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None, *, stop: Stop | None = None
    ) -> None:
        """See Source.split; records that are not documents go to `kept`, pages that cannot be read to neither side."""
        self.check(len(fate))
        fate = fate.copy()
        fate[self._indexed().bad] = BAD
        super().split(fate, kept, removed, stop=stop)

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[slice, RecordBlock]]:
        """See Source.records. Records that are not documents are with the next page, those behind the last page with that."""
        index = self._indexed()
        ends = np.flatnonzero(index.row != OTHER) + 1
        if len(ends):
            ends[-1] = len(index.row)
        with self._open_file() as file:
            source, begun = OpenWarc(self.path, file, self._packing), 0
            for first in range(0, max(len(ends), 1), _BLOCK_ROWS):
                mine = ends[first : first + _BLOCK_ROWS]
                end = int(mine[-1]) if len(mine) else len(index.row)
                if rows is None or ((rows >= first) & (rows < first + len(mine))).any():
                    places = [index.place(at) for at in range(begun, end)]
                    block = RecordBlock(source, places, index.row[begun:end] - first)
                    yield slice(first, first + len(mine)), block
                begun = end

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """See Source.writer: a WARC file; with `notes` a CSV file of `url`, `record_id` and the notes."""
        if notes is not None:
            return NotesWriter(path, pa.schema([("url", pa.large_string()), ("record_id", pa.large_string()), *notes]))
        return RecordWriter(Output(path))

    def table_from(self, values: list[pa.RecordBatch]) -> pa.Table:
        """See Source.table_from: `COLUMNS` and `html`."""
        return pa.Table.from_batches(values).drop_columns(["row", "text"])

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of; pages are read once more."""
        self._file.check()
        wanted = WantedColumns(id="id", extra=COLUMNS[1:], instead="html")
        again = WarcFile(self._file, self.name, self.suffix, self._most)
        batches = [select_rows(batch, mask[batch.column("row").to_numpy()]) for batch in again.documents(wanted, [])]
        self._file.check()
        return self.table_from(batches)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate; pages are read once more, for their addresses."""
        self.check(notes.num_rows)
        pages = (one.page for one in self._scan() if one.counts)
        found = [None if page is None else (page.url, page.record_id) for page in pages]
        good = noted_rows(notes, np.flatnonzero([one is None for one in found]))
        urls, ids = ([None if one is None else one[k] for one in found] for k in (0, 1))
        with self.writer(out, notes.schema) as writer:
            writer.write(named_notes({"url": urls, "record_id": ids}, notes).filter(pa.array(good)))

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """Raise UsageError, because the pages of a WARC are stored as they were sent. See Source.rewrite."""
        raise UsageError("{} contains web pages, but passages can be cut out of texts only", self.path)

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Raise InputChanged if the source is no longer the one that `documents` read; see Source.check."""
        self._file.check()
        if records is not None and records != self._indexed().rows:
            pages = self._indexed().rows
            raise InputChanged(
                "{} contains {} pages, but contained {} at the first reading; run again", self.path, pages, records
            )

    def check_written(self) -> None:
        """Raise InputChanged if a record is broken or shares its bytes with another, so that the file has been changed."""
        index = self._indexed()
        pages = np.flatnonzero(index.row != OTHER).tolist()
        if len(index.bad) or not all(index.place(at).alone for at in pages):
            raise InputChanged("{} differs from what the run wrote: run again", self.path)

    def _documents_at(self, wanted: WantedColumns, asked: Sequence[int]) -> pa.RecordBatch:
        self._file.check()
        index = self._indexed()
        if asked and asked[-1] >= index.rows:
            raise InputChanged(
                "{} has {} pages, but no page with the number {} (counted from 0); run again",
                self.path,
                index.rows,
                asked[-1],
            )
        bad = set(np.intersect1d(index.bad, asked).tolist())
        good: list[int] = []
        pages: list[WarcPage] = []
        with self._open_file() as file:
            for row, place in index.places(asked):
                found = page_at(file, self._packing, place) if row not in bad else None
                found = found and self._limited(found)
                if found is not None and found.page is not None:
                    good.append(row)
                    pages.append(found.page)
        return _batch(wanted, good, pages)

    @contextmanager
    def _open_file(self) -> Iterator[BinaryIO]:
        with reading(self.path), io.BufferedReader(self._file.location.open(), 1 << 20) as file:
            self._packing = packing_of(file)
            yield file

    def _scan(self) -> Generator[WarcRecord]:
        with self._open_file() as file:
            anything = False
            try:
                for found in scan(file, self._packing):
                    if not anything and found.reason and not found.place.start and _nothing(found, file):
                        raise InputError(
                            "{} is not a WARC file: change the suffix to match the contents{}",
                            self.path,
                            Remedy(", or name the format with {}", Param("format", "FORMAT")),
                        )
                    anything = True
                    yield self._limited(found)
            except Unread as unread:
                raise InputError("{}: {}", self.path, unread) from unread

    def _limited(self, found: WarcRecord) -> WarcRecord:
        """Return the record unchanged, or without its page and with a reason if the page is above the limit."""
        if found.page is None or len(found.page.html) <= self._most:
            return found
        reason = too_large(len(found.page.html), self._most)
        name = found.page.url or found.page.record_id
        return replace(found, page=None, reason=f"{name}: {reason}" if name else reason)

    def _indexed(self) -> RecordIndex:
        if self._index is None:
            self._index = RecordIndex()
            for found in self._scan():
                self._index.add(found)
        return self._index

    def _check_wanted(self, wanted: WantedColumns) -> None:
        if wanted.instead is None:
            raise InputError("{} contains web pages, but only files of texts can be read here", self.path)
        if wanted.id_required and wanted.id not in COLUMNS:
            raise InputError(
                "{} has no column {!r}; it has these columns: {}", self.path, wanted.id, join_names(COLUMNS)
            )

    def _located_reason(self, found: WarcRecord) -> str:
        place = found.place
        size = place.end - place.start if place.alone else place.size
        where = (
            Message("; at bytes {:,} to {:,} of the file", place.start, place.end)
            if place.alone and size > RAW_BYTES
            else ""
        )
        return f"{found.reason} (at byte {place.start:,}{where})"


def _nothing(found: WarcRecord, file: BinaryIO) -> bool:
    """Return True if the file is no WARC: its first record is broken and has no end before the end of the file."""
    return Message("no WARC record begins at this byte") in found.reason and found.place.end >= file.seek(0, 2)


def _batch(wanted: WantedColumns, rows: list[int], pages: list[WarcPage]) -> pa.RecordBatch:
    def column(name: str | None) -> pa.Array:
        if name == "id":
            return pa.array([page.url or page.record_id for page in pages], pa.large_string())
        if name in COLUMNS:
            return pa.array([getattr(page, name) for page in pages], pa.large_string())
        return pa.nulls(len(pages), pa.large_string())

    text = pa.array([""] * len(pages), pa.large_string())
    extra = [column(name) for name in wanted.extra[:-1]]
    html = pa.array([page.html for page in pages], pa.large_binary())
    return assemble(wanted, np.array(rows, np.int64), column(wanted.id), text, [*extra, html])
