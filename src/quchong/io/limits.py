"""Size limits of records, and the part of a larger record that is stored."""

from __future__ import annotations

from quchong.languages import Message

LARGEST = 256 << 20
"""Default maximum bytes of a record."""
LEAST = 64 << 10
"""Lowest limit that can be set, and lowest limit of a record however small the memory budget is, in bytes."""
GREATEST = 2 << 30
"""Highest limit that can be set, in bytes."""
WRITTEN = GREATEST + (64 << 20)
"""Maximum bytes of a record that a run itself wrote, including added columns."""
COUNTED_BYTES = 1 << 20
"""Minimum bytes of a JSON record for its values to be counted."""
HEAD = 300
"""Bytes of a too large record that are stored; the rest can be found in its file by line or row."""
PAGE_SHARE = 8
"""Divisor of the record limit that gives the limit of a web page: reading a page takes up to 26 times its bytes."""
VALUE_BYTES = 32
"""Bytes of the record limit for each value of a JSON record: a parsed value takes about twice as much memory."""


def page_limit(most: int) -> int:
    """Return the maximum bytes of a web page, if a record may have `most` bytes."""
    return most // PAGE_SHARE


def too_large(size: int, most: int) -> Message:
    """Return the reason why a record of `size` bytes is skipped, which exceeds the limit `most`."""
    return Message(
        "the record has {:,} bytes, but records larger than {:,} bytes are not read (max-record); the file was "
        "not changed",
        size,
        most,
    )


def too_many_values(raw: bytes, most: int, start: int = 0, end: int | None = None) -> Message | None:
    """Return the reason why the JSON record raw[start:end] is skipped, or None if its number of values is within the limit.

    A record of very many values would take far more memory than its bytes.

    Values are counted by commas and opening brackets, those within texts too. Records below 1 MiB are not counted.
    """
    end = len(raw) if end is None else end
    if end - start < COUNTED_BYTES:
        return None
    return too_many(sum(raw.count(mark, start, end) for mark in (b",", b"[", b"{")), most)


def too_many(values: int, most: int) -> Message | None:
    """Return the reason why a record of `values` values is skipped, or None if it is within the limit of `most` bytes."""
    if values * VALUE_BYTES <= most:
        return None
    return Message(
        "the record has {:,} values, but records with more than {:,} values are not read (max-record)",
        values,
        most // VALUE_BYTES,
    )


def head_of(raw: bytes) -> bytes:
    """Return the first bytes of a record, not cut within a character of UTF-8."""
    head = raw[:HEAD]
    if len(raw) > HEAD:
        while head and head[-1] & 0xC0 == 0x80 and raw[len(head)] & 0xC0 == 0x80:
            head = head[:-1]
        if head and head[-1] >= 0xC0:
            head = head[:-1]
    return head
