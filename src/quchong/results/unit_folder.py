"""Folder of a run by units: the rows without what is cut, the rows that lost something as they were, and the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.manifest import heading
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.engines.local.units import UnitsFound
from quchong.errors import Param, UsageError
from quchong.io import BAD, KEEP, REMOVE, MemorySource, Source, write_skipped
from quchong.io.bad_records import row_numbers
from quchong.io.given_data import texts_replaced
from quchong.io.page_documents import Pages
from quchong.io.row_changes import root_and_steps
from quchong.plan.plan import Plan
from quchong.plan.sources import check_replaceable_texts
from quchong.progress import Stages, peak_memory
from quchong.results.cut_texts import CutCorpus, cut_corpus, unit_table
from quchong.results.folder import whole_bad_records
from quchong.results.row_outputs import paths_of
from quchong.runs.command_line import command_line
from quchong.runs.layout import MANIFEST, ROW_GROUP, write_json, write_parts
from quchong.tables import UNIT_DOCUMENTS

TABLE = "units"
"""Table by which the folder of a run by units is recognised."""


def check_units_cuttable(plan: Plan, sources: Sequence[Source]) -> None:
    """Raise UsageError if rows of these sources cannot be written with another text."""
    if len(plan.text) > 1:
        raise UsageError(
            "{} writes one text column, but {} names {}: cut one column at a time",
            Param("unit"),
            Param("text"),
            len(plan.text),
        )
    for source in sources:
        if source.suffix == ".txt" or source.suffix.startswith(".warc"):
            raise UsageError(
                "{}: {} has no rows in which a text could be replaced; turn it into JSON lines, one record for "
                "each text",
                Param("unit"),
                source.name,
            )
        check_replaceable_texts(source, plan.text[0])


def check_units_policy(plan: Plan) -> None:
    """Raise UsageError if the policy begins with the length of documents, which says nothing of equal lines in them."""
    for criterion in plan.policy.criteria:
        if criterion.name in ("longest", "shortest"):
            raise UsageError(
                "{}: equal lines have equal lengths, so length cannot decide between them; use earliest, first, "
                "source:... or column:...",
                Param("keep", plan.keep),
            )


@dataclass(frozen=True, slots=True)
class CutUnits:
    """Result of cutting repeated units out of the texts of a corpus.

    Attributes:
        found: the repeated units.
        made: the new texts.
    """

    found: UnitsFound
    made: CutCorpus

    @property
    def counts(self) -> dict[str, Any]:
        """Counts of the run by lines or paragraphs, for run.json."""
        found, made = self.found, self.made
        first = found.corpus.documents.references
        gone = found.gone[first:]
        return {
            "read": len(gone),
            **({"reference": first} if found.references else {}),
            "skipped": len(found.bad),
            "kept": len(gone) - int(gone.sum()),
            "removed": int(gone.sum()),
            "changed": int((found.changed[first:] & ~gone).sum()),
            **found.counted,
            "cut": int(made.cut_units.sum()),
            "words": int(found.words[first:].sum()),
            "cut_words": int(made.cut_words.sum()),
            "peak_memory_bytes": peak_memory(),
        }

    def fates(self, source: int) -> np.ndarray:
        """Return for every record of a source REMOVE if its document is cut or removed, else KEEP; BAD for bad ones; uint8."""
        corpus = self.found.corpus
        mine = np.flatnonzero(corpus.source == source)
        bad = row_numbers(self.found.bad, source=corpus.sources[source].name)
        rows = corpus.row[mine]
        out = np.full(1 + max(int(rows.max(initial=-1)), int(bad.max(initial=-1))), BAD, np.uint8)
        out[rows] = np.where(self.found.changed[mine], REMOVE, KEEP)
        return out

    def gone_rows(self, source: int) -> np.ndarray:
        """Return the rows of a source whose documents are removed entirely, ascending, int64."""
        corpus = self.found.corpus
        rows: np.ndarray = np.sort(corpus.row[(corpus.source == source) & self.found.gone])
        return rows

    def documents(self) -> Iterator[pa.Table]:
        """Yield the table UNIT_DOCUMENTS in parts."""
        found, made = self.found, self.made
        names = pa.array([source.name for source in found.corpus.sources], pa.string())
        first = found.corpus.documents.references
        for start in range(first, max(len(found.corpus), first + 1), ROW_GROUP):
            index = np.arange(start, min(start + ROW_GROUP, len(found.corpus)))
            ids = found.corpus.documents.shown_ids(index)
            values = [
                ids, names.take(pa.array(found.corpus.source[index])), found.corpus.row[index], np.diff(found.first)[index],
                found.words[index], made.cut_units[index], made.cut_words[index], found.gone[index],
            ]  # fmt: skip
            schema = pa.schema([one.with_type(ids.type) if one.name == "id" else one for one in UNIT_DOCUMENTS])
            columns = [value if isinstance(value, pa.Array) else pa.array(value) for value in values]
            yield pa.table([one.cast(kind.type) for one, kind in zip(columns, schema, strict=True)], schema=schema)

    def units(self) -> Iterator[pa.Table]:
        """Yield the table UNITS in parts."""
        return unit_table(self.found, self.made)

    def kept_table(self) -> pa.Table:
        """Return the rows of data in memory without what is cut.

        Raises:
            UsageError: the data is from files.
        """
        (source,) = self._memory()
        own = self.found.references
        return source.with_texts(self.made.of_source(self.found, own), self.found.plan.text[0], self.gone_rows(own))

    def kept_in_kind(self) -> Any:
        """Return the rows of `kept_table` in the type in which the data was given, as `Result.kept`; raises as `kept_table`."""
        (source,) = self._memory()
        table, select = self.kept_table(), source.rows_in_kind
        if select is None:
            return table
        key, _ = root_and_steps(self.found.plan.text[0], table.column_names)
        rows = select(source.rows_without(self.gone_rows(self.found.references)))
        return texts_replaced(rows, key, table[key].to_pylist())

    def removed_in_kind(self) -> Any:
        """Return the rows of `removed_table` in the type in which the data was given; raises as `kept_table`."""
        (source,) = self._memory()
        select = source.rows_in_kind
        return (
            self.removed_table()
            if select is None
            else select(np.flatnonzero(self.fates(self.found.references) == REMOVE))
        )

    def removed_table(self) -> pa.Table:
        """Return the rows of data in memory that lost something, as they were; raises as `kept_table`."""
        (source,) = self._memory()
        return source.table_of(self.fates(self.found.references) == REMOVE)

    def _memory(self) -> list[MemorySource]:
        own = self.found.corpus.sources[self.found.references :]
        sources = [s.inner if isinstance(s, Pages) else s for s in own]
        there = [source for source in sources if isinstance(source, MemorySource)]
        if len(there) != 1 or len(sources) != 1:
            raise UsageError("the data came from files: name a folder for the rows with {}", Param("out"))
        return there


def cut_units(
    found: UnitsFound, stages: Stages, folder: Path | None, memory: tuple[int | None, int | None]
) -> CutUnits:
    """Cut the repeated units out of all texts; beyond the bytes in `memory` (texts, tables) results are stored in `folder`."""
    with (
        stages.stage("cut", len(found.corpus)),
        TextKeeper(folder, memory[0]) as texts,
        FoundKeeper(folder, memory[1]) as keeper,
    ):
        return CutUnits(found, cut_corpus(found, texts, keeper))


def write_units(cut: CutUnits, folder: Path, stages: Stages) -> dict[str, Any]:
    """Fill a fresh folder: rows (`kept.*`, `removed.*`), units.parquet, documents.parquet, skipped.jsonl, run.json; return the manifest.

    Raises:
        OutputError, InputChanged: as for the folder of a run.
        UsageError: a source whose records cannot have another text.
    """
    found = cut.found
    sources = found.corpus.sources[found.references :]
    files: dict[str, dict[str, str]] = {}
    with stages.stage("write", len(found.corpus)) as progress:
        sides = zip(paths_of(folder, "kept", sources), paths_of(folder, "removed", sources), strict=True)
        for s, (source, (kept, removed)) in enumerate(zip(sources, sides, strict=True), found.references):
            source.rewrite(cut.made.of_source(found, s), found.plan.text[0], kept, cut.gone_rows(s))
            source.split(cut.fates(s), None, removed)
            files[source.name] = {
                "kept": kept.relative_to(folder).as_posix(),
                "removed": removed.relative_to(folder).as_posix(),
            }
            progress.advance(int((found.corpus.source == s).sum()))
    with stages.stage("write tables"):
        write_parts(cut.units(), folder / f"{TABLE}.parquet")
        write_parts(cut.documents(), folder / "documents.parquet")
        write_skipped(whole_bad_records(found.bad, sources), folder / "skipped.jsonl")
    manifest = describe_units(cut, files, stages) | command_line()
    write_json(manifest, folder / MANIFEST)
    return manifest


def describe_units(cut: CutUnits, files: dict[str, dict[str, str]], stages: Stages) -> dict[str, Any]:
    """Return the manifest of a run by units."""
    found = cut.found
    return (
        heading(found.plan)
        | {
            "units": found.rule.describe(),
            "mode": "units",
            "inputs": [source.fingerprint() for source in found.corpus.sources[found.references :]],
            **(
                {"against": [source.fingerprint() for source in found.corpus.sources[: found.references]]}
                if found.references
                else {}
            ),
            "files": files,
            "counts": cut.counts,
            "alarms": [alarm.describe() for alarm in found.alarms],
        }
        | stages.describe()
    )
