"""Takes the page out of a stored HTTP response."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import pyarrow as pa

from quchong.languages import Message

PAGE_BYTES = 64 << 20
"""More than this a page may not unpack to."""

HTML = ("text/html", "application/xhtml+xml")
_SNIFFED = 1024
_LIKE_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|table|div|h1|p|a)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_END = re.compile(rb"\r?\n\r?\n")
_PIECE = 1 << 20


class BadBody(Exception):
    """A body that cannot be used; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a response.

    Attributes:
        status: 0 where it has none
        fields: by name in lower case; the last of repeated ones
        size: bytes up to the body
    """

    status: int
    fields: dict[str, str]
    size: int

    @property
    def kind(self) -> str:
        """The media type, in lower case, without parameters; "" where none is given."""
        return self.fields.get("content-type", "").split(";")[0].strip().lower()


def fields_of(lines: list[bytes]) -> dict[str, str]:
    """Header fields by name in lower case; lines that are none are passed over, folded ones joined."""
    out: dict[str, str] = {}
    last = ""
    for line in lines:
        text = line.decode("utf-8", "replace")
        if text[:1] in (" ", "\t") and last:
            out[last] += " " + text.strip()
            continue
        name, colon, value = text.partition(":")
        if colon:
            last = name.strip().lower()
            out[last] = value.strip()
    return out


def head_of(block: bytes) -> Head | None:
    """The head a block begins with; None where it begins with none. Line ends may be plain line feeds."""
    if not block.startswith(b"HTTP/"):
        return None
    found = _END.search(block)
    end, size = found.span() if found is not None else (len(block), len(block))
    lines = block[:end].replace(b"\r\n", b"\n").split(b"\n")
    words = lines[0].split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return Head(status, fields_of(lines[1:]), size)


def like_html(body: bytes) -> bool:
    """Does it begin as pages begin? After the signatures of the WHATWG's MIME sniffing standard, section 7.1."""
    start = body[:_SNIFFED].removeprefix(b"\xef\xbb\xbf")
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start[2:].replace(b"\0", b"")
    return _LIKE_HTML.match(start) is not None


def body_of(raw: bytes, fields: dict[str, str], clipped: bool = False, most: int = PAGE_BYTES) -> bytes:
    """The page in a body: chunks put together, then unpacked, at most `most` bytes of it.

    Crawlers keep the head of the response and often undo what it says of the body: a body that does not look packed is
    taken as it is.

    Args:
        raw: what follows the head
        fields: of the head
        clipped: the crawler says that it stopped early, so that a beginning is all there is
        most: bytes

    Raises:
        BadBody: broken chunks, damaged packing, one we do not know, or more than `most` bytes
    """
    body = raw
    if "chunked" in fields.get("transfer-encoding", "").lower() and _CHUNK.match(body):
        body = _together(body, clipped)
    for packing in reversed([part.strip().lower() for part in fields.get("content-encoding", "").split(",")]):
        body = _unpacked(body, packing, clipped, most)
    if len(body) > most:
        raise BadBody(Message("page of {:,} bytes: more than {} MiB is not read", len(body), most >> 20))
    return body


def _together(body: bytes, clipped: bool) -> bytes:
    """The chunks of a body (RFC 9112, section 7.1)."""
    parts: list[bytes] = []
    at = 0
    while True:
        found = _CHUNK.match(body, at)
        if found is None:
            if at >= len(body) or clipped:  # without its last, empty chunk
                return b"".join(parts)
            raise BadBody(Message("broken chunks: no size at byte {} of the body", at + 1))
        size = int(found[1], 16)
        if not size:
            return b"".join(parts)
        at = found.end()
        if at + size > len(body):
            if not clipped:
                raise BadBody(Message("broken chunks: one of {:,} bytes where {:,} are left", size, len(body) - at))
            size = len(body) - at
        parts.append(body[at : at + size])
        at += size
        end = body[at : at + 2]
        if end and end != b"\r\n" and end[:1] != b"\n":
            raise BadBody(Message("broken chunks: no line end after the one that ends at byte {} of the body", at))
        at += 2 if end == b"\r\n" else 1


def _unpacked(body: bytes, packing: str, clipped: bool, most: int) -> bytes:
    if packing in ("", "identity", "none", "binary", "8bit") or not body:
        return body
    if packing in ("gzip", "x-gzip"):
        return _inflated(body, 31, clipped, most) if body.startswith(b"\x1f\x8b") else body
    if like_html(body):
        return body
    if packing == "deflate":
        zlib_head = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflated(body, 15 if zlib_head else -15, clipped, most)
    if packing in ("br", "zstd"):
        return _streamed(body, {"br": "brotli"}.get(packing, packing), clipped, most)
    raise BadBody(Message("packed as {!r}, which is not known", packing))


def _too_much(most: int) -> BadBody:
    return BadBody(Message("unpacks to more than {} MiB, which is not read", most >> 20))


def _inflated(body: bytes, window: int, clipped: bool, most: int) -> bytes:
    """Gzip (members joined) or deflate."""
    out: list[bytes] = []
    size = 0
    while body:
        unpack = zlib.decompressobj(window)
        try:
            out.append(unpack.decompress(body, most + 1 - size))
        except zlib.error as error:
            if out:  # what follows a whole member and is none
                break
            raise BadBody(f"damaged {'gzip' if window == 31 else 'deflate'}: {str(error).split(': ')[-1]}") from error
        size += len(out[-1])
        if size > most:
            raise _too_much(most)
        if not unpack.eof:
            if not clipped:
                raise BadBody(Message("clipped {}: the body ends within it", "gzip" if window == 31 else "deflate"))
            break
        body = unpack.unused_data if window == 31 else b""
    return b"".join(out)


def _streamed(body: bytes, codec: str, clipped: bool, most: int) -> bytes:
    """Brotli or Zstandard."""
    parts: list[bytes] = []
    size = 0
    try:
        with pa.CompressedInputStream(pa.BufferReader(body), codec) as unpack:
            while piece := unpack.read(_PIECE):
                parts.append(piece)
                size += len(piece)
                if size > most:
                    raise _too_much(most)
    except (OSError, EOFError, pa.ArrowException) as error:
        if not clipped:
            raise BadBody(f"damaged {codec}: {error}") from error
    return b"".join(parts)
