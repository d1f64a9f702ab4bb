"""Values at a path within Arrow columns: structs, lists, maps and JSON in strings; and texts of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io.arrays import is_text, opened_type, to_plain_type
from quchong.io.nested.path import Each, Index, Key, Step
from quchong.io.nested.values import TURN_TEXTS, Mismatched, join_lines, string_of, text_of, values_at

LARGE = pa.large_string()


def type_at(kind: pa.DataType, steps: Sequence[Step]) -> pa.DataType | None:
    """Return the type of the values at a path in a column of some type; None if the path does not exist there.

    Within strings, which may hold JSON, and within maps every path may exist; its values are strings.
    """
    kind = opened_type(kind)
    if not steps or pa.types.is_null(kind):
        return kind
    if is_text(kind) or pa.types.is_map(kind):
        return LARGE
    step, rest = steps[0], steps[1:]
    if isinstance(step, Key):
        place = kind.get_field_index(step.name) if pa.types.is_struct(kind) else -1
        return None if place < 0 else type_at(kind.field(place).type, rest)
    element = element_type(kind)
    return None if element is None else type_at(element, rest)


def element_type(kind: pa.DataType) -> pa.DataType | None:
    """Return the type of the elements of a list of any layout; None for other types."""
    kinds = pa.types
    checks = kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list, kinds.is_list_view, kinds.is_large_list_view
    return kind.value_type if any(check(kind) for check in checks) else None


def may_be_text(kind: pa.DataType) -> bool:
    """Return True if values of a type are texts, lists of texts, or lists of turns of a chat, see `values.text_of`."""
    kind = opened_type(kind)
    if is_text(kind) or pa.types.is_null(kind):
        return True
    element = element_type(kind)
    if element is None:
        return False
    element = opened_type(element)
    return bool(_turn_fields(element)) if pa.types.is_struct(element) else may_be_text(element)


def column_at(
    column: pa.Array, steps: Sequence[Step], name: str, as_text: bool
) -> tuple[pa.Array, dict[int, Mismatched]]:
    """Return the values of a column at a path, and by row the reasons of those that cannot be read, which are null.

    Several values of a row are joined by line breaks. With `as_text` the values are texts (`values.text_of`).

    Args:
        column: the root of the path, of a type in which the path exists (`type_at`).
        steps: steps of the path; none for the texts of the column itself.
        name: the path, for messages.
        as_text: True if texts are wanted.
    """
    try:
        return _array_at(column, steps, as_text), {}
    except (_OneByOneError, pa.ArrowNotImplementedError):
        return _one_by_one(column, steps, name, as_text)


class _OneByOneError(Exception):
    """Error: a column has to be read value by value."""


def _array_at(column: pa.Array, steps: Sequence[Step], as_text: bool) -> pa.Array:
    if not steps:
        return _texts(column) if as_text else to_plain_type(column)
    if pa.types.is_null(column.type):
        return column
    column = _open_type(column)
    step, rest = steps[0], steps[1:]
    if isinstance(step, Key):
        if not pa.types.is_struct(column.type):
            raise _OneByOneError
        return _array_at(pc.struct_field(column, [column.type.get_field_index(step.name)]), rest, as_text)
    if element_type(column.type) is None:
        raise _OneByOneError
    inner, counts = column.flatten(), _counts(column)
    values = _array_at(inner, rest, as_text)
    if isinstance(step, Index):
        ends = np.cumsum(counts)
        here = (step.number < counts) & (step.number >= -counts)
        places = ends - counts + step.number if step.number >= 0 else ends + step.number
        return values.take(pa.array(np.where(here, places, 0), mask=~here))
    if not (is_text(values.type) or pa.types.is_integer(values.type) or pa.types.is_null(values.type)):
        raise _OneByOneError
    chosen = None if step.key is None else _with_value(inner, step.key, step.value)
    return _join_texts(values.cast(LARGE), counts, chosen)


def _texts(column: pa.Array) -> pa.Array:
    """Return the texts of a column of strings, or of lists of texts or turns (`values.text_of`)."""
    column = to_plain_type(column)
    if is_text(column.type) or pa.types.is_null(column.type):
        return column.cast(LARGE)
    if element_type(column.type) is None:
        raise _OneByOneError
    inner, counts = _open_type(column.flatten()), _counts(column)
    if not pa.types.is_struct(inner.type):
        return _join_texts(_texts(inner), counts)
    fields = [_texts(pc.struct_field(inner, [place])) for place in _turn_fields(inner.type)]
    return _join_texts(pc.coalesce(*fields) if len(fields) > 1 else fields[0], counts)


def _turn_fields(kind: pa.DataType) -> list[int]:
    """Return the indices of the fields of a struct that may hold the text of a turn, the first to be looked at first."""
    places = [place for place in map(kind.get_field_index, TURN_TEXTS) if place >= 0]
    return [place for place in places if may_be_text(kind.field(place).type)]


def _open_type(column: pa.Array) -> pa.Array:
    """Return a column without dictionary, run-end encoding or extension."""
    return column if opened_type(column.type) == column.type else to_plain_type(column)


def _counts(column: pa.Array) -> npt.NDArray[np.int64]:
    """Return the number of elements of each list, 0 for null."""
    return np.asarray(pc.fill_null(pc.list_value_length(column), 0)).astype(np.int64)


def _with_value(inner: pa.Array, key: str, value: str) -> npt.NDArray[np.bool_]:
    """Return a mask of the structs whose field has a value, compared as text."""
    inner = _open_type(inner)
    place = inner.type.get_field_index(key) if pa.types.is_struct(inner.type) else -1
    if place < 0:
        if pa.types.is_struct(inner.type) or pa.types.is_null(inner.type):
            return np.zeros(len(inner), bool)
        raise _OneByOneError
    found = to_plain_type(pc.struct_field(inner, [place]))
    if not (is_text(found.type) or pa.types.is_integer(found.type) or pa.types.is_null(found.type)):
        raise _OneByOneError
    return np.asarray(pc.fill_null(pc.equal(found.cast(LARGE), value), False))


def _join_texts(
    values: pa.Array, counts: npt.NDArray[np.int64], chosen: npt.NDArray[np.bool_] | None = None
) -> pa.Array:
    """Join the texts of each row by line breaks, without nulls; null for a row without a text.

    Args:
        values: large_string, the texts of all rows one after another.
        counts: int64 (rows,), the number of texts of each row.
        chosen: mask of the texts that count; None for all.
    """
    parents = np.repeat(np.arange(len(counts)), counts)
    valid = np.asarray(values.is_valid()) if chosen is None else chosen & np.asarray(values.is_valid())
    if not valid.all():
        values, parents = values.filter(pa.array(valid)), parents[valid]
    sizes = np.bincount(parents, minlength=len(counts))
    if (sizes == 1).all():
        return values
    offsets = pa.array(np.append(0, np.cumsum(sizes)).astype(np.int64))
    texts = pc.binary_join(pa.LargeListArray.from_arrays(offsets, values), pa.scalar("\n", LARGE))
    return pc.if_else(pa.array(sizes > 0), texts, pa.scalar(None, LARGE))


def _one_by_one(
    column: pa.Array, steps: Sequence[Step], name: str, as_text: bool
) -> tuple[pa.Array, dict[int, Mismatched]]:
    """See `column_at`; values are read as objects of Python, so that strings that hold JSON and maps are followed."""
    found: list[Any] = []
    wrong: dict[int, Mismatched] = {}
    many = any(isinstance(step, Each) for step in steps)
    for row, value in enumerate(column.to_pylist(maps_as_pydicts="lossy")):
        try:
            found.append(value_of(value, steps, name, many, as_text))
        except Mismatched as error:
            wrong[row] = error
            found.append(None)
    return pa.array(found if as_text else [string_of(value) for value in found], LARGE), wrong


def value_of(value: Any, steps: Sequence[Step], name: str, many: bool, as_text: bool) -> Any:
    """Return what a path finds in the value of its root: one value, several joined by line breaks, or None.

    Args:
        value: value of the root.
        steps, name, as_text: see `column_at`.
        many: True if there may be several values (`ColumnPath.is_many`).

    Raises:
        Mismatched: a value is of another kind than the path wants, or no text.
    """
    values = values_at(value, steps, name)
    if as_text:
        return join_lines(text_of(one, name) for one in values)
    if many:
        return join_lines(string_of(one) for one in values)
    return values[0] if values else None
