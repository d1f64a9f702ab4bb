"""Sizes of the rows of a batch, estimated from its columns, by which files of rows are divided into shards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Sizes = npt.NDArray[np.int64]

_LENGTH = 4
"""Bytes that Parquet writes before a value of no fixed length; and the fewest of a value of fixed length."""


def row_sizes(batch: pa.RecordBatch) -> Sizes:
    """Return estimated bytes of each row in an uncompressed Parquet file, int64 (rows,); estimates are never much too low.

    >>> row_sizes(pa.record_batch({"text": ["ab", None], "n": [1, 2]})).tolist()
    [14, 12]
    """
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        sizes += _sizes_of(column)
    return sizes


def _sizes_of(column: pa.Array) -> Sizes:
    """Return estimated Parquet bytes of each value of a column, int64: a length takes 4, a fixed width at least 4, a level 1."""
    kind, n = column.type, len(column)
    if isinstance(column, pa.ExtensionArray):
        return _sizes_of(column.storage)
    if pa.types.is_dictionary(kind):
        own = np.append(_sizes_of(column.dictionary), 1)
        found: Sizes = own[np.asarray(pc.fill_null(column.indices.cast(pa.int64()), len(own) - 1))]
        return found
    if _is_text(kind):
        lengths: Sizes = np.asarray(pc.fill_null(pc.binary_length(column), 0)).astype(np.int64)
        return lengths + _LENGTH
    if pa.types.is_struct(kind):
        return np.ones(n, np.int64) + sum((_sizes_of(one) for one in column.flatten()), np.zeros(n, np.int64))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        return _LENGTH + _of_lists(column)
    try:
        width = max(kind.bit_width // 8, _LENGTH)
    except ValueError:  # views, unions and other types of no fixed width
        width = -(-int(column.nbytes) // max(n, 1)) + _LENGTH
    return np.full(n, width, np.int64)


def _of_lists(column: Any) -> Sizes:
    """Return the bytes of the values of each list."""
    offsets = np.asarray(column.offsets).astype(np.int64)
    values = (
        column.values
        if not pa.types.is_map(column.type)
        else pa.StructArray.from_arrays([column.keys, column.items], ["k", "v"])
    )
    inner = np.concatenate([[0], np.cumsum(_sizes_of(values))])
    sizes: Sizes = inner[offsets[1:]] - inner[offsets[:-1]]
    return sizes


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    )
