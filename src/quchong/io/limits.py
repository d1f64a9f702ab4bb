"""The greatest size of a record, and what is set down of one that is larger."""

from __future__ import annotations

from quchong.languages import Message

LARGEST = 256 << 20
"""Bytes of a record at most where nothing else is said."""
LEAST = 64 << 10
"""Bytes that can be asked for at least, and that a record may have however small the budget is."""
GREATEST = 2 << 30
"""Bytes that can be asked for at most."""
WRITTEN = GREATEST + (64 << 20)
"""Bytes of a record that a run itself wrote, with the columns that were added to it: none is ever larger."""
COUNTED_BYTES = 1 << 20
"""Bytes from which on the values of a record of JSON are counted."""
HEAD = 300
"""Bytes of a larger record that are set down; the rest is found in its file, by the line or row that is told."""
PAGE_SHARE = 8
"""Part of the greatest size of a record that a web page may have: reading one takes up to 26 times its bytes of text and tags."""
VALUE_BYTES = 32
"""A record of JSON may hold one value for each so many bytes of the greatest size: parsed, a value takes about twice that."""


def page_limit(most: int) -> int:
    """Return the bytes of a web page at most, where a record may have so many."""
    return most // PAGE_SHARE


def too_large(size: int, most: int) -> Message:
    """Return the reason why a record of so many bytes is skipped."""
    return Message("record of {:,} bytes: more than {:,} are not read (max-record); it stands in its file", size, most)


def too_many_values(raw: bytes, most: int, start: int = 0, end: int | None = None) -> Message | None:
    """Return why a record of JSON, raw[start:end], is skipped that would take far more memory than its bytes, or None if it is read.

    Values are counted by commas and opening brackets, those within texts too. Records below 1 MiB are not counted.
    """
    end = len(raw) if end is None else end
    if end - start < COUNTED_BYTES:
        return None
    return too_many(sum(raw.count(mark, start, end) for mark in (b",", b"[", b"{")), most)


def too_many(values: int, most: int) -> Message | None:
    """Return why a record of so many values is skipped, or None if it is read."""
    if values * VALUE_BYTES <= most:
        return None
    return Message("record of {:,} values: more than {:,} are not read (max-record)", values, most // VALUE_BYTES)


def head_of(raw: bytes) -> bytes:
    """Return the first bytes of a record, not cut within a character of UTF-8."""
    head = raw[:HEAD]
    if len(raw) > HEAD:
        while head and head[-1] & 0xC0 == 0x80 and raw[len(head)] & 0xC0 == 0x80:
            head = head[:-1]
        if head and head[-1] >= 0xC0:
            head = head[:-1]
    return head
