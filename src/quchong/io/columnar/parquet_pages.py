"""Sizes of the pages and spans of the row groups of a Parquet file, read from its footer and the page headers only.

PyArrow reads a page whole and does not give its size before. Footer and page headers are structs in Thrift's
compact protocol (parquet.thrift: FileMetaData, PageHeader).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

_HEADERS = (1 << 12, 1 << 16, 1 << 20)
"""Bytes read for a page header, tried in order: the first suffice unless the header has long statistics."""
_DEEPEST = 16
_MAGIC = b"PAR1"
_FOOTER_BYTES = 256 << 20
"""A longer footer is left to PyArrow."""


def largest_pages(file: io.RawIOBase, columns: Sequence[str]) -> list[tuple[int, str]]:
    """Return for each row group the uncompressed bytes of the largest page of the given columns, and the path of its column.

    Args:
        file: the file, opened for reading.
        columns: names of columns; those nested in them count.

    Returns an empty list if the footer cannot be read, such as that of an encrypted file; the reader of the file then raises the error.
    A page with a damaged header ends its column chunk.

    Cost: one read of the footer, some 20 microseconds a column chunk; a read of 4 KB a page.
    """
    found: list[tuple[int, str]] = []
    try:
        for group in _footer(file)[4]:
            largest = 0, ""
            for about in (chunk[3] for chunk in group[1] if 3 in chunk):
                path = [name.decode() for name in about[3]]
                if path[0] in columns or ".".join(path) in columns:
                    start = about.get(11) or about[9]
                    size = max(_sizes(file, start, start + about[7]), default=0)
                    largest = max(largest, (size, ".".join(path)))
            found.append(largest)
    except (OSError, OverflowError, LookupError, ValueError, TypeError, AttributeError):
        return []
    return found


def group_spans(file: io.RawIOBase) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Return the span of bytes of each row group, and that of the footer: offset of the first byte, and behind the last one.

    Returns no spans of row groups if the footer cannot be read, or if they are not within the file or longer than it in all.
    """
    size = file.seek(0, io.SEEK_END)
    found: list[tuple[int, int]] = []
    try:
        for group in _footer(file)[4]:
            chunks = [(about.get(11) or about[9], about[7]) for about in (chunk[3] for chunk in group[1])]
            found.append((min(start for start, _ in chunks), max(start + length for start, length in chunks)))
        begin = size - 8 - _footer_length(file)
    except (OSError, OverflowError, LookupError, ValueError, TypeError, AttributeError):
        return [], (0, size)
    sound = all(0 <= start <= end <= begin for start, end in found) and sum(end - start for start, end in found) <= size
    return (found if sound else []), (begin, size)


def _footer_length(file: io.RawIOBase) -> int:
    size = file.seek(0, io.SEEK_END)
    end = _range(file, size - 8, 8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != _MAGIC or length > min(size - 8, _FOOTER_BYTES):
        raise ValueError
    return length


def _footer(file: io.RawIOBase) -> dict[int, Any]:
    length = _footer_length(file)
    size = file.seek(0, io.SEEK_END)
    return _struct(_range(file, size - 8 - length, length), 0, 0)[0]


def _sizes(file: io.RawIOBase, start: int, end: int) -> Iterator[int]:
    """Yield the uncompressed bytes of each page of a column chunk."""
    while start < end:
        for read in _HEADERS:
            try:
                header, size = _struct(_range(file, start, read), 0, 0)
                break
            except (IndexError, KeyError, ValueError):
                continue
        else:
            return
        unpacked, packed = header.get(2), header.get(3)
        if not isinstance(unpacked, int) or not isinstance(packed, int) or packed < 0:
            return
        yield unpacked
        start += size + packed


def _range(file: io.RawIOBase, start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size) or b""


def _struct(raw: bytes, at: int, depth: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a Thrift struct by number, and the offset of its end."""
    if depth > _DEEPEST:
        raise ValueError
    found: dict[int, Any] = {}
    number = 0
    while True:
        mark = raw[at]
        at += 1
        if not mark:
            return found, at
        if mark >> 4:
            number += mark >> 4
        else:
            number, at = _integer(raw, at)
        kind = mark & 15
        if kind in (1, 2):  # true and false are in the mark
            found[number] = kind == 1
        else:
            found[number], at = _value(raw, at, kind, depth)


def _value(raw: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """Return a Thrift value of type code `kind`, and the offset of its end."""
    if kind in (1, 2, 3):  # in lists truth takes a byte
        return raw[at], at + 1
    if kind in (4, 5, 6):
        return _integer(raw, at)
    if kind == 7:
        return None, at + 8
    if kind == 8:
        size, at = _varint(raw, at)
        if at + size > len(raw):
            raise IndexError
        return raw[at : at + size], at + size
    if kind in (9, 10):
        mark = raw[at]
        count, at = (mark >> 4, at + 1) if mark >> 4 != 15 else _varint(raw, at + 1)
        if count > len(raw):
            raise ValueError
        out = []
        for _ in range(count):
            one, at = _value(raw, at, mark & 15, depth)
            out.append(one)
        return out, at
    if kind == 12:
        return _struct(raw, at, depth + 1)
    raise ValueError  # maps: neither has one


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (raw[at] & 127) << shift
        at += 1
        if not raw[at - 1] & 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError


def _integer(raw: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(raw, at)
    return (value >> 1) ^ -(value & 1), at
