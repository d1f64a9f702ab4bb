"""What the fuzzer of readers throws in Arrow's own form: arrays whose buffers, lengths and types lie, and the ways of handing them over."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
from reader_inputs import LARGE, arrow, table

from quchong.io import capsules

OTHER_TYPES: dict[int, list[pa.DataType]] = {
    2: [pa.int8(), pa.int64(), pa.float64(), pa.bool_(), pa.date32(), pa.date64(), pa.decimal128(9, 2), pa.timestamp("s", "UTC"),
        pa.binary(5)],
    3: [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view()],
}  # fmt: skip
"""Types with as many buffers and no children, which an array is said to have instead of its own."""


class Wrapper:
    """An object that has `__arrow_c_stream__` and nothing else, as other libraries hand data over.

    Args:
        inner: what the stream is of
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The stream of what is inside."""
        return self._inner.__arrow_c_stream__(requested_schema)


class LyingStream:
    """An object whose stream says other things of its arrays than are true.

    Args:
        inner: what the stream is of
        change: changes each array of the stream, given as the structure of the C interface, before it is handed over
    """

    def __init__(self, inner: Any, change: Callable[[Any], None]) -> None:
        self._inner, self._change, self._held = inner, change, []

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The stream, with another function that gives the next array."""
        capsule = self._inner.__arrow_c_stream__(requested_schema)
        stream = capsules._Stream.from_address(capsules._pointer_in(capsule, b"arrow_array_stream"))
        kind = type(stream.get_next)
        true_next = ctypes.cast(stream.get_next, kind)

        def get_next(stream_address: int, array_address: int) -> int:
            code = true_next(stream_address, array_address)
            array = capsules._Array.from_address(array_address)
            if not code and array.release:
                self._change(array)
            return int(code)

        self._held += [true_next, kind(get_next)]
        stream.get_next = self._held[-1]
        return capsule


def lie(dice: random.Random, array: Any) -> None:
    """Change one number of an array of the C interface, or of what is in it: a length, an offset, a count or an address."""
    while dice.random() < 0.7 and (array.n_children or array.dictionary):
        inner = array.dictionary if not array.n_children else array.children[dice.randrange(array.n_children)]
        array = inner.contents
    how = dice.randrange(6)
    if how < 3:
        name = ("length", "offset", "null_count")[how]
        value = getattr(array, name)
        setattr(array, name, dice.choice([*LARGE, value + 1, value - 1, 2 * value, 100_000]))
    elif how < 5 and array.n_buffers:
        index = dice.randrange(array.n_buffers)
        array.buffers[index] = dice.choice(
            [None, None, 8, 2**47 - 4096, 2**63 + 8, (array.buffers[index] or 4096) + (1 << 40)]
        )
    elif how == 5:
        array.n_buffers = dice.choice([0, 1, array.n_buffers - 1, -1])


def stream(dice: random.Random) -> Any:
    """A damaged Arrow stream or file as one of the objects that PyArrow reads it with, or behind the C interface.

    Raises:
        pa.ArrowException, OSError, UnicodeDecodeError: PyArrow itself sees the damage where the object is made
    """
    if dice.random() < 0.3:
        opened = pa.ipc.open_file(arrow(dice, "file"))
        return handed_over(dice, pa.Table.from_batches([opened.get_batch(n) for n in range(opened.num_record_batches)]))
    reader = pa.ipc.open_stream(arrow(dice, "stream"))
    how = dice.randrange(4)
    if how == 0:
        return reader
    return Wrapper(reader) if how == 1 else handed_over(dice, reader.read_all())


def arrays(dice: random.Random) -> Any:
    """A table of arrays that lie, handed over in some way.

    Raises:
        pa.ArrowException, ValueError, UnicodeDecodeError: PyArrow itself refuses to make one
    """
    whole = table(dice, dice.choice([1, 3, 7])).combine_chunks()
    if not whole.num_columns:
        return handed_over(dice, whole)
    batch = whole.to_batches()[0]
    size = batch.num_rows
    later: list[Callable[[], None]] = []
    columns = [lying(dice, column, dice.choice([0, 1, 1, 2]), later) for column in batch.columns]
    for change in later:
        change()
    if any(len(column) != size for column in columns):
        return handed_over(dice, pa.chunked_array([dice.choice(columns)]))
    return handed_over(
        dice, pa.Table.from_batches([pa.RecordBatch.from_arrays(columns, schema=_schema(columns, whole))])
    )


def _schema(columns: list[pa.Array], like: pa.Table) -> pa.Schema:
    return pa.schema([pa.field(name, column.type) for name, column in zip(like.column_names, columns, strict=True)])


def handed_over(dice: random.Random, given: Any) -> Any:
    """The table or column itself, in slices, or in one of the other objects that hold it."""
    rows = len(given)
    if rows and dice.random() < 0.2:
        given = given.slice(dice.randrange(rows), dice.randrange(rows + 1))
    if isinstance(given, pa.ChunkedArray):
        return given if dice.random() < 0.6 else Wrapper(given)
    ways: list[Callable[[], Any]] = [
        lambda: given,
        lambda: given,
        given.to_reader,
        lambda: Wrapper(given),
        lambda: LyingStream(given, lambda array: lie(dice, array)),
        lambda: ds.dataset(given),
        lambda: given.column(dice.randrange(given.num_columns)) if given.num_columns else given,
        lambda: (given.to_batches() or [given])[0],
    ]
    return dice.choice(ways)()


def lying(dice: random.Random, array: pa.Array, lies: int, later: list[Callable[[], None]]) -> pa.Array:
    """The array made again with so many lies, some of which are told `later`, as PyArrow would see them at once.

    They are numbers in its buffers, their sizes, its length, offset, null count, type or children, at any depth. Left out is what
    PyArrow ends the process for where the array is made, before anybody gets it: nulls among the keys of a map or the ends of
    runs, validity of unions, children of other types than stated.
    """
    if not lies:
        return array
    if isinstance(array, pa.ExtensionArray):
        return pa.ExtensionArray.from_storage(
            array.type, _of_type(lying(dice, array.storage, lies, later), array.type.storage_type)
        )
    if isinstance(array, pa.DictionaryArray):
        if dice.random() < 0.5:
            indices = lying(dice, array.indices, lies, later)
            return pa.DictionaryArray.from_arrays(
                _of_type(indices, array.type.index_type), array.dictionary, safe=False
            )
        return pa.DictionaryArray.from_arrays(array.indices, lying(dice, array.dictionary, lies, later), safe=False)
    kind, length, offset = array.type, len(array), array.offset
    children = _children(array)
    own: list[pa.Buffer | None] = array.buffers()[: _own_buffers(array)]
    strict = pa.types.is_map(kind) or pa.types.is_union(kind) or pa.types.is_run_end_encoded(kind)
    if children and dice.random() < 0.5 and not pa.types.is_map(kind):
        index = dice.randrange(len(children))
        child = lying(dice, children[index], lies, later)
        if pa.types.is_run_end_encoded(kind) and index == 0 and child.buffers()[0] is not None:
            child = children[0]
        children[index] = _of_type(child, children[index].type)
    else:
        for _ in range(lies):
            how = dice.randrange(10)
            if how < 6 and own:
                index = dice.randrange(int(strict), max(len(own), int(strict) + 1))
                if index < len(own):
                    own[index] = _lying_buffer(dice, own[index], later, may_be_missing=index != 1)
            elif how == 6:
                length = dice.choice([length + 1, length + 1000, max(length - 1, 0), 0, 2**31, 2**40])
            elif how == 7:
                offset = dice.choice([offset + 1, 5, 1000, 2**31])
            elif how == 8 and not children:
                kind = dice.choice(OTHER_TYPES.get(len(own), [kind]))
            elif how == 9 and children and not strict:
                index = dice.randrange(len(children))
                children[index] = pa.nulls(dice.randrange(3), children[index].type)
    nulls = -1 if strict else dice.choice([-1, -1, -1, 0, 1, length])
    return pa.Array.from_buffers(kind, length, own, nulls, offset, children or None)


def _of_type(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The array if it is still of this type, else nulls of it."""
    return array if array.type == kind else pa.nulls(len(array) if len(array) < 100 else 1, kind)


def _children(array: pa.Array) -> list[pa.Array]:
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        return [array.run_ends, array.values]
    if pa.types.is_map(kind):
        return [pa.StructArray.from_arrays([array.keys, array.items], fields=[kind.key_field, kind.item_field])]
    if pa.types.is_struct(kind) or pa.types.is_union(kind):
        return [array.field(index) for index in range(kind.num_fields)]
    return [array.values] if pa.types.is_nested(kind) else []


def _own_buffers(array: pa.Array) -> int:
    if pa.types.is_string_view(array.type) or pa.types.is_binary_view(array.type):
        return len(array.buffers())
    return int(array.type.num_buffers)


def _lying_buffer(
    dice: random.Random, buffer: pa.Buffer | None, later: list[Callable[[], None]], *, may_be_missing: bool
) -> pa.Buffer | None:
    """The buffer with a number changed, cut short, longer, empty or missing (PyArrow ends the process where some are, when the
    array is made).
    """
    if buffer is None:
        return dice.choice([None, pa.py_buffer(b""), pa.py_buffer(dice.randbytes(2))])
    data, how = bytearray(buffer.to_pybytes()[:4096]), dice.randrange(8)
    if how == 0:
        return None if may_be_missing else buffer
    if how == 1:
        return pa.py_buffer(b"")
    if how == 2:
        return pa.py_buffer(bytes(data[: dice.randrange(len(data) + 1)]))
    if how == 3:
        return pa.py_buffer(bytes(data) + dice.randbytes(8))
    width = dice.choice([1, 2, 4, 4, 8])
    at = dice.randrange(len(data) // width + 1) * width
    number = (dice.choice([*LARGE, 3, 255, len(data)]) & (256**width - 1)).to_bytes(width, "little")[: len(data) - at]
    held = np.frombuffer(data, np.uint8)

    def change() -> None:
        held[at : at + len(number)] = np.frombuffer(number, np.uint8)

    later.append(change)
    return pa.py_buffer(held)
