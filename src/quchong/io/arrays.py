"""Checks Arrow arrays before use, and fills gaps in what Arrow can do with some types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

MOST_ROWS = 2**31 - 1
"""Rows of a batch; Arrow's own format asks writers to stay below this."""


_BYTES = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
    pa.date64(): pa.int64(),
}


def sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, once every offset, length, index and run end in it is known to stay inside its buffers.

    Arrow trusts what a file says, so that a damaged one would end the process in whatever reads it. Strings are
    checked as bytes: one that is not UTF-8 costs its row and not the file (see `not_utf8`).

    Raises:
        pa.ArrowInvalid: something in the batch points outside it

    Cost: reads offsets and indices, not the bytes of strings; some 1 GB/s of offsets.
    """
    if batch.num_rows > MOST_ROWS:
        raise pa.ArrowInvalid(f"a batch that claims {batch.num_rows:,} rows")
    batch.validate()
    for column in batch.columns:
        sound_array(column)
    return batch


def check_names(fields: Iterable[pa.Field]) -> None:
    """Raises UnicodeDecodeError where the name of a field, at any depth, is not UTF-8."""
    for field in fields:
        _ = field.name
        kind = field.type
        while isinstance(kind, pa.BaseExtensionType) or pa.types.is_dictionary(kind):
            kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind.value_type
        if pa.types.is_nested(kind):
            check_names(kind.field(index) for index in range(kind.num_fields))


def sound_array(column: pa.Array) -> None:
    """See `sound`.

    Raises:
        pa.ArrowInvalid: something points outside the buffers
    """
    column.validate()
    column.view(as_bytes(column.type)).validate(full=True)


def as_bytes(kind: pa.DataType) -> pa.DataType:
    """The same layout with bytes instead of strings, at any depth, and extension types as what they are stored in.

    What Arrow would check about single values, such as a time of day past midnight, is left to whoever asks for them.
    """
    if isinstance(kind, pa.BaseExtensionType):
        kind = as_bytes(kind.storage_type)
    elif pa.types.is_decimal(kind):
        kind = pa.binary(kind.byte_width)
    elif pa.types.is_time(kind):
        kind = pa.int32() if kind.bit_width == 32 else pa.int64()
    elif pa.types.is_dictionary(kind):
        kind = pa.dictionary(kind.index_type, as_bytes(kind.value_type), kind.ordered)
    elif pa.types.is_run_end_encoded(kind):
        kind = pa.run_end_encoded(kind.run_end_type, as_bytes(kind.value_type))
    elif pa.types.is_map(kind):
        kind = pa.map_(as_bytes(kind.key_type), as_bytes(kind.item_type), kind.keys_sorted)
    elif pa.types.is_nested(kind):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        kind = _of_fields(kind, [field.with_type(as_bytes(field.type)) for field in fields])
    return _BYTES.get(kind, kind)


def _of_fields(kind: pa.DataType, fields: list[pa.Field]) -> pa.DataType:
    """The nested type with other fields."""
    if pa.types.is_struct(kind):
        return pa.struct(fields)
    if pa.types.is_union(kind):
        return (pa.sparse_union if kind.mode == "sparse" else pa.dense_union)(fields, kind.type_codes)
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(fields[0], kind.list_size)
    lists = (
        (pa.types.is_list, pa.list_),
        (pa.types.is_large_list, pa.large_list),
        (pa.types.is_list_view, pa.list_view),
        (pa.types.is_large_list_view, pa.large_list_view),
    )
    return next((make(fields[0]) for test, make in lists if test(kind)), kind)


def opened_type(kind: pa.DataType) -> pa.DataType:
    """The type of `opened`: no dictionary, runs or extension around the values; strings and views of every sort large."""
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


def opened(column: pa.Array) -> pa.Array:
    """A sound column in its plain type (`opened_type`); the bytes of strings are not copied where Arrow need not."""
    if isinstance(column, pa.ExtensionArray):
        return opened(column.storage)
    if isinstance(column, pa.DictionaryArray):
        return opened(column.dictionary).take(column.indices)
    if isinstance(column, pa.RunEndEncodedArray):
        return opened(_run_values(column)).take(pa.array(_runs(column)))
    kind = opened_type(column.type)
    if kind == column.type:
        return column
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:  # string views, in the older Arrows
        return pa.array(column.to_pylist(), kind)


def _run_values(column: pa.RunEndEncodedArray) -> pa.Array:
    first = column.find_physical_offset()
    return column.values.slice(first, column.find_physical_length())


def _runs(column: pa.RunEndEncodedArray) -> npt.NDArray[np.int64]:
    """For each row the run it stands in, counted from the first that the column touches."""
    first, count = column.find_physical_offset(), column.find_physical_length()
    ends = np.asarray(column.run_ends)[first : first + count].astype(np.int64) - column.offset
    return np.repeat(np.arange(count), np.diff(np.minimum(ends, len(column)), prepend=0))


def text_lengths(column: pa.Array) -> npt.NDArray[np.int64]:
    """Bytes of each value of `opened(column)`, int64, 0 for null; a long value that stands in many rows is not written out."""
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
        lengths = np.asarray(pc.fill_null(pc.binary_length(opened(column)), 0)).astype(np.int64)
    return lengths


def is_text(kind: pa.DataType) -> bool:
    """Is it a string of one of Arrow's three layouts?"""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def not_utf8(column: pa.Array) -> dict[int, int]:
    """The rows of a sound column with a string that is not UTF-8, at any depth, and the byte (from 0) where that shows."""
    if as_bytes(column.type) == column.type:
        return {}
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        found: dict[int, int] = {}
        for index in range(len(column)):
            try:
                column[index].as_py()
            except UnicodeDecodeError as error:
                found[index] = error.start
            except (ValueError, OverflowError):  # a date that Python has no word for; Arrow has
                continue
        return found
    return {}


def chosen(batch: pa.RecordBatch, mask: npt.NDArray[np.bool_]) -> pa.RecordBatch:
    """The rows where `mask`, bool (rows,), is true, in the same types, whatever these are."""
    if mask.all():
        return batch
    columns = [chosen_array(column, mask) for column in batch.columns]
    if not columns:
        return batch.slice(0, int(mask.sum()))
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def chosen_array(column: pa.Array, mask: npt.NDArray[np.bool_]) -> pa.Array:
    """The values where `mask` is true, in the same type, whatever it is."""
    try:
        return column.filter(pa.array(mask))
    except pa.ArrowNotImplementedError:  # views and runs, at any depth
        pass
    if is_text(column.type) or pa.types.is_binary_view(column.type):
        return opened(column).filter(pa.array(mask)).cast(column.type)
    edges = np.flatnonzero(np.diff(mask.view(np.int8), prepend=0, append=0))
    stretches = [column.slice(a, b - a) for a, b in zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True)]
    return pa.concat_arrays(stretches) if stretches else column.slice(0, 0)


def no_rows(schema: pa.Schema) -> pa.RecordBatch:
    """A batch without rows, of any types."""
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


def taken(table: pa.Table, rows: Sequence[int]) -> pa.Table:
    """The rows at these places, in this order, in the same types, whatever these are."""
    try:
        return table.take(pa.array(rows, pa.int64()))
    except pa.ArrowNotImplementedError:  # views and runs, at any depth
        return pa.concat_tables([table.slice(0, 0), *(table.slice(row, 1) for row in rows)])


def closed(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Values of `opened_type(kind)` in the type `kind` again.

    Raises:
        pa.ArrowInvalid: a dictionary whose indices are too small for so many values
    """
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, closed(values, kind.storage_type))
    if pa.types.is_dictionary(kind):
        encoded = values.dictionary_encode()
        inner = closed(encoded.dictionary, kind.value_type)
        return pa.DictionaryArray.from_arrays(encoded.indices.cast(kind.index_type), inner, ordered=kind.ordered)
    if pa.types.is_run_end_encoded(kind):
        runs = pc.run_end_encode(values, kind.run_end_type)
        return pa.RunEndEncodedArray.from_arrays(runs.run_ends, closed(runs.values, kind.value_type), kind)
    return values.cast(kind)


def as_strings(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """A column as one array of large strings."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    try:
        return array.cast(pa.large_string())
    except pa.ArrowInvalid:  # a time zone nobody knows: by the number stored
        return array.cast(pa.int64()).cast(pa.large_string())


def for_parquet(column: Any) -> Any:
    """The column, array or chunked, in a type that Parquet can hold where its own cannot be: runs, and dictionaries of other
    values than plain ones or with a null among them, are written out.
    """
    kind = column.type
    if pa.types.is_run_end_encoded(kind):
        return _each(column, opened)
    if not pa.types.is_dictionary(kind):
        return column
    value = kind.value_type
    plain = not pa.types.is_nested(value) and not is_view(value) and not isinstance(value, pa.BaseExtensionType)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if plain and not any(chunk.dictionary.null_count for chunk in chunks):
        return column
    return _each(column, opened)


def is_view(kind: pa.DataType) -> bool:
    """Is it a string or binary view?"""
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _each(column: Any, change: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([change(chunk) for chunk in column.chunks], opened_type(column.type))
    return change(column)
