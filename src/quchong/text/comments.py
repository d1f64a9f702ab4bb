"""Comments of source code, found by what the text itself shows of its language, and the licence at its beginning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from quchong.patterns import lazy_pattern

LINE_MARKS = ("//", "#", "--", ";", "%")
"""Marks that begin a comment to the end of its line in some languages. A text uses those with which one of its lines begins."""
_BEGINS_LINE = lazy_pattern(
    r"(?m)^[^\S\n]*(?:(//)|(#)(?=[\s#!]|$)(?!#?[^\S\n]+(?:include|define|undef|ifn?def|if|el|endif|pragma|error)\b)"
    r"|(--)(?=[\s\-\[])|(;)(?=[\s;])|(%)(?=[\s%]))"
)
_BLOCKS = r"/\*.*?\*/|<!--.*?-->|\{-.*?-\}"
TRIPLE = r"\"{3}[^\"]*(?:\"{1,2}(?!\")[^\"]*)*\"{3}|'{3}[^']*(?:'{1,2}(?!')[^']*)*'{3}"
"""A string between three quotes, which ends at the next three."""
_ALONE = rf"^[^\S\n]*[rRbBuU]{{0,2}}(?:{TRIPLE})[^\S\n]*$"
"""A string of several lines that nothing is done with, as documentation of Python is written."""
_STRINGS = rf"{TRIPLE}|" + r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_LICENCE = lazy_pattern(r"copyright|\(c\)|©|licen[cs]e|spdx|all rights reserved|版权|许可证|著作权", re.IGNORECASE)
_MAY_HAVE = lazy_pattern(r"//|#|--|;|%|/\*|<!--|\{-|\"\"\"|'''")


def comments(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the comments in source code, ascending, without the line ends behind them.

    Which marks begin a comment is told by the text: `//` divides in Python, and `#` begins directives in C, so that a mark counts only if a
    line begins with it, `//` also beside `/* */`. Marks within strings on one line do not count. Documentation in strings that stand alone
    is a comment, too.

    Cost: one pass of a regular expression.
    """
    if not _MAY_HAVE.search(text):
        return []
    used = {LINE_MARKS[found.lastindex - 1] for found in _BEGINS_LINE.finditer(text) if found.lastindex}
    if "/*" in text and "#" not in used:  # a language of the family of C, which has both
        used.add("//")
    lines = "|".join(rf"(?:(?<=\s)|^){re.escape(mark)}[^\n]*" for mark in LINE_MARKS if mark in used)
    spans = [found.span() for found in _pattern(lines).finditer(text) if found.lastgroup == "comment"]
    return [(a, b) for a, b in spans if b > a]


def licence(text: str, found: Sequence[tuple[int, int]] | None = None) -> list[tuple[int, int]]:
    """Return the range of the comments before the code, in a list, if they name a licence or owner; else an empty list.

    Args:
        found: `comments` of the text, if they are known.
    """
    first = end = None
    named = False
    for a, b in comments(text) if found is None else found:
        if text[end or 0 : a].strip():
            break
        first = a if first is None else first
        named |= _LICENCE.search(text, a, b) is not None
        end = b
    return [(first, end)] if named and first is not None and end is not None else []


@cache
def _pattern(lines: str) -> re.Pattern[str]:
    """Return the pattern of comments and strings in source code; `lines` are the marks of line comments."""
    comment = "|".join(filter(None, [_BLOCKS, _ALONE, lines]))
    return re.compile(f"(?P<comment>{comment})|(?P<string>{_STRINGS})", re.DOTALL | re.MULTILINE)


STRIPPED_OF_CODE = ("comments", "licences")
"""Names of what can be taken out of source code."""


def stripped_of_code(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the ranges that `names` of `STRIPPED_OF_CODE` remove from a text, in no order."""
    found = comments(text)
    return [*(found if "comments" in names else ()), *(licence(text, found) if "licences" in names else ())]
