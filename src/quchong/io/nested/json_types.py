"""Types of Arrow with which wanted values within JSON objects are parsed, guessed by one object; a wrong guess costs time only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from quchong.io.nested.arrays import LARGE, element_type
from quchong.io.nested.path import Each, Key, Step, parse_path
from quchong.io.nested.values import TURN_TEXTS, Mismatched, values_at

_PLAIN: Mapping[type, pa.DataType] = {int: pa.int64(), bool: pa.bool_(), float: pa.float64()}


class UnlikeError(Exception):
    """Error: two wanted values need different types of one value."""


def wanted_types(
    record: Mapping[str, Any], texts: Sequence[str], others: Iterable[str], ids: str | None = None
) -> dict[str, pa.DataType]:
    """Return the types of the keys to parse for wanted columns that are within others, or are lists of texts.

    A path needs its root, and the key that is spelled like it.

    Args:
        record: an object like those to be parsed.
        texts, others: names of columns of texts, and of other columns.
        ids: the column of ids among the others, whose values are strings or whole numbers.

    Raises:
        UnlikeError: values of the record have no common type.
    """
    found: dict[str, pa.DataType] = {}
    for name in dict.fromkeys([*texts, *others]):
        as_text, path = name in texts, parse_path(name)
        leaf = text_type if as_text else _id_type if name == ids else _plain_type
        if path is None:
            if as_text and isinstance(record.get(name), list):
                found[name] = _merged(found.get(name), leaf(record[name]))
            elif name in found or not as_text:
                found[name] = _merged(found.get(name), leaf(record.get(name)))
            continue
        found[name] = _merged(found.get(name), LARGE if as_text else leaf(record.get(name)))
        try:
            values = values_at(record.get(path.root), path.steps, name)
        except Mismatched:
            values = []
        kind = _enclosing_type(path.steps, leaf(values[0] if values else None))
        found[path.root] = _merged(found.get(path.root), kind)
    return found


def text_type(value: Any) -> pa.DataType:
    """Return the type of a value that is read as text (`values.text_of`)."""
    if not isinstance(value, list):
        return LARGE
    elements = [one for one in value if one is not None]
    if not elements or all(isinstance(one, Mapping) for one in elements):
        return pa.list_(_turn_type(elements))
    if all(isinstance(one, str) for one in elements):
        return pa.list_(LARGE)
    raise UnlikeError


def _turn_type(turns: Sequence[Mapping[str, Any]]) -> pa.DataType:
    """Return the type of turns of a chat: every key that may hold a text is parsed, so that no text is overlooked."""
    fields = []
    for key in TURN_TEXTS:
        value = next((turn[key] for turn in turns if turn.get(key) is not None), None)
        absent = pa.list_(pa.struct([("text", LARGE)])) if key == "parts" else LARGE
        fields.append(pa.field(key, absent if value is None else text_type(value)))
    return pa.struct(fields)


def _plain_type(value: Any) -> pa.DataType:
    return _PLAIN.get(type(value), LARGE)


def _id_type(value: Any) -> pa.DataType:
    return pa.int64() if type(value) is int else LARGE


def _enclosing_type(steps: Sequence[Step], leaf: pa.DataType) -> pa.DataType:
    """Return the type of a value that has values of the type `leaf` at a path."""
    if not steps:
        return leaf
    inner = _enclosing_type(steps[1:], leaf)
    step = steps[0]
    if isinstance(step, Key):
        return pa.struct([(step.name, inner)])
    if isinstance(step, Each) and step.key is not None:
        inner = _merged(inner, pa.struct([(step.key, LARGE)]))
    return pa.list_(inner)


def _merged(one: pa.DataType | None, other: pa.DataType) -> pa.DataType:
    """Return a struct type with all fields of two types; raise UnlikeError if they contradict."""
    if one is None or one.equals(other):
        return other
    if pa.types.is_struct(one) and pa.types.is_struct(other):
        fields = {field.name: field.type for field in one}
        for field in other:
            fields[field.name] = _merged(fields.get(field.name), field.type)
        return pa.struct(list(fields.items()))
    inner, elements = element_type(one), element_type(other)
    if inner is None or elements is None:
        raise UnlikeError
    return pa.list_(_merged(inner, elements))
