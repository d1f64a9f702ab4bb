"""Translation of messages that were stored as English text, such as in run.json."""

from __future__ import annotations

import string
from functools import cache
from typing import Any, Self

from quchong.languages.message import SYSTEM, Message, Render, as_it_is
from quchong.languages.singular import variants
from quchong.languages.spoken import Language, catalogue, language, translated

_LEAST = 12
"""Minimum number of letters, without values, of a template that can be recognised."""
_MOST = 4_000
"""Maximum number of characters of a message that is looked up; no template of quchong makes longer ones."""


def retold(text: str) -> str:
    """Return a stored English message in the language in use; unchanged if no template fits it.

    Its template is recognised by its words, and the values between them are translated if they are messages or error texts
    of the system or a library. A text that matches no template stays English.

    >>> from quchong.languages import speaking
    >>> with speaking("zh"):
    ...     retold("12 of 300 documents have no text. Such documents are kept and not compared: check the name of the text column")
    '300 篇文档中有 12 篇没有正文：已保留，未作比较。请检查正文列的名称'
    """
    if isinstance(text, Message) and not isinstance(text, Stored):
        return text.translation()
    if language() == "en":
        return text
    if len(text) > _MOST:
        return text
    for pieces, told in _templates(language()):
        if (values := _between(pieces, text)) is not None:
            return told.format(*map(retold, values))
    return translated(text, SYSTEM) if text else text


class Stored(Message):
    """Message known only by its English text; it can be a value of another message."""

    def __new__(cls, text: str) -> Self:
        """Create the message from its text."""
        return super().__new__(cls, text)

    def __reduce__(self) -> Any:
        return Stored, (str.__str__(self),)

    def translation(self, render: Render = as_it_is) -> str:
        """Return the text as `retold` translates it."""
        return retold(str.__str__(self))


@cache
def _templates(chosen: Language) -> list[tuple[list[tuple[str, ...]], str]]:
    """Return (fixed words, translation) of all English templates, the fixed words in every grammatical number, longest first."""
    known = getattr(catalogue(chosen), "_catalog", {})
    pairs = [(k, v) for k, v in known.items() if isinstance(k, str) and "{" in k and "\x04" not in k]
    letters = {k: sum(len(part[0]) for part in string.Formatter().parse(k)) for k, _ in pairs}
    pairs = [(k, v) for k, v in sorted(pairs, key=lambda pair: -letters[pair[0]]) if letters[k] >= _LEAST]
    return [([(first,), *map(variants, rest)], _bare(v)) for k, v in pairs for first, *rest in [_pieces(k)]]


def _pieces(template: str) -> list[str]:
    """Return the fixed words of a template before, between and after its values."""
    pieces = [""]
    for words, name, _, _ in string.Formatter().parse(template):
        pieces[-1] += words
        if name is not None:
            pieces.append("")
    return pieces


def _between(pieces: list[tuple[str, ...]], text: str) -> list[str] | None:
    """Return the shortest values for which the fixed words `pieces` give the text; None if there are none.

    Of the variants of a piece the one that is found first counts, of several there the longest. Each piece is looked for from where the
    one before it ended: a text that was made to fit nearly, in many ways, costs no more.
    """
    (first, *_), *middle, last = pieces if len(pieces) > 1 else [pieces[0], ("",)]
    ending = next((one for one in last if text.endswith(one)), None)
    if ending is None or not text.startswith(first):
        return None
    values, at, end = [], len(first), len(text) - len(ending)
    for piece in middle:
        found = min(((place, -len(one)) for one in piece if (place := text.find(one, at, end)) >= 0), default=None)
        if found is None:
            return None
        values.append(text[at : found[0]])
        at = found[0] - found[1]
    return None if at > end else [*values, text[at:end]]


def _bare(template: str) -> str:
    """Return the template with formats such as {:,} removed from its fields."""
    out = ""
    for words, name, _, _ in string.Formatter().parse(template):
        out += words.replace("{", "{{").replace("}", "}}") + ("" if name is None else f"{{{name}}}")
    return out
