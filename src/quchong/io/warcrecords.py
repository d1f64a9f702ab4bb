"""Finds the records of a WARC one by one, past those that are broken (ISO 28500, WARC 1.1).

Ours rather than a library's, because what comes out must be the record's own bytes in the file, and because a broken record
must cost only itself: decision 0023.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from quchong.io.httpbody import HTML, PAGE_BYTES, BadBody, body_of, fields_of, head_of, like_html
from quchong.io.warcflow import DICTIONARY, MAGIC, MARK, Damage, Flow

HEAD_BYTES = 1 << 20
"""A longer head is none."""
_PEEKED = 1 << 16
_SKIPPED = 1 << 30
_RATIO = 100
_SEARCHED = 1 << 20
_LINE_BYTES = 64
_TWICE = 10
_END = re.compile(rb"\r?\n\r?\n")
_LINE = re.compile(rb"\nWARC/\d\.\d{1,2}\r?\n[A-Za-z-]+:")


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
class WarcPage:
    """A page as a WARC has it: `html` with all packing undone, and the fields that came with it."""

    html: bytes
    url: str | None
    record_id: str | None
    crawl_time: str | None
    content_type: str | None


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


class _Lost(Exception):
    """The flow cannot be read on from here.

    Attributes:
        reason: for people; empty for a record that is no document, only its end is not known
        damaged: packed place of the member that cannot be read
        known: packed place where the next record begins
    """

    def __init__(self, reason: str, damaged: int | None = None, known: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.damaged, self.known = reason, damaged, known


@dataclass
class _Budget:
    """Unpacked bytes that may be unpacked a second time to look for records which a wrong length passed over."""

    left: int


class _Broken(Exception):
    """A record that cannot be used though its bytes are there; the message says why."""


def packing_of(file: BinaryIO) -> str | None:
    """How a file is packed, by its first bytes, whatever its name says."""
    file.seek(0)
    start = file.read(4)
    if start == DICTIONARY:
        return "zstd"
    return next((packing for packing, magic in MAGIC.items() if start.startswith(magic)), None)


def scan(file: BinaryIO, packing: str | None) -> Iterator[Found]:
    """All records of a file in order; what stands between a broken one and the next is part of the broken one.

    Memory is bounded by `PAGE_BYTES`, time by the size of the file: a record that unpacks to more than 1 GiB, a
    hundred times what it takes, is not unpacked to its end, the next one is looked for among the packed bytes instead.

    Raises:
        Unread: nothing of the file can be read
    """
    size = file.seek(0, io.SEEK_END)
    flow: Flow | None = Flow(file, 0, packing)
    budget = _Budget(max(_SKIPPED, _TWICE * size))
    while flow is not None:
        begun = flow.at
        try:
            found = _record(flow, packing)
        except _Lost as lost:
            place, gap, flow = _again(file, size, packing, flow, begun, lost, budget)
            yield Found(place, None, lost.reason)
            if gap is not None:
                yield Found(gap, None, "between the record before, which is damaged, and the next")
            continue
        if found is None:
            return
        yield found


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
        return _record(flow, packing)
    except (Damage, _Lost):
        return None


def _record(flow: Flow, packing: str | None) -> Found | None:
    """The next record; None at the end."""
    begun = flow.at
    try:
        if flow.ended():
            return None
    except Damage as damage:
        raise _Lost(str(damage), flow.damaged) from damage
    flow.forget(begun)
    head: dict[str, str] = {}
    try:
        _blank(flow)
        head = _head(flow)
        page, reason = _content(flow, head)
        mine = next((packed for place, packed in reversed(flow.members) if place < flow.at), flow.start)
    except Damage as damage:
        raise _Lost(_told(head, str(damage)), flow.damaged) from damage
    except _Broken as broken:
        raise _Lost(_told(head, str(broken)), None, flow.overrun) from broken
    finally:
        flow.leave()
    reason = _told(head, reason) if reason else ""
    try:
        _blank(flow)
        following = flow.peek(len(MARK))
    except Damage as damage:
        if flow.damaged == mine:
            raise _Lost(_told(head, str(damage)), flow.damaged) from damage
        return Found(_place(flow, packing, begun, flow.damaged), page, reason)
    if following not in (b"", MARK):
        raise _Lost(_told(head, "its Content-Length does not lead to the next record"))
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
        raise _Broken("no WARC record begins here")
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
            raise _Broken("its head does not end")
        size *= 4
    flow.take(found.end())
    return fields_of(block[: found.start()].replace(b"\r\n", b"\n").split(b"\n")[1:])


def _content(flow: Flow, head: dict[str, str]) -> tuple[WarcPage | None, str]:
    """Passes over the content; the page in it, or why there should be one and is none."""
    length = head.get("content-length", "")
    if not length.isascii() or not length.isdigit() or len(length) > 18:
        raise _Broken("no Content-Length" if not length else f"Content-Length {length[:40]!r} is no number")
    size = int(length)
    flow.enter()
    kind = head.get("warc-type", "").lower()
    wanted = False
    if kind in ("response", "resource"):
        first = flow.peek(min(size, _PEEKED))
        wanted = _may_be_page(kind, head, first)
    if wanted and size <= PAGE_BYTES:
        block = flow.take(size)
        if len(block) == size:
            return _page(kind, head, block)
        done = len(block)
    else:
        done = flow.skip(size, lambda unpacked, packed: unpacked > _SKIPPED and unpacked > _RATIO * packed)
        if done == size:
            return None, f"record of {size:,} bytes: more than {PAGE_BYTES >> 20} MiB is not read" if wanted else ""
        if done > _SKIPPED and flow.overrun is None and flow.position() < flow.size:
            told = f"record of {size:,} bytes, packed to next to nothing: more than {PAGE_BYTES >> 20} MiB is not read"
            raise _Lost(_told(head, told) if wanted else "", flow.position())
    rest = "" if flow.overrun is None else ", then the next record begins"
    raise _Broken(f"clipped: {done:,} of {size:,} bytes{rest}")


def _may_be_page(kind: str, head: dict[str, str], first: bytes) -> bool:
    if kind == "resource":
        return _media(head) in ("", *HTML)
    response = head_of(first)
    if response is None:
        return _media(head) == "application/http"
    return response.status == 200 and response.kind in ("", *HTML)


def _page(kind: str, head: dict[str, str], block: bytes) -> tuple[WarcPage | None, str]:
    """The page in a whole record, or why it cannot be read; neither for what turns out to be no page."""
    fields, size, media = {"content-type": head.get("content-type", "")}, 0, _media(head)
    if kind == "response":
        response = head_of(block)
        if response is None:
            return None, "a response without an HTTP head" if block else "an empty response"
        fields, size, media = response.fields, response.size, response.kind
    try:
        body = body_of(block[size:], fields, "warc-truncated" in head)
    except BadBody as bad:
        return None, str(bad)
    if not media and not like_html(body):
        return None, ""
    return WarcPage(
        body, _url(head), head.get("warc-record-id"), head.get("warc-date"), fields.get("content-type") or None
    ), ""


def _media(head: dict[str, str]) -> str:
    return head.get("content-type", "").split(";")[0].strip().lower()


def _url(head: dict[str, str]) -> str | None:
    """The address a record is for; wget writes it in angle brackets, as an example of WARC 1.0 has it."""
    return head.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">") or None


def _told(head: dict[str, str], reason: str) -> str:
    name = _url(head) or head.get("warc-record-id")
    return f"{name}: {reason}" if name else reason


def _again(
    file: BinaryIO, size: int, packing: str | None, flow: Flow, begun: int, lost: _Lost, budget: _Budget
) -> tuple[Place, Place | None, Flow | None]:
    """After a broken record: where it stands, what stands between it and the next, and the flow from there."""
    if packing is None:
        start = flow.start + begun

        def line(at: int) -> bool:
            file.seek(at - 1)
            return _LINE.match(file.read(64)) is not None

        following = _search(file, start + 1, size, MARK, line)
        return Place(start, size if following is None else following), None, _from(file, following, None)
    first = flow.member_at(begun)
    if first is None and begun == flow.filled:  # what follows is no member at all
        first = lost.damaged
    unpacked, packed = flow.member_of(begun)
    if lost.damaged is None and lost.known is None:
        retry, base = flow, 0
        if not flow.back(begun) and flow.at - unpacked <= budget.left:
            budget.left -= flow.at - unpacked
            retry, base = Flow(file, packed, packing), unpacked
        try:
            retry.skip(max(begun - base - retry.at, 0))
            more = _to_line(retry)
            end = retry.member_at(retry.at) if more else size
            shared = Place(packed, 0, begun - unpacked, retry.at - (begun - base))
            place = Place(first, end) if first is not None and end is not None else shared
            return place, None, retry if more else None
        except Damage:
            lost = _Lost(lost.reason, retry.damaged)
            flow, begun = retry, begun - base
    following = lost.known
    if following is None:
        assert lost.damaged is not None

        def good(at: int) -> bool:
            return _opens(file, at, packing)

        following = _search(file, lost.damaged + 1, size, MAGIC[packing], good)
    end = size if following is None else following
    after = _from(file, following, packing)
    if first is not None:
        return Place(first, end), None, after
    gap = Place(lost.damaged, end) if lost.damaged is not None and lost.damaged > packed else None
    return Place(packed, 0, begun - flow.member_of(begun)[0], max(flow.filled - begun, 1)), gap, after


def _from(file: BinaryIO, start: int | None, packing: str | None) -> Flow | None:
    return None if start is None else Flow(file, start, packing)


def _to_line(flow: Flow) -> bool:
    """Passes over bytes until a line or member begins as a record does; is there any?"""
    flow.take(1)
    flow.enter()
    step = _LINE_BYTES
    try:
        while True:
            step = min(step * 8, _SEARCHED)
            block = flow.peek(step)
            found = _LINE.search(block)
            if found is not None:
                flow.take(found.start() + 1)
                return True
            if len(block) < step:
                flow.take(len(block))
                return flow.overrun is not None
            flow.take(len(block) - _LINE_BYTES)
    finally:
        flow.leave()


def _search(file: BinaryIO, start: int, size: int, mark: bytes, good: Callable[[int], bool]) -> int | None:
    """The first place from `start` on where `mark` stands and is good."""
    at, step = start, _LINE_BYTES
    while at < size:
        file.seek(at)
        step = min(step * 8, _SEARCHED)
        block = file.read(step)
        place = block.find(mark)
        while place >= 0:
            if good(at + place):
                return at + place
            place = block.find(mark, place + 1)
        if len(block) < step:
            return None
        at += len(block) - len(mark) + 1
    return None


def _opens(file: BinaryIO, at: int, packing: str) -> bool:
    """Does a member begin here that unpacks to a record?"""
    try:
        return Flow(file, at, packing).peek(len(MARK)) == MARK
    except Damage:
        return False
