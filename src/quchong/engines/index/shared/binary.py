"""Arrays of numbers in the binary format of PostgreSQL: as values of a statement, and as results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from psycopg import AsyncConnection, Connection
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper

INT8_ARRAY, INT4_ARRAY, FLOAT8_ARRAY = 1016, 1007, 1022
"""Numbers of the types int8[], int4[] and float8[]."""
_INT8, _FLOAT8 = 20, 701
_HEAD = 20


@dataclass(frozen=True, slots=True)
class Bigints:
    """Whole numbers as one value of a statement, of type int8[]; uint64 is taken bit by bit."""

    values: np.ndarray


@dataclass(frozen=True, slots=True)
class Doubles:
    """Numbers as one value of a statement, of type float8[]."""

    values: np.ndarray


def _packed(values: np.ndarray, number: int) -> bytes:
    """Return an array: one dimension, no nulls, type, length and first index, then each value after its length."""
    head = np.array([1, 0, number, len(values), 1], ">i4").tobytes()
    rows = np.empty(len(values), [("bytes", ">i4"), ("value", values.dtype.newbyteorder(">"))])
    rows["bytes"], rows["value"] = 8, values
    return head + rows.tobytes()


class _BigintsDumper(Dumper):
    """Dumper of `Bigints`."""

    format = Format.BINARY
    oid = INT8_ARRAY

    def dump(self, obj: Any) -> Buffer:
        """Return the array in PostgreSQL's binary format."""
        values = np.ascontiguousarray(obj.values)
        return _packed(values.view(np.int64) if values.dtype == np.uint64 else values.astype(np.int64), _INT8)


class _DoublesDumper(Dumper):
    """Dumper of `Doubles`."""

    format = Format.BINARY
    oid = FLOAT8_ARRAY

    def dump(self, obj: Any) -> Buffer:
        """Return the array in PostgreSQL's binary format."""
        return _packed(np.asarray(obj.values, np.float64), _FLOAT8)


def _loader(kind: str) -> type[Loader]:
    """Return a loader class for PostgreSQL arrays of one type without nulls."""
    rows: np.dtype[Any] = np.dtype([("bytes", ">i4"), ("value", kind)])
    plain = rows["value"].newbyteorder("=")

    class ArrayLoader(Loader):
        """Loader that returns a PostgreSQL array as a NumPy array."""

        format = Format.BINARY

        def load(self, data: Buffer) -> np.ndarray:
            """Return the array in these bytes."""
            if len(data) < _HEAD:
                return np.zeros(0, plain)
            return np.frombuffer(data, rows, offset=_HEAD)["value"].astype(plain)

    return ArrayLoader


_LOADERS = {INT8_ARRAY: _loader(">i8"), INT4_ARRAY: _loader(">i4"), FLOAT8_ARRAY: _loader(">f8")}


def register(connection: Connection[Any] | AsyncConnection[Any]) -> None:
    """Let a connection send `Bigints`, send every int as int8, and return numeric arrays as NumPy arrays."""
    connection.adapters.register_dumper(Bigints, _BigintsDumper)
    connection.adapters.register_dumper(Doubles, _DoublesDumper)
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    for number, loader in _LOADERS.items():
        connection.adapters.register_loader(number, loader)
