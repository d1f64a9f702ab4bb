"""Changes to rows while they are copied: new texts in some rows, bad rows left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.io.arrays import from_plain_type, opened_type, select_rows, to_plain_type
from quchong.io.nested.arrays import element_type, may_be_text
from quchong.io.nested.path import Key, Step, parse_path
from quchong.io.nested.replacing import NoPlaceError, new_values, with_values


def among(rows: npt.NDArray[np.int64] | None, first: int, count: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the `count` rows from `first` on: True for rows in `rows` (ascending); all False if `rows` is None."""
    found = np.zeros(count, np.bool_)
    if rows is not None:
        found[rows[slice(*np.searchsorted(rows, (first, first + count)))] - first] = True
    return found


def rewritten(
    batch: pa.RecordBatch, first: int, texts: Mapping[int, str], key: str, mask: npt.NDArray[np.bool_]
) -> pa.RecordBatch:
    """Return the rows of a batch that a mask chooses; some get new texts.

    Args:
        batch: rows of a source; the first is row `first` of the source.
        texts: the new texts by row of the source.
        key: the text column.
        mask: bool (rows,), the rows that are returned.
    """
    rows = range(first, first + len(batch))
    changed = [row in texts for row in rows]
    if any(changed):
        root, steps = root_and_steps(key, batch.schema.names)
        place = batch.schema.get_field_index(root)
        if place < 0 or not takes_texts(batch.schema.field(place).type, steps):
            raise no_plain_texts(key)
        kind = batch.schema.field(place).type
        if steps or pa.types.is_nested(opened_type(kind)):
            new = _with_new_values(
                batch.column(place), {k: texts[row] for k, row in enumerate(rows) if row in texts}, steps, key
            )
            columns = [*batch.columns[:place], new, *batch.columns[place + 1 :]]
            return select_rows(pa.RecordBatch.from_arrays(columns, schema=batch.schema), mask)
        plain = to_plain_type(batch.column(place))
        mine = pa.array([texts[row] for row in rows if row in texts], plain.type)
        try:
            new = from_plain_type(pc.replace_with_mask(plain, pa.array(changed), mine), kind)
        except pa.ArrowInvalid as error:  # indices too small for the texts there are now
            raise UsageError(
                "column {!r} has the type {}, which cannot store the shortened texts: cast it to string", key, kind
            ) from error
        columns = [*batch.columns[:place], new, *batch.columns[place + 1 :]]
        batch = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    return select_rows(batch, mask)


def _with_new_values(column: pa.Array, texts: Mapping[int, str], steps: Sequence[Step], key: str) -> pa.Array:
    """Return a nested column with new texts in some of its rows; `texts` are in row order."""
    parts, at = [], 0
    try:
        values = ((row, column[row].as_py(), text) for row, text in texts.items())
        new = pa.array([with_values(old, new_values(old, steps, text)) for _, old, text in values], column.type)
        for number, row in enumerate(texts):  # slices, as string views cannot be taken by index
            parts += [column.slice(at, row - at), new.slice(number, 1)]
            at = row + 1
        return pa.concat_arrays([*parts, column.slice(at)])
    except (NoPlaceError, pa.ArrowException, TypeError, ValueError):
        raise no_plain_texts(key) from None


def root_and_steps(key: str, names: Sequence[str]) -> tuple[str, tuple[Step, ...]]:
    """Return the column of a text and the steps that lead from its values to the text, none if the column has the very name."""
    path = None if key in names else parse_path(key)
    return (key, ()) if path is None else (path.root, path.steps)


def takes_texts(kind: pa.DataType, steps: Sequence[Step]) -> bool:
    """Return True if other texts can be written into the values of a column: it has no maps, and no step leads into a string."""
    opened = opened_type(kind)
    if _has_map(opened):
        return False
    if not steps:
        return may_be_text(opened) or pa.types.is_null(opened)
    if isinstance(steps[0], Key):
        return pa.types.is_struct(opened) and all(
            takes_texts(field.type, steps[1:]) for field in opened if field.name == steps[0].name
        )
    element = element_type(opened)
    return element is not None and takes_texts(element, steps[1:])


def _has_map(kind: pa.DataType) -> bool:
    """Return True if values of a type hold maps, which come back from Python in another form."""
    if pa.types.is_map(kind):
        return True
    element = element_type(kind)
    inner = list(kind) if pa.types.is_struct(kind) else []
    return any(_has_map(opened_type(one.type)) for one in inner) or (
        element is not None and _has_map(opened_type(element))
    )


def no_plain_texts(key: str) -> UsageError:
    """Return the error that no other text can be written in place of these texts, such as texts inside JSON strings."""
    return UsageError(
        "the texts {!r} are inside JSON strings or maps, so a changed text cannot be written there: write the "
        "texts into a separate column first",
        key,
    )


def noted_rows(notes: pa.Table, bad: npt.NDArray[np.int64] | None) -> npt.NDArray[np.bool_]:
    """Return a mask of the records that `Source.annotate` writes, bool (records,).

    Records in `bad` are left out. If `bad` is None (unknown), records whose notes are all null are left out.
    """
    good = np.ones(notes.num_rows, bool)
    if bad is not None:
        good[bad[bad < notes.num_rows]] = False
        return good
    blank = np.ones(notes.num_rows, bool)
    for column in notes.columns:
        blank &= column.is_null().to_numpy()
    return ~blank
