"""Tables made of dicts with values of any kind, and several tables joined into one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson
import pyarrow as pa

from quchong.errors import UsageError
from quchong.io.missing_values import is_missing, with_none
from quchong.io.nested.values import Mismatched, text_of


def table_of_dicts(items: list[Mapping[str, Any]], text: Sequence[str] = (), instead: str | None = None) -> pa.Table:
    """Make a table of dicts, with one column a key, in order of first appearance; a missing key is null.

    A column of mixed types becomes strings, with values other than strings as JSON. The column `instead` may hold bytes and str; all
    of them then become bytes in UTF-8.
    """
    if any(type(key) is not str for item in items for key in item):
        items = [{str(key): value for key, value in item.items()} for item in items]
    keys = list(dict.fromkeys(key for item in items for key in item))
    columns: dict[str, pa.Array] = {}
    for key in keys:
        _whole_characters([key], "a key")
        values = [item.get(key) for item in items]
        if key in text:
            values = with_none(values)  # DataFrame.to_dict("records") has NaN for an empty cell
            wrong = next(
                (index for index, value in enumerate(values) if not isinstance(value, str | list | None)), None
            )
            if wrong is not None:
                raise UsageError("item {}: {} is {}, not a str", wrong, key, type(values[wrong]).__name__)
            if not any(isinstance(value, list) for value in values):
                columns[key] = strings(values, key)
                continue
        if key == instead and any(isinstance(value, bytes) for value in values):
            values = [value.encode("utf-8", "replace") if isinstance(value, str) else value for value in values]
        try:
            columns[key] = pa.array(values)
        except (pa.ArrowException, OverflowError, ValueError, TypeError):
            columns[key] = strings([_as_text(value) for value in values], key)
    return pa.table(columns)


def texts_of_lists(items: Sequence[Mapping[str, Any]], table: pa.Table, text: Sequence[str]) -> dict[str, pa.Array]:
    """Return as lists the texts of the columns that `table` holds as JSON strings because the dicts have them in several types.

    Args:
        items: dicts.
        table: `table_of_dicts` of them.
        text: names of the text columns.

    Raises:
        UsageError: a value is no text and no list of texts.
    """
    found: dict[str, pa.Array] = {}
    for key in text:
        if key in table.column_names and pa.types.is_large_string(table.schema.field(key).type):
            values = [item.get(key) for item in items]
            if any(isinstance(value, list) for value in values):
                found[key] = strings([_text_of(value, key, index) for index, value in enumerate(values)], key)
    return found


def _text_of(value: Any, key: str, index: int) -> str | None:
    try:
        return None if is_missing(value) else text_of(value, key)
    except Mismatched as error:
        raise UsageError("item {}: {} is {}, not a str", index, error.name, error.kind.__name__) from error


def strings(values: list[str | None], key: str = "") -> pa.Array:
    """Convert strings to an array of large strings; `key` names the column in messages.

    Raises:
        UsageError: a string holds half a surrogate pair
    """
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError:
        _whole_characters(values, key)
        raise


def _whole_characters(values: Sequence[str | None], key: str) -> None:
    """Raise UsageError if a string holds half a surrogate pair, which no file and no table can store."""
    for index, value in enumerate(values):
        if value is not None and any("\ud800" <= letter <= "\udfff" for letter in value):
            where = key if key == "a key" else f"item {index}{': ' * bool(key)}{key}"
            raise UsageError(
                "{} contains an incomplete character in {!r} (surrogates not allowed): repair it, such as with "
                "text.encode('utf-8', 'replace').decode()",
                where,
                value[:40],
            )


def _as_text(value: Any) -> str | None:
    """Return a value of a column of mixed types as text: a string unchanged, other values as JSON, integers of any size in full."""
    if value is None or isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    try:
        return orjson.dumps(value, default=str).decode()
    except TypeError:  # integers of more than 64 bits, keys that are no strings, half a surrogate pair
        with suppress(TypeError, ValueError, RecursionError):
            return json.dumps(value, ensure_ascii=False, default=str)
    try:
        return str(value)
    except RecursionError as error:
        raise UsageError("a value is nested too deeply to be written: leave out its column") from error


def concat_by_name(tables: Sequence[pa.Table]) -> pa.Table:
    """Concatenate tables; a column that a table lacks is null in its rows.

    A column whose types in the tables have no common type, such as text and list, becomes text, with values other than strings as
    JSON.

    Raises:
        UsageError: the schemas differ and a table has two columns of one name
    """
    if not tables:
        return pa.table({})
    if all(table.schema.equals(tables[0].schema) for table in tables[1:]):
        return pa.concat_tables(tables)
    for table in tables:
        twice = next((name for name in table.column_names if table.column_names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(
                "an input has two columns named {!r}, so its rows do not fit into one table with other inputs: "
                "rename one column, or save the result to a folder",
                twice,
            )
    for name in dict.fromkeys(name for table in tables for name in table.column_names):
        try:
            pa.unify_schemas([pa.schema([t.schema.field(name)]) for t in tables if name in t.column_names],
                             promote_options="permissive")  # fmt: skip
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            tables = [_with_text(table, name) for table in tables]
    return pa.concat_tables(tables, promote_options="permissive")


def _with_text(table: pa.Table, name: str) -> pa.Table:
    """Return the table with the column `name` converted to text; unchanged if it has no such column."""
    if name not in table.column_names:
        return table
    values = [_as_text(value) for value in table[name].to_pylist()]
    return table.set_column(table.column_names.index(name), name, strings(values, name))
