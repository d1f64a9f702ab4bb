"""Fields of one CSV record, by the same rules as `quchong.kernels.records.csv_records`."""

from __future__ import annotations


def fields(record: bytes, delimiter: bytes) -> list[bytes]:
    """Return the values of a record's fields, unquoted; the record is given without its line ending."""
    if b'"' not in record:
        return record.split(delimiter)
    found: list[bytes] = []
    at = 0
    while True:
        value = b""
        if record.startswith(b'"', at):
            value, at = _quoted(record, at + 1)
        end = record.find(delimiter, at)
        found.append(value + record[at : end if end >= 0 else len(record)])
        if end < 0:
            return found
        at = end + 1


def field_places(record: bytes, delimiter: bytes) -> list[tuple[int, int]]:
    """Return the byte offsets (start, end) of a record's fields, quotes included."""
    found: list[tuple[int, int]] = []
    at = 0
    while True:
        start = at
        if record.startswith(b'"', at):
            _, at = _quoted(record, at + 1)
        end = record.find(delimiter, at)
        found.append((start, end if end >= 0 else len(record)))
        if end < 0:
            return found
        at = end + 1


def _quoted(record: bytes, at: int) -> tuple[bytes, int]:
    """Return a quoted value, and the offset after its closing quote; `at` is the offset after the opening quote."""
    pieces: list[bytes] = []
    while True:
        end = record.find(b'"', at)
        if end < 0:
            return b'"'.join([*pieces, record[at:]]), len(record)
        pieces.append(record[at:end])
        if not record.startswith(b'"', end + 1):
            return b'"'.join(pieces), end + 1
        at = end + 2
