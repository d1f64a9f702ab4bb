"""Input options of a call: data and reference corpus, how their files are read, and which documents are protected."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from quchong.decision.alarms import Alarm
from quchong.decision.reviewed import Reviewed, reviewed_in
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.outcome import Outcome
from quchong.errors import Param, UsageError
from quchong.io import Source, WantedColumns
from quchong.io.files.addresses import address_of
from quchong.io.files.remote_file import reading_ahead
from quchong.languages import Message
from quchong.outputs import Place, local
from quchong.plan.column_choice import ColumnChoice, check_needs_columns
from quchong.plan.earlier_columns import columns_of_run, columns_of_runs
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan
from quchong.plan.sources import (
    Data,
    Spool,
    check_no_index,
    may_be_copied,
    paths_of,
    places_beside,
    places_read,
    sources_of,
    spooled,
    streams_of,
)
from quchong.results.against import indexes_among, references_of, runs_among
from quchong.results.kept_rows import ReadDocuments, unlike_kept
from quchong.results.own_rows import check_cuttable
from quchong.results.reference_columns import columns_of_references, own_columns, with_own_columns
from quchong.runs.layout import is_run


def remarks_on(paths: Sequence[str]) -> list[Message]:
    """Return a remark for each input that is a run folder (its kept rows are read), or that is named twice (it is read once).

    Raises:
        InputError: an input is an index.
    """
    known: dict[str, str] = {}
    out = []
    for path in paths:
        real = os.path.realpath(path)
        if path != "-" and real in known:
            out.append(Message("{} is given twice but read only once", path))
            continue
        check_no_index(path)
        if path != "-" and is_run(Path(path)):
            out.append(Message("{} is a run folder: the rows that it kept are read", path))
        known[real] = path
    return out


def remarks_on_itself(data: Data, against: Data | None) -> list[Message]:
    """Return a remark for each reference input that is also an input, so that documents are copies of themselves."""
    paths = [] if against is None else [one for one in paths_of(against) if one != "-"]
    read = [os.path.realpath(one) for one in paths_of(data) if one != "-"] if paths else []
    return [
        Message("{} is in the data and in what it is compared with, so each of its documents is found as a copy of itself: leave it out "
                "of one of the two", one)
        for one in paths
        if any(os.path.realpath(one) == place or os.path.realpath(one).startswith(place + os.sep) for place in read)
    ]  # fmt: skip


def _wanted_of_reference(plan: Plan, columns: Sequence[str]) -> WantedColumns:
    """Return the columns that a reference corpus in memory must have, under its own names."""
    return own_columns(columns, plan, {}, Message("the data given")).wanted_columns(plan.wanted_columns)


AGAINST = "against"
"""Subfolder of a spool with the copies of reference inputs that can be read only once."""


def opened_references(
    against: Data, plan: Plan, *, format: str | None = None, spool: Path | None = None, known: bool = True
) -> list[Source]:
    """Return the sources of a reference corpus, each read under its own column names; `plan` has the names of the data.

    Raises:
        InputError, RunError, UsageError: as `references_of`.
    """
    references = references_of(
        against, plan.wanted_columns, format=format, spool=spool, known=known, max_record=plan.max_record,
        choose=partial(_wanted_of_reference, plan),
    )  # fmt: skip
    runs = {run: columns_of_run(run) for run in runs_among(against)}
    return [with_own_columns(source, plan, runs) for source in references]


@dataclass(frozen=True, slots=True)
class InputOptions:
    """Input options of a call, checked; no file is open yet.

    Attributes:
        data, against: as the caller gave them; `against` is None without a reference corpus.
        format, encoding: of files; None to detect them.
        protected: ids of documents that are never removed.
        reviewed: decisions of a person about removals.
        places: every path that the call reads, with the parameter that names it.
    """

    data: Data
    against: Data | None = None
    format: str | None = None
    encoding: str | None = None
    protected: tuple[str, ...] = ()
    reviewed: Reviewed = field(default_factory=Reviewed)
    places: tuple[Place, ...] = ()

    @classmethod
    def of_call(
        cls,
        data: Data,
        plan: Plan,
        *,
        against: Data | None = None,
        format: str | None = None,
        encoding: str | None = None,
        protect: Any = (),
        decisions: str | Path | None = None,
        boilerplate: Any = (),
    ) -> InputOptions:
        """Check the input options of a call; arguments are those of `dedup`.

        Raises:
            UsageError: an argument cannot be used, or the plan compares with a reference corpus only and there is none.
            InputError: the file of ids or of decisions cannot be read.
        """
        if plan.only_against and against is None:
            raise UsageError(
                "{} needs a corpus to compare with: name it with {}", Param("only_against"), Param("against")
            )
        shared = sorted(streams_of(data) & streams_of(against)) if against is not None else []
        if shared:
            name = Message("standard input") if shared[0] == "-" else shared[0]
            raise UsageError(
                "{} is given as input and for {}, but can be read only once: write the data to a file first",
                name,
                Param("against"),
            )
        given = checked(decisions=decisions, protect=protect, format=format, encoding=encoding)
        reviewed = reviewed_in(given["decisions"])
        places = [*places_read(data), *places_beside(against, protect, boilerplate, plan.method)]
        if decisions is not None and address_of(given["decisions"]) is None:
            places += local([given["decisions"]], "decisions")
        return cls(data, against, given["format"], given["encoding"], given["protect"], reviewed, tuple(places))

    @contextmanager
    def open_inputs(self, plan: Plan, folder: Path | None = None, known: bool = True) -> Iterator[RunInputs]:
        """Open all sources for a plan, in a context in which errors name standard input instead of its copy.

        Args:
            plan: gives the columns that are read, and the maximum size of a record. The inputs have the plan with those columns that
                were found under usual names.
            folder: receives copies of standard input and pipes; None for a temporary folder that exists as long as the inputs.
            known: if False, features that earlier runs stored do not replace reading.

        Raises:
            UsageError, InputError: an input cannot be opened.
        """
        copied = (
            may_be_copied(self.data)
            or may_be_copied(self.against)
            or (self.against is not None and indexes_among(self.against))
        )
        spool = Spool() if folder is None and copied else None
        copies = spool.folder if spool else folder
        wanted, limit = plan.wanted_columns, plan.max_record
        with spooled(copies), reading_ahead(limit // 4):
            named = paths_of(self.data)
            origin = {"shown": named[0]} if len(named) == 1 else {}
            choice = ColumnChoice(plan, earlier=columns_of_runs(named), **origin)
            sources = sources_of(
                self.data, wanted, format=self.format, spool=copies, encoding=self.encoding, max_record=limit,
                choose=choice.choose,
            )  # fmt: skip
            references = [] if self.against is None else opened_references(
                self.against, choice.plan, format=self.format, spool=copies / AGAINST if copies else None, known=known
            )  # fmt: skip
            check_cuttable(choice.plan, sources)
            check_needs_columns(choice.plan, sources)
            remarks = [
                *remarks_on_itself(self.data, self.against),
                *remarks_on(named),
                *columns_of_references(references),
            ]
            yield RunInputs(sources, references, self.protected, self.reviewed, spool, choice.plan, remarks)

    def alarms(self, outcome: Outcome) -> list[Alarm]:
        """Return an alarm for each earlier run among the references whose kept rows have changed since."""
        if self.against is None:
            return []
        corpus = outcome.corpus
        read = ReadDocuments(corpus.sources, corpus.source, corpus.row, corpus.documents.ids, corpus.documents.tokens)
        return unlike_kept(self.against, read, outcome.reference_sources, outcome.plan)

    def with_alarms(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the alarms of `alarms` added."""
        found = self.alarms(outcome)
        return replace(outcome, alarms=[*outcome.alarms, *found]) if found else outcome
