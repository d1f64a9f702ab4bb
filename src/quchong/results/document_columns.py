"""Texts and columns of many documents of a run, read together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.engines.local.corpus import Corpus
from quchong.errors import QuchongError
from quchong.io import WantedColumns
from quchong.io.page_documents import PageReader, Pages

TEXT = "quchong_text"
"""Name of the column of texts in fetched tables."""


def member_columns(wanted: WantedColumns, columns: Iterable[str]) -> WantedColumns:
    """Return the columns to read: the texts as the run compared them, and these columns."""
    extra = tuple(name for name in columns if name not in ("row", "id", "text"))
    return replace(wanted, id=None, id_required=False, extra=extra, textless=True)


def assemble_columns(n: int, columns: Sequence[str], parts: Iterable[tuple[np.ndarray, pa.Table | None]]) -> pa.Table:
    """Combine parts (row numbers, table) into one table of `n` rows with TEXT and `columns`; rows that no part fills are null."""
    names = (TEXT, *columns)
    gathered: dict[str, list[pa.ChunkedArray]] = {name: [] for name in names}
    at: list[np.ndarray] = []
    for places, table in parts:
        if table is None or len(table) != len(places):
            continue
        at.append(places)
        for name in names:
            read = "text" if name == TEXT else name
            there = (
                table[read]
                if read in table.column_names
                else pa.chunked_array([pa.nulls(len(table), pa.large_string())])
            )
            gathered[name].append(there)
    # Parts arrive in any order, and some documents in none: an index puts rows in the order asked for, null where there
    # is none.
    index = np.full(n, -1)
    if at:
        every = np.concatenate(at)
        index[every] = np.arange(len(every))
    which = pa.array(index, mask=index < 0)
    out = {}
    for name, chunks in gathered.items():
        # One column may have several types in several files; text fits all of them.
        kinds = {c.type for c in chunks}
        if len(kinds) > 1:
            chunks = [c.cast(pa.large_string()) for c in chunks]
        kind = chunks[0].type if chunks else pa.large_string()
        flat = pa.chunked_array([c for one in chunks for c in one.chunks], kind).combine_chunks()
        out[name] = flat.take(which) if len(flat) else pa.nulls(n, kind)
    return pa.table(out)


def columns_of_corpus(
    corpus: Corpus,
    wanted: WantedColumns,
    reader: PageReader,
    places: np.ndarray,
    names: tuple[str, ...],
    lenient: bool = False,
) -> pa.Table:
    """Return the texts (column TEXT) and the columns `names` of the documents at `places`, read from the sources again.

    Args:
        wanted, reader: columns that the run compared, and how it read pages.
        lenient: True if documents of a source that cannot be read are null, instead of an error.
    """
    parts = []
    reader = replace(reader, time=names[0]) if names else reader
    for s in np.unique(corpus.source[places]).tolist():
        mine = np.flatnonzero(corpus.source[places] == s)
        mine = mine[np.argsort(corpus.row[places[mine]], kind="stable")]
        source = corpus.sources[s]
        pages = Pages(source.inner if isinstance(source, Pages) else source, reader)
        with suppress(*[QuchongError] if lenient else []):
            parts.append((mine, pages.fetch(corpus.row[places[mine]].tolist(), member_columns(wanted, names))))
    return assemble_columns(len(places), names, parts)
