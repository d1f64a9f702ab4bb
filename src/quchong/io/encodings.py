"""Character encodings of text files: names, detection, and conversion to UTF-8 and back."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import cache

from quchong.errors import Param, UsageError
from quchong.languages import Message
from quchong.pages.charset import SAMPLE, charset_of_text
from quchong.patterns import lazy_pattern

UTF8 = "utf-8"
LOOKED_AT = 16 << 20
"""Maximum bytes of a file (decompressed) that are searched for characters beyond ASCII."""
REMEDY = Message("if the file has another encoding, give that encoding with the option encoding")
"""Remedy in messages about bytes of a text or CSV file that are invalid in the encoding that was found."""
_PIECE_BYTES = 1 << 20
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "cp950": "big5hkscs", "utf-8-sig": UTF8}
_MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-32-le": codecs.BOM_UTF32_LE}
_SHIFTING = lazy_pattern(r"hz$|iso2022|utf-7|utf-16|utf-32|.*escape|idna|punycode|undefined|mbcs|oem|johab")
"""Encodings in which the meaning of a byte depends on bytes before it, or in which an ASCII byte may be part of a character (in Johab a
semicolon may be half a character)."""
_ODD = 0xFF
"""Byte that never occurs in UTF-8; it marks the two halves of the odd byte at the end of a UTF-16 file."""
_UTF8_RUN = lazy_pattern(rb"(?:[\xe4-\xe9][\x80-\xbf]{2}){3}")
"""Three Chinese characters in UTF-8."""


def codec_name(said: str) -> str:
    """Return the codec for a user's encoding name; GB2312 and GBK are read as GB18030, their superset.

    Raises:
        UsageError: the encoding is unknown, or its ASCII characters are not single bytes.

    Example:
        >>> codec_name("GBK"), codec_name("latin-1")
        ('gb18030', 'iso8859-1')
    """
    found: codecs.CodecInfo | None = None
    try:
        found = codecs.lookup(said)
        ascii_too = bytes(range(128)).decode(said) == "".join(map(chr, range(128)))
    except (LookupError, ValueError, TypeError, AttributeError):
        ascii_too = False
    if ascii_too is False and found is not None and found.name in ("utf-16-le", "utf-16-be"):
        return found.name
    if found is None or not ascii_too or _SHIFTING.match(found.name):
        raise UsageError(
            "{}: this encoding cannot be read; examples are gb18030, gbk, big5, utf-8 and cp1252. UTF-16 is "
            "recognised by its mark; without a mark, give utf-16-le or utf-16-be",
            Param("encoding", said),
        )
    return _WIDER.get(found.name, found.name)


@cache
def shown(encoding: str) -> str:
    """Return the display name of an encoding, such as "Big5" for big5hkscs."""
    return {"utf-8": "UTF-8", "gb18030": "GB18030", "big5hkscs": "Big5", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16",
            "utf-32-le": "UTF-32"}.get(encoding, encoding)  # fmt: skip


def found_in(read: Callable[[int], bytes]) -> str:
    """Detect the encoding of a file from its first characters beyond ASCII; UTF-8 if there are none.

    Blocks are read until they hold some 2,000 such characters, at most `LOOKED_AT` bytes. See `quchong.pages.charset.charset_of_text`.
    """
    pieces: list[bytes] = []
    size = high = 0
    while size < LOOKED_AT and high < SAMPLE and (piece := read(_PIECE_BYTES)):
        size += len(piece)
        high += 0 if piece.isascii() else len(piece) - len(piece.decode("ascii", "ignore"))
        pieces.append(piece)
    return charset_of_text(b"".join(pieces))


def remedy_for(encoding: str, given: bool, found: Message = REMEDY) -> Message:
    """Return the remedy for a message about bytes that are invalid in an encoding, by whether the user gave it or it was detected."""
    if not given:
        return found
    return Message(
        "--encoding (encoding= in Python) is {}: leave it out to have the encoding detected, or give the right one",
        shown(encoding),
    )


def in_utf8(raw: bytes, encoding: str, given: bool = False) -> tuple[bytes, str]:
    """Convert a text to UTF-8 without byte order mark; return the bytes and an error message, which is empty for a valid text.

    `given` is True if the user named the encoding, which the remedy then says.

    UTF-8 bytes in a file of another encoding are an error too, because they would be misread without notice.
    """
    if encoding == UTF8:
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            return b"", Message("invalid UTF-8 at byte {}; {}", error.start + 1, remedy_for(encoding, given))
        return raw, ""
    if encoding in _MARKS:
        raw = raw.removeprefix(_MARKS[encoding])
    elif strays(raw) and _is_utf8(raw):
        if given:
            return b"", Message("is UTF-8, not {}: leave out the encoding", shown(encoding))
        return b"", Message(
            "is UTF-8, but the rest of the file is {}; convert the whole file to one encoding", shown(encoding)
        )
    try:
        return raw.decode(encoding).encode(), ""
    except UnicodeDecodeError as error:
        return b"", Message("invalid {} at byte {}; {}", shown(encoding), error.start + 1, remedy_for(encoding, given))


def strays(raw: bytes) -> bool:
    """Return True if the bytes look like UTF-8 after all: they have three consecutive Chinese characters in it."""
    return _UTF8_RUN.search(raw) is not None


def out_of_utf8(text: str, encoding: str) -> bytes:
    """Encode a text in the encoding of the file that is written.

    Raises:
        UsageError: the encoding lacks a character of the text.
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise UsageError(
            "{!r} cannot be written in the encoding {} of the input: convert the input to UTF-8 first",
            text[error.start],
            shown(encoding),
        ) from error


class Inward:
    """Function `read(size)` that reads a file in UTF-16 and returns its bytes in UTF-8.

    Invalid UTF-16 (half a character, an odd byte at the end) becomes invalid UTF-8, so that only its record is bad, and `outward`
    returns the original bytes.
    """

    def __init__(self, read: Callable[[int], bytes], encoding: str) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        self._odd = b""

    def __call__(self, size: int) -> bytes:
        """Return the next bytes of the file in UTF-8; empty at its end."""
        while piece := self._read(size):
            piece = self._odd + piece
            whole = len(piece) - len(piece) % 2
            self._odd = piece[whole:]
            if text := self._decoder.decode(piece[:whole]):
                return text.encode(UTF8, "surrogatepass")
        rest = self._decoder.decode(b"", True).encode(UTF8, "surrogatepass")
        if self._odd:
            rest, self._odd = rest + bytes([_ODD, 0x80 | self._odd[0] >> 4, 0x80 | self._odd[0] & 15]), b""
        return rest


def outward(piece: bytes, encoding: str) -> bytes:
    """Return the original bytes of a file for bytes that `Inward` returned; other encodings than UTF-16 are unchanged."""
    if not is_wide(encoding):
        return piece
    odd = b""
    if len(piece) >= 3 and piece[-3] == _ODD:
        odd = bytes([(piece[-2] & 15) << 4 | piece[-1] & 15])
        piece = piece[:-3]
    return piece.decode(UTF8, "surrogatepass").encode(encoding, "surrogatepass") + odd


def is_wide(encoding: str) -> bool:
    """Return True if the encoding is UTF-16."""
    return encoding.startswith("utf-16")


def marked(text: str, encoding: str) -> bytes:
    """Encode a whole text file, with a byte order mark for UTF-16 and UTF-32."""
    return _MARKS.get(encoding, b"") + out_of_utf8(text, encoding)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
