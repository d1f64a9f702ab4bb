"""Records of files as an index takes them, batch by batch, so that a large file is neither read nor answered all at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from quchong.api.index_location import location_of, plan_of
from quchong.engines.index.arriving import Reader
from quchong.io.documents import numbered
from quchong.io.source import Bad
from quchong.plan.plan import Plan
from quchong.plan.sources import sources_of


class FileRecords(NamedTuple):
    """Records of a batch of a file.

    Attributes:
        records: with the columns that the index reads; a page is its text already.
        rows: row of each in its file, from 0.
        bad: records of the file before the end of the batch that cannot be used, and that no earlier batch told.
    """

    records: list[dict[str, Any]]
    rows: list[int]
    bad: list[Bad]


def records_of_file(index: str | Path, path: Path, size: int) -> Iterator[FileRecords]:
    """Yield the records of a file, or of a folder, in batches of at most `size`, as the settings of an index read them.

    Raises:
        RunError: there is no index.
        InputError: the file cannot be read, or none of its records has the text column.
    """
    plan = plan_of(location_of(index))
    bad: list[Bad] = []
    for batch in Reader(plan).batches(sources_of(path, plan.wanted_columns), bad):
        for start in range(0, len(batch), size):
            part = batch.slice(start, size)
            yield FileRecords(_records(part, plan), part.column("row").to_pylist(), bad[:])
            bad.clear()
    if bad:
        yield FileRecords([], [], bad)


def _records(batch: pa.RecordBatch, plan: Plan) -> list[dict[str, Any]]:
    """Return the documents of a batch as records: the text under the first text column, ids of their own type, no missing values."""
    names = {"text": plan.text[0]} | ({} if plan.id is None else {"id": plan.id})
    whole = numbered(batch)
    out = []
    for row in batch.to_pylist():
        if whole and row["id"] is not None:
            row["id"] = int(row["id"])
        out.append({names.get(name, name): value for name, value in row.items() if name != "row" and value is not None})
    return out
