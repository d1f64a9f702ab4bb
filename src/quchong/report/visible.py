"""Escaping of foreign text for a terminal: invisible and control characters are shown by their codes.

Everything printed passes through `compose`: its template is trusted, and each value is escaped by its type. A str or
a path is foreign unless it is `Shown`, which only the functions of this module make, so that no escape can be
forgotten.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from typing import Any

from quchong.findings import BORDER
from quchong.languages import Language, Message, filled, language, page_word, translated
from quchong.patterns import lazy_pattern

LONGEST = 200
"""Maximum length, in characters, of an id or a file name that is shown in full."""
MESSAGE = 2000
"""Maximum length, in characters, of an error message that is shown in full."""
BETWEEN = Message(", ", context="parts")
"""Separator of the names in a list."""

_ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
)
_SPECIAL = "\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f"
_HIGH = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_PICTURES = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_UNSAFE = (
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_ZERO_WIDTH}{_SPECIAL}{_HIGH}]"
    f"|(?:^|(?<=[{_SELECTORS}]))[{_SELECTORS}]"  # one selector belongs to the sign before it, a row of them hides something
    f"|(?<![{_PICTURES}])\u200d|\u200d(?![{_PICTURES}])"  # joiners belong between pictures alone
)
UNSAFE = lazy_pattern(_UNSAFE)
"""Pattern of characters to escape: control characters except line feed and tab, bidi marks, zero-width characters, lone surrogates."""
_BORDER = lazy_pattern(f"\n{BORDER}|{BORDER}\n")
_ONE_LINE = lazy_pattern(f"[\t\n]|{_UNSAFE}")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Shown(str):
    """Text that is safe to print; only the functions of this module make it."""

    __slots__ = ()


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    code = ord(sign)
    byte = 0xDC80 <= code <= 0xDCFF  # of a file name that is not UTF-8, spelt as `outputs.spell_path` has it
    return _NAMED.get(sign) or (f"\\x{code & 0xFF:02x}" if code < 0xA0 or byte else f"⟨U+{code:04X}⟩")


def visible(text: str) -> Shown:
    r"""Escape invisible characters in a text of several lines, such as \x1b, \r and ⟨U+202E⟩.

    Line feeds and tabs stay; CR LF becomes LF, and the border between joined columns an empty line.

    Linear; equal texts give equal results, and an empty text an empty one.
    """
    return Shown(UNSAFE.sub(_escaped, _BORDER.sub("\n", text.replace("\r\n", "\n"))))


def shown_name(text: str, longest: int = LONGEST) -> Shown:
    """Return an id, file name or column name on one line, with invisible characters, tabs and line feeds escaped.

    A name longer than `longest` characters is cut; its length and a digest (BLAKE2b of the UTF-8, 64 bits) follow,
    which distinguish it from others. An empty name is shown as two quotes.
    """
    if not text:
        return _EMPTY
    if len(text) <= longest:
        return Shown(_ONE_LINE.sub(_escaped, text))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    head = _ONE_LINE.sub(_escaped, text[: longest // 2])
    return Shown(f"{head}… {Message('({:,} characters, digest {})', len(text), digest).translation()}")


def message(text: str) -> Shown:
    """Return an error message on one line; a very long one loses its middle, because its end says what to do."""
    if len(text) > MESSAGE:
        cut = len(text) - MESSAGE
        left_out = Message("({:,} characters left out)", cut).translation()
        text = f"{text[: MESSAGE // 2]}… {left_out} …{text[-MESSAGE // 2 :]}"
    return Shown(_ONE_LINE.sub(_escaped, text))


_EMPTY = Shown('""')
NOTHING = Shown("")
"""Empty text for use in `compose`, where an empty str would be shown as an empty name."""


def _rendered(value: Any) -> Any:
    if isinstance(value, Shown | bool | int | float):
        return value
    if isinstance(value, Message):
        return Shown(value.translation(_rendered))
    return shown_name(os.fspath(value) if isinstance(value, os.PathLike) else str(value))


def compose(template: str, *values: Any) -> Shown:
    """Fill a trusted template with values, as `str.format` does, and return text that is safe to print.

    The template is translated first. Numbers are formatted and `Shown` is inserted unchanged; any other value is
    escaped by `named`.
    """
    return Shown(filled(translated(template), values, _rendered) if values else translated(template))


def compose_word(language: Language, words: str, *values: Any) -> Shown:
    """Fill a word or template of a page (`quchong.languages.page_word`) in a language, as `compose` does."""
    template = page_word(language, words)
    return Shown(filled(template, values, _rendered) if values else template)


def listed_names(values: Iterable[Any]) -> Shown:
    """Return values in one line with the separator of the language, escaped for a terminal: "a, b", or in Chinese 、 between them."""
    return Shown(page_word(language(), BETWEEN).join(shown_name(str(one)) for one in values))


def json_shown(text: str) -> Shown:
    """Escape invisible characters in JSON by JSON's own escapes; it is parsed to the same values."""

    def escaped(found: re.Match[str]) -> str:
        units = found[0].encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))

    return Shown(UNSAFE.sub(escaped, text))
