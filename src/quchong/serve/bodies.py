"""Bodies of requests: read within their limits, unpacked, and parsed to records."""

from __future__ import annotations

import asyncio
import codecs
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request

from quchong.api.index_records import check_id, check_texts
from quchong.io.records.json_values import exact_object
from quchong.io.records.reader import Refused
from quchong.languages import Message
from quchong.patterns import lazy_pattern
from quchong.serve.lanes import Room
from quchong.serve.problems import Problem

JSON, LINES, TEXT, HTML = "application/json", "application/x-ndjson", "text/plain", "text/html"
LINE_TYPES = (LINES, "application/jsonl", "application/ndjson", "application/x-jsonlines")
"""Media types of streams of JSON lines."""
PIECE = 1 << 18
"""Most bytes that are unpacked at once."""
SLOWEST = 1024
"""Bytes per second that a body has to arrive with, after the first seconds."""
_NO_CHARSET = lazy_pattern(r"idna|punycode|undefined|.*escape")
"""Codecs of Python that are no charsets of texts; some take the square of the length in time."""


class Columns(NamedTuple):
    """Columns of a record that an index reads.

    Attributes:
        keys: columns of the text, then of the web page; a record must have one.
        id: column of the id.
        html: column of the web page; None if the index reads none.
    """

    keys: tuple[str, ...]
    id: str
    html: str | None


ColumnsFor = Callable[[Iterable[str]], Columns]
"""Function that returns the columns that an index reads of a record with some columns."""


def media_type(request: Request) -> tuple[str, str]:
    """Return media type and charset of a body in lower case; "" for each that is not given."""
    kind, *rest = request.headers.get("content-type", "").split(";")
    found = [one.partition("=")[2] for one in rest if one.strip().lower().startswith("charset=")]
    return kind.strip().lower(), found[0].strip().strip('"').lower() if found else ""


def check_charset(charset: str) -> None:
    """Raise Problem for JSON in another charset than UTF-8."""
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise Problem(
            "wrong-media-type", Message("JSON must be UTF-8, but the charset is {!r}: convert the body", charset)
        )


def _is_packed(request: Request) -> bool:
    """Return True if the body is compressed by gzip.

    Raises:
        Problem: it is packed by another way than gzip.
    """
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding in ("identity", ""):
        return False
    if coding in ("gzip", "x-gzip"):
        return True
    raise Problem(
        "wrong-media-type", Message("content-encoding {!r} is not supported: use gzip, or no encoding", coding)
    )


async def pieces(request: Request, room: Room, *, whole: bool) -> AsyncIterator[bytes]:
    """Yield a body in decompressed pieces as it arrives, each of at most `PIECE` bytes.

    Args:
        request: the request.
        room: room for what is held in memory; a piece that is yielded is not counted.
        whole: the body is taken as a whole, so that it is refused as soon as it says that it is too large. Otherwise it is lines,
            each of which has to arrive in time.

    Raises:
        Problem: a part of it does not arrive in time, all of it arrives too slowly, or it is packed in a broken way.
        ClientDisconnect: the caller has gone.
    """
    limit = room.limits.body
    said = request.headers.get("content-length", "")
    if whole and said.isdecimal() and len(said) < 20 and int(said) > limit:
        raise too_large(limit)
    packed = _is_packed(request)
    unpack = _Gzip() if packed else None
    clock = asyncio.get_running_loop().time
    began, size, more = clock(), 0, True
    while more:
        left = began + room.limits.body_seconds + size / SLOWEST - clock()
        try:
            async with asyncio.timeout(min(left, room.limits.body_seconds)):
                message = await request.receive()
        except TimeoutError:
            raise _too_slow(room.limits.body_seconds) from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        piece, more = message.get("body", b""), message.get("more_body", False)
        size += len(piece)
        for part in (piece,) if unpack is None else unpack.unpack_piece(piece):
            yield part
            if not whole and b"\n" in part:
                began, size = clock(), 0
    if unpack is not None:
        unpack.close()


class _Gzip:
    """Decompressor of gzip data with one or several members."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)

    def unpack_piece(self, piece: bytes) -> Iterator[bytes]:
        """Yield the unpacked bytes of a compressed piece.

        Raises:
            Problem: it is no gzip.
        """
        try:
            while piece:
                if self._unpack.eof:
                    self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
                if part := self._unpack.decompress(piece, PIECE):
                    yield part
                piece = self._unpack.unused_data if self._unpack.eof else self._unpack.unconsumed_tail
            while not self._unpack.eof and (part := self._unpack.decompress(b"", PIECE)):
                yield part
        except zlib.error:
            raise Problem("broken-body", Message("the body is not gzip, or it is damaged")) from None

    def close(self) -> None:
        """Raise Problem if the data ends within a member."""
        if not self._unpack.eof:
            raise Problem("broken-body", Message("the gzip data of the body is incomplete"))


def _too_slow(seconds: float) -> Problem:
    detail = Message("the body arrives too slowly: no data for {:g} s, or less than {:,} bytes/s", seconds, SLOWEST)
    return Problem("slow-body", detail, headers={"connection": "close"})


def too_large(limit: int) -> Problem:
    """Return the problem that a body, or a line of a stream, exceeds its limit in bytes.

    The connection is not closed: what the caller still sends is thrown away for some seconds, as a caller whose connection is closed
    while it sends does not get to see the answer.
    """
    detail = Message(
        "more than {:,} bytes: send less in one request; send many documents as JSON lines ({})", limit, LINES
    )
    return Problem("too-large", detail, limit=limit)


@asynccontextmanager
async def whole_body(request: Request, room: Room) -> AsyncIterator[bytes]:
    """Yield the whole body of a request, counted in `room` until the block ends.

    Raises:
        Problem: it is too large, too slow, or there is no room for it now.
        ClientDisconnect: the caller has gone.
    """
    parts: list[bytes] = []
    size = 0
    try:
        async for piece in pieces(request, room, whole=True):
            if size + len(piece) > room.limits.body:
                raise too_large(room.limits.body)
            room.take_bytes(len(piece))
            size += len(piece)
            parts.append(piece)
        yield b"".join(parts)
    finally:
        room.free_bytes(size)


def parsed_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        Problem: it is none.
    """
    if not raw.strip():
        raise Problem("broken-body", Message("the body is empty: send a JSON object"))
    try:
        return exact_object(raw)
    except Refused as refused:
        raise Problem("broken-body", refused.reason) from None


def check_record(record: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """Return the record if it has a text or page (strings) and a usable id or none; raise Problem otherwise.

    Raises:
        Refused: it has not.
    """
    check_texts(record, columns.keys)
    check_id(record, columns.id)
    if record.get(columns.id) == "":
        raise Refused(
            Message("{} is empty: give an id, or leave out this field; the index then chooses an id", columns.id)
        )
    return record


def line_record(raw: bytes, columns: ColumnsFor) -> dict[str, Any]:
    """Return the record in one line of a stream, checked by `check_record`.

    Raises:
        Refused: it is no JSON object, or cannot be used.
    """
    record = exact_object(raw)
    return check_record(record, columns(record))


def record_of(raw: bytes, kind: str, charset: str, columns: ColumnsFor, id: str | None = None) -> dict[str, Any]:
    """Return the document in a request body as a record (columns by name): a JSON object, or a plain text or page.

    Args:
        raw: the body.
        kind, charset: its media type; "" is taken for JSON.
        columns: returns the columns that the index reads of a record with some columns.
        id: id of a document that is no JSON object, if the caller has given one.

    Raises:
        Problem: the body is no document, or of another type.
    """
    usual = columns(())
    if kind in ("", JSON) or kind.endswith("+json"):
        check_charset(charset)
        record = parsed_object(raw)
        id_key = columns(record).id
        if id is not None and record.get(id_key) is None:
            record[id_key] = id
        if id is not None and str(record[id_key]) != id:
            raise Problem("wrong-argument", Message("id={!r}, but the record has the id {!r}", id, record[id_key]))
    elif kind == TEXT or (kind == HTML and usual.html is not None):
        record = {(usual.keys[0] if kind == TEXT else str(usual.html)): _decoded(raw, charset)}
        if id is not None:
            record[usual.id] = id
    else:
        known = f"{JSON}, {LINES}, {TEXT}" + (f", {HTML}" if usual.html is not None else "")
        raise Problem("wrong-media-type", Message("a body of type {!r} cannot be read: use {}", kind, known))
    try:
        return check_record(record, columns(record))
    except Refused as refused:
        raise Problem("bad-document", refused.reason) from None


def _decoded(raw: bytes, charset: str) -> str:
    """Return a plain text or page decoded by its charset.

    Raises:
        Problem: there is no such charset, or the body is not in it.
    """
    try:
        if _NO_CHARSET.match(codecs.lookup(charset or "utf-8").name):
            raise LookupError
        text = raw.decode(charset or "utf-8")
        text.encode("utf-8")  # UTF-7 can have half a surrogate pair
    except LookupError:
        raise Problem("wrong-media-type", Message("the charset {!r} does not exist", charset)) from None
    except UnicodeError as error:
        where = getattr(error, "start", 0)
        detail = Message("byte {:,} is not in the charset {}", where + 1, charset or "utf-8")
        raise Problem("broken-body", detail) from None
    return text


class _Line:
    """Unfinished line of a stream; long ones are counted in the room for waiting bytes.

    Args:
        room: room for what is held in memory.

    Attributes:
        size: bytes that have arrived.
    """

    def __init__(self, room: Room) -> None:
        self._room, self._parts = room, [b""]
        self.size = self._taken = 0

    def add(self, part: bytes) -> None:
        """Add bytes to the line.

        Raises:
            Problem: the line is too long, or there is no room for it now.
        """
        self.size += len(part)
        if self.size > self._room.limits.body:
            raise too_large(self._room.limits.body)
        if self.size > PIECE:
            self._room.take_bytes(self.size - self._taken)  # waiting for room, streams might wait for one another
            self._taken = self.size
        self._parts.append(part)

    def join_parts(self) -> bytes:
        """Return the line as far as it has arrived."""
        return b"".join(self._parts)

    def clear(self) -> None:
        """Empty the line and free its room."""
        self._room.free_bytes(self._taken)
        self._parts.clear()
        self.size = self._taken = 0


async def lines_of(request: Request, room: Room, most: int) -> AsyncIterator[list[tuple[int, bytes]]]:
    """Yield lists of at most `most` numbered lines of a stream as they arrive; blank lines are left out.

    While a yielded list is dealt with, nothing further is read, so that a caller is slowed down to the speed of the index. A long line
    is counted in the room until the next list.

    Raises:
        Problem: a line is too long or there is no room for it, or the body too slow.
        ClientDisconnect: the caller has gone.
    """
    number, line = 0, _Line(room)
    try:
        async for piece in pieces(request, room, whole=False):
            await asyncio.sleep(0)  # what unpacks to many pieces or lines keeps nobody else waiting
            if piece.isspace() and not line.size:
                number += piece.count(b"\n")
                continue
            first, *others = piece.split(b"\n")
            line.add(first)
            if not others:
                continue
            *ended, rest = line.join_parts(), *others
            large = next((k for k, one in enumerate(ended) if len(one) > room.limits.body), None)
            if large is not None:
                ended = ended[:large]  # the lines before it are answered
            at_hand = [(number + k, one) for k, one in enumerate(ended, 1) if one and not one.isspace()]
            number += len(ended)
            for start in range(0, len(at_hand), most):
                await asyncio.sleep(0)
                yield at_hand[start : start + most]
            if large is not None:
                raise too_large(room.limits.body)
            line.clear()
            line.add(rest)
        if (last := line.join_parts()).strip():
            yield [(number + 1, last)]
    finally:
        line.clear()
