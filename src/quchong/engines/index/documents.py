"""Documents of an index as rows: written to a file that any command reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.engines.index.document_store import DocumentStore
from quchong.engines.index.joined_documents import column_table, columns_of
from quchong.engines.index.stored_texts import original_texts
from quchong.errors import OutputError, UsageError, is_of_system, reason_of
from quchong.plan.plan import Plan


def check_texts_kept(store: str) -> None:
    """Raise UsageError if an index keeps no texts."""
    if store != "text":
        raise UsageError("this index stores no texts (store {}), so its documents cannot be written", store)


def written_plan(plan: Plan) -> Plan:
    """Return the plan for reading what `write_documents` writes: several text columns are joined as one column, text."""
    return replace(plan, text=("text",)) if len(plan.text) > 1 else plan


def document_tables(catalogue: DocumentStore, plan: Plan, text: Sequence[str], id: str) -> Iterator[pa.Table]:
    """Yield the documents in the order of their arrival, some thousand at a time: id, text, and the columns that the index keeps.

    Ids are whole numbers if all are, else texts.

    Args:
        text: names of the columns of the text; the first one has it, the others are null. id: name of the column of ids.

    Raises:
        DamagedRow: a document is not as it was stored.
    """
    texts = catalogue.text_ids()
    names = [name for name in plan.wanted_columns.extra if name != plan.pages and name not in (id, *text)]
    for rows in catalogue.all_documents():
        told = original_texts(rows)  # first: it checks the rows
        ids = (
            pa.array([str(row.id) for row in rows], pa.large_string())
            if texts
            else pa.array([row.id for row in rows], pa.int64())
        )
        columns = column_table([columns_of(row) for row in rows], names)
        empty = {name: pa.nulls(len(rows), pa.large_string()) for name in text[1:]}
        yield pa.table({id: ids, text[0]: told, **empty, **{name: columns[name] for name in names}})


@contextmanager
def spooling(folder: Path) -> Iterator[None]:
    """Raise errors of the system in the block as those of a temporary folder, which the message names with a remedy.

    Raises:
        OutputError: there is no room, or no permission.
    """
    try:
        yield
    except OSError as error:
        if not is_of_system(error):
            raise
        raise OutputError(
            "{} cannot be written: {}; make room there, or name another temporary folder in TMPDIR",
            folder,
            reason_of(error),
        ) from error


def write_documents(
    catalogue: DocumentStore, plan: Plan, path: Path, text: Sequence[str] | None = None, id: str | None = None
) -> int:
    """Write the documents to a Parquet file that `written_plan` reads; return how many there are.

    Args:
        text, id: names of the columns of text and id; None for those of the plan.

    Raises:
        OutputError: there is no room for the file, or no permission.
        DamagedRow: a document is not as it was stored.
    """
    text, id = text or written_plan(plan).text, id or plan.id or "id"
    count = 0
    writer: pq.ParquetWriter | None = None
    with spooling(path.parent):
        try:
            for table in document_tables(catalogue, plan, text, id):
                writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd", compression_level=1)
                writer.write_table(table)
                count += len(table)
            if writer is None:
                pq.write_table(pa.table({name: pa.array([], pa.large_string()) for name in (id, *text)}), path)
        finally:
            if writer is not None:
                writer.close()
    return count
