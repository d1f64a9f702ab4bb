"""What is wrong with a catalogue."""

from __future__ import annotations

import re
from string import Formatter

from babel.messages.catalog import Catalog, Message

from quchong.languages.message import SYSTEM

_PERCENT = re.compile(r"%\(\w+\)[sd]")


def places(template: str) -> set[tuple[str, str, str]]:
    """The places for values in a template, numbered where they have no names."""
    out, number = set(), 0
    for _, name, form, conversion in Formatter().parse(template):
        if name is not None:
            key = name or str(number)
            number += not name
            out.add((key, conversion or "", form or ""))
    return out | {(name, "%", "") for name in _PERCENT.findall(template)}


def faults(catalogue: Catalog) -> list[str]:
    """In words: messages without a translation, doubtful ones, and those whose places for values differ."""
    return [f"{why}: {_first(m)!r}" for m in catalogue if m.id for why in [_fault(m)] if why]


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _fault(message: Message) -> str:
    told = message.string if isinstance(message.string, str) else (message.string or ("",))[0]
    whole = message.id if isinstance(message.id, str) else message.id[-1]
    if not told:
        return "not translated"
    if message.fuzzy:
        return "fuzzy"
    if message.context == SYSTEM:  # is quoted as a value, so its braces are no places
        return ""
    try:
        same = places(told) == places(whole)
    except ValueError:
        return "no template"
    if not same:
        return "other places for values"
    return "" if _indent(told) == _indent(whole) else "line break or indent at the beginning differs"


def _indent(words: str) -> str:
    """The white space before the first word; one space alone may be missing beside a Chinese mark."""
    return words[: len(words) - len(words.lstrip())].removesuffix(" " * words.startswith(" ") * (words[1:2] != " "))
