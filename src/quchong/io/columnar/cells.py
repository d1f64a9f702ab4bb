"""Conversion of sheet cells to typed columns, by the same rules for all files."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

_EXACT = 2**53  # numbers of a sheet are doubles: whole ones up to this are exact


def column_of(values: Sequence[Any], kind: pa.DataType | None = None) -> pa.Array:
    """Convert cells to a column: of numbers, booleans or dates if all cells are that, otherwise of text; empty cells are null.

    Numbers are int64 if all are whole. Dates are date32 if none has a time of day, otherwise timestamp("us"). Times of day and
    durations become text, and so do all cells of a column of mixed kinds (`shown`).

    Args:
        values: cells as `python_calamine` returns them.
        kind: required type, as `common_type` returns it; None to choose the type from the cells.

    >>> column_of([1.0, "", 2.0]).to_pylist(), column_of([1.0, True, "x"]).to_pylist()
    ([1, None, 2], ['1', 'true', 'x'])
    """
    if kind is None:
        kind = _type_of({type(v) for v in values if v != ""}, values)
    if pa.types.is_null(kind):
        return pa.nulls(len(values))
    make: Callable[[Any], Any] = {pa.int64(): int, pa.float64(): float, pa.bool_(): bool}.get(kind, _same)
    if pa.types.is_large_string(kind):
        make = shown
    elif pa.types.is_timestamp(kind):
        make = _moment
    return pa.array([None if v == "" else make(v) for v in values], kind)


def common_type(kinds: Sequence[pa.DataType]) -> pa.DataType:
    """Return the common type of columns of one name in several files: large_string if they have no other."""
    some = {kind for kind in kinds if not pa.types.is_null(kind)}
    if len(some) < 2:
        return next(iter(some), pa.null())
    if some == {pa.int64(), pa.float64()}:
        return pa.float64()
    if some == {pa.date32(), pa.timestamp("us")}:
        return pa.timestamp("us")
    return pa.large_string()


def shown(value: Any) -> str:
    """Return a cell as text: whole numbers without ".0", dates and times in ISO 8601, durations as hours, minutes and seconds.

    >>> shown(12.0), shown(datetime.datetime(2026, 3, 1, 8)), shown(datetime.timedelta(hours=30)), shown(True)
    ('12', '2026-03-01 08:00:00', '30:00:00', 'true')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        return f"{'-' * (seconds < 0)}{abs(seconds) // 3600}:{abs(seconds) // 60 % 60:02}:{abs(seconds) % 60:02}"
    return str(value)


def _type_of(sorts: set[type], values: Sequence[Any]) -> pa.DataType:
    if not sorts:
        return pa.null()
    if sorts <= {float, int}:
        whole = all(v == "" or (float(v).is_integer() and abs(v) < _EXACT) for v in values)
        return pa.int64() if whole else pa.float64()
    if sorts == {bool}:
        return pa.bool_()
    if sorts == {datetime.date}:
        return pa.date32()
    if sorts <= {datetime.date, datetime.datetime}:
        return pa.timestamp("us")
    return pa.large_string()


def _same(value: Any) -> Any:
    return value


def _moment(value: datetime.date) -> datetime.datetime:
    return value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
