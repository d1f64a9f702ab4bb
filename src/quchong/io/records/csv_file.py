"""Source of CSV and TSV files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import InputChanged, InputError
from quchong.io.encodings import in_utf8, out_of_utf8
from quchong.io.files.input_file import File
from quchong.io.limits import LARGEST
from quchong.io.records.csv_fields import field_places, fields
from quchong.io.records.csv_values import CsvReader
from quchong.io.records.encoded_file import EncodedFile
from quchong.io.records.file import Read, byte_order_mark
from quchong.io.records.lines import BLOCK_BYTES, RECORDS_AT_ONCE, CutLine, Lines, Positions, Records, whole_lines
from quchong.io.records.reader import Refused
from quchong.io.source import WantedColumns
from quchong.kernels.records import NONE_OPEN, csv_records
from quchong.languages import join_names

LONGEST_QUOTED = 64 << 20
"""Maximum bytes of a quoted field of several lines; the quote of a longer one counts as never closed."""


class CsvFile(EncodedFile):
    """Source of a CSV file by RFC 4180, quoted line feeds included; its first record is the header, which begins every output.

    Empty lines are not records: they are not copied, but line numbers count them. The delimiter is the one given, except that
    a file with a header without commas may use semicolons or tabs.

    Args:
        delimiter: one byte
        longest_quoted: see LONGEST_QUOTED; the rest as RecordFile
        encoding: by the name `encodings.codec_name` gives; None to find it. No byte that makes up CSV is part of another character
            in those, so records are cut as they stand and only what is read of them is decoded.
    """

    FOUND = (*EncodedFile.FOUND, "_delimiter", "_first", "_names")

    def __init__(  # noqa: PLR0913 - as RecordFile, and what CSV does not say
        self,
        path: File,
        name: str,
        suffix: str,
        compression: str | None = None,
        block_bytes: int = BLOCK_BYTES,
        delimiter: bytes = b",",
        longest_quoted: int = LONGEST_QUOTED,
        encoding: str | None = None,
        most: int = LARGEST,
    ) -> None:
        super().__init__(path, name, suffix, compression, block_bytes, most, encoding)
        self._usual = self._delimiter = delimiter
        self._longest = longest_quoted
        self._first, self._names = b"", list[str]()

    def layout(self) -> tuple[object, ...]:
        """Return the properties in which two files must agree for one file to hold the rows of both; see Source.layout."""
        return (*super().layout(), self.column_names(), self._delimiter, self.encoding)

    def _records(self, read: Read) -> Iterator[Records]:
        row, line, carry, headed = 0, 1, b"", False
        before, quote = b"", NONE_OPEN
        cuts: list[CutLine] = []
        end: Lines = b"", []  # says that this was all
        for lines, found_cut in chain(whole_lines(self._inward(read), self._most, self._block_bytes), [end]):
            block, final, start, more = carry + lines if carry else lines, not lines, 0, True
            cuts += [replace(one, start=one.start + len(carry)) for one in found_cut]
            if not headed:
                start = 0 if before else len(byte_order_mark(block, str(self._file.path)))
                self._delimiter = _delimiter(block.lstrip(b"\r\n").partition(b"\n")[0], self._usual)
            while more:
                found = csv_records(block, start, self._delimiter, final, self._longest, quote, RECORDS_AT_ONCE)
                starts, ends, places = found.starts, found.ends, line + found.lines
                if not headed and len(ends):
                    headed = True
                    self._take_header(block, starts[0], ends[0], found.unclosed, cuts)
                    self._head = before + block[: ends[0]]
                    starts, ends, places = starts[1:], ends[1:], places[1:]
                if headed:
                    broken = {int(np.searchsorted(ends, at, "right")): "unclosed quote" for at in found.unclosed}
                    yield Records(block, starts, ends, places, row, broken, _cut_records(starts, ends, cuts))
                row, line, start, more, quote = (
                    row + len(starts),
                    line + found.feeds,
                    found.done,
                    found.full,
                    found.open,
                )
            cuts = [replace(one, start=one.start - start) for one in cuts if one.start >= start]
            if not headed:  # empty lines open every output too
                before += block[:start]
                if len(before) > self._most:
                    raise InputError(
                        "{}: the file begins with {:,} bytes of empty lines: remove them, so that the first line has the "
                        "names of the columns",
                        self._file.path,
                        len(before),
                    )
            carry, quote = block[start:], quote.moved(start)
            del block, lines
        if not headed:
            raise InputError(
                "{} is empty: the first line of a CSV file must have the names of its columns", self._file.path
            )

    def _take_header(self, block: bytes, start: int, end: int, unclosed: Positions, cuts: list[CutLine]) -> None:
        """Store the first record, which names the columns; raise InputError if it is unclosed or too long."""
        if np.any(unclosed < end):
            raise InputError("{}: the header has a quote that is not closed: close it", self._file.path)
        if cuts and cuts[0].start < end:
            raise InputError(
                "{}: the first line has {:,} bytes, too many for the names of columns", self._file.path, cuts[0].size
            )
        self._first, self._names = block[start:end].rstrip(b"\r\n"), []

    @property
    def _header(self) -> list[str]:
        """Names of the columns; available after the first block."""
        if not self._names:
            raw, wrong = in_utf8(self._first, self._inner, self._given)
            if wrong:
                raise InputError("{}: the header cannot be read: {}", self._file.path, wrong)
            self._names = [name.decode() for name in fields(raw, self._delimiter)]
        return self._names

    def _names_in(self, records: Records) -> tuple[str, ...]:
        return tuple(self._header)

    def _reader(self, wanted: WantedColumns) -> CsvReader:
        return CsvReader(
            wanted, self.name, self._header, self._delimiter, str(self._file.path), self._inner, self._given
        )

    def _annotated_head(self, names: Sequence[str]) -> bytes:
        if there := [name for name in names if name in self._header]:
            raise InputError(
                "{} already has the columns {}, so old and new values could not be told apart: give the file as "
                "it was before annotation, or write kept and removed rows to separate files",
                self._file.path,
                join_names(there),
            )
        return self.annotated(self._head, names, names)

    def annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added; see RecordForm."""
        body = record.rstrip(b"\r\n") if record.endswith(b"\n") else record
        cells = [self._cell(value) for value in values]
        return self._delimiter.join([body, *cells]) + record[len(body) :]

    def unnoted(self, record: bytes, names: Sequence[str]) -> bytes:
        """Return a record without the values that `annotated` added; see RecordForm."""
        body = record.rstrip(b"\r\n") if record.endswith(b"\n") else record
        places = field_places(body, self._delimiter)
        if len(places) <= len(names):
            raise InputChanged(
                "{} has a row without the column {!r}, which the run added: add it, or run again",
                self._file.path,
                names[0],
            )
        return body[: places[-len(names)][0] - 1] + record[len(body) :]

    def _unnoted_head(self, names: Sequence[str]) -> bytes:
        body = self._head.rstrip(b"\r\n")
        added = self.annotated(b"", names, names)
        if not body.endswith(added):
            raise InputChanged(
                "{} no longer has the column {!r}, which the run added: put it back, or run again",
                self._file.path,
                names[0],
            )
        return body.removesuffix(added) + self._head[len(body) :]

    def _tabled(self, records: Sequence[bytes]) -> pa.Table:
        rows, header = [], self._header
        for record in records:
            raw, wrong = in_utf8(record, self._inner, self._given)
            if wrong:
                raise Refused(wrong)
            rows.append([cell.decode() for cell in fields(raw, self._delimiter)])
        columns = zip(*rows, strict=True) if rows else [()] * len(header)
        return pa.table([pa.array(list(column), pa.large_string()) for column in columns], names=header)

    def rewritten(self, record: bytes, key: str, text: str) -> bytes:
        """Return a record with its text under `key` replaced; see RecordForm."""
        body = record.rstrip(b"\r\n") if record.endswith(b"\n") else record
        start, end = field_places(body, self._delimiter)[self._header.index(key)]
        return body[:start] + self._cell(text) + body[end:] + record[len(body) :]

    def _cell(self, value: Any) -> bytes:
        told = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        cell = b"" if told is None else out_of_utf8(str(told), self._inner)
        if any(special in cell for special in (self._delimiter, b'"', b"\n", b"\r")):
            return b'"' + cell.replace(b'"', b'""') + b'"'
        return cell


def _cut_records(starts: Positions, ends: Positions, cuts: list[CutLine]) -> dict[int, tuple[int, bytes]]:
    """Return the records that contain a line above the limit, by index: their bytes and beginnings."""
    found: dict[int, tuple[int, bytes]] = {}
    for one in cuts:
        index = int(np.searchsorted(ends, one.start, "right"))
        if index < len(ends) and starts[index] <= one.start:
            size, head = found.get(index, (int(ends[index] - starts[index]), one.head))
            found[index] = size + one.size - 2, head
    return found


def _delimiter(header: bytes, usual: bytes) -> bytes:
    """Return the delimiter of a header: `usual`, or semicolon or tab if `usual` is a comma and the header has none."""
    if usual == b"," and b"," not in header:
        return next((other for other in (b";", b"\t") if other in header), usual)
    return usual
