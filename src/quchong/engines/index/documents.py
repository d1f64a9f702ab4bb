"""Documents of an index as rows: written to a file that any command reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.engines.index.document_store import DocumentStore
from quchong.engines.index.known import column_table, columns_of, original_text
from quchong.errors import UsageError
from quchong.plan.plan import Plan


def check_texts_kept(store: str) -> None:
    """Raise UsageError if an index keeps no texts."""
    if store != "text":
        raise UsageError("this index keeps no texts (store {}), so its documents cannot be written", store)


def document_tables(catalogue: DocumentStore, plan: Plan) -> Iterator[pa.Table]:
    """Yield the documents in the order of their arrival, some thousand at a time: id, text, and the columns that the index keeps.

    Ids are whole numbers if all are, else texts.
    """
    texts = catalogue.text_ids()
    names = [name for name in plan.wanted_columns.extra if name != plan.pages]
    id_name, text_name = plan.id or "id", plan.text[0]
    for rows in catalogue.all_documents():
        ids = (
            pa.array([str(row.id) for row in rows], pa.large_string())
            if texts
            else pa.array([row.id for row in rows], pa.int64())
        )
        told = pa.array([original_text(row) or "" for row in rows], pa.large_string())
        columns = column_table([columns_of(row) for row in rows], names)
        yield pa.table(
            {
                id_name: ids,
                text_name: told,
                **{name: columns[name] for name in names if name not in (id_name, text_name)},
            }
        )


def write_documents(catalogue: DocumentStore, plan: Plan, path: Path) -> int:
    """Write the documents to a Parquet file; return how many there are.

    Raises:
        OSError: there is no room, or no permission.
    """
    count = 0
    writer: pq.ParquetWriter | None = None
    try:
        for table in document_tables(catalogue, plan):
            writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd", compression_level=1)
            writer.write_table(table)
            count += len(table)
        if writer is None:
            empty = {name: pa.array([], pa.large_string()) for name in (plan.id or "id", plan.text[0])}
            pq.write_table(pa.table(empty), path)
    finally:
        if writer is not None:
            writer.close()
    return count
