"""Data in memory that is no list of records: splits, texts by id, series; and rows of it in the kind in which it was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import UsageError
from quchong.io.columnar.ipc import SPLIT
from quchong.io.missing_values import is_missing

Rows = npt.NDArray[np.int64]


def holds_splits(data: Any) -> TypeGuard[Mapping[Any, Any]]:
    """Return True if data is a mapping of tables by name, such as a DatasetDict of Hugging Face."""
    return isinstance(data, Mapping) and bool(data) and all(hasattr(part, "column_names") for part in data.values())


def holds_texts_by_id(data: Any) -> TypeGuard[Mapping[Any, str]]:
    """Return True if data is a mapping of texts by id."""
    return (
        isinstance(data, Mapping)
        and bool(data)
        and all(isinstance(text, str) and isinstance(key, str | int) for key, text in data.items())
    )


def with_split(table: pa.Table, name: str) -> pa.Table:
    """Return the table of a split with its name in the column `split`, unless it has such a column."""
    if SPLIT in table.column_names:
        return table
    return table.append_column(SPLIT, pa.array([name] * len(table), pa.string()))


def table_of_texts(data: Mapping[Any, str], text: str, ids: str | None) -> pa.Table:
    """Return texts by id as a table.

    Args:
        data: texts by id.
        text, ids: names of the columns.

    Raises:
        UsageError: it is one record, with the names of columns as keys.
    """
    if text in data:
        raise UsageError(
            "cannot read documents from {}: a single record was given; give a list of records", type(data).__name__
        )
    keys = list(data)
    whole = all(type(key) is int for key in keys)
    try:
        numbers = pa.array(keys if whole else list(map(str, keys)), pa.int64() if whole else pa.large_string())
        return pa.table({ids or "id": numbers, text: pa.array(list(data.values()), pa.large_string())})
    except (UnicodeEncodeError, OverflowError, pa.ArrowInvalid) as error:
        raise UsageError("the dict from ids to texts cannot be read: {}", error) from error


def index_of_series(data: Any) -> pa.Array | None:
    """Return the index of a pandas series as ids; None for other data, and for an index with repeats or unusable labels.

    Ids are texts or integers. A series with values that are no texts has no ids either, so that its items are told as those of a list.
    """
    if not _is_of("pandas", data) or hasattr(data, "columns") or not hasattr(data, "index"):
        return None
    texts = [text for text in data if not is_missing(text)]  # an empty cell is NaN, NA or None
    if not texts or not all(isinstance(text, str) for text in texts):
        return None
    if not data.index.is_unique or data.index.nlevels > 1:
        return None
    labels = pa.array(data.index)
    kind = labels.type
    known = pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return labels if known and not labels.null_count else None


def rows_in_kind(data: Any) -> Callable[[Rows], Any] | None:
    """Return a function that selects rows by number from data and keeps its type (pandas, dict, ...); None for Arrow tables.

    Kinds are frames and series of pandas and Polars, data sets of Hugging Face, their splits (rows are numbered through), and texts
    by id. Rows keep their index, types and features.
    """
    if _is_of("pandas", data) and hasattr(data, "iloc"):
        held = data.copy(deep=False)  # rows that are dropped from the caller's own frame stay in this one
        return lambda rows: held.iloc[rows]
    if _is_of("polars", data) and not hasattr(data, "collect"):
        return lambda rows: data[rows]
    if _is_of("datasets", data) and hasattr(data, "select") and hasattr(data, "num_rows"):
        return lambda rows: data.select(rows)
    if holds_splits(data) and all(_is_of("datasets", part) and hasattr(part, "num_rows") for part in data.values()):
        return lambda rows: _selected_splits(data, rows)
    if holds_texts_by_id(data):
        texts = list(data.items())
        return lambda rows: dict(texts[row] for row in rows.tolist())
    return None


def texts_replaced(selected: Any, key: str, texts: list[Any]) -> Any:
    """Return selected rows with one new text for each row, in the type in which they were given.

    Of splits each part gets its own; a series and texts by id are texts alone, and `key` is not used.
    """
    if isinstance(selected, dict):
        return _dict_replaced(selected, key, texts)
    if hasattr(selected, "assign"):  # a frame of pandas
        return selected.assign(**{key: texts})
    if hasattr(selected, "with_columns"):  # a frame of Polars
        return selected.with_columns(type(selected[key])(key, texts))
    if hasattr(selected, "column_names"):
        changed = selected.remove_columns(key).add_column(key, texts)
        return changed.select_columns(list(selected.column_names))
    index = {"index": selected.index} if hasattr(selected, "iloc") else {}
    return type(selected)(data=texts, name=selected.name, **index) if index else type(selected)(selected.name, texts)


def _dict_replaced(selected: dict[Any, Any], key: str, texts: list[Any]) -> dict[Any, Any]:
    """Return a dict of splits or of texts by id with new texts."""
    if not holds_splits(selected):
        return dict(zip(selected, texts, strict=True))
    found, start = {}, 0
    for name, part in selected.items():
        found[name] = texts_replaced(part, key, texts[start : start + len(part)])
        start += len(part)
    return type(selected)(found)


def _selected_splits(data: Any, rows: Rows) -> Any:
    found, start = {}, 0
    for name, part in data.items():
        end = start + len(part)
        found[name] = part.select(rows[(rows >= start) & (rows < end)] - start)
        start = end
    return type(data)(found)


def _is_of(library: str, data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == library
