"""Changes to rows while they are copied: new texts in some rows, bad rows left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.io.arrays import from_plain_type, opened_type, select_rows, to_plain_type


def among(rows: npt.NDArray[np.int64] | None, first: int, count: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the `count` rows from `first` on: True for rows in `rows` (ascending); all False if `rows` is None."""
    found = np.zeros(count, np.bool_)
    if rows is not None:
        found[rows[slice(*np.searchsorted(rows, (first, first + count)))] - first] = True
    return found


def rewritten(
    batch: pa.RecordBatch, first: int, texts: Mapping[int, str], key: str, mask: npt.NDArray[np.bool_]
) -> pa.RecordBatch:
    """Return the rows of a batch that a mask chooses, with new texts in some of them.

    Args:
        batch: rows of a source; the first is row `first` of the source.
        texts: the new texts by row of the source.
        key: the text column.
        mask: bool (rows,), the rows that are returned.
    """
    rows = range(first, first + len(batch))
    changed = [row in texts for row in rows]
    if any(changed):
        place = batch.schema.get_field_index(key)
        if place < 0 or pa.types.is_nested(opened_type(batch.schema.field(place).type)):
            raise no_plain_texts(key)
        kind = batch.schema.field(place).type
        plain = to_plain_type(batch.column(place))
        mine = pa.array([texts[row] for row in rows if row in texts], plain.type)
        try:
            new = from_plain_type(pc.replace_with_mask(plain, pa.array(changed), mine), kind)
        except pa.ArrowInvalid as error:  # indices too small for the texts there are now
            raise UsageError(
                "column {!r} is {}, which cannot hold the texts cut: cast it to string", key, kind
            ) from error
        columns = [*batch.columns[:place], new, *batch.columns[place + 1 :]]
        batch = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    return select_rows(batch, mask)


def no_plain_texts(key: str) -> UsageError:
    """Return the error about texts within a column, such as the turns of a chat, in whose place no other text can be written."""
    return UsageError(
        "{!r} is no column of plain texts, and its rows cannot be written with parts of the texts cut: write the texts into a column of "
        "their own first",
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
