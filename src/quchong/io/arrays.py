"""Operations on Arrow arrays of types that Arrow supports only in part: plain types, selection of rows, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

_WRITES_EXTENDED_VIEWS = int(pa.__version__.partition(".")[0]) >= 24
"""Whether this Arrow can write extension types over string views to Parquet."""


def opened_type(kind: pa.DataType) -> pa.DataType:
    """Return the type to which `to_plain_type` converts: no dictionary, run-end encoding or extension, large_string for strings."""
    while True:
        if isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        elif pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
            kind = kind.value_type
        else:
            break
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    return pa.large_string() if is_text(kind) else kind


def to_plain_type(column: pa.Array) -> pa.Array:
    """Convert a sound column to its plain type: no dictionary, run-end encoding or extension, large_string for strings.

    Bytes of strings are copied only if Arrow has to.
    """
    if isinstance(column, pa.ExtensionArray):
        return to_plain_type(column.storage)
    if isinstance(column, pa.DictionaryArray):
        return to_plain_type(column.dictionary).take(column.indices)
    if isinstance(column, pa.RunEndEncodedArray):
        return to_plain_type(_run_values(column)).take(pa.array(_runs(column)))
    kind = opened_type(column.type)
    if kind == column.type:
        return column
    if is_view(column.type):
        column = _without_views_of_nulls(column)
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:  # string views, in the older Arrows
        return pa.array(column.to_pylist(), kind)


def _without_views_of_nulls(column: pa.Array) -> pa.Array:
    """Return a column of views with zeros in place of null values, because a cast reads these unchecked bytes."""
    if not column.null_count:
        return column
    validity, views, *data = column.buffers()
    rows = slice(column.offset, column.offset + len(column))
    written = np.frombuffer(views, np.uint8, 16 * rows.stop).reshape(-1, 16).copy()
    written[rows][np.asarray(column.is_null())] = 0
    return pa.Array.from_buffers(
        column.type, len(column), [validity, pa.py_buffer(written), *data], column.null_count, column.offset
    )


def _run_values(column: pa.RunEndEncodedArray) -> pa.Array:
    first = column.find_physical_offset()
    return column.values.slice(first, column.find_physical_length())


def _runs(column: pa.RunEndEncodedArray) -> npt.NDArray[np.int64]:
    """Return for each row the number of its value in the run-end encoding, counted from the first value that the column uses."""
    first, count = column.find_physical_offset(), column.find_physical_length()
    ends = np.asarray(column.run_ends)[first : first + count].astype(np.int64) - column.offset
    return np.repeat(np.arange(count), np.diff(np.minimum(ends, len(column)), prepend=0))


def text_lengths(column: pa.Array) -> npt.NDArray[np.int64]:
    """Return the length in bytes of each string of a column, int64, 0 for null; a value of a dictionary or of many rows is not copied."""
    if isinstance(column, pa.ExtensionArray):
        return text_lengths(column.storage)
    if isinstance(column, pa.DictionaryArray):
        lengths = np.append(text_lengths(column.dictionary), 0)
        places = pc.fill_null(column.indices.cast(pa.int64()), -1)
        lengths = lengths[np.asarray(places)]
    elif isinstance(column, pa.RunEndEncodedArray):
        lengths = text_lengths(_run_values(column))[_runs(column)]
    elif pa.types.is_null(column.type):
        lengths = np.zeros(len(column), np.int64)
    else:
        lengths = np.asarray(pc.fill_null(pc.binary_length(to_plain_type(column)), 0)).astype(np.int64)
    return lengths


def is_text(kind: pa.DataType) -> bool:
    """Return True if the type is a string in one of Arrow's three layouts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def select_rows(batch: pa.RecordBatch, mask: npt.NDArray[np.bool_]) -> pa.RecordBatch:
    """Return the rows of a batch that a bool mask selects; the types of all columns are kept."""
    if mask.all():
        return batch
    columns = [chosen_array(column, mask) for column in batch.columns]
    if not columns:
        return batch.slice(0, int(mask.sum()))
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def chosen_array(column: pa.Array, mask: npt.NDArray[np.bool_]) -> pa.Array:
    """Return the values of a column that a bool mask selects; the type is kept."""
    try:
        return column.filter(pa.array(mask))
    except pa.ArrowNotImplementedError:  # views and runs, at any depth
        pass
    if is_text(column.type) or pa.types.is_binary_view(column.type):
        return to_plain_type(column).filter(pa.array(mask)).cast(column.type)
    edges = np.flatnonzero(np.diff(mask.view(np.int8), prepend=0, append=0))
    stretches = [column.slice(a, b - a) for a, b in zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True)]
    return pa.concat_arrays(stretches) if stretches else column.slice(0, 0)


def no_rows(schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of the schema without rows; all types are possible."""
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


def take_rows(table: pa.Table, rows: Sequence[int]) -> pa.Table:
    """Return the rows of a table with these row numbers, in this order; the types of all columns are kept."""
    try:
        return table.take(pa.array(rows, pa.int64()))
    except pa.ArrowNotImplementedError:  # views and runs, at any depth
        return pa.concat_tables([table.slice(0, 0), *(table.slice(row, 1) for row in rows)])


def in_order(batches: Sequence[pa.RecordBatch], schema: pa.Schema, rows: Sequence[int]) -> pa.Table:
    """Return the rows with the numbers `rows`, in that order, from batches in any order; missing rows are left out."""
    table = pa.Table.from_batches(batches, schema=schema)
    place = {row: index for index, row in enumerate(table.column("row").to_pylist())}
    return take_rows(table, [place[row] for row in rows if row in place])


def from_plain_type(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Convert values of a plain type, `opened_type(kind)`, back to the type `kind`.

    Raises:
        pa.ArrowInvalid: the index type of a dictionary is too small for the number of values
    """
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, from_plain_type(values, kind.storage_type))
    if pa.types.is_dictionary(kind):
        encoded = values.dictionary_encode()
        inner = from_plain_type(encoded.dictionary, kind.value_type)
        return pa.DictionaryArray.from_arrays(encoded.indices.cast(kind.index_type), inner, ordered=kind.ordered)
    if pa.types.is_run_end_encoded(kind):
        runs = pc.run_end_encode(values, kind.run_end_type)
        return pa.RunEndEncodedArray.from_arrays(runs.run_ends, from_plain_type(runs.values, kind.value_type), kind)
    return values.cast(kind)


def as_strings(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Convert a column to one array of large strings."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    try:
        return array.cast(pa.large_string())
    except pa.ArrowInvalid:  # a time zone nobody knows: by the number stored
        return array.cast(pa.int64()).cast(pa.large_string())


def for_parquet(column: Any) -> Any:
    """Return the column, array or chunked, in a type that Parquet can store.

    Runs become plain values, and so do dictionaries whose values are of no plain type or contain a null, and extensions of views with Arrow
    before 24, which cannot write these. Others are unchanged.
    """
    kind = column.type
    unwritable = isinstance(kind, pa.BaseExtensionType) and is_view(kind.storage_type) and not _WRITES_EXTENDED_VIEWS
    if unwritable or pa.types.is_run_end_encoded(kind):
        return _each(column, to_plain_type)
    if not pa.types.is_dictionary(kind):
        return column
    value = kind.value_type
    plain = not pa.types.is_nested(value) and not is_view(value) and not isinstance(value, pa.BaseExtensionType)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if plain and not any(chunk.dictionary.null_count for chunk in chunks):
        return column
    return _each(column, to_plain_type)


def is_view(kind: pa.DataType) -> bool:
    """Return True if the type is a string view or a binary view."""
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _each(column: Any, change: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([change(chunk) for chunk in column.chunks], opened_type(column.type))
    return change(column)
