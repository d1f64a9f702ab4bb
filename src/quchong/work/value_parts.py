"""Parts of a file of a value: raw buffers of NumPy arrays, and Arrow arrays and tables as Arrow IPC streams.

Each part begins on a boundary of 64 bytes and is mapped when it is read. Type, shape and length of a part are compared with its bytes
before it is used, so reading takes no more memory than the file has bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

ALIGNED = 64
PIECE = 16 << 20
"""Bytes that are written and digested at once."""
DTYPES = {
    name: np.dtype(name)
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
}
"""Types of arrays that a file may contain, by name."""
MOST_DIMENSIONS, MOST_EXTENT = 4, 1 << 48
ARROW = "arrow"
_DICTIONARY, _BATCH = "dictionary", "record batch"
CheckArray = Callable[[pa.Array], None]
"""Function that raises ValueError if offsets, lengths or indices of an Arrow array point outside its buffers."""


class Unencodable(TypeError):
    """Value that cannot be stored in a file of a run, such as an object of a class that is not declared, or a function."""


class Damaged(ValueError):
    """File of a value that is incomplete, of another format, or contains data that no run writes."""


def check_fully(array: pa.Array) -> None:
    """Check an Arrow array by Arrow's own full validation.

    Raises:
        pa.ArrowInvalid: an offset or index points outside the buffers, or a string is not UTF-8.
    """
    array.validate(full=True)


class Laid:
    """Content of a file as a list of buffers that are not copied, and its length."""

    def __init__(self) -> None:
        self.pieces: list[memoryview] = []
        self.size = 0
        self.parts: list[list[Any]] = []

    def add(self, data: bytes | memoryview) -> int:
        """Add bytes to the file laid out; return how many were added."""
        whole = memoryview(data)
        if not whole.nbytes:
            return 0
        self.pieces += cut(whole.cast("B"))
        self.size += whole.nbytes
        return whole.nbytes

    def align(self) -> None:
        """Add zeros up to the next boundary of ALIGNED bytes."""
        self.add(bytes(-self.size % ALIGNED))

    def add_array(self, array: np.ndarray) -> int:
        """Add the elements of an array in C order; return the number of the part.

        Raises:
            Unencodable: elements of another type than those of DTYPES.
        """
        name = array.dtype.name
        if DTYPES.get(name) != array.dtype or array.ndim > MOST_DIMENSIONS:
            raise Unencodable(f"an array of {array.dtype} with {array.ndim} dimensions")
        self.align()
        start = self.size
        whole = np.ascontiguousarray(array)
        length = self.add(whole.reshape(-1).view(np.uint8).data) if whole.size else 0
        self.parts.append([start, length, name, list(array.shape)])
        return len(self.parts) - 1

    def add_arrow(self, table: pa.Table) -> int:
        """Add a table as an Arrow IPC stream; return the number of the part.

        Raises:
            Unencodable: a type that Arrow does not write.
        """
        self.align()
        start = self.size
        try:
            with (
                pa.PythonFile(_Sink(self), mode="w") as sink,
                pa.ipc.new_stream(sink, table.schema, options=_PLAIN) as writer,
            ):
                writer.write_table(table)
        except pa.ArrowException as error:
            raise Unencodable(f"a table that Arrow does not write: {error}") from error
        self.parts.append([start, self.size - start, ARROW])
        return len(self.parts) - 1


_PLAIN = pa.ipc.IpcWriteOptions(compression=None)


class _Sink:
    """File object for Arrow that adds written bytes to a `Laid`; Arrow's buffers are not copied."""

    closed = False

    def __init__(self, laid: Laid) -> None:
        self._laid = laid

    def write(self, data: Any) -> int:
        return self._laid.add(memoryview(data))

    def flush(self) -> None:
        """Do nothing, because nothing is buffered."""

    def close(self) -> None:
        self.closed = True


class Mapped:
    """Reader of the parts of a file that is mapped into memory.

    Args:
        data: the bytes of the file up to the end of the last part.
        parts: descriptions of the parts from the file.
        check: check of every Arrow array before its use; None if this process wrote the file itself.
    """

    def __init__(self, data: memoryview, parts: Any, check: CheckArray | None) -> None:
        if type(parts) is not list:
            raise Damaged("its parts are not listed")
        self._data, self._parts, self._check = data, parts, check

    def array(self, number: Any) -> np.ndarray:
        """Return the array of a part, mapped and read-only.

        Raises:
            Damaged: there is no such part, or its type, shape and length do not agree.
        """
        about, whole = self._part_bytes(number)
        kind, shape = (about[2], about[3]) if len(about) == 4 else (None, None)
        dtype = DTYPES.get(kind) if type(kind) is str else None
        if dtype is None or type(shape) is not list or len(shape) > MOST_DIMENSIONS:
            raise Damaged(f"part {number} is no array of a type that runs write")
        size = dtype.itemsize
        for extent in shape:
            if type(extent) is not int or not 0 <= extent < MOST_EXTENT:
                raise Damaged(f"part {number} has a shape that its bytes do not have")
            size *= extent
        if size != len(whole):
            raise Damaged(f"part {number} has {len(whole)} bytes and claims {size}")
        found = np.frombuffer(whole, np.uint8).view(dtype).reshape(shape)
        if self._check is not None and dtype == np.bool_ and len(whole) and found.view(np.uint8).max() > 1:
            raise Damaged(f"part {number} holds a truth value that is none")
        found.flags.writeable = False
        return found

    def table(self, number: Any) -> pa.Table:
        """Return the table of a part, its columns mapped and checked.

        Raises:
            Damaged: there is no such part, or it is no Arrow IPC stream, or has compressed buffers, whose size has no bound.
        """
        about, whole = self._part_bytes(number)
        if about[2:] != [ARROW]:
            raise Damaged(f"part {number} is no table")
        buffer = pa.py_buffer(whole)
        try:
            if self._check is not None:
                _check_plain(buffer)
            with pa.ipc.open_stream(buffer) as stream:
                batches = list(stream)
                for batch in batches if self._check is not None else ():
                    batch.validate()
                    for column in batch.columns:
                        assert self._check is not None
                        self._check(column)
                return pa.Table.from_batches(batches, stream.schema)
        except (pa.ArrowException, OSError, ValueError, struct.error) as error:
            raise Damaged(f"part {number} is no table: {error}") from error

    def _part_bytes(self, number: Any) -> tuple[list[Any], memoryview]:
        """Return the description of a part, and its bytes."""
        if type(number) is not int or not 0 <= number < len(self._parts):
            raise Damaged(f"there is no part {number!r}")
        about = self._parts[number]
        if type(about) is not list or len(about) < 3 or type(about[0]) is not int or type(about[1]) is not int:
            raise Damaged(f"part {number} is not described")
        start, length = about[:2]
        if start < 0 or length < 0 or start % ALIGNED or start + length > len(self._data):
            raise Damaged(f"part {number} lies outside the file")
        return about, self._data[start : start + length]


def _check_plain(buffer: pa.Buffer) -> None:
    """Raise Damaged if an IPC stream has compressed buffers, which could claim any unpacked size."""
    messages = pa.ipc.MessageReader.open_stream(buffer)
    while True:
        try:
            message = messages.read_next_message()
        except StopIteration:
            return
        if message.type in (_DICTIONARY, _BATCH) and _is_compressed(
            memoryview(message.metadata), message.type == _DICTIONARY
        ):
            raise Damaged("compressed buffers, which no run writes")


def _is_compressed(message: memoryview, dictionary: bool) -> bool:
    """Return True if the flatbuffer of an IPC message names a compression."""

    def number(code: str, at: int) -> int:
        found: int = struct.unpack_from(code, message, at)[0]
        return found

    def field(table: int, slot: int) -> int | None:
        """Return the offset of a field of a table, or None if the table does not have it."""
        vtable = table - number("<i", table)
        entry = 4 + 2 * slot
        if entry + 2 > number("<H", vtable):
            return None
        offset = number("<H", vtable + entry)
        return table + offset if offset else None

    def table_number(at: int | None) -> int:
        """Return the offset of the table to which a field refers."""
        if at is None:
            raise Damaged("a message without a header")
        return at + number("<I", at)

    header = table_number(field(number("<I", 0), 2))
    batch = table_number(field(header, 1)) if dictionary else header
    return field(batch, 3) is not None


def cut(data: memoryview) -> list[memoryview]:
    """Split bytes into consecutive blocks of PIECE bytes."""
    return [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
