"""Documents of an index brought together with those that arrive, as a method compares them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.index.arriving import Arrived
from quchong.engines.index.document_store import EDITED, Row
from quchong.engines.index.stored_texts import original_texts
from quchong.io.arrays import as_strings
from quchong.kernels.arrays import Texts, texts_of
from quchong.plan.plan import Plan
from quchong.seam import Documents
from quchong.text import Edit


@dataclass(frozen=True, slots=True)
class Together:
    """Documents of a batch followed by documents of an index, as one list for comparison.

    Attributes:
        documents: all, with the columns that the method needs.
        edits: the map of offsets to the original of each text that preparation changed, by its place in the list.
        place: place in the list of each number of a document of the index.
    """

    documents: Documents
    edits: dict[int, Edit]
    place: dict[int, int]


def bring_together(
    plan: Plan, arrived: Arrived, rows: Sequence[Row], workers: int | None = None, some: Sequence[int] | None = None
) -> Together:
    """Return the documents of a batch and of the index as a method compares them; texts of the index are prepared again if need be.

    Args:
        plan: the plan.
        arrived: the batch. rows: documents of the index.
        workers: threads.
        some: indices of the documents of the batch that are taken; None for all.

    Raises:
        DamagedRow: a stored document is damaged.
    """
    known = original_texts(rows)
    asked = np.arange(len(arrived)) if some is None else np.asarray(some, np.int64)
    first = len(asked)
    edits = {k: arrived.edits[i] for k, i in enumerate(asked.tolist()) if i in arrived.edits}
    edited = [i for i, row in enumerate(rows) if row.marks & EDITED]
    if edited:
        again = plan.preparer.prepare(known.take(pa.array(edited)), workers)
        prepared = known.to_pylist()
        for i, text in zip(edited, again.texts.to_pylist(), strict=True):
            prepared[i] = text
        edits.update({first + edited[i]: edit for i, edit in again.edits.items()})
        known = pa.array(prepared, pa.large_string())
    own, stored = arrived.texts.take(asked), texts_of([known])
    joined = Texts(
        np.concatenate([own.address, stored.address]), np.concatenate([own.length, stored.length]), own.owners + stored.owners
    )  # fmt: skip
    needs = plan.method.traits.needs
    columns: dict[str, pa.Array] = {}
    if needs:
        values = [columns_of(row) for row in rows]
        for name in needs:
            part = (
                as_strings(arrived.columns[name]).take(pa.array(asked))
                if name in arrived.columns
                else pa.nulls(first, pa.large_string())
            )
            told = pa.array([_as_text(one.get(name)) for one in values], pa.large_string())
            columns[name] = pa.concat_arrays([joined_chunks(part), told])
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
