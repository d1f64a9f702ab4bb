"""Bad rows of columns as JSON, to be stored."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io.array_checks import as_bytes
from quchong.io.arrays import is_text, opened_type, to_plain_type

_LARGE = 64 << 20
"""Characters or bytes of a value above which orjson is not used, because it crashes the process if it gets no memory for the row."""


def raw_row(row: pa.RecordBatch, most: int | None = None) -> bytes:
    """Return one row as JSON; of columns with one name the later ones are called name~2, name~3, ...

    Values that JSON cannot represent become text. With `most`, texts and bytes are cut to `most` bytes, and larger values of other
    types become null.
    """
    record: dict[str, Any] = {}
    for name, column in zip(row.schema.names, row.columns, strict=True):
        number, key = 1, name
        while key in record:
            number += 1
            key = f"{name}~{number}"
        record[key] = _value(column) if most is None else _beginning(column, most)
    if any(isinstance(value, str | bytes) and len(value) > _LARGE for value in record.values()):
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_as_text).encode()
    try:
        return orjson.dumps(record, default=_as_text)
    except TypeError:  # values nested deeper than JSON goes
        return orjson.dumps({key: value if isinstance(value, str) else str(value) for key, value in record.items()})


def _value(column: pa.Array) -> Any:
    """Return the first value of a column as a Python object; if that is impossible the stored bytes or number, else None."""
    with suppress(UnicodeDecodeError, ValueError, OverflowError, KeyError):  # KeyError: a time zone nobody knows
        return column[0].as_py()
    stored = as_bytes(column.type)
    if stored == column.type and column.type.num_buffers == 2 and not pa.types.is_nested(column.type):
        stored = {32: pa.int32(), 64: pa.int64()}.get(column.type.bit_width, stored)
    with suppress(UnicodeDecodeError, ValueError, OverflowError, KeyError):
        return column.view(stored)[0].as_py()
    return None


def _beginning(column: pa.Array, most: int) -> Any:
    """Return the first value of a column, cut to `most` bytes if it is longer; None for a larger value that is neither text nor bytes."""
    kind = opened_type(column.type)
    if is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        start = pc.binary_slice(to_plain_type(column).cast(pa.large_binary()), 0, most)[0].as_py()
        return None if start is None else start.decode(errors="ignore")
    return _value(column) if column.nbytes <= most else None


def _as_text(value: Any) -> str:
    """Convert a value that JSON cannot represent to text; bytes that are not UTF-8 become base64 with the prefix "base64:"."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return "base64:" + base64.b64encode(value).decode()
    return str(value)
