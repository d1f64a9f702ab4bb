"""Writes an outcome as a run folder: rows, tables, manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision import manifest
from quchong.decision.alarms import Alarm, over_budget
from quchong.decision.mixing import copies_wanted, mix_counts
from quchong.decision.reviewed import figures
from quchong.engines.local.background import in_order
from quchong.engines.local.outcome import DecidedRows, Outcome
from quchong.io import Bad, Source, write_skipped
from quchong.io.bad_records import by_source, row_numbers
from quchong.kernels.machine import Stop
from quchong.plan.mix import Mix
from quchong.progress import Stages
from quchong.results.kept_columns import of_decided
from quchong.results.own_rows import describe_own, write_own_rows
from quchong.results.row_options import AS_IT_IS, IDS, RowOptions
from quchong.results.row_outputs import (
    WrittenRows,
    paths_of,
    row_fates,
    rows_of_notes,
    write_ids,
    write_shards,
)
from quchong.runs.decisions_file import write_acts
from quchong.runs.layout import DECISIONS, MANIFEST, PAIR_GROUP, ROW_GROUP, write_json, write_parts
from quchong.tables import FATES, PART, one_array, table_of


def fates_of(decided: DecidedRows, start: int = 0, end: int | None = None) -> pa.Table:
    """Return the table FATES of a decided run for the documents start to end - 1."""
    corpus, documents, fate = decided.corpus, decided.corpus.documents, decided.fate
    names, here = pa.array([s.name for s in corpus.sources], pa.string()), np.arange(len(documents))[start:end]
    values = [
        documents.shown_ids(here), names.take(pa.array(corpus.source[here])),
        *(pa.array(column[here]) for column in (corpus.row, documents.tokens, documents.priority, documents.reference,
                                               documents.protected, documents.unscored, fate.removed)),
        fate.policy_of(here),
    ]  # fmt: skip
    return table_of(dict(zip(FATES.names, values, strict=True)), FATES)


def whole_bad_records(bad: Sequence[Bad], sources: Sequence[Source]) -> Iterator[Bad]:
    """Yield the bad records of sources one at a time with their complete raw bytes.

    Of tables only the columns compared were read the first time, of unreadable pages nothing was held.
    """
    by_name = {s.name: s for s in sources}
    for name, mine in by_source(bad):
        again = by_name[name].whole_records(row_numbers(mine)) if name in by_name else iter(())
        row, line, raw = next(again, (-1, None, b""))
        for b in mine:
            if b.row == row:
                yield replace(b, raw=raw, line=line if b.line is None else b.line)
                row, line, raw = next(again, (-1, None, b""))
            else:
                yield b


def write(outcome: Outcome, folder: Path, mode: str, stages: Stages) -> None:
    """Write a run into a fresh folder: rows, tables, then the manifest."""
    decided, options = outcome.decided_rows, AS_IT_IS.under(outcome.plan)
    options.check(outcome.corpus.sources[outcome.reference_sources :], keep_work=False, annotate=mode != "remove")
    with stages.stage("write", len(outcome.corpus)) as progress:
        rows = write_rows(
            decided, folder, None if mode == "remove" else outcome.ledger, progress.advance, options=options
        )
    with stages.stage("write tables"):
        held = {name: [getattr(outcome, name)] for name in ("pairs", "ledger", "clusters", "templates")}
        write_tables({**held, "documents": document_parts(decided, rows.parts)}, folder, at_once=2)
    write_manifest(outcome, folder, mode, rows, stages)


def write_rows(
    decided: DecidedRows,
    folder: Path,
    ledger: pa.Table | None,
    advance: Callable[[int], None],
    stop: Stop | None = None,
    options: RowOptions = AS_IT_IS,
) -> WrittenRows:
    """Copy the rows of the inputs into a fresh folder; return the files by source and side.

    Args:
        decided: the documents with the fate of each.
        folder: an empty folder (see `fresh_folder`).
        ledger: None splits the input into kept and removed; with the LEDGER of the run it is written whole, with columns that say
            whether each document was kept or removed, and why.
        advance: called with the number of rows of each source that is written.
        stop: set by another thread, it ends the writing early; the files are of no use then.
        options: in which files, and in which form.
    """
    pa.default_memory_pool().release_unused()
    added = of_decided(options.added, decided, options.keys, options.mix) if options.added else None
    if options.ids_only:
        return write_ids(decided, folder, advance, added, options.describe())
    for source in decided.corpus.sources[decided.reference_sources :]:
        source.write_as(options.form)

    def all_notes(source: int, rows: int) -> pa.Table:
        """Return the columns added to every record of a source in mode "annotate"."""
        assert ledger is not None
        notes, more = _notes(decided, ledger, source, rows), rows_of_notes(added, decided, source, rows)
        if more is None:
            return notes
        return pa.table([*notes.columns, *more.columns], [*notes.column_names, *more.column_names])

    if options.shard_size is not None:
        of_all = None if ledger is None else all_notes
        return write_shards(decided, folder, options.shard_size, advance, stop, added, options.describe(), of_all)
    inputs = list(enumerate(decided.corpus.sources))[decided.reference_sources :]
    sides = ("kept", "removed") if ledger is None else ("annotated",)
    paths = [paths_of(folder, side, [source for _, source in inputs]) for side in sides]
    files: dict[str, dict[str, str]] = {}
    for (s, source), *own in zip(inputs, *paths, strict=True):
        if stop is not None and stop.is_set():
            break
        fate = row_fates(decided, s)
        if ledger is not None:
            source.annotate(all_notes(s, len(fate)), own[0])
        elif (more := rows_of_notes(added, decided, s, len(fate))) is not None:
            source.write_noted(fate, more, own[0])
            source.split(fate, None, own[1], stop=stop)
        else:
            source.split(fate, own[0], own[1], stop=stop)
        files[source.name] = {side: path.relative_to(folder).as_posix() for side, path in zip(sides, own, strict=True)}
        advance(len(fate))
    return WrittenRows(files, about=options.describe())


def document_parts(decided: DecidedRows, parts: np.ndarray | None = None) -> Iterator[pa.Table]:
    """Yield the table of all documents part by part: one row group of it is made at a time.

    `parts` has the number of the shards of each document, of a run whose rows are in shards.
    """
    for start in range(0, max(len(decided.corpus), 1), ROW_GROUP):
        found = fates_of(decided, start, start + ROW_GROUP)
        yield (
            found
            if parts is None
            else found.append_column(PART, pa.array(parts[start : start + ROW_GROUP], pa.int32()))
        )


def write_tables(tables: Mapping[str, Iterable[pa.Table]], folder: Path, at_once: int = 1) -> None:
    """Write tables into the run folder.

    Args:
        tables: the parts of each by its name, the largest table first; see `write_parts`.
        folder: see `write_rows`.
        at_once: tables written at the same time; each takes memory while it is packed.
    """

    def write_one(one: tuple[str, Iterable[pa.Table]]) -> None:
        name, parts = one
        write_parts(parts, folder / f"{name}.parquet", PAIR_GROUP if name == "pairs" else ROW_GROUP)

    for _ in in_order(write_one, tables.items(), at_once):
        pass


def write_manifest(
    outcome: Outcome,
    folder: Path,
    mode: str,
    rows: WrittenRows,
    stages: Stages,
    work: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Write bad records, the decisions of a person and last the manifest into the run folder; return the manifest.

    Args:
        outcome: a finished run, whose rows and tables are written.
        folder: see `write_rows`.
        mode: "remove" where rows were split into kept and removed, "annotate", or "ids" where none were written.
        rows: what `write_rows` returned.
        stages: the times of the run.
        work: what was kept for later runs, as run.json tells it (`quchong.results.kept_work`).
    """
    with stages.stage("write tables"):
        sources = outcome.corpus.sources[outcome.reference_sources :]
        write_skipped(whole_bad_records(outcome.bad, sources), folder / "skipped.jsonl")
    if outcome.reviewed.overturned:
        write_acts(outcome.reviewed.overturned, folder / DECISIONS)
    own = {} if mode == IDS else write_own_rows(outcome, folder)
    about = describe(outcome, mode, rows.files, stages, own) | rows.about | ({"work": work} if work else {})
    write_json(about, folder / MANIFEST)
    return about


def _notes(decided: DecidedRows, ledger: pa.Table, source: int, rows: int) -> pa.Table:
    """Return a table of one row for each record: kept, removed or skipped, and why."""
    corpus = decided.corpus
    mine = np.flatnonzero(corpus.source == source)
    place = np.full(rows, -1, np.int64)
    place[corpus.row[mine]] = mine
    docs = place[place >= 0]
    ids, survivors = corpus.documents.shown_ids(docs, own=True), ledger.schema.field("survivor_id").type
    at = pc.index_in(ids, ledger["id"].combine_chunks()).cast(pa.int64())
    stays = pc.is_null(at)
    known = {
        "fate": pc.if_else(stays, "kept", "removed"),
        "id": ids,
        "survivor": pc.if_else(
            stays, ids.cast(survivors), one_array(ledger["survivor_id"]).take(at)
        ),  # null: removed unconfirmed
        **{name: one_array(ledger[name]).take(at) for name in ("relation", "jaccard", "containment")},
    }
    row_of = np.cumsum(place >= 0) - 1
    which = pa.array(np.where(place >= 0, row_of, 0), mask=place < 0)
    return pa.table({f"quchong_{name}": values.take(which) for name, values in known.items()})


def all_alarms(outcome: Outcome, stages: Stages) -> list[Alarm]:
    """Return the alarms of a run: those of its outcome, and one if it held more memory than it may take."""
    own = stages.sampler.whole.private - stages.before
    return [*outcome.alarms, *over_budget(stages.given, own, stages.memory)]


def describe(
    outcome: Outcome, mode: str, files: dict[str, dict[str, str]], stages: Stages, own: Mapping[str, str] | None = None
) -> dict[str, Any]:  # fmt: skip
    """Return the manifest of a run; `own` has the files of own texts of roundups by input."""
    corpus = outcome.corpus
    inputs = corpus.sources[outcome.reference_sources :]
    references = corpus.sources[: outcome.reference_sources]
    about = manifest.describe(
        outcome.plan, mode=mode,
        inputs=[source.fingerprint() | (manifest.path_entry(source) if mode == IDS or _stays(source) else {}) for source in inputs],
        files=files, counts=outcome.counts, alarms=[a.describe() for a in all_alarms(outcome, stages)],
        against=[source.fingerprint() | manifest.path_entry(source) for source in references],
    )  # fmt: skip
    recall = outcome.recall.describe() if outcome.recall else None
    if outcome.reviewed.name:
        about["decisions"] = figures(corpus.documents, outcome.fate.removed, outcome.reviewed)
    if outcome.plan.mix is not None:
        about["mix"] = _mix_entry(outcome, outcome.plan.mix)
    return about | describe_own(outcome, own or {}) | stages.describe() | {"recall": recall}


def _mix_entry(outcome: Outcome, mix: Mix) -> dict[str, Any]:
    """Return the counts of a run with weights by source, see `mix_counts`."""
    documents = outcome.corpus.documents
    sources, kept = outcome.corpus.source_names(outcome.plan.source_key), ~(outcome.fate.removed | documents.reference)
    return mix_counts(mix, sources, kept, copies_wanted(mix, documents.ids, sources, kept))


def _stays(source: Source) -> bool:
    """Return True if the run folder refers to the texts of a source by path and has no copy of them."""
    return source.suffix == ".txt" or source.suffix.startswith(".warc")
