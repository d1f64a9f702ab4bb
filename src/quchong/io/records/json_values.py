"""Conversion of the values of one JSON line: parsing, exact numbers, ids and strings."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import islice
from typing import Any

import orjson
import pyarrow as pa

from quchong.io.nested.values import EXACT, KINDS, number_text
from quchong.io.records.reader import Refused, decoded, is_utf8
from quchong.io.source import ENCODING_REMEDY
from quchong.languages import OR, Message, join_messages, join_names
from quchong.patterns import lazy_pattern

_KEYS_SHOWN = 6
"""Most keys of a record that a message names."""
_KEY_SHOWN = 40
"""Most characters of a key in a message."""
_LONG_DIGITS = lazy_pattern(rb"[0-9]{16}")
_ESCAPE = lazy_pattern(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)
"""An escape in JSON: a surrogate pair, half of one, or another one."""


def parsed(raw: bytes, remedy: str = ENCODING_REMEDY) -> Any:
    """Parse a line and return its JSON value; `remedy` is added to the message of bytes that are not UTF-8.

    Raises:
        Refused: the line is not JSON or not UTF-8; the message has the location of the error.
        MemoryError: there is not enough memory for the value, which is no error of the line.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        message, column = error.msg, error.colno
    if message.startswith("Not enough memory"):
        raise MemoryError(message)
    if not is_utf8(raw):
        decoded(raw, remedy)
    nul = raw.find(b"\0")
    if nul >= 0:
        raise Refused(Message("broken JSON: there is a NUL at byte {}; JSON requires the form {}", nul + 1, "\\u0000"))
    if "surrogate" in message:
        raise Refused(
            Message("broken JSON: a string has only half of a surrogate pair, at column {}", _half_column(raw, column))
        )
    if b"NaN" in raw or b"Infinity" in raw:  # Python writes them and Arrow reads them
        with suppress(ValueError, RecursionError):  # UnicodeEncodeError, of half a surrogate pair, is a ValueError
            item = json.loads(raw)
            json.dumps(item, ensure_ascii=False).encode()
            return item
    raise Refused(Message("broken JSON: {} at column {}", message, column))


def _half_column(raw: bytes, column: int) -> int:
    """Return the column of the first half of a surrogate pair, in characters from 1; orjson before 3.12 tells a later `column`."""
    halves = (found.start() + 1 for found in _ESCAPE.finditer(raw.decode()) if found["half"])
    return next(halves, column)


def exact_object(raw: bytes) -> dict[str, Any]:
    """Parse a good record, with integers of any size exact.

    Raises:
        Refused: the record is no JSON object, because the file has changed.
    """
    item: dict[str, Any] = parsed(raw)
    if not isinstance(item, dict):
        raise Refused(Message("not a JSON object"))
    return _exactly(raw, item) if _LONG_DIGITS.search(raw) else item


def _exactly(raw: bytes, item: dict[str, Any]) -> dict[str, Any]:
    """Return the record parsed by the standard library, because orjson rounds integers of more than 64 bits.

    Returns `item` if the record is nested too deeply for the standard library.
    """
    try:
        exact: dict[str, Any] = json.loads(raw)
    except RecursionError:  # which orjson reads a little deeper
        return item
    return exact


def lacking(item: dict[str, Any], keys: tuple[str, ...]) -> str:
    """Return the reason why a record without a usable value under these keys is refused."""
    present = [key for key in keys if key in item]
    if not present:
        return Message("no key {}", join_messages(map(repr, keys), OR))
    value = item[present[0]]
    return (
        Message("{} is null", present[0])
        if value is None
        else Message("{} is {}, not a string or integer", present[0], KINDS[type(value)])
    )


def lacking_text(item: dict[str, Any], keys: tuple[str, ...]) -> str:
    """Return the reason as `lacking` does, with some of the keys that the record has, where it has none of those."""
    if not item or any(key in item for key in keys):
        return lacking(item, keys)
    some = [key if len(key) <= _KEY_SHOWN else f"{key[:_KEY_SHOWN]}..." for key in islice(item, _KEYS_SHOWN)]
    more = Message(", ...") if len(item) > len(some) else Message("")
    return Message("{}; the record has {}{}", lacking(item, keys), join_names(map(repr, some)), more)


def id_of(value: Any, raw: bytes, key: str) -> str | None:
    """Return a value as an id: a string unchanged, a whole number in decimal; None for other values."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and abs(value) >= EXACT:
        value = _exactly(raw, {key: value})[key]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if type(value) is int else None


def strings_of(values: pa.Array) -> pa.Array | None:
    """Return a column with all values converted as by `string_of`; None if large floats require the records to be parsed one by one."""
    if pa.types.is_floating(values.type):
        numbers = values.to_pylist()
        if any(number is not None and abs(number) >= EXACT for number in numbers):
            return None
        return pa.array([None if number is None else number_text(number) for number in numbers], pa.large_string())
    return values.cast(pa.large_string())
