"""Source of JSON lines files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from json import JSONDecoder
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from quchong.errors import InputChanged, InputError
from quchong.io.dicts import table_of_dicts
from quchong.io.encodings import UTF8, in_utf8
from quchong.io.files.streams import beginning
from quchong.io.nested.path import parse_path
from quchong.io.nested.replacing import NoPlaceError, new_values, spans_in, text_places
from quchong.io.records.encoded_file import EncodedFile
from quchong.io.records.file import Read, byte_order_mark
from quchong.io.records.json_reader import JsonReader
from quchong.io.records.json_values import exact_object
from quchong.io.records.lines import RECORDS_AT_ONCE, Lines, Records, whole_lines
from quchong.io.records.other_form import checked_form
from quchong.io.records.reader import Refused
from quchong.io.row_changes import no_plain_texts
from quchong.io.row_copies import RowSet
from quchong.io.source import WantedColumns
from quchong.kernels.records import line_records
from quchong.patterns import lazy_pattern

_WHITE = b" \t\r"
_DECODER = JSONDecoder()
_READ = (UTF8, "gb18030", "big5hkscs", "utf-16-le", "utf-16-be")
"""Encodings that are detected."""
LISTED = lazy_pattern(rb":[ \t\r\n]*\[")
"""What every record has in which the value of a key is a list."""
LOOKED_AT = 100
"""Number of first records whose keys are the columns of a file."""


class JsonLines(EncodedFile):
    """Source of a file with one JSON object a line. Blank lines are not records: they are not copied, but line numbers count them.

    A byte order mark at the start begins both outputs; CRLF is kept. An empty file has no documents.

    A file in GB18030 or Big5 is read as what it is: no byte of these is a quote or the end of a line, so records are cut as they are
    and copied byte for byte; only what is read of them is decoded. One in UTF-16 is read as UTF-8 and written as UTF-16, which gives the
    same bytes.

    Args:
        encoding: see EncodedFile; the rest as RecordFile.
    """

    def _readable(self, found: str) -> str:
        return found if found in _READ else UTF8

    def _records(self, read: Read) -> Iterator[Records]:
        row, line, head = 0, 1, None
        for block, cuts in self._lines(read):
            start = 0
            if head is None:
                head = self._head = byte_order_mark(block, str(self._file.path))
                start = len(head)
            more = True
            while more:
                found = line_records(block, start, _WHITE, RECORDS_AT_ONCE)
                yield Records(block, found.starts, found.ends, line + found.lines, row).with_cut(cuts)
                row, line, start, more = row + len(found.starts), line + found.feeds, found.done, found.full
            del block
        if head is None:
            self._head = b""
            yield Records(b"", *line_records(b"", 0, _WHITE)[:3])

    def _lines(self, read: Read) -> Iterator[Lines]:
        """Yield the blocks of lines of the file; raise InputError if it is JSON of another form."""
        blocks = whole_lines(self._inward(read), self._most, self._block_bytes)
        return checked_form(blocks, str(self._file.path), self._inner, self.name == "stdin")

    def _names_in(self, records: Records) -> tuple[str, ...]:
        first = (records.raw(index) for index in range(min(len(records), LOOKED_AT)))
        return keys_of(in_utf8(line, self._inner)[0] for line in first)

    def has_fixed_texts(self, key: str) -> bool:
        """See Source.has_fixed_texts: in the first records that have a text."""
        found = []
        with suppress(InputError, OSError, pa.ArrowException, StopIteration):  # reading says so
            with beginning(self._file, self._compression) as (read, _):
                records = next(iter(self._records(read)))
            for index in range(min(len(records), LOOKED_AT)):
                with suppress(Refused, ValueError):
                    item = exact_object(self._in_utf8(records.raw(index)))
                    found += [] if key in item and item[key] is None else [is_fixed(item, key)]
        return bool(found) and all(found)

    def fixed_rows(self, rows: RowSet, key: str) -> RowSet:
        """See Source.fixed_rows. Cost: the file is read again up to the last row; records without a list are not parsed."""
        found: list[int] = []
        for records in self._blocks() if len(rows) else ():
            mine = rows[(rows >= records.row) & (rows < records.row + len(records))]
            for row in mine.tolist():
                raw = records.raw(row - records.row)
                if (LISTED.search(raw) or parse_path(key)) and is_fixed(exact_object(self._in_utf8(raw)), key):
                    found.append(row)
            if records.row + len(records) > rows[-1]:
                break
        return np.array(found, np.int64)

    def _reader(self, wanted: WantedColumns) -> JsonReader:
        return JsonReader(
            wanted, self.name, str(self._file.path), most=self._most, encoding=self._inner, given=self._given
        )

    def _annotated_head(self, names: Sequence[str]) -> bytes:
        return self._head

    def annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added; see RecordForm."""
        body = record.rstrip(b" \t\r\n")
        inner = body[:-1]
        added = self._dumped(dict(zip(names, values, strict=True)))[1:-1]
        comma = b"" if inner.strip() == b"{" or not added else b","
        return inner + comma + added + b"}" + record[len(body) :]

    def unnoted(self, record: bytes, names: Sequence[str]) -> bytes:
        """See RecordForm: no text in the notes can contain their first key, because quotes in texts are escaped."""
        body = record.rstrip(b" \t\r\n")
        key = orjson.dumps(names[0]) + b":"
        start = body.rfind(key)
        if start < 1:
            raise InputChanged(
                "{} has a row without the key {!r}, which the run added: add it, or run again",
                self._file.path,
                names[0],
            )
        start -= body[start - 1 : start] == b","
        return body[:start] + b"}" + record[len(body) :]

    def _tabled(self, records: Sequence[bytes]) -> pa.Table:
        return table_of_dicts([exact_object(self._in_utf8(record)) for record in records])

    def _dumped(self, value: Any) -> bytes:
        """Return a value as JSON bytes; characters are escaped unless the file is UTF-8."""
        return orjson.dumps(value) if self._inner == UTF8 else json.dumps(value, default=str).encode()

    def _in_utf8(self, record: bytes) -> bytes:
        text, wrong = (record, "") if self._inner == UTF8 else in_utf8(record, self._inner, self._given)
        if wrong:
            raise Refused(wrong)
        return text

    def rewritten(self, record: bytes, key: str, text: str) -> bytes:
        """Return a record with its text under `key` replaced; see RecordForm."""
        line = record.decode(self._inner)
        place = _value_place(line, key)
        path = parse_path(key) if place is None else None
        if path is not None:
            place = _value_place(line, path.root)
        if place is None and path is None:
            return self.annotated(record, [key], [text])
        start, end = place or (0, 0)
        if path is None and line[start] != "[":
            return line[:start].encode(self._inner) + self._dumped(text) + line[end:].encode(self._inner)
        steps = () if path is None else path.steps
        try:
            new = new_values(_DECODER.raw_decode(line, start)[0] if place else None, steps, text)
        except NoPlaceError:
            raise no_plain_texts(key) from None
        out, at = [], 0
        for begin, behind, where in spans_in(line, start, list(new)):
            out += [line[at:begin].encode(self._inner), self._dumped(new[where])]
            at = behind
        return b"".join([*out, line[at:].encode(self._inner)])


def is_fixed(item: Mapping[str, Any], key: str) -> bool:
    """Return True if no other text can be written in place of a record's text, see `quchong.io.nested.replacing.text_places`."""
    path = None if key in item else parse_path(key)
    try:
        found = text_places(item.get(key if path is None else path.root), () if path is None else path.steps)
    except NoPlaceError:
        return True
    return path is not None and not found


def keys_of(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Return the keys of the objects in JSON lines, in the order of their first use; lines that are no objects have none."""
    names: dict[str, None] = {}
    for line in lines:
        with suppress(orjson.JSONDecodeError):
            item = orjson.loads(line)
            names.update(dict.fromkeys(item if isinstance(item, dict) else ()))
    return tuple(names)


def _value_place(line: str, key: str) -> tuple[int, int] | None:
    """Return the character offsets (start, end) of a key's value in the object of a line, None without the key.

    Of repeated keys the last counts.
    """
    found = None
    at = _behind_white(line, line.index("{") + 1)
    while line[at] != "}":
        name, at = _DECODER.raw_decode(line, at)
        start = _behind_white(line, line.index(":", at) + 1)
        _, end = _DECODER.raw_decode(line, start)
        found = (start, end) if name == key else found
        at = _behind_white(line, end)
        at = _behind_white(line, at + 1) if line[at] == "," else at
    return found


def _behind_white(line: str, at: int) -> int:
    while line[at] in " \t\n\r":
        at += 1
    return at
