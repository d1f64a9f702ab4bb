"""Arrays of numbers in the binary format of PostgreSQL: as values of a statement, as results, and as rows that are copied in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from psycopg import AsyncConnection, Connection
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper

INT8_ARRAY, INT4_ARRAY, FLOAT8_ARRAY = 1016, 1007, 1022
"""Numbers of the types int8[], int4[] and float8[]."""
_INT8 = 20
_HEAD = 20
COPY_HEAD, COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"


@dataclass(frozen=True, slots=True)
class Bigints:
    """Whole numbers as one value of a statement, of type int8[]; uint64 is taken bit by bit."""

    values: np.ndarray


class _BigintsDumper(Dumper):
    """Dumper of `Bigints`."""

    format = Format.BINARY
    oid = INT8_ARRAY

    def dump(self, obj: Any) -> Buffer:
        """Return the array: dimensions, no nulls, type, length and first index, then each number after its length."""
        values = np.ascontiguousarray(obj.values)
        values = values.view(np.int64) if values.dtype == np.uint64 else values.astype(np.int64)
        head = np.array([1, 0, _INT8, len(values), 1], ">i4").tobytes()
        rows = np.empty(len(values), [("bytes", ">i4"), ("value", ">i8")])
        rows["bytes"], rows["value"] = 8, values
        return head + rows.tobytes()


def _loader(kind: str) -> type[Loader]:
    """Return the loader of arrays of one type, without nulls."""
    rows: np.dtype[Any] = np.dtype([("bytes", ">i4"), ("value", kind)])
    plain = rows["value"].newbyteorder("=")

    class ArrayLoader(Loader):
        """Loader of an array as NumPy has it."""

        format = Format.BINARY

        def load(self, data: Buffer) -> np.ndarray:
            """Return the array."""
            if len(data) < _HEAD:
                return np.zeros(0, plain)
            return np.frombuffer(data, rows, offset=_HEAD)["value"].astype(plain)

    return ArrayLoader


_LOADERS = {INT8_ARRAY: _loader(">i8"), INT4_ARRAY: _loader(">i4"), FLOAT8_ARRAY: _loader(">f8")}


def register(connection: Connection[Any] | AsyncConnection[Any]) -> None:
    """Let a connection take `Bigints`, take every int as int8 (one type, one plan), and return arrays of numbers as NumPy has them."""
    connection.adapters.register_dumper(Bigints, _BigintsDumper)
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    for number, loader in _LOADERS.items():
        connection.adapters.register_loader(number, loader)


def copied_rows(columns: Sequence[np.ndarray]) -> bytes:
    """Return rows for COPY ... (FORMAT BINARY).

    Args:
        columns: one array of fixed-width values each, of the width of the column's type; of two dimensions for bytes (uint8).
    """
    fields: list[tuple[Any, ...]] = [("fields", ">i2")]
    for k, column in enumerate(columns):
        kind = (f"v{k}", "u1", column.shape[1:]) if column.ndim > 1 else (f"v{k}", column.dtype.newbyteorder(">"))
        fields += [(f"n{k}", ">i4"), kind]
    rows: Any = np.zeros(len(columns[0]), fields)
    rows["fields"] = len(columns)
    for k, column in enumerate(columns):
        rows[f"n{k}"] = column.shape[1] if column.ndim > 1 else column.itemsize
        rows[f"v{k}"] = column
    return COPY_HEAD + bytes(rows.tobytes()) + COPY_END
