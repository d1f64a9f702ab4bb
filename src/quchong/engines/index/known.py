"""Documents of an index brought together with those that arrive, as a method compares them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.index.arriving import Arrived
from quchong.engines.index.document_store import COMPRESSED, EDITED, MOST_RATIO, Row, damaged_document
from quchong.io.arrays import as_strings
from quchong.kernels.arrays import Texts, texts_of
from quchong.plan.plan import Plan
from quchong.seam import Documents
from quchong.text import Edit

_CODEC = pa.Codec("zstd", 1)
_LEAST_COMPRESSED = 200
"""Texts shorter than this many bytes are stored as they are."""


def packed_text(text: str) -> tuple[bytes, int, int]:
    """Return a text as stored: its bytes, its size before compression, and the mark COMPRESSED or 0."""
    plain = text.encode()
    if len(plain) >= _LEAST_COMPRESSED:
        small = _CODEC.compress(plain, asbytes=True)
        if len(small) < len(plain):
            return small, len(plain), COMPRESSED
    return plain, len(plain), 0


def original_text(row: Row) -> str | None:
    """Return the original text of a document in the catalogue; None if the index does not keep texts.

    Raises:
        DamagedRow: the document is not as it was stored.
    """
    if row.text is None:
        return None
    row.check()
    try:
        if not row.marks & COMPRESSED:
            return row.text.decode()
        if row.size > MOST_RATIO * max(1, len(row.text)):  # no memory is taken for a size that is forged
            raise damaged_document(row.number)
        return bytes(_CODEC.decompress(row.text, row.size)).decode()
    except (OSError, ValueError, TypeError, AttributeError, OverflowError) as error:  # Arrow's are OSErrors
        raise damaged_document(row.number) from error


@dataclass(frozen=True, slots=True)
class Together:
    """Documents of an index and of a batch, as one list: the batch first.

    Attributes:
        documents: all, with the columns that the method needs.
        edits: the map of offsets to the original of each text that preparation changed, by its place in the list.
        place: place in the list of each number of a document of the index.
    """

    documents: Documents
    edits: dict[int, Edit]
    place: dict[int, int]


def bring_together(plan: Plan, arrived: Arrived | None, rows: Sequence[Row], workers: int | None = None) -> Together:
    """Return the documents of a batch and of the index as a method compares them; texts of the index are prepared again if need be.

    Raises:
        DamagedRow: a stored document is damaged.
    """
    texts = [original_text(row) or "" for row in rows]
    known = pa.array(texts, pa.large_string())
    edits: dict[int, Edit] = dict(arrived.edits) if arrived is not None else {}
    first = len(arrived) if arrived is not None else 0
    edited = [i for i, row in enumerate(rows) if row.marks & EDITED]
    if edited:
        some = plan.preparer.prepare(known.take(pa.array(edited)), workers)
        prepared = list(texts)
        for i, text in zip(edited, some.texts.to_pylist(), strict=True):
            prepared[i] = text
        edits.update({first + edited[i]: edit for i, edit in some.edits.items()})
        known = pa.array(prepared, pa.large_string())
    joined = texts_of([known])
    if arrived is not None:
        own = arrived.texts
        joined = Texts(
            np.concatenate([own.address, joined.address]), np.concatenate([own.length, joined.length]), own.owners + joined.owners
        )  # fmt: skip
    needs = plan.method.traits.needs
    columns: dict[str, pa.Array] = {}
    if needs:
        values = [columns_of(row) for row in rows]
        for name in needs:
            parts = [as_strings(arrived.columns[name])] if arrived is not None and name in arrived.columns else []
            if arrived is not None and not parts:
                parts = [pa.nulls(first, pa.large_string())]
            told = pa.array([_as_text(one.get(name)) for one in values], pa.large_string())
            columns[name] = pa.concat_arrays([*(joined_chunks(part) for part in parts), told])
    place = {row.number: first + i for i, row in enumerate(rows)}
    return Together(Documents(joined, columns), edits, place)


def columns_of(row: Row) -> dict[str, Any]:
    """Return the columns of a document that the catalogue has, by name."""
    if row.columns == "{}":  # nearly always
        return {}
    found = json.loads(row.columns)
    return found if isinstance(found, dict) else {}


def column_table(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> pa.Table:
    """Return columns of documents as a table of strings, null where a document has none."""
    large = pa.large_string()
    return pa.table({name: pa.array([_as_text(row.get(name)) for row in rows], large) for name in names})


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def joined_chunks(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column as one array."""
    return values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
