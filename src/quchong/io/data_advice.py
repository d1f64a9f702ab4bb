"""Advice about data in Python from which no documents can be read: how data of that kind is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from pathlib import PurePath
from typing import Any

from quchong.io.missing_values import is_missing
from quchong.io.single_rows import row_as_dict
from quchong.languages import Message

_ACCEPTED = Message(
    "you can give a path (str or pathlib.Path) or a list of pathlib.Path; a list of str or of dict; a dict of "
    "texts by id; a pyarrow Table, RecordBatch, RecordBatchReader, Dataset, Scanner or ChunkedArray of strings; "
    "an iterator of RecordBatch; or an object with __arrow_c_stream__, as of Polars, pandas 2.2 or later, and "
    "DuckDB"
)
_PAIR = 2
"""Number of values of an id with its text."""


def advice_on_data(data: object) -> Message:
    """Return how data of this kind is given, or the list of what is accepted if nobody knows.

    >>> print(advice_on_data(None))
    data is missing: give a path, a list of texts or of dicts, or a table; the function that made the data may lack a return
    >>> print(advice_on_data(b"text"))
    decode the bytes, and give a list of texts: [data.decode()]
    """
    if isinstance(data, Mapping):
        return _advice_on_mapping(data)
    said = _ACCEPTED
    if data is None:
        said = Message(
            "data is missing: give a path, a list of texts or of dicts, or a table; the function that made the "
            "data may lack a return"
        )
    elif isinstance(data, bytes | bytearray | memoryview):
        said = Message("decode the bytes, and give a list of texts: {}", "[data.decode()]")
    elif hasattr(data, "kept") and hasattr(data, "removed"):  # a result of this package
        said = Message("give the kept rows of the result: {}", "result.kept")
    elif callable(data):
        name = getattr(data, "__name__", "")
        said = Message(
            "call the function, and give its return value: {}", f"{name}()" if name.isidentifier() else "data()"
        )
    elif isinstance(data, Number):
        said = Message("give a path, a list of texts or of dicts, or a table")
    return said


def _advice_on_mapping(data: Mapping[Any, Any]) -> Message:
    """Return how a dict is given that is no dict of texts by id."""
    if data and all(isinstance(column, Mapping) for column in data.values()):
        return Message("instead of DataFrame.to_dict(), give the DataFrame itself, or its rows: to_dict('records')")
    if data and all(hasattr(table, "columns") and hasattr(table, "shape") for table in data.values()):
        library = type(next(iter(data.values()))).__module__.partition(".")[0]
        return Message("join the tables first: {}", f"{library}.concat(data.values())")
    if data and not any(isinstance(value, Sequence) and not isinstance(value, str) for value in data.values()):
        return Message(
            "put a single record into a list: {}; in a dict of texts by id, every text must be a str", "[data]"
        )
    return Message("convert a dict of columns to a table first: {}", "pyarrow.table(data)")


def advice_on_items(items: Sequence[object], index: int) -> Message:
    """Return how items are given of which the one at an index is neither a text nor a record.

    >>> print(advice_on_items([1, 2], 0))
    convert the items to texts: [str(one) for one in data]
    >>> print(advice_on_items(["a", {"text": "b"}], 1))
    give texts alone, or dicts alone: [one if isinstance(one, dict) else {'text': one} for one in data]
    """
    item, said = items[index], _ACCEPTED
    records = any(isinstance(one, Mapping) for one in items)
    if isinstance(item, bytes | bytearray):
        said = Message("decode the bytes: {}", "[one.decode() for one in data]")
    elif records and all(isinstance(one, str | Mapping | None) for one in items):
        code = "[one if isinstance(one, dict) else {'text': one} for one in data]"
        said = Message("give texts alone, or dicts alone: {}", code)
    elif isinstance(item, Number):
        kept = "None if one is None else " if any(one is None for one in items) else ""
        if any(one is not None and is_missing(one) for one in items):
            kept = "None if pandas.isna(one) else "  # str(one) would make a text of it: nan
        said = Message("convert the items to texts: {}", f"[{kept}str(one) for one in data]")
    elif isinstance(item, PurePath):
        read = "one.read_text('utf-8')"
        if not all(isinstance(one, PurePath) for one in items):
            read = f"{read} if isinstance(one, pathlib.Path) else one"
        said = Message("read the files first: {}", f"[{read} for one in data]")
    elif (row := row_as_dict(item)) is not None:
        said = Message("convert the rows to dicts: {}", f"[{row.replace('row', 'one', 1)} for one in data]")
    elif isinstance(item, list | tuple) and all(isinstance(one, list | tuple) and len(one) == _PAIR for one in items):
        said = Message("give dicts, for ids and texts such as {}", "[{'id': id, 'text': text} for id, text in data]")
    elif isinstance(item, tuple):
        said = Message(
            "rows as tuples have no column names: give the table itself, or dicts, such as {}",
            "frame.iter_rows(named=True), [dict(zip(columns, one)) for one in data]",
        )
    elif hasattr(item, "columns") and hasattr(item, "shape"):  # data frames
        library = type(item).__module__.partition(".")[0]
        said = Message("put the tables into one: {}", f"{library}.concat(data)")
    elif isinstance(item, list):
        said = Message("join each item into one text: {}", "[' '.join(one) for one in data]")
    elif hasattr(item, "__dict__") and not isinstance(item, type):
        said = Message("convert the items to dicts: {}", "[vars(one) for one in data]")
    return said
