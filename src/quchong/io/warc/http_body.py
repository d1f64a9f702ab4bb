"""Extraction of the page from a stored HTTP response."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import pyarrow as pa

from quchong.languages import Message
from quchong.patterns import lazy_pattern

PAGE_BYTES = 64 << 20
"""Maximum decompressed bytes of a page."""

HTML = ("text/html", "application/xhtml+xml")
_SNIFFED = 1024
_LIKE_HTML = lazy_pattern(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|table|div|h1|p|a)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHUNK = lazy_pattern(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_END = lazy_pattern(rb"\r?\n\r?\n")
_PIECE = 1 << 20


class BadBody(Exception):
    """Error: a body cannot be used; the message is the reason, for people."""


@dataclass(frozen=True, slots=True)
class Head:
    """Head of an HTTP response.

    Attributes:
        status: status code, 0 without one
        fields: header fields by name in lower case; of repeated fields the last
        size: bytes up to the body
    """

    status: int
    fields: dict[str, str]
    size: int

    @property
    def kind(self) -> str:
        """Media type in lower case, without parameters; "" if none is given."""
        return self.fields.get("content-type", "").split(";")[0].strip().lower()


def fields_of(lines: list[bytes]) -> dict[str, str]:
    """Return header fields by name in lower case; folded lines are joined, other lines ignored."""
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
    """Return the HTTP head at the beginning of a block of bytes; None if it does not begin with one. Lines may end in line feeds only."""
    if not block.startswith(b"HTTP/"):
        return None
    found = _END.search(block)
    end, size = found.span() if found is not None else (len(block), len(block))
    lines = block[:end].replace(b"\r\n", b"\n").split(b"\n")
    words = lines[0].split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return Head(status, fields_of(lines[1:]), size)


def like_html(body: bytes) -> bool:
    """Return True if a body begins like an HTML page, by the signatures of the WHATWG MIME sniffing standard, section 7.1."""
    start = body[:_SNIFFED].removeprefix(b"\xef\xbb\xbf")
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start[2:].replace(b"\0", b"")
    return _LIKE_HTML.match(start) is not None


def body_of(raw: bytes, fields: dict[str, str], clipped: bool = False, most: int = PAGE_BYTES) -> bytes:
    """Return the page in the body of a stored HTTP response: the body without chunk framing and compression.

    Crawlers often store a body decompressed with the head of the compressed one, so a body that does not look compressed is returned
    unchanged.

    Args:
        raw: bytes after the head
        fields: header fields
        clipped: True if the crawler notes that it stopped early, so that only the beginning of the body is there
        most: maximum bytes of the page

    Raises:
        BadBody: broken chunks, damaged or unknown compression, or more than `most` bytes
    """
    body = raw
    if "chunked" in fields.get("transfer-encoding", "").lower() and _CHUNK.match(body):
        body = _together(body, clipped)
    for packing in reversed([part.strip().lower() for part in fields.get("content-encoding", "").split(",")]):
        body = _unpacked(body, packing, clipped, most)
    if len(body) > most:
        raise BadBody(
            Message("the page has {:,} bytes, but pages larger than {} MiB are not read", len(body), most >> 20)
        )
    return body


def _together(body: bytes, clipped: bool) -> bytes:
    """Return the data of an HTTP body in chunked transfer coding (RFC 9112, section 7.1), without sizes and line ends.

    Raises:
        BadBody: a chunk has no size or no line end, or ends after the body.
    """
    parts: list[bytes] = []
    at = 0
    while True:
        found = _CHUNK.match(body, at)
        if found is None:
            if at >= len(body) or clipped:  # without its last, empty chunk
                return b"".join(parts)
            raise BadBody(Message("broken chunks: a size is missing at byte {} of the body", at + 1))
        size = int(found[1], 16)
        if not size:
            return b"".join(parts)
        at = found.end()
        if at + size > len(body):
            if not clipped:
                raise BadBody(
                    Message(
                        "broken chunks: a chunk declares {:,} bytes, but only {:,} bytes are left", size, len(body) - at
                    )
                )
            size = len(body) - at
        parts.append(body[at : at + size])
        at += size
        end = body[at : at + 2]
        if end and end != b"\r\n" and end[:1] != b"\n":
            raise BadBody(
                Message("broken chunks: a line end is missing after the chunk that ends at byte {} of the body", at)
            )
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
    raise BadBody(Message("the encoding {!r} is not supported", packing))


def _too_much(most: int) -> BadBody:
    return BadBody(Message("the unpacked data would have more than {} MiB, the largest size that is read", most >> 20))


def _inflated(body: bytes, window: int, clipped: bool, most: int) -> bytes:
    """Decompress a body of gzip (all members) or deflate data, by zlib's `window`; raise BadBody above `most` bytes."""
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
                raise BadBody(
                    Message(
                        "truncated {}: the HTTP body ends before its data is complete",
                        "gzip" if window == 31 else "deflate",
                    )
                )
            break
        body = unpack.unused_data if window == 31 else b""
    return b"".join(out)


def _streamed(body: bytes, codec: str, clipped: bool, most: int) -> bytes:
    """Decompress a body of Brotli or Zstandard data; raise BadBody above `most` bytes."""
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
