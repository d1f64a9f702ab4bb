"""Checks of Arrow arrays before their values are read."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from quchong.languages import Message

MOST_ROWS = 2**31 - 1
"""Maximum rows of a batch, which Arrow's own format recommends to writers."""

_UNKNOWN = (21, 22)
"""Ids of types of Arrow's core without a class in Python: INTERVAL_MONTHS, INTERVAL_DAY_TIME. Not every pyarrow names them."""

_BYTES = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
    pa.date64(): pa.int64(),
}


def sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Check that all offsets, lengths, indices and run ends of a batch are inside its buffers, and return the batch.

    Arrow trusts the data of a file, so that a damaged file would crash the process when it is read. Strings are checked as bytes
    only: a string that is not UTF-8 makes its row bad, not the file (see `not_utf8`).

    Raises:
        pa.ArrowInvalid: something in the batch points outside it

    Cost: reads offsets and indices, not the bytes of strings; some 1 GB/s of offsets.
    """
    if batch.num_rows > MOST_ROWS:
        raise pa.ArrowInvalid(Message("the data states an impossible number of rows for a batch: {:,}", batch.num_rows))
    batch.validate()
    for column in batch.columns:
        sound_array(column)
    return batch


def check_names(fields: Iterable[pa.Field]) -> None:
    """Raise an error if the name of a field or time zone, at any depth, is not UTF-8, or if PyArrow has no class for a type.

    Raises:
        UnicodeDecodeError: a name is not UTF-8
        pa.ArrowNotImplementedError: a type that PyArrow does not know in Python
    """
    for field in fields:
        _ = field.name
        kind = field.type
        while isinstance(kind, pa.BaseExtensionType) or pa.types.is_dictionary(kind):
            kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind.value_type
        if kind.id in _UNKNOWN:
            raise pa.ArrowNotImplementedError(
                Message("column {!r} has the type {}, which PyArrow cannot read", field.name, kind)
            )
        if pa.types.is_nested(kind):
            check_names(kind.field(index) for index in range(kind.num_fields))
        elif pa.types.is_timestamp(kind):
            _ = kind.tz


def sound_array(column: pa.Array) -> None:
    """Check one column as `sound` does.

    Raises:
        pa.ArrowInvalid: an offset, length, index or run end is outside the buffers
    """
    column.validate()
    column.view(as_bytes(column.type)).validate(full=True)


def as_bytes(kind: pa.DataType) -> pa.DataType:
    """Return the type of the same layout with bytes in place of strings, at any depth, and storage types in place of extensions.

    Arrow's checks of single values, such as of a time of day past midnight, do not apply to the returned type; times become integers.
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
    """Return a nested type of the same kind with other fields."""
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


def not_utf8(column: pa.Array) -> dict[int, int]:
    """Return the rows of a sound column that hold a string that is not UTF-8, at any depth, with its first invalid byte (from 0)."""
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
