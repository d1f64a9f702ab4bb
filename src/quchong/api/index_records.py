"""Records of files as an index takes them, batch by batch, so that a large file is neither read nor answered all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from quchong.api.index_location import location_of, plan_of
from quchong.engines.index.arriving import Reader
from quchong.engines.index.documents import check_texts_kept, document_tables
from quchong.io.documents import numbered
from quchong.io.records.json_values import KINDS, exact_object, lacking
from quchong.io.records.reader import Refused
from quchong.io.source import Bad
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.plan.sources import sources_of

if TYPE_CHECKING:
    from quchong.api.index import Index


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


def read_record(raw: bytes, keys: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object of a line, or of a request, as a record of an index.

    Args:
        raw: the JSON, in UTF-8.
        keys: columns of the text, then of a web page: a record must have one of them.

    Raises:
        Refused: it is no object, a text in it is no string, or it has neither a text nor a page.
    """
    record = exact_object(raw)
    check_texts(record, keys)
    return record


def check_texts(record: dict[str, Any], keys: Sequence[str]) -> None:
    """Raise Refused if a record has neither a text nor a page under these keys, or one that is no string."""
    for key in keys:
        value = record.get(key)
        if value is not None and not isinstance(value, str):
            raise Refused(Message("{} is {}, not a string", key, KINDS[type(value)]))
    if all(record.get(key) is None for key in keys):
        raise Refused(lacking(record, tuple(keys)))


def text_as_read(index: Index, record: Mapping[str, Any]) -> str | None:
    """Return the text of a record as an open index reads it: text columns joined, of a page its content; None if there is none."""
    for batch in Reader(index._open.plan, 1).records([record], []):
        for text in batch.column("text").to_pylist():
            return None if text is None else str(text)
    return None


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


def tables_of(index: Index) -> Iterator[pa.Table]:
    """Yield the documents of an open index in the order of their arrival, some thousand at a time, with the columns that it keeps.

    Raises:
        UsageError: the index keeps no texts.
    """
    stored = index._open
    check_texts_kept(stored.settings.store)
    yield from document_tables(stored.catalogue, stored.plan)
