"""Comparison of the kept rows of earlier runs, as a run against them read them, with the tables of these earlier runs.

Kept rows may be edited by people, and by strangers: they are read as they are. How far they are from what the run kept is told, because
documents that are missing from the corpus compared with remove nothing, and nobody would see it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from quchong.decision.alarms import Alarm, kept_rows_counted, kept_rows_unlike
from quchong.engines.local.stored_source import terms_of
from quchong.errors import QuchongError
from quchong.io import FileBeneath, Source
from quchong.outputs import stands_beneath
from quchong.plan.plan import Plan
from quchong.plan.sources import Data
from quchong.results.against import runs_among
from quchong.runs.layout import read_manifest
from quchong.runs.reader import parts_of
from quchong.runs.row_ids import without_number
from quchong.tables import PART, REFERENCE_PREFIX

_COLUMNS = ("id", "source", "row", "tokens", "reference", "removed", PART)
_COMPARED = pa.schema([pa.field("id", pa.large_string()), pa.field("tokens", pa.uint32())])
_MADE = "#"
"""Stands for every id that was made up, because it names the row."""


@dataclass(frozen=True, slots=True)
class _ComparableColumns:
    """Columns comparable between an earlier run and this one: `ids` and `tokens` say whether each is made alike in both."""

    ids: bool
    tokens: bool

    def columns(self, ids: pa.ChunkedArray, tokens: pa.ChunkedArray) -> pa.Table:
        """Return a table of the columns id and tokens; a column that cannot be compared is filled with one value."""
        n = len(ids)
        if not self.ids:
            ids = pa.repeat(pa.scalar("", pa.large_string()), n)
        if not self.tokens:
            tokens = pa.repeat(pa.scalar(0, pa.uint32()), n)
        return pa.table({"id": ids, "tokens": tokens}, schema=_COMPARED)


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """Documents that a run has read, those of references first.

    Attributes:
        sources: what was read.
        source, row: number of the source of each document, and its row there, int64.
        ids: ids of the documents, large_string; those of references begin with `REFERENCE_PREFIX`.
        tokens: number of tokens of each document.
    """

    sources: Sequence[Source]
    source: np.ndarray
    row: np.ndarray
    ids: pa.Array
    tokens: np.ndarray


def unlike_kept(against: Data, corpus: ReadDocuments, references: int, plan: Plan) -> list[Alarm]:
    """Return an alarm for each earlier run among the references whose files of kept rows no longer have the documents that the run kept.

    Args:
        against: the corpus compared with, as it was given.
        corpus: what was read.
        references: how many of its sources are references.
        plan: of this run.

    Cost: one pass over the table of documents of each run, a batch at a time. Where something differs, ids and lengths of all documents
    are held and grouped.
    """
    runs = runs_among(against)
    found = [_compared(run, name, corpus, references, plan) for run, name in zip(runs, _told_apart(runs), strict=True)]
    return [alarm for alarm in found if alarm is not None]


def counts_unlike_kept(against: Data, references: Sequence[Source]) -> list[Alarm]:
    """Return an alarm for each earlier run whose files of kept rows have over a tenth more or fewer rows than it kept.

    Nothing is read but the beginnings of files: numbers of rows are those that `Source.expected` tells. A run with a file whose rows
    cannot be counted so is left out.

    Args:
        against: the corpus compared with, as it was given.
        references: its sources.
    """
    runs, found = runs_among(against), list[Alarm]()
    for run, name in zip(runs, _told_apart(runs), strict=True):
        if not stands_beneath(run, "ledger.parquet"):
            continue
        kept = int(read_manifest(run)["counts"]["kept"])
        counts = [references[s].expected() for s in _below(run, references)]
        rows = None if None in counts else sum(count or 0 for count in counts)
        if rows is not None and abs(rows - kept) > kept // 10:
            found.append(kept_rows_counted(name, kept, rows))
    return found


def _compared(folder: Path, name: str, corpus: ReadDocuments, references: int, plan: Plan) -> Alarm | None:
    if not stands_beneath(folder, "ledger.parquet"):  # a run that keeps no rows, such as one that looked for passages
        return None
    manifest = read_manifest(folder)
    here = _read_from(folder, corpus, references)
    kept, alike = (
        int(manifest["counts"]["kept"]),
        _ComparableColumns(plan.id == manifest["id"], _same_terms(plan, manifest)),
    )
    try:
        if _in_order(folder, manifest, corpus, here, alike, kept):  # nearly always
            return None
        expected = pa.concat_tables(
            [_COMPARED.empty_table(), *(table for table, _ in _kept_batches(folder, manifest, alike))]
        )
    except (QuchongError, OSError, ValueError, KeyError, pa.ArrowException):  # a damaged table: numbers are left
        expected = None
    if expected is None or len(expected) != kept:
        missing, added = max(kept - len(here), 0), max(len(here) - kept, 0)
        return kept_rows_unlike(name, kept, missing, added, 0) if missing or added else None
    read = _current_rows(corpus, here, alike)
    sign = np.repeat(np.array([1, -1], np.int64), [len(expected), len(read)])
    both = pa.concat_tables([expected, read])
    ids = both["id"].combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
    missing, added = _surplus(ids, sign)
    # an id with a length is one number: both have 32 bits
    changed = _surplus((ids << 32) | both["tokens"].to_numpy(), sign)[0] - missing
    return kept_rows_unlike(name, kept, missing, added, changed) if missing or added or changed else None


def _in_order(
    folder: Path,
    manifest: Mapping[str, Any],
    corpus: ReadDocuments,
    here: np.ndarray,
    alike: _ComparableColumns,
    kept: int,
) -> bool:
    """Return True if the documents `here` of this run equal those that the earlier run kept, one by one in file order."""
    if len(here) != kept:
        return False
    at = last = 0
    for expected, places in _kept_batches(folder, manifest, alike):
        end = at + len(expected)
        ordered = not len(places) or (int(places[0]) >= last and bool((np.diff(places) >= 0).all()))
        if end > kept or not ordered or not expected.equals(_current_rows(corpus, here[at:end], alike)):
            return False
        at, last = end, int(places[-1]) if len(places) else last
    return at == kept


def _surplus(values: np.ndarray, sign: np.ndarray) -> tuple[int, int]:
    """Return for two multisets in one array (marked by sign 1 and -1) how many values of each have no equal partner in the other.

    Args:
        values, sign: int64 (n,).
    """
    left = np.bincount(np.unique(values, return_inverse=True)[1], weights=sign)
    return int(left[left > 0].sum()), int(-left[left < 0].sum())


def _same_terms(plan: Plan, manifest: Mapping[str, Any]) -> bool:
    """Return True if both runs count the tokens of a text alike."""
    now, then = plan.describe(), manifest["config"]
    named = ("method", "normaliser", "text", "html", "body", "strip", "social", "boilerplate")
    if any(now[name] != then.get(name) for name in named):
        return False
    return all(then["parameters"].get(name) == value for name, value in terms_of(plan)["parameters"].items())


def _read_from(folder: Path, corpus: ReadDocuments, references: int) -> np.ndarray:
    """Return the row numbers (int64) of the documents that this run read from files below the folder of an earlier run."""
    mine = _below(folder, corpus.sources[:references])
    return np.flatnonzero(np.isin(corpus.source, np.array(mine, np.int32)))


def _below(folder: Path, sources: Sequence[Source]) -> list[int]:
    """Return the positions of the sources whose files lie below the folder of an earlier run."""
    root = Path(os.path.realpath(folder))
    return [
        s
        for s, source in enumerate(sources)
        if source.path is not None and root in Path(os.path.realpath(source.path)).parents
    ]


def _current_rows(corpus: ReadDocuments, here: np.ndarray, alike: _ComparableColumns) -> pa.Table:
    """Return ids and token counts of the documents `here` of this run, for comparison; incomparable columns have one value."""
    ids = pc.utf8_slice_codeunits(corpus.ids.take(pa.array(here)), len(REFERENCE_PREFIX))
    names = pa.array([source.name for source in corpus.sources], pa.large_string())
    ids = _comparable_ids(ids, names.take(pa.array(corpus.source[here])), pa.array(corpus.row[here]))
    return alike.columns(ids, pa.array(corpus.tokens[here], pa.uint32()))


def _kept_batches(
    folder: Path, manifest: Mapping[str, Any], alike: _ComparableColumns
) -> Iterator[tuple[pa.Table, np.ndarray]]:
    """Yield batches of ids and token counts that an earlier run kept, with the position (int64) of each one's file."""
    places = np.array([*_file_order(manifest), -1], np.int64)
    names = pa.array([entry["name"] for entry in manifest["inputs"]], pa.string())
    for batch in _batches(folder):
        kept = batch.filter(pc.and_not(pc.invert(batch["reference"]), batch["removed"]))
        if PART in kept.column_names:
            place = kept[PART].cast(pa.int64()).to_numpy()
        else:
            place = places[pc.fill_null(pc.index_in(kept["source"], names), -1).to_numpy().astype(np.int64)]
        ids = _comparable_ids(kept["id"], kept["source"], kept["row"])
        yield alike.columns(ids, kept["tokens"].cast(pa.uint32())), place


def _file_order(manifest: Mapping[str, Any]) -> Sequence[int]:
    """Return for each input of an earlier run the position of its file of kept rows in the order in which this run reads these files."""
    named = [str(manifest["files"].get(entry["name"], {}).get("kept", "")) for entry in manifest["inputs"]]
    if manifest["mode"] == "annotate":
        return range(len(named))
    places = {name: place for place, name in enumerate(sorted(named, key=Path))}
    return [places[name] for name in named]


def _batches(folder: Path) -> Iterator[pa.Table]:
    """Yield the table of documents of an earlier run in batches, with only the columns needed for comparison."""
    for name in parts_of(folder, "documents"):
        with FileBeneath(folder, name).native() as raw, pq.ParquetFile(raw) as file:
            columns = [column for column in _COLUMNS if column in file.schema_arrow.names]
            for batch in file.iter_batches(1 << 17, columns=columns):
                if any(column.null_count for column in batch.columns):
                    raise ValueError("nulls in the table of documents")
                yield pa.Table.from_batches([batch])


def _comparable_ids(ids: Any, sources: Any, rows: Any) -> Any:
    """Return ids in a form comparable between runs: without numbers of repeats (~2), and one sign for all made ids."""
    ids = ids.cast(pa.large_string())
    sign = pa.scalar("#", pa.large_string())
    made = pc.binary_join_element_wise(sources.cast(pa.large_string()), rows.cast(pa.large_string()), sign)
    plain = without_number(ids)
    return pc.if_else(pc.equal(plain, made), pa.scalar(_MADE, pa.large_string()), plain)


def _told_apart(runs: Sequence[Path]) -> list[str]:
    """Return display names of run folders: the folder name if all differ, else the path relative to the folder that contains all."""
    real = [Path(os.path.realpath(run)) for run in runs]
    if len({run.name for run in real}) == len(real):
        return [run.name for run in real]
    above = os.path.commonpath(real)
    return [os.path.relpath(run, above) for run in real]
