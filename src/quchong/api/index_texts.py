"""Texts of an open index: its documents as tables, and the text of a record as the index reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from quchong.api.index import Index
from quchong.engines.index.arriving import Reader
from quchong.engines.index.documents import check_texts_kept, document_tables
from quchong.engines.index.opening import naming


def text_as_read(index: Index, record: Mapping[str, Any]) -> str | None:
    """Return the text of a record as an open index reads it (text columns joined, web pages extracted); None if it has no text."""
    for batch in Reader(index._open.plan, 1).records([record], []):
        for text in batch.column("text").to_pylist():
            return None if text is None else str(text)
    return None


def tables_of(index: Index) -> Iterator[pa.Table]:
    """Yield the documents of an open index in the order of their arrival, some thousand at a time, with the columns that it keeps.

    Raises:
        UsageError: the index keeps no texts.
        RunError: it is damaged.
    """
    stored = index._open
    check_texts_kept(stored.settings.store)
    plan = stored.plan  # the first text column has the text, so that an index with these columns can add the rows
    tables = document_tables(stored.catalogue, plan, plan.text[:1], plan.id or "id")
    while True:
        with naming(index.folder):  # around the reading alone, not around what is done with the table
            table = next(tables, None)
        if table is None:
            return
        yield table
