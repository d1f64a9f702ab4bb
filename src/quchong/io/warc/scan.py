"""Scan of a WARC record by record, which resumes after a broken one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from quchong.io.warc.flow import Flow
from quchong.io.warc.members import MAGIC, MARK, Damage
from quchong.io.warc.records import SKIPPED, Lost, Place, WarcRecord, read_record
from quchong.languages import Message
from quchong.patterns import lazy_pattern

_SEARCHED = 1 << 20
_LINE_BYTES = 64
_TWICE = 10
_LINE = lazy_pattern(rb"\nWARC/\d\.\d{1,2}\r?\n[A-Za-z-]+:")


@dataclass
class _Budget:
    """Budget of bytes that may be decompressed a second time to find records that a wrong length skipped."""

    left: int


def scan(file: BinaryIO, packing: str | None) -> Iterator[WarcRecord]:
    """Yield all records of a file in order; bytes between a broken record and the next belong to the broken one.

    Memory is bounded by `PAGE_BYTES`, time by the size of the file: a record that decompresses to more than 1 GiB and a hundred times
    its compressed size is not decompressed to its end; the next record is searched in the compressed bytes.

    Raises:
        Unread: the compression of the file cannot be read
    """
    size = file.seek(0, io.SEEK_END)
    flow: Flow | None = Flow(file, 0, packing)
    budget = _Budget(max(SKIPPED, _TWICE * size))
    while flow is not None:
        begun = flow.at
        try:
            found = read_record(flow, packing)
        except Lost as lost:
            place, gap, flow = _again(file, size, packing, flow, begun, lost, budget)
            yield WarcRecord(place, None, lost.reason)
            if gap is not None:
                yield WarcRecord(gap, None, Message("between the previous record, which is damaged, and the next one"))
            continue
        if found is None:
            return
        yield found


def _again(
    file: BinaryIO, size: int, packing: str | None, flow: Flow, begun: int, lost: Lost, budget: _Budget
) -> tuple[Place, Place | None, Flow | None]:
    """Return the location of a broken record, that of damaged bytes behind it or None, and a flow at the next record or None.

    Returns:
        The location of the broken record; the location of damaged bytes between it and the next record, or None; the flow from the
        next record on, None at the end of the file.
    """
    # An uncompressed file: the next record begins at the next line that looks like one.
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
            lost = Lost(lost.reason, retry.damaged)
            flow, begun = retry, begun - base
    # The member is damaged: continue at the known next record, or search the compressed bytes for the next member with a record.
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
    """Skip bytes until a line or member begins like a record; return True if one was found."""
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
    """Return the first offset from `start` on at which `mark` is found and `good` returns True; None without one."""
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
    """Return True if a member begins at `at` whose decompressed bytes begin like a record."""
    try:
        return Flow(file, at, packing).peek(len(MARK)) == MARK
    except Damage:
        return False
