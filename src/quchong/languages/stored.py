"""Messages that were stored, as English words in run.json, told in the language that is spoken."""

from __future__ import annotations

import re
import string
from functools import cache
from typing import Any, Self

from quchong.languages.message import Message, Render, as_it_is
from quchong.languages.spoken import Language, catalogue, language

_LEAST = 12
"""Letters a template has at least beside its values, so that it is known by them."""


def retold(text: str) -> str:
    """A message in the language that is spoken: of one that was stored the template is looked for by its words, and what stands
    between them is kept as it is. What no template fits stays English.

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
    """A message that is there as English words only, as one of its values another message may have it."""

    def __new__(cls, text: str) -> Self:
        """The words."""
        return super().__new__(cls, text)

    def __reduce__(self) -> Any:
        return Stored, (str.__str__(self),)

    def told(self, render: Render = as_it_is) -> str:
        """As `retold`."""
        return retold(str.__str__(self))


@cache
def _templates(chosen: Language) -> list[tuple[re.Pattern[str], str]]:
    """Patterns of the English templates, those with most letters first, and the words they are told in."""
    known = getattr(catalogue(chosen), "_catalog", {})
    pairs = [(k, v) for k, v in known.items() if isinstance(k, str) and "{" in k and "\x04" not in k]
    letters = {k: sum(len(part[0]) for part in string.Formatter().parse(k)) for k, _ in pairs}
    pairs = [(k, v) for k, v in sorted(pairs, key=lambda pair: -letters[pair[0]]) if letters[k] >= _LEAST]
    return [(re.compile(_pattern(k), re.DOTALL), _bare(v)) for k, v in pairs]


def _pattern(template: str) -> str:
    parts = string.Formatter().parse(template)
    return "".join(re.escape(words) + ("" if name is None else "(.*?)") for words, name, _, _ in parts)


def _bare(template: str) -> str:
    """The template without formats of its values, which are text by now."""
    out = ""
    for words, name, _, _ in string.Formatter().parse(template):
        out += words.replace("{", "{{").replace("}", "}}") + ("" if name is None else f"{{{name}}}")
    return out
