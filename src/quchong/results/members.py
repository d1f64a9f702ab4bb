"""Texts and columns of many documents of a run, read together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow as pa

from quchong.engines.local.corpus import Corpus
from quchong.errors import QuchongError
from quchong.io import WantedColumns
from quchong.io.page_documents import PageReader, Pages
from quchong.results.saved import SavedRun, Stand
from quchong.runs.reader import encoding_of
from quchong.runs.row_ids import check_row_ids
from quchong.runs.row_ranges import stretches

TEXT = "quchong_text"
"""Name of the column of texts in fetched tables."""

Fetched = Callable[[np.ndarray, tuple[str, ...]], pa.Table]
"""Function that returns texts and columns of documents, given their row numbers in the table of documents, in this order; a document
that cannot be read is all null."""


def member_columns(wanted: WantedColumns, columns: Iterable[str]) -> WantedColumns:
    """Return the columns to read: the texts as the run compared them, and these columns."""
    extra = tuple(name for name in columns if name not in ("row", "id", "text"))
    return replace(wanted, id=None, id_required=False, extra=extra, textless=True)


def together(n: int, columns: Sequence[str], parts: Iterable[tuple[np.ndarray, pa.Table | None]]) -> pa.Table:
    """Combine parts (row numbers, table) into a table of `n` rows; rows of a part with table None, and missing rows, are null."""
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


def of_run(run: SavedRun) -> Fetched:
    """Return a function that fetches documents of a run folder; each file is opened once for a call."""

    def fetched(places: np.ndarray, columns: tuple[str, ...]) -> pa.Table:
        config = run.manifest["config"]
        reader = PageReader(config["body"], config["html"], workers=1)
        if columns:
            reader = replace(reader, time=columns[0])
        wanted = member_columns(run.compared_columns, columns)
        parts = []
        for file, (mine, rows) in _files(run, places).items():
            ids = run.tables["documents"]["id"].take(pa.array(places[mine]))
            parts += [(mine[some], table) for some, table in _rows(run, file, rows, ids, wanted, reader)]
        return together(len(places), columns, parts)

    return fetched


def of_corpus(corpus: Corpus, wanted: WantedColumns, reader: PageReader) -> Fetched:
    """Return a function that fetches documents of a run in memory."""

    def fetched(places: np.ndarray, columns: tuple[str, ...]) -> pa.Table:
        parts = []
        for s in np.unique(corpus.source[places]).tolist():
            mine = np.flatnonzero(corpus.source[places] == s)
            mine = mine[np.argsort(corpus.row[places[mine]], kind="stable")]
            source = corpus.sources[s]
            inner = source.inner if isinstance(source, Pages) else source
            pages = Pages(inner, replace(reader, time=columns[0]))
            parts.append((mine, pages.fetch(corpus.row[places[mine]].tolist(), member_columns(wanted, columns))))
        return together(len(places), columns, parts)

    return fetched


_File = tuple[str, bool, str | None, str | None]
"""Fields of `Stand` that name a file, in its order, without the row."""


def _rows(
    run: SavedRun, file: _File, rows: np.ndarray, ids: pa.ChunkedArray, wanted: WantedColumns, reader: PageReader
) -> list[tuple[np.ndarray, pa.Table]]:
    """Read rows of one file; return (indices in `rows`, table).

    If a row cannot be read, the reason is recorded in the run and nothing is returned, or for texts in files of their
    own those that can be read.
    """
    every, name = np.arange(len(rows)), file[2]
    if name is not None:
        wanted = replace(wanted, id=run.manifest.get("id"))
    try:
        source = run.open_source(Stand(*file, row=0))
    except QuchongError as error:
        run.note(file[0], error)
        return []
    try:
        if len(table := Pages(source, reader).fetch(rows.tolist(), wanted)) == len(rows):
            if name is not None:
                check_row_ids(ids, table["id"], run.folder / name, rows)
            return [(every, table)]
    except QuchongError as error:
        run.note(file[0], error)
    found = []
    # One unreadable file would lose all others of the source: files of their own are read one by one.
    for k in every[:, None] if len(source.files) > 1 < len(rows) else ():
        with suppress(QuchongError):
            found.append((k, Pages(source, reader).fetch(rows[k].tolist(), wanted)))
    return found


def _files(run: SavedRun, places: np.ndarray) -> dict[_File, tuple[np.ndarray, np.ndarray]]:
    """Group documents by the file that contains them: indices in `places`, and rows in the file."""
    documents = run.tables["documents"]
    where: dict[_File, list[tuple[int, int]]] = {}
    left = {int(place): k for k, place in enumerate(places)}
    simple = "annotated" not in next(iter(run.manifest["files"].values()), {})
    for stretch in stretches(run.manifest, documents) if simple else ():
        for file, side in ((stretch.kept, ~stretch.gone), (stretch.removed, stretch.gone)):
            mine = stretch.documents[side]
            some = np.flatnonzero(np.isin(mine, places)).tolist()
            if not some or file.endswith(".txt"):  # a list of paths: each text is a file of its own
                continue
            sources = documents["source"].take(pa.array(mine[some])).to_pylist()
            encoding = encoding_of(run.manifest, file)
            for at, source in zip(some, sources, strict=True):
                where.setdefault((source, False, file, encoding), []).append((left.pop(int(mine[at])), at))
    for index, k in left.items():  # references, annotated files, texts
        try:
            row = documents.slice(index, 1).to_pylist()[0]
            stand = run.find_stand(row, index)
        except QuchongError as error:
            run.note(row["source"], error)
            continue
        where.setdefault((stand.source, stand.reference, stand.name, stand.encoding), []).append((k, stand.row))
    out = {}
    for place, found in where.items():
        found.sort(key=lambda one: one[1])
        out[place] = np.array([k for k, _ in found]), np.array([row for _, row in found])
    return out
