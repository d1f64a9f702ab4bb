"""Folder of a search for test items: tables, and the rows of the training corpus kept, removed, cut or annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import Alarm, columns_by_usual_names
from quchong.decision.manifest import heading
from quchong.engines.contamination.exchange import exchange_alarms
from quchong.engines.contamination.report import ContaminationTables, emptied, make_tables
from quchong.engines.contamination.search import Findings, Search
from quchong.errors import Param, UsageError
from quchong.io import BAD, KEEP, REMOVE, MemorySource, Source, WantedColumns, open_file, write_skipped
from quchong.io.bad_records import row_numbers
from quchong.io.page_documents import Pages
from quchong.plan.plan import Plan
from quchong.plan.sources import check_replaceable_texts
from quchong.progress import Stages
from quchong.results.folder import whole_bad_records
from quchong.results.row_outputs import paths_of
from quchong.runs.command_line import command_line
from quchong.runs.layout import MANIFEST, write_json, write_table

TABLE = "matches"
"""Table by which the folder of a search is recognised."""
MODES = ("report", "remove", "cut", "annotate")
NOTES = pa.schema(
    [
        pa.field("quchong_leak", pa.string()),  # question, answer, both, variant, or null
        pa.field("quchong_leak_sets", pa.string()),  # names of the test sets, by commas
        pa.field("quchong_leak_items", pa.int64()),  # items whose question is in the document
        pa.field("quchong_leak_share", pa.float64()),  # greatest share of a question
    ]
)


@dataclass(frozen=True, slots=True)
class ContaminationResult:
    """Search that is finished: what was looked for, what was found, and the sources that were read."""

    plan: Plan
    search: Search
    findings: Findings
    sources: Sequence[Source]
    mode: str
    tables: ContaminationTables

    @classmethod
    def of_search(
        cls, plan: Plan, search: Search, findings: Findings, sources: Sequence[Source], mode: str
    ) -> ContaminationResult:
        """Return the result of a search in a mode, with its tables; in "cut" documents that cannot be cut are marked in `findings`."""
        if mode == "cut":
            _mark_fixed(plan.text[0], findings, sources)
        return cls(plan, search, findings, sources, mode, make_tables(search, findings, sources, mode))

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of documents by outcome ("read", "leaking", "removed", ...), and of characters cut."""
        documents = self.findings.documents
        return {
            "read": sum(self.findings.read),
            "skipped": len(self.findings.bad),
            "documents": len(documents),
            "leaking": sum(d.leaks for d in documents),
            "removed": sum(self.tables.documents["removed"].to_pylist()),
            "cut": sum(d.cut > 0 for d in documents) if self.mode == "cut" else 0,
            "characters_cut": sum(d.cut for d in documents) if self.mode == "cut" else 0,
            "nested": sum(d.nested for d in documents),
        }

    def describe(self, stages: Stages) -> dict[str, Any]:
        """Return the manifest without files."""
        return (
            heading(self.plan)
            | {
                "contamination": self.search.rule.describe() | {"when": "both" if self.search.both else "question"},
                "mode": self.mode,
                "inputs": [source.fingerprint() for source in self.sources],
                "documents": dict(zip([s.name for s in self.sources], self.findings.read, strict=True)),
                "sets": self.tables.sets,
                "skipped_items": len(self.search.sets.bad),
                "counts": self.counts,
                "alarms": [alarm.describe() for alarm in self._alarms()],
            }
            | stages.describe()
        )

    def _alarms(self) -> list[Alarm]:
        """Return the alarms of the search: about columns by usual names, and about corpus and test sets that may be exchanged."""
        return [
            *columns_by_usual_names(self.plan.columns_found),
            *exchange_alarms(self.sources, self.search.sets, sum(self.findings.read)),
        ]

    def fates(self, source: int) -> np.ndarray:
        """Return KEEP, REMOVE or BAD for every record of a source, uint8."""
        bad = row_numbers(self.findings.bad, source=self.sources[source].name)
        out = np.full(self.findings.read[source] + len(bad), KEEP, np.uint8)
        out[bad] = BAD
        out[self._rows(source, self.tables.documents["removed"].to_pylist())] = REMOVE
        return out

    def _rows(self, source: int, chosen: Sequence[bool]) -> np.ndarray:
        found = [d.row for d, one in zip(self.findings.documents, chosen, strict=True) if one and d.source == source]
        return np.array(found, np.int64)

    def new_texts(self, source: int) -> dict[int, str]:
        """Return the texts left of the cut documents of a source, by row; a document with no text left is removed instead."""
        found = (d for d in self.findings.documents if d.source == source and d.rest is not None)
        return {d.row: d.rest for d in found if d.rest is not None and not emptied(d.rest)}

    def notes(self, source: int) -> pa.Table:
        """Return the columns of the mode "annotate" for every record of a source, bad ones included."""
        count = len(self.fates(source))
        columns: list[list[Any]] = [[None] * count, [None] * count, [0] * count, [0.0] * count]
        names = self.search.sets
        for d in self.findings.documents:
            if d.source == source:
                sets = sorted({names.names[names.set[m.item]] for m in d.matches})
                questions = sum(m.found in ("question", "both") for m in d.matches)
                for column, value in zip(columns, (d.finding, ",".join(sets), questions, d.share), strict=True):
                    column[d.row] = value
        return pa.table([pa.array(c, f.type) for c, f in zip(columns, NOTES, strict=True)], schema=NOTES)

    def rows(self, source: int = 0) -> pa.Table:
        """Return the rows of data in memory as the mode leaves them.

        Raises:
            UsageError: the data is from files.
        """
        one = self.sources[source]
        inner = one.inner if isinstance(one, Pages) else one
        if not isinstance(inner, MemorySource):
            raise UsageError("the data came from files: give a folder with {}, or call save(folder)", Param("out"))
        kept = self.fates(source) == KEEP
        if self.mode == "cut":
            whole = inner.with_texts(self.new_texts(source), self.plan.text[0])
            return whole.filter(pa.array(kept))
        table = inner.table_of(kept)
        if self.mode == "annotate":
            for name, column in zip(NOTES.names, self.notes(source).filter(pa.array(kept)).columns, strict=True):
                table = table.append_column(name, column)
        return table


def _mark_fixed(key: str, findings: Findings, sources: Sequence[Source]) -> None:
    """Mark documents to be cut whose text cannot be replaced in their record, so that they are removed entirely."""
    documents = findings.documents
    for s, source in enumerate(sources):
        mine = [k for k, d in enumerate(documents) if d.source == s and d.rest is not None]
        fixed = source.fixed_rows(np.array([documents[k].row for k in mine], np.int64), key)
        for k in mine:
            if documents[k].row in fixed:
                documents[k] = replace(documents[k], rest="", cut=0, nested=True)


def check_mode(mode: str, plan: Plan, sources: Sequence[Source] = ()) -> None:
    """Raise UsageError if a mode cannot be carried out for this plan and these sources."""
    if mode == "cut" and len(plan.text) > 1:
        raise UsageError(
            "{} writes one text column, but {} names {}: cut one column at a time",
            Param("mode", mode), Param("text"), len(plan.text),
        )  # fmt: skip
    for source in sources if mode == "cut" else ():
        if source.suffix == ".txt" or source.suffix.startswith(".warc"):
            raise UsageError(
                "{}: {} has no rows in which a text could be replaced; use {}",
                Param("mode", "cut"), source.name, Param("mode", "remove"),
            )  # fmt: skip
        check_replaceable_texts(source, plan.text[0])


def write_result(result: ContaminationResult, folder: Path, stages: Stages) -> dict[str, Any]:
    """Fill a fresh folder: matches, items and documents as Parquet, rows by mode, skipped.jsonl, run.json; return the manifest.

    Raises:
        OutputError, InputChanged: as for the folder of a run.
        UsageError: a source whose records cannot take another text.
    """
    with stages.stage("write", result.counts["read"]):
        files = _write_rows(result, folder)
    with stages.stage("write tables"):
        tables = result.tables
        for name, table in ((TABLE, tables.matches), ("items", tables.items), ("documents", tables.documents)):
            write_table(table, folder / f"{name}.parquet")
        write_skipped(whole_bad_records(result.findings.bad, result.sources), folder / "skipped.jsonl")
    manifest = result.describe(stages) | {"files": files} | command_line()
    write_json(manifest, folder / MANIFEST)
    return manifest


def _write_rows(result: ContaminationResult, folder: Path) -> dict[str, dict[str, str]]:
    """Write the rows of every source by the mode; return the names of the files by source and side."""
    sources, mode = result.sources, result.mode
    sides = {"report": (), "annotate": ("annotated",)}.get(mode, ("kept", "removed"))
    paths = {side: paths_of(folder, side, sources) for side in sides}
    files: dict[str, dict[str, str]] = {source.name: {} for source in sources}
    for s, source in enumerate(sources):
        mine = {side: paths[side][s] for side in sides}
        for path in mine.values():
            path.parent.mkdir(exist_ok=True)
        if mode == "annotate":
            source.annotate(result.notes(s), mine["annotated"])
        elif mode == "remove":
            source.split(result.fates(s), mine["kept"], mine["removed"])
        elif mode == "cut":
            # Documents that lose something are whole in `removed`, so that they can be put back as they were.
            fates, texts = result.fates(s), result.new_texts(s)
            _write_cut(source, result.plan.text[0], texts, fates, mine["kept"])
            fates[np.array(sorted(texts), np.int64)] = REMOVE
            source.split(fates, None, mine["removed"])
        files[source.name] = {side: path.relative_to(folder).as_posix() for side, path in mine.items()}
    return files


def _write_cut(source: Source, key: str, texts: dict[int, str], fates: np.ndarray, out: Path) -> None:
    """Write the rows of a source, some with new texts, without those that are removed."""
    if not (fates == REMOVE).any():
        source.rewrite(texts, key, out)
        return
    # The rows are copied without the removed ones first, and get their new texts in a second pass.
    whole = out.parent / f".whole{source.suffix}"
    source.split(fates, whole, None)
    number = np.cumsum(fates == KEEP) - 1
    encoding = source.fingerprint().get("encoding")
    copied = open_file(whole, source.suffix[1:], str(encoding) if encoding else None)
    for _ in copied.documents(WantedColumns((key,), None, textless=True), []):
        pass
    copied.rewrite({int(number[row]): text for row, text in texts.items()}, key, out)
    whole.unlink()
