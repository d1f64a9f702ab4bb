"""Values at a path inside JSON and Python values, and the text of values that are not strings: lists of texts, chats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from quchong.io.nested.path import Each, Index, Key, Step, name_before
from quchong.languages import Message

TURN_TEXTS = ("content", "value", "text", "parts")
"""Keys of the text of a turn of a chat or of a part of a turn; the first with a text is read."""

KINDS = {
    bool: Message("true or false"),
    int: Message("a number"),
    float: Message("a number"),
    list: Message("a list"),
    dict: Message("an object"),
    str: Message("a string"),
}


EXACT = 2**53  # whole floats below this are exact integers


class Mismatched(Exception):
    """Error: a value is of another kind than its path or use wants.

    Attributes:
        name: name of the value.
        kind: type of the value.
        wanted: str, dict or list.
    """

    def __init__(self, name: str, kind: type, wanted: type) -> None:
        super().__init__(name, kind, wanted)
        self.name, self.kind, self.wanted = name, kind, wanted

    @property
    def reason(self) -> Message:
        """Reason why the value cannot be used, as a message."""
        kind = KINDS.get(self.kind, self.kind.__name__)
        if self.wanted is str:
            return Message("{} is {}, not a string", self.name, kind)
        if self.wanted is dict:
            return Message("{} is {}, not an object", self.name, kind)
        return Message("{} is {}, not a list", self.name, kind)


def values_at(value: Any, steps: Sequence[Step], name: str) -> list[Any]:
    """Return the values that a path finds in the value of its root, in order, without None; a list or object within a string is JSON.

    Args:
        value: value of the root.
        steps: steps of the path.
        name: the path, for messages.

    Raises:
        Mismatched: a step meets a value of another kind.
    """
    if value is None:
        return []
    if not steps:
        return [value]
    step, rest = steps[0], steps[1:]
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(step, Key):
        if not isinstance(value, Mapping):
            raise Mismatched(name_before(name, steps), type(value), dict)
        return values_at(value.get(step.name), rest, name)
    if not isinstance(value, list | tuple):
        raise Mismatched(name_before(name, steps), type(value), list)
    if isinstance(step, Index):
        here = -len(value) <= step.number < len(value)
        return values_at(value[step.number], rest, name) if here else []
    return [found for one in value if is_chosen(one, step) for found in values_at(one, rest, name)]


def text_of(value: Any, name: str) -> str | None:
    """Return the text of a value: a string, or a list of texts and turns of a chat joined by line breaks; None if there is none.

    A turn or a part of a turn is an object whose text is under one of `TURN_TEXTS`; an object with none, such as an image, has no text.

    Raises:
        Mismatched: the value, or an element of the list, is neither.
    """
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        raise Mismatched(name, type(value), str)
    texts = [_turn_text(one, name) if isinstance(one, Mapping) else text_of(one, f"{name}[]") for one in value]
    return join_lines(texts)


def join_lines(texts: Iterable[str | None]) -> str | None:
    """Return texts joined by line breaks, without None; None if all are."""
    found = [text for text in texts if text is not None]
    return "\n".join(found) if found else None


def _turn_text(turn: Mapping[str, Any], name: str) -> str | None:
    for key in TURN_TEXTS:
        value = turn.get(key)
        if isinstance(value, str | list | tuple):
            try:
                text = text_of(value, name)
            except Mismatched:  # of numbers, such as tokens: no text
                continue
            if text is not None:
                return text
    return None


def is_chosen(value: Any, step: Each) -> bool:
    """Return True if an element of a list is one that the step goes to."""
    if step.key is None:
        return True
    found = value.get(step.key) if isinstance(value, Mapping) else None
    if isinstance(found, bool):
        found = "true" if found else "false"
    return found is not None and str(found) == step.value


def _parsed(text: str) -> Any:
    """Return the list or object that a string holds as JSON; the string itself if it holds none."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def exists_at(value: Any, steps: Sequence[Step]) -> bool | None:
    """Return True if a value has something at a path, a null too; None if a null or an empty list on the way leaves it open."""
    if not steps or value is None:
        return None if steps else True
    if isinstance(value, str):
        value = _parsed(value)
    step, rest = steps[0], steps[1:]
    if isinstance(step, Key):
        return isinstance(value, Mapping) and step.name in value and exists_at(value[step.name], rest)
    if not isinstance(value, list | tuple) or not value:
        return None if isinstance(value, list | tuple) else False
    if isinstance(step, Index):
        return -len(value) <= step.number < len(value) and exists_at(value[step.number], rest)
    found = {exists_at(one, rest) for one in value if is_chosen(one, step)}
    return True if True in found else None if None in found else False


def string_of(value: Any) -> str | None:
    """Return a value as a string for a column of strings; None for null and NaN."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value)
    return orjson.dumps(value).decode()


def number_text(value: float) -> str | None:
    """Return a float as text: a whole one without ".0"; None for NaN."""
    if value != value:
        return None
    return str(int(value)) if value.is_integer() and abs(value) < EXACT else repr(value)
