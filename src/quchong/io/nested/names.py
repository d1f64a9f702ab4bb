"""Names of all values within columns and records, the nearest to a name that was asked for first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

import pyarrow as pa

from quchong.io.arrays import opened_type
from quchong.io.nested.arrays import element_type, may_be_text
from quchong.io.nested.path import parse_path

_DEEPEST = 4
_LISTED = 200


def names_in_schema(schema: pa.Schema) -> list[str]:
    """Return the names of the columns, each struct and list of structs replaced by the names of the values in it."""
    return list(dict.fromkeys(name for field in schema for name in _names_of_type(field.name, field.type)))


def names_in_record(record: Mapping[str, Any]) -> list[str]:
    """Return the names of the values of a record, as `names_in_schema` does those of columns."""
    return list(dict.fromkeys(name for key, value in record.items() for name in _names_of_value(str(key), value)))


def nearest_names(asked: str, names: Iterable[str]) -> list[str]:
    """Return the names sorted by similarity to the one asked for; unchanged if that is not a path."""
    found = list(dict.fromkeys(names))
    if parse_path(asked) is None or len(found) > _LISTED:
        return found
    return sorted(found, key=lambda name: -SequenceMatcher(None, asked, name, autojunk=False).ratio())


def _names_of_type(name: str, kind: pa.DataType, depth: int = 0) -> Iterator[str]:
    kind = opened_type(kind)
    if pa.types.is_struct(kind) and depth < _DEEPEST:
        for field in kind:
            yield from _names_of_type(f"{name}.{field.name}", field.type, depth + 1)
        return
    element = element_type(kind)
    if element is not None and pa.types.is_struct(opened_type(element)) and depth < _DEEPEST:
        if may_be_text(kind):
            yield name
        yield from _names_of_type(f"{name}[]", element, depth + 1)
        return
    yield name


def _names_of_value(name: str, value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, Mapping) and value and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _names_of_value(f"{name}.{key}", inner, depth + 1)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping) and depth < _DEEPEST:
        yield name
        yield from _names_of_value(f"{name}[]", value[0], depth + 1)
    else:
        yield name
