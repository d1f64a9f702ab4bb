"""Arrow data in memory as input: conversion of every kind of object to a table, and checks before its values are read.

Data of PyArrow is checked by its buffers, whose sizes are known. It is not sent through the C interface, which loses the sizes. For data
of other libraries, addresses are checked (`capsules`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from quchong.errors import InputError
from quchong.io.array_checks import check_names, sound, sound_array
from quchong.io.capsules import CapsuleStream
from quchong.io.process_memory import ProcessMemory
from quchong.languages import Message

DAMAGED = (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError)
"""Exceptions that PyArrow raises for data that contradicts its own description."""


def arrow_data(data: Any) -> pa.Table | pa.ChunkedArray | None:
    """Return the Arrow data of an object as a checked table or column; None if the object has no Arrow data.

    Accepted are PyArrow's tables, batches, arrays, readers, data sets and scanners, data frames and series of pandas, and all objects
    with `__arrow_c_stream__`. Streams are read to their end; data is copied only if Arrow has to.

    Raises:
        InputError: the data points outside its buffers, or a name in it is not UTF-8
        pa.ArrowException, TypeError, ValueError: an object with `__arrow_c_stream__` gives no stream

    Cost: reads offsets, indices and validity once, not the bytes of strings.
    """
    found = _held_by_pyarrow(data)
    if found is None and hasattr(data, "__arrow_c_stream__"):
        found = _of_pandas(data) if type(data).__module__.startswith("pandas.") else CapsuleStream(data)
    if found is None:
        return None
    try:
        return _checked(found)
    except DAMAGED as error:
        why = Message("a name in the data is not UTF-8") if isinstance(error, UnicodeDecodeError) else error
        raise InputError("the given data is damaged: {}; create it again", why) from error


def _held_by_pyarrow(data: Any) -> pa.Table | pa.ChunkedArray | pa.RecordBatchReader | None:
    """Return the data of a PyArrow object, whose buffers have sizes, as table, column or reader; None for other objects."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.Array):
        return pa.chunked_array([data])
    if not isinstance(data, pa.Table | pa.ChunkedArray) and type(data).__module__.startswith("pyarrow."):
        if hasattr(data, "scanner"):  # a Dataset
            data = data.scanner()
        if hasattr(data, "to_reader"):  # a Scanner
            data = data.to_reader()
    return data if isinstance(data, pa.Table | pa.ChunkedArray | pa.RecordBatchReader) else None


def _of_pandas(data: Any) -> pa.Table | pa.ChunkedArray:
    """Convert a data frame or series of pandas as its `__arrow_c_stream__` does, but with the sizes of buffers, which a stream loses."""
    if hasattr(data, "columns"):
        return pa.Table.from_pandas(data)
    values = pa.Array.from_pandas(data)
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


def _checked(found: pa.Table | pa.ChunkedArray | pa.RecordBatchReader | CapsuleStream) -> pa.Table | pa.ChunkedArray:
    """Check all of the data, and return it as a table or a column."""
    memory = ProcessMemory()
    kind = found.type if isinstance(found, pa.ChunkedArray) else found.schema
    check_names(
        [pa.field("", kind)] if isinstance(kind, pa.DataType) else [kind] if isinstance(kind, pa.Field) else kind
    )
    if isinstance(found, pa.ChunkedArray):
        return pa.chunked_array([_sound(chunk, memory) for chunk in found.chunks if len(chunk)], kind)
    parts = found.to_batches() if isinstance(found, pa.Table) else found
    checked = [_sound(part, memory) for part in parts if len(part)]  # a part without rows is never read
    if isinstance(found, pa.Table) and all(len(chunk) for column in found.columns for chunk in column.chunks):
        return found
    return pa.chunked_array(checked, kind.type) if isinstance(kind, pa.Field) else pa.Table.from_batches(checked, kind)


def _sound(part: pa.RecordBatch | pa.Array, memory: ProcessMemory) -> pa.RecordBatch | pa.Array:
    """Check that a batch or an array is sound and that all its buffers can be read; return it."""
    if isinstance(part, pa.RecordBatch):
        for column in part.columns:
            _check_buffers(column, memory)
        return sound(part)
    _check_buffers(part, memory)
    sound_array(part)
    return part


def _check_buffers(array: pa.Array, memory: ProcessMemory) -> None:
    """Raise ArrowInvalid if a buffer is not in readable memory.

    The size of a buffer that came through the C interface before was computed from an offset that may be wrong.
    """
    for buffer in array.buffers():
        if buffer is not None and buffer.is_cpu and not memory.holds(buffer.address, buffer.size):
            raise pa.ArrowInvalid(Message("the data names a buffer of {:,} bytes that does not exist", buffer.size))
    array.validate()  # PyArrow ends the process where a part is asked for whose length is below zero
    for inner in _dictionaries(array):
        _check_buffers(inner, memory)


def _dictionaries(array: pa.Array) -> Iterator[pa.Array]:
    """Yield the dictionaries in an array, at any depth, because `buffers` leaves them out."""
    if isinstance(array, pa.ExtensionArray):
        yield from _dictionaries(array.storage)
    elif isinstance(array, pa.DictionaryArray):
        yield array.dictionary
    elif isinstance(array, pa.RunEndEncodedArray):
        yield from _dictionaries(array.values)
    elif isinstance(array, pa.MapArray):
        yield from _dictionaries(array.keys)
        yield from _dictionaries(array.items)
    elif isinstance(array, pa.StructArray | pa.UnionArray):
        for index in range(array.type.num_fields):
            yield from _dictionaries(array.field(index))
    elif hasattr(array, "values") and pa.types.is_nested(array.type):  # lists of every layout
        yield from _dictionaries(array.values)
