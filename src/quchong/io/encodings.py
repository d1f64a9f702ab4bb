"""In what character set a text file is written, and its bytes in UTF-8 and back."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache

from quchong.charset import SAMPLE, charset_of_text
from quchong.errors import Param, UsageError
from quchong.languages import Message

UTF8 = "utf-8"
LOOKED_AT = 16 << 20
"""So many bytes of a file (unpacked) are looked at, at most, for characters beyond ASCII."""
REMEDY = Message("if it is in another encoding, name that with the option encoding")
"""Said where bytes of a text file or a CSV file are not in the encoding that the file is read in."""
_PIECE_BYTES = 1 << 20
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "cp950": "big5hkscs", "utf-8-sig": UTF8}
_MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-32-le": codecs.BOM_UTF32_LE}
_SHIFTING = re.compile(r"hz$|iso2022|utf-7|utf-16|utf-32|.*escape|idna|punycode|undefined|mbcs|oem|johab")
"""Where the same byte means different things by what stands before it, or no ASCII byte stands alone (in Johab a semicolon may be
half a character)."""
_ODD = 0xFF
"""No byte of UTF-8: stands before the two halves of the odd byte at the end of a UTF-16 file."""
_UTF8_RUN = re.compile(rb"(?:[\xe4-\xe9][\x80-\xbf]{2}){3}")
"""Three Chinese characters in UTF-8."""


def named(said: str) -> str:
    """The encoding a user names, by the name it is read by: of GB2312 and GBK GB18030, which holds them.

    Raises:
        UsageError: no encoding, or one whose ASCII characters are not single bytes.

    Example:
        >>> named("GBK"), named("latin-1")
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
            "{}: no encoding that can be read; name one such as gb18030, gbk, big5, utf-8 or cp1252; UTF-16 "
            "is known by its mark, without one say utf-16-le or utf-16-be",
            Param("encoding", said),
        )
    return _WIDER.get(found.name, found.name)


@cache
def shown(encoding: str) -> str:
    """An encoding as people write it."""
    return {"utf-8": "UTF-8", "gb18030": "GB18030", "big5hkscs": "Big5", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16",
            "utf-32-le": "UTF-32"}.get(encoding, encoding)  # fmt: skip


def found_in(read: Callable[[int], bytes]) -> str:
    """The encoding of a file, by its first characters beyond ASCII: the pieces that hold some 2,000 of them, within
    `LOOKED_AT`. UTF-8 where there are none. See `quchong.charset.charset_of_text`.
    """
    pieces: list[bytes] = []
    size = high = 0
    while size < LOOKED_AT and high < SAMPLE and (piece := read(_PIECE_BYTES)):
        size += len(piece)
        high += 0 if piece.isascii() else len(piece) - len(piece.decode("ascii", "ignore"))
        pieces.append(piece)
    return charset_of_text(b"".join(pieces))


def in_utf8(raw: bytes, encoding: str) -> tuple[bytes, str]:
    """Bytes of a text in UTF-8, without the mark of UTF-16, and what is wrong with them: empty if nothing is.

    Bytes that are UTF-8 in a file that is not are wrong too: nothing would show that they were misread.
    """
    if encoding == UTF8:
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            return b"", Message("invalid UTF-8 at byte {}; {}", error.start + 1, REMEDY)
        return raw, ""
    if encoding in _MARKS:
        raw = raw.removeprefix(_MARKS[encoding])
    elif strays(raw) and _is_utf8(raw):
        return b"", Message(
            "is UTF-8, where the rest of the file is {}; bring all of it into one encoding", shown(encoding)
        )
    try:
        return raw.decode(encoding).encode(), ""
    except UnicodeDecodeError as error:
        return b"", Message("invalid {} at byte {}; {}", shown(encoding), error.start + 1, REMEDY)


def strays(raw: bytes) -> bool:
    """May some of this be UTF-8?"""
    return _UTF8_RUN.search(raw) is not None


def out_of_utf8(text: str, encoding: str) -> bytes:
    """A text in the encoding of the file it is written to.

    Raises:
        UsageError: that has no room for it.
    """
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise UsageError(
            "{!r} cannot be written in {}, the encoding of the input: convert that to UTF-8 first",
            text[error.start],
            shown(encoding),
        ) from error


class Inward:
    """A UTF-16 file read as UTF-8: `read(size)` of it. What is no UTF-16 (half a character, an odd byte at the end) is no UTF-8
    either, so that it costs its record, and `outward` gives the same bytes back.
    """

    def __init__(self, read: Callable[[int], bytes], encoding: str) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        self._odd = b""

    def __call__(self, size: int) -> bytes:
        """Some of the file; empty at its end."""
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
    """The bytes of a file that were read as these; other encodings than UTF-16 are read as they stand."""
    if not is_wide(encoding):
        return piece
    odd = b""
    if len(piece) >= 3 and piece[-3] == _ODD:
        odd = bytes([(piece[-2] & 15) << 4 | piece[-1] & 15])
        piece = piece[:-3]
    return piece.decode(UTF8, "surrogatepass").encode(encoding, "surrogatepass") + odd


def is_wide(encoding: str) -> bool:
    """Is this UTF-16?"""
    return encoding.startswith("utf-16")


def marked(text: str, encoding: str) -> bytes:
    """A whole text file in its encoding, with the mark of those that are known by it."""
    return _MARKS.get(encoding, b"") + out_of_utf8(text, encoding)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
