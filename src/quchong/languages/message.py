"""Messages: English texts that can be translated when they are shown."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from quchong.languages.singular import in_singular
from quchong.languages.spoken import Language, speaking, translated, translated_number
from quchong.patterns import lazy_pattern

Render = Callable[[Any], Any]
"""Function that converts a value before it is formatted."""
SYSTEM, STAGE, RELATION, RULE = "system", "stage", "relation", "rule"
"""Contexts of words in data: error texts of the operating system, and names of stages, relations and rules."""
PAGE = "page"
"""Context of words of pages, notebooks and lists, which have no sentence around them."""


class _Filler(string.Formatter):
    def __init__(self, render: Render) -> None:
        self.render = render

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return self.render(super().get_value(key, args, kwargs))


def as_it_is(value: Any) -> Any:
    """Return the value unchanged."""
    return value


def filled(template: str, values: Sequence[Any], render: Render = as_it_is) -> str:
    """Return a template filled with values as by `str.format`, with nouns in the singular where a count is 1.

    >>> filled("{} of {:,} rows", (3, 1200)), filled("{} rows", (1,))
    ('3 of 1,200 rows', '1 row')
    """
    return _Filler(render).vformat(in_singular(template, values), values, {}) if values else template


class Message(str):
    """Message with values. As a str it is the English text, which is stored; its method `translation` returns the translation.

    Args:
        template: a literal, so that it can be collected for the catalogue; values are inserted as by `str.format`.
        values: any values; messages among them, and error texts of the system, are translated too.
        plural: the template for any number but one, which is the first value.
        context: distinguishes it from another message with the same words.

    >>> from quchong.languages import speaking
    >>> said = Message("{} exists: choose another file, such as {}", "a.png", "b.png")
    >>> print(said)
    a.png exists: choose another file, such as b.png
    >>> with speaking("zh"):
    ...     print(said.translation())
    a.png 已存在：请换一个文件，如 b.png
    """

    template: str
    values: tuple[Any, ...]
    plural: str
    context: str

    def __new__(cls, template: str, *values: Any, plural: str = "", context: str = "") -> Self:
        """Create the English text, with the values in it."""
        english = plural if plural and values[0] != 1 else template
        made = super().__new__(cls, filled(english, values))
        made.template, made.values, made.plural, made.context = template, values, plural, context
        return made

    def __reduce__(self) -> Any:
        return _made, (self.template, self.values, self.plural, self.context)

    def translation(self, render: Render = as_it_is) -> str:
        """Return the message in the language that is spoken, each value converted by `render`."""
        many = self.plural
        template = (
            translated_number(self.template, many, self.values[0]) if many else translated(self.template, self.context)
        )
        return filled(_close_gaps(template, self.values), self.values, lambda value: _translate_value(value, render))

    def holding(self, *values: Any) -> Message:
        """Return a message with these values, made from one without values."""
        return Message(self.template, *values, plural=self.plural, context=self.context)

    def mapped(self, change: Render) -> Message:
        """Return the message with `change` applied to every value."""
        values = [v.mapped(change) if isinstance(v, Message) else change(v) for v in self.values]
        return Message(self.template, *values, plural=self.plural, context=self.context)


def _made(template: str, values: tuple[Any, ...], plural: str, context: str) -> Message:
    return Message(template, *values, plural=plural, context=context)


_GAP = lazy_pattern("((?<=[\u3400-\u9fff]) )?\\{([0-9]*)[^{}]*\\}( (?=[\u3400-\u9fff]))?|\\{\\{|\\}\\}")
_CHINESE = lazy_pattern("[\u3400-\u9fff]")


def _close_gaps(template: str, values: Sequence[Any]) -> str:
    """Return a Chinese template without the spaces between its words and a Chinese message in it; those beside names and numbers stay."""
    if not _CHINESE.search(template):
        return template
    unnumbered = 0

    def join(found: re.Match[str]) -> str:
        nonlocal unnumbered
        before, number, behind = found.groups()
        if number is None:
            return found[0]  # a brace
        place = int(number) if number else unnumbered
        unnumbered += not number
        shown = found[0]
        if (before or behind) and place < len(values) and isinstance(values[place], Message):
            value = values[place].translation()
            if behind and _CHINESE.match(value[-1:]):
                shown = shown[:-1]
            if before and _CHINESE.match(value[:1]):
                shown = shown[1:]
        return shown

    return _GAP.sub(join, template)


def _translate_value(value: Any, render: Render) -> Any:
    if isinstance(value, Message):
        return value.translation(render)
    shown = render(value)
    return translated(shown, SYSTEM) if type(shown) is str and shown else shown


def several(one: str, many: str, n: int, *values: Any) -> Message:
    """Return a message that differs by number; `n` is the first value of both templates.

    >>> print(several("{} row of {}", "{} rows of {}", 3, "a"))
    3 rows of a
    """
    return Message(one, n, *values, plural=many)


AND, OR = Message("{} and {}"), Message("{} or {}")
COMMA, SEMICOLON = Message("{}, {}"), Message("{}; {}")
NAMES = Message("{}, {}", context="names")
"""Templates for `join_messages`; NAMES is for a list of names."""


def join_messages(parts: Iterable[str], template: str) -> Message:
    """Join messages or words to one message, two by two with a template; each is translated by itself.

    >>> print(join_messages(["a", "b", "c"], OR))
    a or b or c
    """
    found = [part if isinstance(part, Message) else Message("{}", part) for part in parts]
    context = template.context if isinstance(template, Message) else ""
    while len(found) > 1:  # neighbours in turns: a long list is only as deep as the logarithm of its length
        pairs = zip(found[::2], found[1::2], strict=False)
        found = [Message(template, *pair, context=context) for pair in pairs] + found[len(found) & ~1 :]
    return found[0] if found else Message("")


def join_names(names: Iterable[str]) -> Message:
    """Join names to one message: with commas in English, with the enumeration comma in Chinese.

    >>> with speaking("zh"):
    ...     print(join_names(["keep", "remove", "cut"]).translation())
    keep、remove、cut
    """
    return join_messages(names, NAMES)


def page_word(chosen: Language, words: str) -> str:
    """Return a word or template of a page in a language, with its places for values.

    Its context is PAGE, or that of a `Message` made without values.

    >>> page_word("zh", "Overview"), page_word("en", "Overview")
    ('概览', 'Overview')
    """
    context = words.context if isinstance(words, Message) else PAGE
    with speaking(chosen):
        return translated(str(words), context)


def stage_told(name: str) -> Message:
    """Return the message for a stage of a run, by its name in tables and run.json."""
    return Message(name, context=STAGE)
