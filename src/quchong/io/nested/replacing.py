"""Other texts put into the values of a row where the text is a list, or within another value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import JSONDecoder
from typing import Any

from quchong.io.nested.path import Each, Index, Key, Step
from quchong.io.nested.values import TURN_TEXTS, is_chosen
from quchong.text.cut_text import split_among

Place = tuple[str | int, ...]
"""Keys and indices that lead from a value to one within it."""
_DECODER = JSONDecoder()
_WHITE = " \t\n\r"


class NoPlaceError(Exception):
    """Error: the text of a row has no place for another text, such as one within a string that holds JSON."""


def text_places(value: Any, steps: Sequence[Step]) -> list[tuple[Place, str]]:
    """Return the strings that make up the text at a path, in order, each with its path in the value.

    They are those that `values.values_at` and `values.text_of` read: joined by line breaks they are the text.

    Args:
        value: value of the root, of JSON or Python.
        steps: steps of the path; none for the value itself.

    Raises:
        NoPlaceError: the path leads through a string that holds JSON, or to something that is no text.
    """
    if value is None:
        return []
    if not steps:
        return _texts_in(value)
    step, rest = steps[0], steps[1:]
    if isinstance(step, Key):
        if not isinstance(value, Mapping):
            raise NoPlaceError
        return _prefixed(step.name, text_places(value.get(step.name), rest))
    if not isinstance(value, list | tuple):
        raise NoPlaceError
    if isinstance(step, Index):
        at = step.number + len(value) * (step.number < 0)
        return _prefixed(at, text_places(value[at], rest)) if 0 <= at < len(value) else []
    assert isinstance(step, Each)
    return [
        found for k, one in enumerate(value) if is_chosen(one, step) for found in _prefixed(k, text_places(one, rest))
    ]


def new_values(value: Any, steps: Sequence[Step], text: str) -> dict[Place, str]:
    """Return the new strings, by their paths, with which the value would have another text.

    Raises:
        NoPlaceError: as `text_places`; or the value is another one than the text was cut out of.
    """
    places = text_places(value, steps)
    parts = split_among(text, [old for _, old in places]) if places else None
    if parts is None:
        raise NoPlaceError
    return {place: new for (place, old), new in zip(places, parts, strict=True) if new != old}


def with_values(value: Any, new: Mapping[Place, str]) -> Any:
    """Return a copy of a value with other strings at some paths; parts without such strings are shared."""
    if () in new:
        return new[()]
    if not new:
        return value
    if isinstance(value, Mapping):
        return {key: with_values(one, _below(new, key)) for key, one in value.items()}
    return [with_values(one, _below(new, k)) for k, one in enumerate(value)]


def spans_in(line: str, start: int, places: Sequence[Place]) -> list[tuple[int, int, Place]]:
    """Return the character spans of the values at some paths in a JSON text, in order.

    Args:
        line: text that holds the JSON.
        start: offset of the value to which the places lead.
        places: places in it; of repeated keys the last counts.
    """
    return sorted(_spans(line, start, {place: place for place in places}))


def _spans(line: str, start: int, wanted: Mapping[Place, Place]) -> list[tuple[int, int, Place]]:
    """Return the spans of values: `wanted` has the rest of the way to each, and its whole place."""
    if () in wanted:
        return [(start, _DECODER.raw_decode(line, start)[1], wanted[()])]
    heads: dict[str | int, dict[Place, Place]] = {}
    for rest, place in wanted.items():
        heads.setdefault(rest[0], {})[rest[1:]] = place
    return [one for key, at in _members(line, start, heads).items() for one in _spans(line, at, heads[key])]


def _members(line: str, start: int, heads: Mapping[str | int, Any]) -> dict[str | int, int]:
    """Return the offsets of those members of a JSON object or list whose keys or indices are in `heads`."""
    closing = {"{": "}", "[": "]"}[line[start]]
    at, number, found = _behind_white(line, start + 1), 0, dict[str | int, int]()
    while line[at] != closing:
        key: str | int = number
        if closing == "}":
            key, at = _DECODER.raw_decode(line, at)
            at = _behind_white(line, line.index(":", at) + 1)
        if key in heads:
            found[key] = at
        at, number = _behind_white(line, _DECODER.raw_decode(line, at)[1]), number + 1
        at = _behind_white(line, at + 1) if line[at] == "," else at
    return found


def _texts_in(value: Any) -> list[tuple[Place, str]]:
    """Return the strings of a text: itself, or those of a list of texts and turns."""
    if value is None or isinstance(value, str):
        return [] if value is None else [((), value)]
    if not isinstance(value, list | tuple):
        raise NoPlaceError
    found = (_turn_texts(one) if isinstance(one, Mapping) else _texts_in(one) for one in value)
    return [one for k, texts in enumerate(found) for one in _prefixed(k, texts)]


def _turn_texts(turn: Mapping[str, Any]) -> list[tuple[Place, str]]:
    """Return the strings of a turn of a chat: those under the first key that has a text."""
    for key in TURN_TEXTS:
        if isinstance(value := turn.get(key), str | list | tuple):
            try:
                texts = _texts_in(value)
            except NoPlaceError:  # of numbers, such as tokens: no text
                continue
            if texts:
                return _prefixed(key, texts)
    return []


def _prefixed(key: str | int, found: Sequence[tuple[Place, str]]) -> list[tuple[Place, str]]:
    return [((key, *place), text) for place, text in found]


def _below(new: Mapping[Place, str], key: str | int) -> dict[Place, str]:
    return {place[1:]: text for place, text in new.items() if place[0] == key}


def _behind_white(line: str, at: int) -> int:
    while line[at] in _WHITE:
        at += 1
    return at
