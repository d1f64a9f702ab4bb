"""Translation of messages that were stored as English text, such as in run.json."""

from __future__ import annotations

import re
import string
from functools import cache
from typing import Any, Self

from quchong.languages.message import Message, Render, as_it_is
from quchong.languages.spoken import Language, catalogue, language

_LEAST = 12
"""Minimum number of letters, without values, of a template that can be recognised."""


def retold(text: str) -> str:
    """Return a stored message in the language that is spoken.

    Its template is recognised by its words, and the values between them are kept. A text that matches no template
    stays English.

    >>> from quchong.languages import speaking
    >>> with speaking("zh"):
    ...     retold("12 of 300 documents have no text: they are kept, and compared with nothing; check the column of the text")
    '300 篇文档中有 12 篇没有文本：都保留，不参与比较；请检查文本列是否写对'
    """
    if isinstance(text, Message) and not isinstance(text, Stored):
        return text.told()
    if language() == "en":
        return text
    for pattern, told in _templates(language()):
        if found := pattern.fullmatch(text):
            return told.format(*map(retold, found.groups()))
    return text


class Stored(Message):
    """A message of which only the English text is known; another message can have it as a value."""

    def __new__(cls, text: str) -> Self:
        """Create the message from its text."""
        return super().__new__(cls, text)

    def __reduce__(self) -> Any:
        return Stored, (str.__str__(self),)

    def told(self, render: Render = as_it_is) -> str:
        """Return the text as `retold` translates it."""
        return retold(str.__str__(self))


@cache
def _templates(chosen: Language) -> list[tuple[re.Pattern[str], str]]:
    """Return patterns of the English templates, longest first, with their translations."""
    known = getattr(catalogue(chosen), "_catalog", {})
    pairs = [(k, v) for k, v in known.items() if isinstance(k, str) and "{" in k and "\x04" not in k]
    letters = {k: sum(len(part[0]) for part in string.Formatter().parse(k)) for k, _ in pairs}
    pairs = [(k, v) for k, v in sorted(pairs, key=lambda pair: -letters[pair[0]]) if letters[k] >= _LEAST]
    return [(re.compile(_pattern(k), re.DOTALL), _bare(v)) for k, v in pairs]


def _pattern(template: str) -> str:
    parts = string.Formatter().parse(template)
    return "".join(re.escape(words) + ("" if name is None else "(.*?)") for words, name, _, _ in parts)


def _bare(template: str) -> str:
    """Return the template without the formats of its values, which are texts already."""
    out = ""
    for words, name, _, _ in string.Formatter().parse(template):
        out += words.replace("{", "{{").replace("}", "}}") + ("" if name is None else f"{{{name}}}")
    return out
