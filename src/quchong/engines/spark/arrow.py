"""Arrow batches on executors, and errors that name the record that caused them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.errors import InputError, QuchongError
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums

Batch: TypeAlias = "pa.RecordBatch | pa.Table"
_PLAIN = {pa.large_string(): pa.string(), pa.uint8(): pa.int64(), pa.uint32(): pa.int64()}
_NAMES = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double", pa.bool_(): "boolean"}
TYPES = {name: kind for kind, name in _NAMES.items()} | {"binary": pa.binary()}
"""Arrow's types by the names that Spark has for them."""


def texts_in(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a text column in the type the kernels read; null becomes an empty text."""
    return batch.column(name).cast(pa.large_string()).fill_null("")


def mapped(made: Callable[[pa.RecordBatch], Batch], record: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[Any]]:
    """Return a function for `mapInArrow` that applies `made` to each batch; empty batches and results are left out.

    An error names the record that causes it, by its value in the column `record`.
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                found = _made(made, batch, record)
                for piece in found.to_batches() if isinstance(found, pa.Table) else [found]:
                    if piece.num_rows:
                        yield piece

    return run


def _made(made: Callable[[pa.RecordBatch], Batch], batch: pa.RecordBatch, record: str) -> Batch:
    try:
        return made(batch)
    except QuchongError:
        raise
    except Exception as error:
        names = batch.column(record)
        for i in range(batch.num_rows):
            try:
                made(batch.slice(i, 1))
            except Exception as one:
                raise InputError("document {!r}: {}: {}", names[i].as_py(), type(one).__name__, one) from one
        ends = f"documents {names[0].as_py()!r} to {names[-1].as_py()!r}"
        raise InputError("{}: {}: {}", ends, type(error).__name__, error) from error


def signed(values: np.ndarray) -> pa.Array:
    """Convert uint64 to the signed integers of Spark, bit for bit."""
    return pa.array(np.ascontiguousarray(values, np.uint64).view(np.int64))


def unsigned(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Convert Spark's signed integers back to uint64, bit for bit."""
    return np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False).view(np.uint64)


def lists_of(values: np.ndarray, offsets: np.ndarray) -> pa.Array:
    """Return ragged uint64 values as a column of lists."""
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), signed(values))


def sets_in(column: pa.Array) -> FeatureSets:
    """Read a column of lists as feature sets; each set is sorted and has no value twice."""
    lengths = np.asarray(column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)).astype(np.int64)
    offsets = prefix_sums(lengths)
    return kernels.sets.feature_sets(unsigned(column.flatten()), offsets, workers=1)


def one(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Return a column as one contiguous array."""
    if isinstance(column, pa.ChunkedArray):
        return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    return column


def spoken(schema: pa.Schema) -> pa.Schema:
    """Return the schema with each type replaced by the nearest type that Spark has."""
    return pa.schema([pa.field(f.name, _plain_type(f.type)) for f in schema])


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_plain_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, _plain_type(f.type)) for f in kind])
    return _PLAIN.get(kind, kind)


def stacked(tables: Mapping[str, pa.Table], schemas: Mapping[str, pa.Schema]) -> pa.Table:
    """Return the rows of several tables in one table: a struct column per table, null in the rows of the others."""
    types = {name: pa.struct(list(spoken(schema))) for name, schema in schemas.items()}
    blocks = []
    for name, schema in schemas.items():
        table = tables[name].select(schema.names).cast(spoken(schema)).combine_chunks()
        rows = one(table.to_struct_array()).cast(types[name])
        blocks.append(pa.table({n: rows if n == name else pa.nulls(len(rows), t) for n, t in types.items()}))
    return pa.concat_tables(blocks)


def written(schema: pa.Schema, sign: str = " ") -> str:
    """Format a schema as Spark's DDL; `sign` separates name and type."""
    return ", ".join(f"{f.name}{sign}{type_name(f.type)}" for f in spoken(schema))


def type_name(kind: pa.DataType) -> str:
    """Return the name of an Arrow type in Spark's DDL."""
    if pa.types.is_list(kind):
        return f"array<{type_name(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'{f.name}:{type_name(f.type)}' for f in kind)}>"
    return _NAMES[_plain_type(kind)]


def in_schema(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    """Cast a column read from Spark to the Arrow type `kind`, nested types included; fields that Spark calls nullable are so no longer."""
    values = one(column)
    if pa.types.is_list(kind):
        lengths = values.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        offsets = pa.array(prefix_sums(lengths), pa.int32())
        items = in_schema(values.flatten(), kind.value_type)
        return pa.ListArray.from_arrays(offsets, items, type=kind, mask=values.is_null())
    if pa.types.is_struct(kind):
        children = [in_schema(child, f.type) for child, f in zip(values.flatten(), kind, strict=True)]
        return pa.StructArray.from_arrays(children, fields=list(kind))
    return values.cast(kind)
