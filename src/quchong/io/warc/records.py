"""Reader of the records of a WARC with their locations (ISO 28500, WARC 1.1).

No library is used, because records must be copied with their own bytes in the file, and because a broken record must affect no other:
decision 0023.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from quchong.io.warc.flow import Flow
from quchong.io.warc.http_body import PAGE_BYTES, fields_of
from quchong.io.warc.members import DICTIONARY, MAGIC, MARK, Damage
from quchong.io.warc.pages import WarcPage, address, may_be_page, page_of
from quchong.languages import Message
from quchong.patterns import lazy_pattern

HEAD_BYTES = 1 << 20
"""Maximum bytes of a record's head; a record with a longer one is broken."""
_PEEKED = 1 << 16
SKIPPED = 1 << 30
"""Decompressed bytes of a record after which it is given up if they are more than a hundred times its compressed bytes."""
_RATIO = 100
_END = lazy_pattern(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a record in a WARC file.

    Attributes:
        start, end: offsets in the file of the record's own bytes; for a record that shares a member with others, `start` is the
            offset of the member and `end` is 0
        offset, size: of a record that shares a member, in the decompressed bytes from `start` on; otherwise 0
    """

    start: int
    end: int
    offset: int = 0
    size: int = 0

    @property
    def alone(self) -> bool:
        """True if the record can be copied as bytes `start` to `end` of the file, because it shares no compressed member."""
        return self.end > self.start


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """Record of a WARC: with a page, or with the reason why it is broken, or with neither if it is not a document."""

    place: Place
    page: WarcPage | None = None
    reason: str = ""

    @property
    def counts(self) -> bool:
        """True if the record is numbered as a row of the input: it has a page, or should have one and is broken."""
        return self.page is not None or bool(self.reason)


class Lost(Exception):
    """Error: the flow cannot be read further after a broken record.

    Attributes:
        reason: for people; empty for a record that is not a document and whose end is unknown
        damaged: compressed offset of the member that cannot be read; None without one
        known: compressed offset at which the next record begins; None if unknown
    """

    def __init__(self, reason: str, damaged: int | None = None, known: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.damaged, self.known = reason, damaged, known


class _Broken(Exception):
    """Error: a record cannot be used although its bytes can be read; the message is the reason."""


def packing_of(file: BinaryIO) -> str | None:
    """Return the compression of a file by its first bytes, whatever its name is; None for an uncompressed file."""
    file.seek(0)
    start = file.read(4)
    if start == DICTIONARY:
        return "zstd"
    return next((packing for packing, magic in MAGIC.items() if start.startswith(magic)), None)


def record_bytes(file: BinaryIO, packing: str | None, place: Place) -> bytes:
    """Return the decompressed bytes of the record at a location of a WARC file; of a broken record those that can be read."""
    flow = Flow(file, place.start, packing)
    try:
        flow.skip(place.offset)
        return flow.take(place.size)
    except Damage:
        return flow.available(place.size)


def page_at(file: BinaryIO, packing: str | None, place: Place) -> WarcRecord | None:
    """Read the record at a location of a WARC file again; return None if no whole record begins there."""
    flow = Flow(file, place.start, packing)
    try:
        flow.skip(place.offset)
        return read_record(flow, packing)
    except (Damage, Lost):
        return None


def read_record(flow: Flow, packing: str | None) -> WarcRecord | None:
    """Read the next record of a flow; None at the end.

    Raises:
        Lost: the record is broken, or the bytes after it are not a record
    """
    begun = flow.at
    try:
        if flow.ended():
            return None
    except Damage as damage:
        raise Lost(str(damage), flow.damaged) from damage
    flow.forget(begun)
    head: dict[str, str] = {}
    try:
        _blank(flow)
        head = _head(flow)
        page, reason = _content(flow, head)
        mine = next((packed for place, packed in reversed(flow.members) if place < flow.at), flow.start)
    except Damage as damage:
        raise Lost(_named_reason(head, str(damage)), flow.damaged) from damage
    except _Broken as broken:
        raise Lost(_named_reason(head, str(broken)), None, flow.overrun) from broken
    finally:
        flow.leave()
    reason = _named_reason(head, reason) if reason else ""
    try:
        _blank(flow)
        following = flow.peek(len(MARK))
    except Damage as damage:
        if flow.damaged == mine:
            raise Lost(_named_reason(head, str(damage)), flow.damaged) from damage
        return WarcRecord(_place(flow, packing, begun, flow.damaged), page, reason)
    if following not in (b"", MARK):
        raise Lost(
            _named_reason(head, Message("the next record does not begin where this record ends by its Content-Length"))
        )
    return WarcRecord(_place(flow, packing, begun, None), page, reason)


def _place(flow: Flow, packing: str | None, begun: int, end: int | None) -> Place:
    """Return the location of the record that began at `begun` and has just been read."""
    if packing is None:
        return Place(flow.start + begun, flow.start + flow.at)
    first = flow.member_at(begun)
    last = end if end is not None else flow.member_at(flow.at)
    if first is not None and last is not None:
        return Place(first, last)
    unpacked, packed = flow.member_of(begun)
    return Place(packed, 0, begun - unpacked, flow.at - begun)


def _blank(flow: Flow) -> None:
    """Skip the blank lines between records: two by the format, but other numbers occur."""
    while flow.peek(1) in (b"\r", b"\n"):
        flow.take(1)


def _head(flow: Flow) -> dict[str, str]:
    """Read the head of the record at the current offset and return its fields; the flow is then at its content."""
    if flow.available(len(MARK)) != MARK and flow.peek(len(MARK)) != MARK:
        raise _Broken(Message("no WARC record begins at this byte"))
    size, block, found = 1 << 12, b"", None
    while found is None:
        try:
            block = flow.peek(size)
        except Damage:
            block = flow.available(size)
            if _END.search(block) is None:
                raise
        found = _END.search(block)
        if found is None and (len(block) < size or size >= HEAD_BYTES):
            raise _Broken(Message("the header of the record has no end"))
        size *= 4
    flow.take(found.end())
    return fields_of(block[: found.start()].replace(b"\r\n", b"\n").split(b"\n")[1:])


def _content(flow: Flow, head: dict[str, str]) -> tuple[WarcPage | None, str]:
    """Read or skip the content of a record; return its page or None, and the reason why a page cannot be read, else ""."""
    length = head.get("content-length", "")
    if not length.isascii() or not length.isdigit() or len(length) > 18:
        raise _Broken(
            "no Content-Length" if not length else Message("Content-Length {!r} is not a number", length[:40])
        )
    size = int(length)
    flow.enter()
    kind = head.get("warc-type", "").lower()
    wanted = False
    if kind in ("response", "resource"):
        first = flow.peek(min(size, _PEEKED))
        wanted = may_be_page(kind, head, first)
    if wanted and size <= PAGE_BYTES:
        block = flow.take(size)
        if len(block) == size:
            return page_of(kind, head, block)
        done = len(block)
    else:
        done = flow.skip(size, lambda unpacked, packed: unpacked > SKIPPED and unpacked > _RATIO * packed)
        if done == size:
            return None, Message(
                "the record has {:,} bytes, but records larger than {} MiB are not read", size, PAGE_BYTES >> 20
            ) if wanted else ""
        if done > SKIPPED and flow.overrun is None and flow.position() < flow.size:
            told = Message(
                "the record has more than {:,} bytes, compressed to almost nothing; records larger than {} MiB "
                "are not read",
                size,
                PAGE_BYTES >> 20,
            )
            raise Lost(_named_reason(head, told) if wanted else "", flow.position())
    rest = "" if flow.overrun is None else Message(", followed by the next record")
    raise _Broken(Message("truncated: only {:,} of {:,} bytes{}", done, size, rest))


def _named_reason(head: dict[str, str], reason: str) -> str:
    name = address(head) or head.get("warc-record-id")
    return f"{name}: {reason}" if name else reason
