"""Records of files as an index takes them, batch by batch, so that a large file is neither read nor answered all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from quchong.engines.index.arriving import Reader
from quchong.io.documents import numbered
from quchong.io.missing_columns import worded_for_index
from quchong.io.nested.values import KINDS
from quchong.io.records.json_values import lacking_text
from quchong.io.records.reader import Refused
from quchong.io.source import Bad, WantedColumns
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.plan.sources import Spool, sources_of


class FileRecords(NamedTuple):
    """Records of one batch of a file, with their row numbers, and the bad records met so far.

    Attributes:
        records: with the columns that the index reads; a page is its text already.
        rows: row of each in its file, from 0.
        bad: records of the file before the end of the batch that cannot be used, and that no earlier batch told.
        has_pages: True if a web page was met up to the end of the batch.
    """

    records: list[dict[str, Any]]
    rows: list[int]
    bad: list[Bad]
    has_pages: bool


def check_texts(record: dict[str, Any], keys: Sequence[str]) -> None:
    """Raise Refused if a record has neither a text nor a page under these keys, or one that is no string."""
    for key in keys:
        value = record.get(key)
        if value is not None and not isinstance(value, str):
            raise Refused(Message("{} is {}, not a string", key, KINDS[type(value)]))
    if all(record.get(key) is None for key in keys):
        raise Refused(lacking_text(record, tuple(keys)))


def check_id(record: Mapping[str, Any], key: str) -> None:
    """Raise Refused if the id of a record is neither a string nor a whole number.

    An index would number such a document: sent again, it would be a copy of itself.
    """
    id = record.get(key)
    if id is None or (isinstance(id, str | Integral) and not isinstance(id, bool)):
        return
    if isinstance(id, Mapping) and id:
        inner = f"{key}.{next(iter(id))}"
        raise Refused(
            Message("{} is an object: create the index with the id {}, which is a field of this object", key, inner)
        )
    raise Refused(Message("{} is {}, not a string or a whole number", key, KINDS.get(type(id), type(id).__name__)))


def records_of_file(plan_for: Callable[[Sequence[str]], Plan], path: Path, size: int) -> Iterator[FileRecords]:
    """Yield the records of a file, or of a folder, in batches of at most `size`, as an index reads them.

    Args:
        plan_for: `Index.plan_for` of the index.

    Raises:
        InputError: the file cannot be read, or none of its records has the text column.
    """
    found: list[Plan] = []

    def choose(columns: Sequence[str]) -> WantedColumns:
        found.append(plan_for(columns))
        return found[-1].wanted_columns

    # Of a web server or a pipe, which can be read only once, a copy is read; it exists as long as `spool`.
    spool = None if path.is_file() or path.is_dir() else Spool()
    with worded_for_index():
        sources = sources_of(
            path, plan_for(()).wanted_columns, choose=choose, spool=None if spool is None else spool.folder
        )
        plan, bad = found[-1] if found else plan_for(()), list[Bad]()
        reader = Reader(plan)
        for batch in reader.batches(sources, bad):
            for start in range(0, len(batch), size):
                part = batch.slice(start, size)
                yield FileRecords(_records(part, plan), part.column("row").to_pylist(), bad[:], bool(reader.pages.met))
                bad.clear()
        if bad:
            yield FileRecords([], [], bad, bool(reader.pages.met))


def columns_of_records(records: Sequence[str | Mapping[str, Any]]) -> list[str]:
    """Return the names of all columns of records, in the order in which they come first; texts have none."""
    return list(dict.fromkeys(name for one in records if not isinstance(one, str) for name in one))


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
