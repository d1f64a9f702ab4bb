"""Bodies of requests: read within their limits, unpacked, and parsed to records."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request

from quchong.api.index_records import read_record
from quchong.io.records.json_values import parsed
from quchong.io.records.reader import Refused
from quchong.languages import Message
from quchong.serve.lanes import Room
from quchong.serve.problems import Problem

JSON, LINES, TEXT, HTML = "application/json", "application/x-ndjson", "text/plain", "text/html"
LINE_TYPES = (LINES, "application/jsonl", "application/ndjson", "application/x-jsonlines")
"""Media types of streams of JSON lines."""


def media_type(request: Request) -> tuple[str, str]:
    """Return the media type of a body and its charset, both in lower case; "" for what is not said."""
    kind, *rest = request.headers.get("content-type", "").split(";")
    found = [one.partition("=")[2] for one in rest if one.strip().lower().startswith("charset=")]
    return kind.strip().lower(), found[0].strip().strip('"').lower() if found else ""


def check_charset(charset: str) -> None:
    """Raise Problem for JSON in another charset than UTF-8."""
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise Problem("wrong-media-type", Message("JSON is UTF-8, and the charset is {!r}: convert it", charset))


def _decompressor(request: Request) -> Any:
    """Return what unpacks a body; None for one that is not packed.

    Raises:
        Problem: it is packed by another way than gzip.
    """
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding in ("identity", ""):
        return None
    if coding in ("gzip", "x-gzip"):
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    raise Problem("wrong-media-type", Message("content-encoding {!r} is not known here: use gzip, or none", coding))


async def pieces(request: Request, room: Room, *, whole: bool) -> AsyncIterator[bytes]:
    """Yield a body piece by piece as it arrives, unpacked; a piece has at most a megabyte.

    Args:
        request: the request.
        room: room for what is held in memory; a piece that is yielded is not counted.
        whole: the body is taken as a whole, so that it is refused as soon as it says that it is too large.

    Raises:
        Problem: a part of it does not arrive in time, or it is packed in a broken way.
        ClientDisconnect: the caller has gone.
    """
    limit = room.limits.body
    said = request.headers.get("content-length", "")
    if whole and said.isdecimal() and len(said) < 20 and int(said) > limit:
        raise too_large(limit)
    unpack = _decompressor(request)
    stream = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(room.limits.body_seconds):
                piece = await anext(stream)
        except StopAsyncIteration:
            break
        except TimeoutError:
            detail = Message("nothing of the body arrived for {:g} s", room.limits.body_seconds)
            raise Problem("slow-body", detail, headers={"connection": "close"}) from None
        if unpack is None:
            yield piece
            continue
        try:
            while piece:
                yield unpack.decompress(piece, 1 << 20)
                piece = unpack.unconsumed_tail
        except zlib.error:
            raise Problem("broken-body", Message("the body is no gzip, or is damaged")) from None
    if unpack is not None:
        if rest := unpack.flush():
            yield rest
        if not unpack.eof:
            raise Problem("broken-body", Message("the gzip of the body ends too early"))


def too_large(limit: int) -> Problem:
    """Return the problem of a body, or of a line of a stream, over its limit in bytes."""
    detail = Message(
        "more than {:,} bytes: send less at once; many documents are sent as JSON lines ({})", limit, LINES
    )
    return Problem("too-large", detail, headers={"connection": "close"}, limit=limit)


@asynccontextmanager
async def whole_body(request: Request, room: Room) -> AsyncIterator[bytes]:
    """Hold a body as a whole, within the limit of one; its room is given back at the end of the block.

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
        raise Problem("broken-body", Message("the body is empty: a JSON object is wanted"))
    try:
        said = parsed(raw)
    except Refused as refused:
        raise Problem("broken-body", refused.reason) from None
    if not isinstance(said, dict):
        raise Problem("broken-body", Message("not a JSON object"))
    return said


def record_of(raw: bytes, kind: str, charset: str, keys: tuple[str, ...], html: str | None) -> dict[str, Any]:
    """Return the one document of a body as a record of the index.

    Args:
        raw: the body.
        kind, charset: its media type; "" is taken for JSON.
        keys: columns of the text, then of a web page; a record must have one.
        html: column of a web page; None if the index reads none.

    Raises:
        Problem: the body is no document, or of another type.
    """
    if kind in ("", JSON) or kind.endswith("+json"):
        check_charset(charset)
        parsed_object(raw)
        try:
            return read_record(raw, keys)
        except Refused as refused:
            raise Problem("bad-document", refused.reason) from None
    if kind == TEXT or (kind == HTML and html is not None):
        return {(keys[0] if kind == TEXT else str(html)): _decoded(raw, charset)}
    known = f"{JSON}, {LINES}, {TEXT}" + (f", {HTML}" if html is not None else "")
    raise Problem("wrong-media-type", Message("a body of type {!r} cannot be read: use {}", kind, known))


def _decoded(raw: bytes, charset: str) -> str:
    """Return a plain text or page, decoded as its charset says.

    Raises:
        Problem: there is no such charset, or the body is not in it.
    """
    try:
        return raw.decode(charset or "utf-8")
    except LookupError:
        raise Problem("wrong-media-type", Message("there is no charset {!r}", charset)) from None
    except UnicodeError as error:
        where = getattr(error, "start", 0)
        detail = Message("byte {:,} is not in the charset {}", where + 1, charset or "utf-8")
        raise Problem("broken-body", detail) from None


async def lines_of(request: Request, room: Room, most: int) -> AsyncIterator[list[tuple[int, bytes]]]:
    """Yield the lines of a stream with their numbers, from 1, as they arrive: those at hand, at most `most`; blank ones are left out.

    While a yielded list is dealt with, nothing further is read, so that a caller is slowed down to the speed of the index.

    Raises:
        Problem: a line is too long, or the body too slow.
        ClientDisconnect: the caller has gone.
    """
    number, rest = 0, b""
    async for piece in pieces(request, room, whole=False):
        *ended, rest = (rest + piece).split(b"\n")
        if len(rest) > room.limits.body or any(len(line) > room.limits.body for line in ended):
            raise too_large(room.limits.body)
        at_hand = [(number + k, line) for k, line in enumerate(ended, 1) if line.strip()]
        number += len(ended)
        for start in range(0, len(at_hand), most):
            yield at_hand[start : start + most]
    if rest.strip():
        yield [(number + 1, rest)]
