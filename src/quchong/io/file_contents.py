"""Contents of files that are one document each: texts and web pages, read whole or found bad."""

from __future__ import annotations

import io
from typing import NamedTuple

from quchong.errors import reason_of
from quchong.io.encodings import UTF8, in_utf8
from quchong.io.files.location import Location
from quchong.io.foreign_formats import foreign_remedy
from quchong.io.limits import HEAD, head_of, too_large
from quchong.languages import Message
from quchong.pages.charset import charset_of_text

PAGE_BYTES = 64 << 20
"""Maximum bytes of a page; a larger page is not read."""
PIPE = Message("is not a regular file")
"""Reason for entries that are not opened, such as a pipe, from which reading would block."""


class FileContent(NamedTuple):
    """Content of a file: its bytes, its text in UTF-8 (for a page the bytes), the reason why it is bad ("" if it is good), its encoding."""

    raw: bytes
    text: bytes
    reason: str = ""
    encoding: str = UTF8


def page_content(file: Location, most: int) -> FileContent:
    """Return the content of a page file; it is bad if it cannot be read, or is larger than `most` or `PAGE_BYTES`."""
    try:
        state = file.state()
        if not state.is_file:
            return FileContent(b"", b"", PIPE)
        if state.size > PAGE_BYTES:
            return FileContent(
                b"",
                b"",
                Message(
                    "the page has {:,} bytes, but pages larger than {} MiB are not read", state.size, PAGE_BYTES >> 20
                ),
            )
        raw, size = _read(file, state.size, min(most, PAGE_BYTES))
        if size > most:
            return FileContent(raw, b"", too_large(size, most))
    except OSError as error:
        return FileContent(b"", b"", Message("cannot be read: {}", reason_of(error)))
    return FileContent(raw, raw)


def _read(file: Location, size: int, most: int) -> tuple[bytes, int]:
    """Return the bytes of a file and its size; of a file larger than `most` only the first bytes."""
    with io.BufferedReader(file.open()) as opened:
        raw = opened.read(2 * HEAD if size > most else most + 1)
    size = max(size, len(raw))
    return (raw if size <= most else head_of(raw)), size


def text_content(file: Location, said: str | None, most: int) -> FileContent:
    """Return the content of a text file, in the encoding `said` or a detected one; it is bad if it is binary or larger than `most`."""
    try:
        state = file.state()
        if not state.is_file:
            return FileContent(b"", b"", PIPE)
        raw, size = _read(file, state.size, most)
        if size > most:
            return FileContent(raw, b"", too_large(size, most))
    except OSError as error:
        return FileContent(b"", b"", Message("cannot be read: {}", reason_of(error)))
    encoding = said or charset_of_text(raw)
    text, wrong = in_utf8(raw, encoding, said is not None)
    nul = text.find(b"\0") if not wrong else raw.find(b"\0")
    if nul >= 0:
        remedy = foreign_remedy(str(file.path))
        return FileContent(
            raw, b"", remedy or Message("the file looks like binary data: there is a NUL at byte {}", nul + 1)
        )
    return FileContent(raw, text, wrong, encoding)
