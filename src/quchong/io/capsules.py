"""Reader of streams of the Arrow C interface, which checks all addresses before Arrow uses them.

The interface passes addresses without sizes. Arrow computes the sizes from the lengths and offsets in the arrays, so that a wrong value
crashes the process. Here each array is checked before Arrow reads it: every buffer, up to the end given by lengths and last offsets, must
be in readable memory of this process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from quchong.io.process_memory import ProcessMemory
from quchong.languages import Message

_MOST = 2**56
"""Maximum elements or bytes of an array; a larger length is taken for an error."""


class _Schema(ctypes.Structure):
    """ArrowSchema of the C data interface, of which `format` and `release` are used."""

    _fields_ = (
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_void_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _Array(ctypes.Structure):
    """ArrowArray of the C interface."""


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    """ArrowArrayStream of the C data interface; its producer releases it."""

    _fields_ = (
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


_pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in.restype = ctypes.c_void_p
_pointer_in.argtypes = [ctypes.py_object, ctypes.c_char_p]


class CapsuleStream:
    """Iterable of the arrays of an object with `__arrow_c_stream__`.

    Attributes:
        schema: a Schema if the stream has columns, a Field if it is one column

    Raises:
        TypeError, ValueError: the object gives no stream, or the stream reports an error
    """

    def __init__(self, data: Any) -> None:
        self._capsule = data.__arrow_c_stream__()  # its end releases the stream
        self._address = _pointer_in(self._capsule, b"arrow_array_stream")
        self._stream = _Stream.from_address(self._address)
        if not self._stream.release:
            raise ValueError("the stream was read before")
        schema = _Schema()
        self._check(self._stream.get_schema(self._address, ctypes.addressof(schema)))
        kind: Any = pa.Schema if schema.format == b"+s" else pa.Field
        self.schema: pa.Schema | pa.Field = kind._import_from_c(ctypes.addressof(schema))

    def __iter__(self) -> Iterator[pa.RecordBatch | pa.Array]:
        """Yield the checked batches of the stream, or arrays if the stream is one column.

        Raises:
            ValueError: the stream reports an error
            pa.ArrowInvalid: an array reaches into memory that cannot be read
        """
        memory = ProcessMemory()
        table = isinstance(self.schema, pa.Schema)
        kind = pa.struct(list(self.schema)) if table else self.schema.type
        while True:
            array = _Array()
            self._check(self._stream.get_next(self._address, ctypes.addressof(array)))
            if not array.release:
                return
            try:
                _check_array(array, kind, memory)
            except BaseException:
                array.release(ctypes.addressof(array))
                raise
            if table:
                yield pa.RecordBatch._import_from_c(ctypes.addressof(array), self.schema)
            else:
                yield pa.Array._import_from_c(ctypes.addressof(array), kind)

    def _check(self, code: int) -> None:
        if code:
            said = self._stream.get_last_error(self._address)
            raise ValueError((said or b"error %d" % code).decode("utf-8", "replace"))


def _check_array(array: _Array, kind: pa.DataType, memory: ProcessMemory) -> None:
    """Raise ArrowInvalid if a buffer of the array, at any depth, is missing or not fully in readable memory."""
    while isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    count = array.length + array.offset
    if array.length < 0 or array.offset < 0 or count > _MOST:
        raise pa.ArrowInvalid(
            Message(
                "the data states an impossible size of an array: {:,} rows, from row {:,}", array.length, array.offset
            )
        )
    if pa.types.is_dictionary(kind):
        if not array.dictionary:
            raise pa.ArrowInvalid(Message("a dictionary is missing"))
        _check_array(array.dictionary.contents, kind.value_type, memory)
        kind = kind.index_type
    children = _child_types(kind)
    if array.n_children != len(children):
        raise pa.ArrowInvalid(
            Message("the array has {} children, but the type {} has {}", array.n_children, kind, len(children))
        )
    _check_buffers(array, kind, count, memory)
    if children:
        _check_range(ctypes.cast(array.children, ctypes.c_void_p).value, 8 * len(children), memory)
    for index, child in enumerate(children):
        if not array.children[index]:
            raise pa.ArrowInvalid(Message("a child array is missing"))
        _check_array(array.children[index].contents, child, memory)


def _child_types(kind: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_run_end_encoded(kind):
        return [kind.run_end_type, kind.value_type]
    return [kind.field(index).type for index in range(kind.num_fields)] if pa.types.is_nested(kind) else []


def _check_buffers(array: _Array, kind: pa.DataType, count: int, memory: ProcessMemory) -> None:
    """Raise ArrowInvalid if a buffer of this array itself is missing or not readable; its buffers have `count` elements."""
    sizes = _fixed_sizes(kind, count)
    view = pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)
    text = pa.types.is_string(kind) or pa.types.is_binary(kind)
    large = pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)
    least = len(sizes) + int(view or text or large)
    if array.n_buffers < least or (array.n_buffers > least and not view):
        raise pa.ArrowInvalid(
            Message("the array has {} buffers, which does not fit the type {}", array.n_buffers, kind)
        )
    addresses = _addresses(array, memory)  # read once: what lies behind a count that is wrong may change
    optional = _has_validity(kind)
    for index, size in enumerate(sizes):
        if not (index == 0 and optional and not addresses[0]):
            _check_range(addresses[index], size, memory)
    if (text or large) and array.length:
        width = ctypes.c_int64 if large else ctypes.c_int32
        last = width.from_address(_present(addresses[1]) + count * ctypes.sizeof(width)).value
        _check_range(addresses[2], last, memory)
    elif view and array.n_buffers > least:
        parts = array.n_buffers - least
        _check_range(addresses[-1], 8 * parts, memory)
        sizes_of_parts = list((ctypes.c_int64 * parts).from_address(_present(addresses[-1])))
        for address, size in zip(addresses[len(sizes) :], sizes_of_parts, strict=False):
            _check_range(address, size, memory)


def _addresses(array: _Array, memory: ProcessMemory) -> list[int | None]:
    """Return the addresses of the buffers of an array; ArrowInvalid if their list cannot be read."""
    _check_range(ctypes.cast(array.buffers, ctypes.c_void_p).value, 8 * array.n_buffers, memory)
    return array.buffers[: array.n_buffers] if array.n_buffers else []


def _present(address: int | None) -> int:
    if address is None:
        raise pa.ArrowInvalid(Message("the data names a buffer of {:,} bytes that does not exist", 0))
    return address


def _check_range(address: int | None, size: int, memory: ProcessMemory) -> None:
    if size < 0 or size > _MOST or (size and not (address and memory.holds(address, size))):
        raise pa.ArrowInvalid(Message("the data names a buffer of {:,} bytes that does not exist", size))


def _has_validity(kind: pa.DataType) -> bool:
    return not (pa.types.is_null(kind) or pa.types.is_union(kind) or pa.types.is_run_end_encoded(kind))


def _fixed_sizes(kind: pa.DataType, count: int) -> list[int]:
    """Return the sizes in bytes of the buffers whose size follows from the number of elements, in order."""
    if pa.types.is_null(kind) or pa.types.is_run_end_encoded(kind):
        return []
    if pa.types.is_union(kind):
        return [count] if kind.mode == "sparse" else [count, 4 * count]
    return [(count + 7) // 8, *_value_sizes(kind, count)]


def _value_sizes(kind: pa.DataType, count: int) -> list[int]:
    is_ = pa.types
    if is_.is_struct(kind) or is_.is_fixed_size_list(kind):
        return []
    if is_.is_list_view(kind) or is_.is_large_list_view(kind):
        return [(8 if is_.is_large_list_view(kind) else 4) * count] * 2
    if is_.is_string_view(kind) or is_.is_binary_view(kind):
        return [16 * count]
    offsets = 0 if not count else count + 1
    if is_.is_large_string(kind) or is_.is_large_binary(kind) or is_.is_large_list(kind):
        return [8 * offsets]
    if is_.is_string(kind) or is_.is_binary(kind) or is_.is_list(kind) or is_.is_map(kind):
        return [4 * offsets]
    return [(kind.bit_width * count + 7) // 8]
