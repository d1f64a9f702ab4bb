"""Fates of the records of a source, and the files that its rows are written to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.engines.local.outcome import DecidedRows
from quchong.io import BAD, KEEP, REMOVE, Source
from quchong.io.bad_records import row_numbers
from quchong.kernels.machine import Stop
from quchong.results.shards import ANNOTATED, SIDES, ShardWriter
from quchong.runs.layout import KEPT_IDS, ROW_GROUP, write_parts


@dataclass(frozen=True, slots=True)
class WrittenRows:
    """Files that the rows of a run were written to.

    Attributes:
        files: names in the run folder by source and side; `kept/*.jsonl` stands for shards.
        parts: int32, number of the shards of each document, -1 for references; None without shards.
        about: entries of run.json about the files.
    """

    files: dict[str, dict[str, str]] = field(default_factory=dict)
    parts: np.ndarray | None = None
    about: dict[str, Any] = field(default_factory=dict)


def row_fates(decided: DecidedRows, source: int) -> np.ndarray:
    """Return KEEP, REMOVE or BAD for every record of a source, uint8."""
    corpus = decided.corpus
    mine = corpus.source == source
    name = corpus.sources[source].name
    bad = row_numbers(decided.bad, source=name)
    rows = corpus.row[mine]
    size = 1 + max(int(rows.max(initial=-1)), int(bad.max(initial=-1)))
    out = np.full(size, BAD, np.uint8)
    out[rows] = np.where(decided.fate.removed[mine], REMOVE, KEEP)
    return out


def paths_of(folder: Path, side: str, sources: Sequence[Source]) -> list[Path]:
    """Return the path to which a side ("kept", "removed", "annotated" or "cut") of each source is written; no two are equal.

    The name is that of the source, with the suffix of its format. Where an earlier source has this name already, such as of a folder
    `news` of texts beside `news.txt`, a number is added to it: `news-2.txt`.
    """
    suffixes = [
        source.written.suffix(source.annotated_suffix) if side == "annotated" else source.written_suffix
        for source in sources
    ]
    if len(sources) == 1:
        return [folder / f"{side}{suffixes[0]}"]
    own = {source.name for source, suffix in zip(sources, suffixes, strict=True) if source.name.endswith(suffix)}
    names: dict[str, None] = {}
    for source, suffix in zip(sources, suffixes, strict=True):
        stem = source.name.removesuffix(source.annotated_suffix if side == "annotated" else source.suffix)
        # Names that sources have as they are come first: a number is given to those whose suffix was added.
        free = (f"{stem}{end}{suffix}" for end in chain([""], (f"-{i}" for i in count(2))))
        names[next(name for name in free if name not in names and (name == source.name or name not in own))] = None
    return [folder / side / name for name in names]


def rows_of_notes(notes: pa.Table | None, decided: DecidedRows, source: int, rows: int) -> pa.Table | None:
    """Return the notes on the records of one source, null for bad records; `notes` are on all documents. None for None."""
    if notes is None:
        return None
    mine = np.flatnonzero(decided.corpus.source == source)
    index = np.full(rows, -1, np.int64)
    index[decided.corpus.row[mine]] = mine
    return notes.take(pa.array(index, mask=index < 0))


def write_shards(
    decided: DecidedRows, folder: Path, limit: int, advance: Callable[[int], None], stop: Stop | None, notes: pa.Table | None,
    about: dict[str, Any], of_all: Callable[[int, int], pa.Table] | None = None,
) -> WrittenRows:  # fmt: skip
    """Copy the rows of the inputs into shards of at most `limit` bytes before compression.

    Arguments are those of `write_rows`; `notes` are columns added to kept rows, by document; `about` is told in run.json. `of_all`, for a
    run that writes all rows to one side, returns the columns on each record of a source, given its index and number of records.
    """
    corpus = decided.corpus
    parts = np.full(len(corpus), -1, np.int32)
    inputs = list(enumerate(corpus.sources))[decided.reference_sources :]
    sides = SIDES if of_all is None else ANNOTATED
    with ShardWriter(folder, limit, stop, sides) as writer:
        for s, source in inputs:
            fate = row_fates(decided, s)
            if of_all is None:
                found = writer.copy(source, fate, rows_of_notes(notes, decided, s, len(fate)))
            else:
                fate[fate == REMOVE] = KEEP
                found = writer.copy(source, fate, of_all(s, len(fate)))
            mine = corpus.source == s
            parts[mine] = found[corpus.row[mine]]
            advance(len(fate))
        writer.finish(inputs[-1][1])
    patterns = {side: f"{side}/*{inputs[0][1].written_suffix}" for side in sides}
    return WrittenRows(
        {source.name: dict(patterns) for _, source in inputs},
        parts,
        about | {"shards": {"size": limit, "count": writer.count}},
    )


def write_ids(
    decided: DecidedRows, folder: Path, advance: Callable[[int], None], notes: pa.Table | None, about: dict[str, Any]
) -> WrittenRows:
    """Write the table of the ids of kept rows (`kept_ids.parquet`), with the columns added, and no rows."""
    kept = np.flatnonzero(~decided.fate.removed & ~decided.corpus.documents.reference)
    starts = range(0, max(len(kept), 1), ROW_GROUP)
    write_parts((kept_ids(decided, kept[start : start + ROW_GROUP], notes) for start in starts), folder / KEPT_IDS)
    advance(len(decided.corpus))
    return WrittenRows(about=about | {"kept_ids": KEPT_IDS})


def kept_ids(decided: DecidedRows, docs: np.ndarray, notes: pa.Table | None = None) -> pa.Table:
    """Return id, source and row of documents of the inputs: the id as the input has it, null for a document without one."""
    corpus, documents = decided.corpus, decided.corpus.documents
    names = pa.array([source.name for source in corpus.sources], pa.string()).take(pa.array(corpus.source[docs]))
    rows = pa.array(corpus.row[docs])
    ids = documents.ids.take(pa.array(docs))
    place = pc.index_in(pa.array(docs), corpus.renamed["document"].combine_chunks())
    ids = pc.coalesce(corpus.renamed["given"].combine_chunks().take(place), ids)  # of a repeated id, without its number
    made = pc.binary_join_element_wise(
        names.cast(pa.large_string()), rows.cast(pa.large_string()), pa.scalar("#", pa.large_string())
    )
    ids = pc.if_else(pc.equal(ids, made), pa.scalar(None, pa.large_string()), ids)
    found = {"id": ids.cast(pa.int64()) if documents.numbers else ids, "source": names, "row": rows}
    added = {} if notes is None else notes.take(pa.array(docs))
    return pa.table(found | {name: added[name] for name in ([] if notes is None else notes.column_names)})
