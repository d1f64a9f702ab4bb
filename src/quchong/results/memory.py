"""Run in memory: its tables and texts are those of an outcome, its rows are read from the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.id_index import IdIndex
from quchong.engines.local.outcome import Outcome
from quchong.io import KEEP, REMOVE, Bad, MemorySource, Source, concat_by_name
from quchong.io.files.addresses import here_among
from quchong.io.page_documents import PageReader
from quchong.io.wrapped_source import SourceAround
from quchong.outputs import Place, check_apart, local
from quchong.plan.mix import Mix
from quchong.plan.plan import Plan
from quchong.plan.sources import Spool, places_opened
from quchong.progress import Stages
from quchong.results.document_columns import columns_of_corpus
from quchong.results.folder import all_alarms, describe, fates_of, write
from quchong.results.own_rows import own_rows
from quchong.results.row_outputs import row_fates
from quchong.results.run import Run
from quchong.runs.layout import fresh_folder


class MemoryRun(Run):
    """Run in memory, of which no file is written before `save`.

    Args:
        outcome: the finished run.
        stages: its progress and cost.
        spool: where standard input was copied to; it lives as long as the run.
        read: inputs that were named, which must never be overwritten.
    """

    name = "quchong"

    def __init__(
        self, outcome: Outcome, stages: Stages, spool: Spool | None = None, read: Sequence[Place] = ()
    ) -> None:
        self.outcome, self.stages, self.spool, self.read = outcome, stages, spool, read

    @property
    def counted(self) -> Outcome:
        """Outcome whose method has its statistics, counted if necessary."""
        return self.outcome

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of the run.json that `save` would write, without its entries about files."""
        return describe(self.outcome, "memory", {}, self.stages)

    @property
    def counts(self) -> dict[str, Any]:
        """Counts in run.json, by name; see `Run.counts`."""
        return self.outcome.counts

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """Alarms and notes in run.json, as dictionaries; see `Run.alarms`."""
        return [one.describe() for one in all_alarms(self.outcome, self.stages)]

    @property
    def keys(self) -> tuple[str, str, str]:
        """Names of the columns of ids ("" without one), times and sources; see `Run.keys`."""
        plan = self.outcome.plan
        return plan.id or "", plan.time_key, plan.source_key

    @property
    def mix(self) -> Mix | None:
        """Weights of sources that the run was given; None without any (see `Run.mix`)."""
        return self.outcome.plan.mix

    @cached_property
    def ids(self) -> IdIndex:
        """Ids of the documents; see `Run.ids`."""
        documents = self.outcome.corpus.documents
        return IdIndex(documents.ids, documents.numbers and not documents.references)

    def table(self, name: str) -> pa.Table:
        """See `Run.table`; that of documents is made anew at each call."""
        if name == "documents":
            return fates_of(self.outcome.decided_rows)
        table: pa.Table = getattr(self.outcome, name)
        return table

    @property
    def rows_in_kind(self) -> Callable[[np.ndarray], Any] | None:
        """Function that selects rows by number, in the kind of the data given; None for Arrow (see `Run.rows_in_kind`)."""
        inputs = self.outcome.corpus.sources[self.outcome.reference_sources :]
        return _selector_of(inputs[0]) if len(inputs) == 1 else None

    def rows(self, removed: bool) -> tuple[np.ndarray, pa.Table]:
        """See `Run.rows`; rows of files are read again."""
        fate, outcome = REMOVE if removed else KEEP, self.outcome
        inputs = list(enumerate(outcome.corpus.sources))[outcome.reference_sources :]
        tables = [source.table_of(row_fates(outcome.decided_rows, s) == fate) for s, source in inputs]
        mine = (outcome.fate.removed == removed) & ~outcome.corpus.documents.reference
        return np.flatnonzero(mine), concat_by_name(tables)

    def own_rows(self) -> pa.Table:
        """Return the rows of removed roundups with their own texts alone; see `Run.own_rows`."""
        return own_rows(self.outcome)

    def columns(self, places: np.ndarray, names: tuple[str, ...], lenient: bool = False) -> pa.Table:
        """See `Run.columns`; with `lenient` documents of an input that cannot be read are null, instead of an error."""
        plan = self.outcome.plan
        reader = PageReader(plan.body, plan.pages, plan.time_key, plan.workers)
        return columns_of_corpus(self.outcome.corpus, plan.wanted_columns, reader, places, names, lenient)

    def skipped(self) -> Iterable[Bad]:
        """Return the records that could not be read; see `Run.skipped`."""
        return self.outcome.bad

    def plan(self) -> Plan:
        """Return the plan of the run; see `Run.plan`."""
        return self.outcome.plan

    def decidable(self) -> tuple[Outcome | None, str]:
        """Return the outcome, to decide the run again; None and the reason if that fails (see `Run.decidable`)."""
        return self.outcome, ""

    def locations(self) -> list[Place]:
        """Return the locations of all inputs, which must never be overwritten."""
        return [*self.read, *places_opened(self.outcome.corpus.sources)]

    def save(self, out: Path, overwrite: bool, mode: str | None) -> None:
        """Write the run folder; see `quchong.api.result.Result.save`."""
        check_apart(self.locations(), local(here_among(out)))
        with fresh_folder(out, overwrite=overwrite) as fresh:
            write(self.outcome, fresh, mode or "remove", self.stages)


def _selector_of(source: Source) -> Callable[[np.ndarray], Any] | None:
    """Return `MemorySource.rows_in_kind` of a source, which may be wrapped; None for a file."""
    while isinstance(source, SourceAround):
        source = source.inner
    return source.rows_in_kind if isinstance(source, MemorySource) else None
