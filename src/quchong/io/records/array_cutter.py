"""Division of a JSON array into its values; a broken value affects no other."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

from quchong.io.encodings import UTF8
from quchong.io.limits import HEAD, LARGEST, too_many
from quchong.io.records.value_end import ValueEnd
from quchong.languages import Message
from quchong.patterns import lazy_pattern

PIECE_BYTES = 4 << 20
LONGEST_BROKEN = 64 << 20
"""Maximum characters of a broken value that are in memory while the next value is searched; of a longer one only the beginning."""
_OVERLAP = 4096
"""Characters at the end of a block that are searched again with the next block, because a value may begin in them."""

ENDLESS = "the file ends before the array does: was it cut off?"
BEHIND = "stands behind the end of the array: make one array of the file"
_NEAR = 16
"""Maximum distance in characters between a parse error and the end of a block for the value to be taken as unfinished, except
for strings, for which the error is at their beginning."""
_ONE_CODE = (UTF8, "gb18030")
"""Encodings in which each character has one code, so that what is read is written as it was."""
_WHITE = lazy_pattern(r"[ \t\r\n]*")
_BEGIN = lazy_pattern(r'\{[ \t\r\n]*"(?:[^"\\\x00-\x1f]|\\.)*"[ \t\r\n]*:')
_ANY = lazy_pattern(r'[,\n][ \t\r\n]*(?=\{[ \t\r\n]*")')


class AmbiguousError(ValueError):
    """A file has a character in a code that its encoding has twice."""


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a JSON array.

    Attributes:
        text: the value's text in the file; bytes that are invalid in its encoding decoded with `surrogateescape`.
        lines: number of line feeds before it in the file.
        broken: the reason why it is broken; "" for valid JSON.
        size: bytes of a value above the limit, of which `text` is the beginning; 0 for other values.
    """

    text: str
    lines: int
    broken: str = ""
    size: int = 0


class ArrayCutter:
    """Iterable of the values of a JSON array, in order, from a function that reads bytes without a byte order mark.

    The parser of the standard library finds the end of a value. After a broken value, reading continues at the next value that
    begins like the first one, with a brace and the same key. A missing or repeated comma is accepted.

    Args:
        read: function that returns up to the given number of bytes, and none at the end.
        piece_bytes: bytes read at once; affects time only.
        most: maximum characters of a value; of a longer value, or one of too many inner values, only the beginning is in memory.
        encoding: of the file.

    Raises:
        AmbiguousError: while iterating: other bytes of the file are the same text in its encoding, so that values would not come back
            byte for byte.

    Memory: a few times the longest value that is read. Cost: parsing the file once; a value longer than a block is parsed again each
    time half as much more of it is read.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        piece_bytes: int = PIECE_BYTES,
        most: int = LARGEST,
        encoding: str = UTF8,
    ) -> None:
        self._read, self._piece, self._most, self._encoding = read, piece_bytes, most, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogateescape")
        self._parse = JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode
        self._text, self._at, self._ended = "", 0, False
        self._lines = 0  # before `_counted`
        self._counted = 0
        self._like: re.Pattern[str] | None = None
        self.indent = b""
        """White space on the line before the first value."""

    def __iter__(self) -> Iterator[Value]:
        self._white()
        self._at += self._text.startswith("[", self._at)
        self._white()
        self.indent = _before(self._text, self._at).encode()
        closed = False
        while True:
            self._white()
            if self._at == len(self._text):
                if not closed:
                    yield Value("", self._line(), ENDLESS)
                return
            sign = self._text[self._at]
            if sign == ",":
                self._at += 1
            elif sign != "]":
                yield self._value()
            else:
                self._at += 1
                self._white()
                if self._at < len(self._text):
                    yield self._broken(BEHIND)
                closed = True

    def bytes_of(self, text: str) -> bytes:
        """Return the bytes of a text in the file."""
        return text.encode(self._encoding, "surrogateescape")

    def _value(self) -> Value:
        """Read the value that begins at the current character, and move behind it."""
        while True:
            start, wrong = self._at, Message("")
            try:
                _, end = self._parse(self._text, start)
            except JSONDecodeError as error:
                open_end = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR
                said = error.msg.removesuffix(": ").removesuffix(" at")
                wrong, end = Message("broken JSON: {} at character {}", said, error.pos - start + 1), 0
            except RecursionError:  # which speaks of Python
                wrong, end, open_end = Message("broken JSON: nested too deeply"), 0, False
            except ValueError as error:
                wrong, end, open_end = Message("broken JSON: {}", error), 0, False
            else:
                open_end = end == len(self._text)  # a number may go on
            if not open_end or self._ended:
                break
            if len(self._text) - start > self._most:
                return self._passed_over()
            self._more((len(self._text) - start) // 2)
            if (many := self._many_values()) is not None:
                return self._passed_over(many)
        if self._like is None and (begin := _BEGIN.match(self._text, start)):
            self._like = re.compile(_spaced(begin[0]))
        if wrong:
            return self._broken(wrong)
        lines, self._at = self._line(), end
        return Value(self._text[start:end], lines)

    def _many_values(self) -> str | None:
        """Return the reason why the value at the current character has too many inner values, or None if the part read has not."""
        if len(self._text) - self._at <= 2 * self._piece:
            return None
        end = ValueEnd(self._text[self._at]).look(self._text, self._at)
        values = sum(self._text.count(sign, self._at, end) for sign in ",[{")
        return too_many(values, self._most)

    def _passed_over(self, wrong: str = "") -> Value:
        """Skip the value at the current character without parsing it, and return its beginning and size."""
        lines, head = self._line(), self._text[self._at : self._at + HEAD]
        size, end = 0, ValueEnd(self._text[self._at])
        while True:
            found = end.look(self._text, self._at)
            stop = len(self._text) if found is None else found
            for start in range(self._at, stop, PIECE_BYTES):
                piece = self._text[start : min(start + PIECE_BYTES, stop)]
                size += len(self.bytes_of(piece))
            self._at = stop
            if found is not None or self._ended:
                return Value(head, lines, wrong, max(size, 1))
            self._more()

    def _broken(self, wrong: str) -> Value:
        """Return the broken value at the current character, which is all text up to the next value, and move behind it."""
        look = 1
        while True:
            start = self._at
            next_one = (
                self._like.search(self._text, start + look) if self._like else _ANY.search(self._text, start + look)
            )
            if next_one is not None:
                end = next_one.start() if self._like else next_one.end()
                break
            if self._ended:
                end = len(self._text)
                break
            if len(self._text) - start >= min(LONGEST_BROKEN, self._most):
                return self._given_up(wrong)
            look = max(1, len(self._text) - start - _OVERLAP)
            self._more(2 * (len(self._text) - start))
        lines, self._at = self._line(), end
        text = self._text[start:end].rstrip(" \t\r\n,")
        if (
            self._ended and end == len(self._text) and len(text) > 1 and text.endswith("]")
        ):  # the array's own end, most likely
            text, self._at = text[:-1].rstrip(" \t\r\n"), self._text.rindex("]")
        return Value(text, lines, wrong)

    def _given_up(self, wrong: str) -> Value:
        """Skip a long broken value up to the next value, and return its beginning and size as one record."""
        lines, head, size, look = self._line(), self._text[self._at : self._at + HEAD], 0, 1
        while True:
            found = (self._like or _ANY).search(self._text, self._at + look)
            if found is not None:
                stop = found.start() if self._like else found.end()
            elif self._ended:
                stop = len(self._text.rstrip(" \t\r\n"))
                stop -= self._text.endswith("]", 0, stop)  # the array's own end, most likely
            else:
                stop = max(self._at, len(self._text) - _OVERLAP)
            for start in range(self._at, stop, PIECE_BYTES):
                size += len(self.bytes_of(self._text[start : min(start + PIECE_BYTES, stop)]))
            self._at, look = max(self._at, stop), 0
            if found is not None or self._ended:
                return Value(head, lines, wrong, max(size, 1))
            self._more()

    def _white(self) -> None:
        """Move behind white space, reading more if the block ends."""
        while True:
            found = _WHITE.match(self._text, self._at)
            assert found is not None
            self._at = found.end()
            if self._at < len(self._text) or self._ended:
                return
            self._more()

    def _more(self, size: int = 0) -> None:
        """Read the next block of the file, and drop all text before the current character."""
        self._line()
        raw = self._read(max(size, self._piece))
        self._ended = not raw
        held = self._decoder.getstate()[0]
        more = self._decoder.decode(raw, self._ended)
        if self._encoding not in _ONE_CODE:
            raw = held + raw
            if self.bytes_of(more) != raw[: len(raw) - len(self._decoder.getstate()[0])]:
                raise AmbiguousError
        del raw
        self._text = self._text[self._at :] + more
        self._at = self._counted = 0

    def _line(self) -> int:
        """Return the number of line feeds before the current character."""
        self._lines += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._lines


def _spaced(begin: str) -> str:
    """Return a pattern that matches the given beginning of an object, a brace and a key, with any white space."""
    key = begin[1:-1].strip(" \t\r\n")
    return r"\{[ \t\r\n]*" + re.escape(key) + r"[ \t\r\n]*:"


def _before(text: str, at: int) -> str:
    """Return the white space before a character if it begins a line; "" otherwise."""
    start = at
    while start and text[start - 1] in " \t":
        start -= 1
    return text[start:at] if start and text[start - 1] == "\n" else ""
