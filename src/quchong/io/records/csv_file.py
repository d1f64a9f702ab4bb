"""The CSV and TSV formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import InputError
from quchong.io.records.csv_scan import LONGEST_QUOTED, field_places, fields, scan
from quchong.io.records.csv_values import CsvReader
from quchong.io.records.file import Read, RecordFile, byte_order_mark
from quchong.io.records.lines import BLOCK_BYTES, CR, LF, Positions, Records, newlines_in, whole_lines
from quchong.io.source import ENCODING_REMEDY, Wanted


class CsvFile(RecordFile):
    """RFC 4180, quoted line feeds included; the first record is the header and opens kept and removed alike.

    Empty lines are no records: they are not copied, but line numbers count them. The delimiter is the one given
    unless the header shows another: a comma file without commas may use semicolons or tabs.

    Args:
        delimiter: one byte
        longest_quoted: see csvscan.LONGEST_QUOTED; the rest as RecordFile
    """

    def __init__(
        self,
        path: Path,
        name: str,
        suffix: str,
        compression: str | None = None,
        block_bytes: int = BLOCK_BYTES,
        delimiter: bytes = b",",
        longest_quoted: int = LONGEST_QUOTED,
    ) -> None:
        super().__init__(path, name, suffix, compression, block_bytes)
        self._usual = self._delimiter = delimiter
        self._longest = longest_quoted
        self._header: list[str] = []

    def _records(self, read: Read) -> Iterator[Records]:
        row, line, carry, headed = 0, 1, b"", False
        for lines in chain(whole_lines(read, self._block_bytes), [b""]):  # the empty one says that this was all
            block, final, start = carry + lines if carry else lines, not lines, 0
            newlines = newlines_in(block)
            if not headed:
                start = len(byte_order_mark(block, str(self._file.path)))
                self._delimiter = _delimiter(block[: newlines[0] if len(newlines) else None], self._usual)
            found = scan(block, newlines, start, ord(self._delimiter), final, self._longest)
            starts, ends = _without_blanks(block, np.append(start, found.ends)[:-1], found.ends)
            if not headed and len(ends):
                headed = True
                self._read_header(block[starts[0] : ends[0]], bool(np.any(found.unclosed < ends[0])))
                self._head = block[: ends[0]]
                starts, ends = starts[1:], ends[1:]
            if headed:
                broken = {int(np.searchsorted(ends, quote, "right")): "unclosed quote" for quote in found.unclosed}
                yield Records(block, starts, ends, newlines, row, line, broken)
            done = int(found.ends[-1]) if headed and len(found.ends) else 0
            carry = block[done:]
            row, line = row + len(starts), line + int(np.searchsorted(newlines, done))
            del block, lines
        if not headed:
            raise InputError(f"{self._file.path} is empty: a CSV file begins with a line that names its columns")

    def _read_header(self, record: bytes, unclosed: bool) -> None:
        shown = self._file.path
        if unclosed:
            raise InputError(f"{shown}: the header has a quote that is never closed; close it")
        try:
            self._header = [name.decode() for name in fields(record.rstrip(b"\r\n"), self._delimiter)]
        except UnicodeDecodeError as error:
            raise InputError(f"{shown}: the header is not UTF-8; {ENCODING_REMEDY}") from error

    def _reader(self, wanted: Wanted) -> CsvReader:
        return CsvReader(wanted, self.name, self._header, self._delimiter, str(self._file.path))

    def _annotated_head(self, names: Sequence[str]) -> bytes:
        if there := [name for name in names if name in self._header]:
            raise InputError(
                f"{self._file.path} has the columns {', '.join(there)} already, and a reader would take the old for the new: "
                "give the file as it was before it was annotated, or write kept and removed rows apart"
            )
        return self._annotated(self._head, names, names)

    def _annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        body = record.rstrip(b"\r\n") if record.endswith(b"\n") else record
        cells = [self._cell(value) for value in values]
        return self._delimiter.join([body, *cells]) + record[len(body) :]

    def _tabled(self, records: Sequence[bytes]) -> pa.Table:
        rows = [[cell.decode() for cell in fields(record, self._delimiter)] for record in records]
        columns = zip(*rows, strict=True) if rows else [()] * len(self._header)
        return pa.table([pa.array(list(column), pa.large_string()) for column in columns], names=self._header)

    def _rewritten(self, record: bytes, key: str, text: str) -> bytes:
        body = record.rstrip(b"\r\n") if record.endswith(b"\n") else record
        start, end = field_places(body, self._delimiter)[self._header.index(key)]
        return body[:start] + self._cell(text) + body[end:] + record[len(body) :]

    def _cell(self, value: Any) -> bytes:
        cell = b"" if value is None else str(value).encode()
        if any(special in cell for special in (self._delimiter, b'"', b"\n", b"\r")):
            return b'"' + cell.replace(b'"', b'""') + b'"'
        return cell


def _delimiter(header: bytes, usual: bytes) -> bytes:
    """The usual one, unless it is a comma and the header has none but has another."""
    if usual == b"," and b"," not in header:
        return next((other for other in (b";", b"\t") if other in header), usual)
    return usual


def _without_blanks(block: bytes, starts: Positions, ends: Positions) -> tuple[Positions, Positions]:
    """The records that hold more than a line ending."""
    octets = np.frombuffer(block, np.uint8)
    size, first = ends - starts, octets[starts]
    second = octets[np.minimum(starts + 1, len(octets) - 1)]
    full = ~(((size == 1) & np.isin(first, (LF, CR))) | ((size == 2) & (first == CR) & (second == LF)))
    return starts[full], ends[full]
