"""Batches of documents: assembly from columns, joined text columns, and the fallback for missing texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from quchong.findings import BETWEEN, LETTERED
from quchong.io.source import WantedColumns
from quchong.tables import DOCUMENTS


def assemble(
    wanted: WantedColumns,
    rows: npt.NDArray[np.int64],
    ids: pa.Array,
    text: pa.Array,
    extra: Sequence[pa.Array],
    whole_numbers: bool = False,
) -> pa.RecordBatch:
    """Assemble a batch of documents from its columns; extra columns keep their types.

    `whole_numbers` says that all ids were whole numbers in the input. `ids` then holds them in decimal, and `numbered` is true of
    the batch.
    """
    fields = [pa.field(name, values.type) for name, values in zip(wanted.extra, extra, strict=True)]
    own = [
        field.with_metadata(_WHOLE_NUMBERS) if whole_numbers and field.name == "id" else field for field in DOCUMENTS
    ]
    return pa.record_batch([pa.array(rows, pa.int64()), ids, text, *extra], schema=pa.schema([*own, *fields]))


_WHOLE_NUMBERS = {b"came as": b"whole number"}


def numbered(documents: pa.RecordBatch) -> bool:
    """Return True if all ids of the batch were whole numbers in the input."""
    return bool(documents.schema.field("id").metadata == _WHOLE_NUMBERS)


def whole_numbers(ids: pa.Array) -> bool:
    """Return True if all ids are integers of 64 bits in canonical decimal form."""
    try:
        return bool(ids.cast(pa.int64()).cast(ids.type).equals(ids))
    except pa.ArrowInvalid:
        return False


def stood_in(text: pa.Array, instead: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return two columns such that each row has either its text or its fallback (`instead`), and null in the other.

    The fallback is used if the text is null or blank; the text then is "". Otherwise the fallback is null. A row without a fallback
    keeps its text, even if that is null or blank.
    """
    if instead.null_count == len(instead):
        return text, instead
    taken = pc.and_(blank(text), instead.is_valid())
    empty = pa.scalar("", pa.large_string())
    return pc.if_else(taken, empty, text), pc.if_else(taken, instead, pa.scalar(None, instead.type))


BLANK = " \t\n\v\f\r"
"""Characters of which a blank text consists."""


def blank(text: pa.Array) -> pa.Array:
    """Return a mask of the texts that are null or have only `BLANK` characters."""
    return pc.fill_null(pc.equal(pc.ascii_trim_whitespace(text), ""), True)


def join_cells(texts: Sequence[str]) -> str:
    """Join the texts of one row as `join_texts` does; an empty text for none."""
    joined = texts[0] if texts else ""
    for text in texts[1:]:
        both = any(map(str.isalnum, joined)) and any(map(str.isalnum, text))
        joined = f"{joined}{BETWEEN if both else chr(10)}{text}"
    return joined


def join_texts(texts: Sequence[pa.Array]) -> pa.Array:
    """Join text columns with line feeds; nulls are left out, and a row of nulls only becomes an empty text.

    Between two texts that both have a letter or digit stands the letter BORDER, so that rows whose columns end elsewhere are no copies.
    """
    joined = texts[0]
    for column in texts[1:]:
        both = pc.and_(pc.match_substring_regex(joined, LETTERED), pc.match_substring_regex(column, LETTERED))
        between = pc.if_else(both, pa.scalar(BETWEEN, pa.large_string()), pa.scalar("\n", pa.large_string()))
        pair = pc.binary_join_element_wise(joined, column, between)  # null where either is
        joined = pc.coalesce(pair, joined, column)
    return joined if len(texts) == 1 else pc.fill_null(joined, "")
