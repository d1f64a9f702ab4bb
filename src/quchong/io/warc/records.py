"""Reads the records of a WARC with their places (ISO 28500, WARC 1.1).

Ours rather than a library's, because what comes out must be the record's own bytes in the file, and because a broken record
must cost only itself: decision 0023.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

from quchong.io.warc.flow import Flow
from quchong.io.warc.http_body import PAGE_BYTES, fields_of
from quchong.io.warc.members import DICTIONARY, MAGIC, MARK, Damage
from quchong.io.warc.pages import WarcPage, address, may_be_page, page_of
from quchong.languages import Message

HEAD_BYTES = 1 << 20
"""A longer head is none."""
_PEEKED = 1 << 16
SKIPPED = 1 << 30
"""So much of a record is unpacked though it is more than a hundred times what it takes packed."""
_RATIO = 100
_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands.

    Attributes:
        start, end: in the file: the record's own bytes, or the members it stands in (`end` is then 0)
        offset, size: of a record that shares a member with others, in the unpacked bytes from `start` on; else 0
    """

    start: int
    end: int
    offset: int = 0
    size: int = 0

    @property
    def alone(self) -> bool:
        """Do these bytes of the file hold the record and nothing else?"""
        return self.end > self.start


@dataclass(frozen=True, slots=True)
class Found:
    """One record: a page, or why it is broken, or neither: a record that is no document."""

    place: Place
    page: WarcPage | None = None
    reason: str = ""

    @property
    def counts(self) -> bool:
        """Is this a row: a document, or a broken record?"""
        return self.page is not None or bool(self.reason)


class Lost(Exception):
    """The flow cannot be read on from here.

    Attributes:
        reason: for people; empty for a record that is no document, only its end is not known
        damaged: packed place of the member that cannot be read
        known: packed place where the next record begins
    """

    def __init__(self, reason: str, damaged: int | None = None, known: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.damaged, self.known = reason, damaged, known


class _Broken(Exception):
    """A record that cannot be used though its bytes are there; the message says why."""


def packing_of(file: BinaryIO) -> str | None:
    """How a file is packed, by its first bytes, whatever its name says."""
    file.seek(0)
    start = file.read(4)
    if start == DICTIONARY:
        return "zstd"
    return next((packing for packing, magic in MAGIC.items() if start.startswith(magic)), None)


def record_bytes(file: BinaryIO, packing: str | None, place: Place) -> bytes:
    """The unpacked bytes of one record; for a broken one what there is of it."""
    flow = Flow(file, place.start, packing)
    try:
        flow.skip(place.offset)
        return flow.take(place.size)
    except Damage:
        return flow.available(place.size)


def page_at(file: BinaryIO, packing: str | None, place: Place) -> Found | None:
    """The record at this place, read again; None where none begins."""
    flow = Flow(file, place.start, packing)
    try:
        flow.skip(place.offset)
        return read_record(flow, packing)
    except (Damage, Lost):
        return None


def read_record(flow: Flow, packing: str | None) -> Found | None:
    """The next record; None at the end.

    Raises:
        Lost: it is broken, or what follows is none
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
        raise Lost(_told(head, str(damage)), flow.damaged) from damage
    except _Broken as broken:
        raise Lost(_told(head, str(broken)), None, flow.overrun) from broken
    finally:
        flow.leave()
    reason = _told(head, reason) if reason else ""
    try:
        _blank(flow)
        following = flow.peek(len(MARK))
    except Damage as damage:
        if flow.damaged == mine:
            raise Lost(_told(head, str(damage)), flow.damaged) from damage
        return Found(_place(flow, packing, begun, flow.damaged), page, reason)
    if following not in (b"", MARK):
        raise Lost(_told(head, Message("its Content-Length does not lead to the next record")))
    return Found(_place(flow, packing, begun, None), page, reason)


def _place(flow: Flow, packing: str | None, begun: int, end: int | None) -> Place:
    """Where the record is that began at `begun` and has just been passed."""
    if packing is None:
        return Place(flow.start + begun, flow.start + flow.at)
    first = flow.member_at(begun)
    last = end if end is not None else flow.member_at(flow.at)
    if first is not None and last is not None:
        return Place(first, last)
    unpacked, packed = flow.member_of(begun)
    return Place(packed, 0, begun - unpacked, flow.at - begun)


def _blank(flow: Flow) -> None:
    """Passes over the blank lines between records; two as the format has it, but other numbers are met with."""
    while flow.peek(1) in (b"\r", b"\n"):
        flow.take(1)


def _head(flow: Flow) -> dict[str, str]:
    """The fields of the record that begins here; the flow is then at its content."""
    if flow.available(len(MARK)) != MARK and flow.peek(len(MARK)) != MARK:
        raise _Broken(Message("no WARC record begins here"))
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
            raise _Broken(Message("its head does not end"))
        size *= 4
    flow.take(found.end())
    return fields_of(block[: found.start()].replace(b"\r\n", b"\n").split(b"\n")[1:])


def _content(flow: Flow, head: dict[str, str]) -> tuple[WarcPage | None, str]:
    """Passes over the content; the page in it, or why there should be one and is none."""
    length = head.get("content-length", "")
    if not length.isascii() or not length.isdigit() or len(length) > 18:
        raise _Broken("no Content-Length" if not length else Message("Content-Length {!r} is no number", length[:40]))
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
                "record of {:,} bytes: more than {} MiB is not read", size, PAGE_BYTES >> 20
            ) if wanted else ""
        if done > SKIPPED and flow.overrun is None and flow.position() < flow.size:
            told = Message(
                "record of {:,} bytes, packed to next to nothing: more than {} MiB is not read", size, PAGE_BYTES >> 20
            )
            raise Lost(_told(head, told) if wanted else "", flow.position())
    rest = "" if flow.overrun is None else Message(", then the next record begins")
    raise _Broken(Message("clipped: {:,} of {:,} bytes{}", done, size, rest))


def _told(head: dict[str, str], reason: str) -> str:
    name = address(head) or head.get("warc-record-id")
    return f"{name}: {reason}" if name else reason
