"""Cuts a JSON array into its values. One that is broken costs only itself."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

from quchong.io.limits import HEAD, LARGEST, too_many
from quchong.io.records.value_end import ValueEnd

PIECE_BYTES = 4 << 20
LONGEST_BROKEN = 64 << 20
"""So many characters of a broken value are held while the next one is looked for; of a longer one only the beginning."""
_OVERLAP = 4096
"""So many characters at the end of a piece are looked through again with the next piece: a value may begin in them."""

ENDLESS = "the file ends before the array does: was it cut off?"
BEHIND = "stands behind the end of the array: make one array of the file"
_NEAR = 16
"""A value that a piece ends in breaks off at most so many characters before its end, but for texts, whose beginning is named."""
_WHITE = re.compile(r"[ \t\r\n]*")
_BEGIN = re.compile(r'\{[ \t\r\n]*"(?:[^"\\\x00-\x1f]|\\.)*"[ \t\r\n]*:')
_ANY = re.compile(r'[,\n][ \t\r\n]*(?=\{[ \t\r\n]*")')


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the array.

    Attributes:
        text: as it stands in the file; bytes that are no UTF-8 as `surrogateescape` has them.
        lines: line feeds before it in the file.
        broken: what is wrong with it; empty where it is JSON.
        size: bytes of a value that is larger than is read; `text` is then its beginning. 0 of others.
    """

    text: str
    lines: int
    broken: str = ""
    size: int = 0


class ArrayCutter:
    """The values of a JSON array, in order, from a reader of bytes; the byte order mark is taken off before.

    The parser of the standard library finds where a value ends. Where it finds a value broken, reading goes on at the next one
    that begins as the first one does: with a brace and the same key. A comma too many or too few is let pass.

    Args:
        read: gives so many bytes, fewer at the end, none behind it.
        piece_bytes: read at once; a smaller one changes nothing but time.
        most: characters of a value; of a longer one, or one of more values than `limits` has, only the beginning is held.

    Memory: a few times the longest value that is read. Cost: that of parsing the file once; a value longer than a
    piece is begun anew with each half more that is read of it.
    """

    def __init__(self, read: Callable[[int], bytes], piece_bytes: int = PIECE_BYTES, most: int = LARGEST) -> None:
        self._read, self._piece, self._most = read, piece_bytes, most
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._parse = JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode
        self._text, self._at, self._ended = "", 0, False
        self._lines = 0  # before `_counted`
        self._counted = 0
        self._like: re.Pattern[str] | None = None
        self.indent = b""
        """White space before the first value on its line."""

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

    def _value(self) -> Value:
        """The value that begins here."""
        while True:
            start, wrong = self._at, ""
            try:
                _, end = self._parse(self._text, start)
            except JSONDecodeError as error:
                open_end = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR
                wrong, end = f"{error.msg.removesuffix(' at')} at character {error.pos - start + 1}", 0
            except RecursionError:  # which speaks of Python
                wrong, end, open_end = "nested too deeply", 0, False
            except ValueError as error:
                wrong, end, open_end = str(error), 0, False
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
            return self._broken(f"broken JSON: {wrong}")
        lines, self._at = self._line(), end
        return Value(self._text[start:end], lines)

    def _many_values(self) -> str | None:
        """Return why the long value that begins here may not be parsed, or None if it may, as far as it is read."""
        if len(self._text) - self._at <= 2 * self._piece:
            return None
        end = ValueEnd(self._text[self._at]).look(self._text, self._at)
        values = sum(self._text.count(sign, self._at, end) for sign in ",[{")
        return too_many(values, self._most)

    def _passed_over(self, wrong: str = "") -> Value:
        """Passes over the value that begins here, and holds no more of it than its beginning."""
        lines, head = self._line(), self._text[self._at : self._at + HEAD]
        size, end = 0, ValueEnd(self._text[self._at])
        while True:
            found = end.look(self._text, self._at)
            stop = len(self._text) if found is None else found
            for start in range(self._at, stop, PIECE_BYTES):
                piece = self._text[start : min(start + PIECE_BYTES, stop)]
                size += len(piece.encode("utf-8", "surrogateescape"))
            self._at = stop
            if found is not None or self._ended:
                return Value(head, lines, wrong, max(size, 1))
            self._more()

    def _broken(self, wrong: str) -> Value:
        """The broken value that begins here: all up to the next one."""
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
        """Passes over the broken value that begins here up to the next one, however far; it is one record."""
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
                size += len(self._text[start : min(start + PIECE_BYTES, stop)].encode("utf-8", "surrogateescape"))
            self._at, look = max(self._at, stop), 0
            if found is not None or self._ended:
                return Value(head, lines, wrong, max(size, 1))
            self._more()

    def _white(self) -> None:
        """Goes behind white space."""
        while True:
            found = _WHITE.match(self._text, self._at)
            assert found is not None
            self._at = found.end()
            if self._at < len(self._text) or self._ended:
                return
            self._more()

    def _more(self, size: int = 0) -> None:
        """Reads on; what lies before the place reached is forgotten."""
        self._line()
        raw = self._read(max(size, self._piece))
        self._ended = not raw
        more = self._decoder.decode(raw, self._ended)
        del raw
        self._text = self._text[self._at :] + more
        self._at = self._counted = 0

    def _line(self) -> int:
        """Line feeds before the place reached."""
        self._lines += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._lines


def _spaced(begin: str) -> str:
    """A pattern of this beginning of an object, with any white space."""
    key = begin[1:-1].strip(" \t\r\n")
    return r"\{[ \t\r\n]*" + re.escape(key) + r"[ \t\r\n]*:"


def _before(text: str, at: int) -> str:
    """The white space before this place, if a line begins with it."""
    start = at
    while start and text[start - 1] in " \t":
        start -= 1
    return text[start:at] if start and text[start - 1] == "\n" else ""
