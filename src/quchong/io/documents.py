"""Batches of documents: put together from columns, texts joined or stood in for, rows in the order asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io.arrays import taken
from quchong.io.source import Wanted
from quchong.tables import DOCUMENTS


def assemble(
    wanted: Wanted,
    rows: npt.NDArray[np.int64],
    ids: pa.Array,
    text: pa.Array,
    extra: Sequence[pa.Array],
    whole_numbers: bool = False,
) -> pa.RecordBatch:
    """One batch of documents from its columns; the extra ones keep the types they come with.

    `whole_numbers` says that every id came as a whole number; `ids` has them in decimal, and `numbered` tells.
    """
    fields = [pa.field(name, values.type) for name, values in zip(wanted.extra, extra, strict=True)]
    own = [
        field.with_metadata(_WHOLE_NUMBERS) if whole_numbers and field.name == "id" else field for field in DOCUMENTS
    ]
    return pa.record_batch([pa.array(rows, pa.int64()), ids, text, *extra], schema=pa.schema([*own, *fields]))


_WHOLE_NUMBERS = {b"came as": b"whole number"}


def numbered(documents: pa.RecordBatch) -> bool:
    """Did every id of these documents come as a whole number?"""
    return bool(documents.schema.field("id").metadata == _WHOLE_NUMBERS)


def whole_numbers(ids: pa.Array) -> bool:
    """Are these whole numbers of 64 bits, written as such?"""
    try:
        return bool(ids.cast(pa.int64()).cast(ids.type).equals(ids))
    except pa.ArrowInvalid:
        return False


def stood_in(text: pa.Array, instead: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Texts and what stands in for them, one beside the other: "" where it does, null where it need not.

    It stands in for a null and for a blank text. A row with neither keeps its null text.
    """
    if instead.null_count == len(instead):
        return text, instead
    taken = pc.and_(blank(text), instead.is_valid())
    empty = pa.scalar("", pa.large_string())
    return pc.if_else(taken, empty, text), pc.if_else(taken, instead, pa.scalar(None, instead.type))


BLANK = " \t\n\v\f\r"
"""What a blank text consists of."""


def blank(text: pa.Array) -> pa.Array:
    """Mask of the texts that are null, or nothing but `BLANK`."""
    return pc.fill_null(pc.equal(pc.ascii_trim_whitespace(text), ""), True)


def joined(texts: Sequence[pa.Array]) -> pa.Array:
    """Several text columns as one, a line feed between; nulls are left out, and all null gives an empty text."""
    if len(texts) == 1:
        return texts[0]
    none = texts[0].is_null()
    for column in texts[1:]:
        none = pc.and_(none, column.is_null())
    # Arrow forgets a row in which it finds nothing to join
    texts = [pc.if_else(none, pa.scalar("", pa.large_string()), texts[0]), *texts[1:]]
    return pc.binary_join_element_wise(*texts, pa.scalar("\n", pa.large_string()), null_handling="skip")


def in_order(batches: Sequence[pa.RecordBatch], schema: pa.Schema, rows: Sequence[int]) -> pa.Table:
    """The rows asked for, in the order asked for, out of batches that hold them in any order."""
    table = pa.Table.from_batches(batches, schema=schema)
    place = {row: index for index, row in enumerate(table.column("row").to_pylist())}
    return taken(table, [place[row] for row in rows if row in place])
