"""A message: English words that know how to be told in another language."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Self

from quchong.languages.spoken import translated, translated_number

Render = Callable[[Any], Any]
"""What a value becomes before it is formatted."""
SYSTEM, STAGE, RELATION, RULE = "system", "stage", "relation", "rule"
"""Contexts of words that data holds: what an operating system says of an error, and names of stages, relations and rules."""


class _Filler(string.Formatter):
    def __init__(self, render: Render) -> None:
        self.render = render

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return self.render(super().get_value(key, args, kwargs))


def as_it_is(value: Any) -> Any:
    """The value."""
    return value


def filled(template: str, values: Sequence[Any], render: Render = as_it_is) -> str:
    """A template with values in it, as `str.format` has it; one without values is taken as it stands.

    >>> filled("{} of {:,} rows", (3, 1200))
    '3 of 1,200 rows'
    """
    return _Filler(render).vformat(template, values, {}) if values else template


class Message(str):
    """Words with values in them. As a str it is English, and so it is stored; `told` gives it in the language that is spoken.

    Args:
        template: a literal, so that it can be found for the catalogue; values stand in it as `str.format` has it.
        values: any; a message among them is told in the same language, and so is what the system says of an error.
        plural: the template for any number but one; then the first value is the number.
        context: tells it apart from another message of the same words.

    >>> from quchong.languages import speaking
    >>> said = Message("{} exists: choose another folder", "run")
    >>> print(said)
    run exists: choose another folder
    >>> with speaking("zh"):
    ...     print(said.told())
    run 已存在：请换一个目录
    """

    template: str
    values: tuple[Any, ...]
    plural: str
    context: str

    def __new__(cls, template: str, *values: Any, plural: str = "", context: str = "") -> Self:
        """The English words, with the values in them."""
        english = plural if plural and values[0] != 1 else template
        made = super().__new__(cls, filled(english, values))
        made.template, made.values, made.plural, made.context = template, values, plural, context
        return made

    def __reduce__(self) -> Any:
        return _made, (self.template, self.values, self.plural, self.context)

    def told(self, render: Render = as_it_is) -> str:
        """The message in the language that is spoken, each value as `render` gives it."""
        many = self.plural
        template = (
            translated_number(self.template, many, self.values[0]) if many else translated(self.template, self.context)
        )
        return filled(template, self.values, lambda value: _told(value, render))

    def holding(self, *values: Any) -> Message:
        """A template that was made without values, with these."""
        return Message(self.template, *values, plural=self.plural, context=self.context)

    def mapped(self, change: Render) -> Message:
        """The same words with other values."""
        values = [v.mapped(change) if isinstance(v, Message) else change(v) for v in self.values]
        return Message(self.template, *values, plural=self.plural, context=self.context)


def _made(template: str, values: tuple[Any, ...], plural: str, context: str) -> Message:
    return Message(template, *values, plural=plural, context=context)


def _told(value: Any, render: Render) -> Any:
    if isinstance(value, Message):
        return value.told(render)
    shown = render(value)
    return translated(shown, SYSTEM) if type(shown) is str and shown else shown


def several(one: str, many: str, n: int, *values: Any) -> Message:
    """A message that differs by number: `n` is the first value of both templates.

    >>> print(several("{} row of {}", "{} rows of {}", 3, "a"))
    3 rows of a
    """
    return Message(one, n, *values, plural=many)


AND, OR = Message("{} and {}"), Message("{} or {}")
COMMA, SEMICOLON = Message("{}, {}"), Message("{}; {}")
"""Templates for `listed`."""


def listed(parts: Iterable[str], template: str) -> Message:
    """Messages or words one after another as one message, put together two by two, each told by itself.

    >>> print(listed(["a", "b", "c"], OR))
    a or b or c
    """
    found = [part if isinstance(part, Message) else Message("{}", part) for part in parts]
    return reduce(lambda one, other: Message(template, one, other), found) if found else Message("")


def stage_told(name: str) -> Message:
    """The name of a stage of a run, as tables and run.json have it, to be shown."""
    return Message(name, context=STAGE)
