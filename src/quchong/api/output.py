"""Output options of a call, and the run folder that a call is writing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.api.part_runs import check_divisible, join_inputs, parts_left
from quchong.api.work import work_of
from quchong.engines.local.estimate import estimate_before
from quchong.engines.local.group_scores import GroupScores
from quchong.engines.local.inputs import RunInputs, bytes_of
from quchong.engines.local.memory import Room, budget, unbounded
from quchong.engines.local.outcome import DecidedRows, Outcome
from quchong.engines.local.read_parts import check_joined
from quchong.errors import InputChanged, OutputError, Param
from quchong.io.files.addresses import address_of, here_among
from quchong.kernels.machine import Stop
from quchong.outputs import check_apart, local
from quchong.plan.parameters import checked, only_with_out, run_place
from quchong.plan.plan import Plan
from quchong.plan.sources import paths_of, places_opened
from quchong.progress import Stages
from quchong.results.folder import document_parts, write_manifest, write_rows, write_tables
from quchong.results.input_options import InputOptions
from quchong.results.kept_work import check_keepable, keep_work
from quchong.results.row_options import AS_IT_IS, RowOptions
from quchong.results.row_outputs import WrittenRows
from quchong.runs.layout import fresh_folder
from quchong.work import Work

SPOOL = "stdin"
"""Subfolder of a run folder in progress into which standard input is copied; removed when the run is complete."""
ASIDE = ".work"
"""Subfolder of a run folder in progress for intermediate results that no other process can continue from; removed when
the run is complete.
"""


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Output options of a call, checked: folder, mode, stored intermediate results, and memory.

    Attributes:
        folder: the run folder; None if nothing is written.
        mode: "remove" for kept and removed rows in two outputs, "annotate" for all rows in one, "ids" for no rows.
        overwrite: True to replace an earlier run.
        work: folder for intermediate results; None for a hidden one next to `folder`.
        fresh: True to remove the intermediate results of an interrupted run first.
        keep_work: True to store prepared texts and features of kept documents for later runs.
        memory: memory limit in bytes; None for half of what is available.
        max_record: maximum size of a record in bytes as the caller gave it; None if it follows from the memory.
        rows: in which files rows are written, and in which form.
        target: number of documents to keep, to which the run is brought by another threshold; None if it stays as it is decided.
        join: number of parts that have read the inputs (`quchong.api.part_runs`); None if the run reads them itself.
    """

    folder: Path | None = None
    mode: str = "remove"
    overwrite: bool = False
    work: Path | None = None
    fresh: bool = False
    keep_work: bool = False
    memory: int | None = None
    max_record: int | None = None
    rows: RowOptions = AS_IT_IS
    join: int | None = None
    target: int | None = None

    @classmethod
    def of_call(
        cls,
        *,
        out: str | Path | None,
        annotate: bool = False,
        overwrite: bool = False,
        work: str | Path | None = None,
        fresh: bool = False,
        keep_work: bool = False,
        memory: int | None = None,
        max_record: int | None = None,
        ids_only: bool = False,
        join: int | None = None,
        target: int | None = None,
        **of_rows: Any,
    ) -> OutputOptions:
        """Check the output options of a call; arguments are those of `dedup`, sizes already in bytes (but for `shard_size`).

        Raises:
            UsageError: an argument cannot be used, or needs `out`.
        """
        wanted = None if target is None else checked(target=target)["target"]
        given = {"out": run_place(out=out)} | checked(
            annotate=annotate, overwrite=overwrite, work=work, fresh=fresh, keep_work=keep_work
        )
        rows = RowOptions.of_call(ids_only=ids_only, annotate=given["annotate"], **of_rows)
        if given["out"] is None:
            given["work"] = work is not None
            given |= {"ids_only": ids_only, "join": join is not None} | {
                name: bool(value) for name, value in of_rows.items()
            }
            only_with_out(**{name: value for name, value in given.items() if name != "out"})
            return cls(memory=memory, max_record=max_record, target=wanted)
        folder, mode = given.pop("out"), "annotate" if given.pop("annotate") else rows.mode
        count = None if join is None else check_divisible("join", join, folder, keep_work=keep_work)
        return cls(folder, mode, **given, memory=memory, max_record=max_record, rows=rows, join=count, target=wanted)

    @contextmanager
    def writing(self, reading: InputOptions, plan: Plan, stages: Stages) -> Iterator[RunBeingWritten]:
        """Yield a run folder in progress with its opened inputs; it is moved to its place if the block ends without error.

        Intermediate results of an interrupted run are found, or removed; they are removed when the folder is in its place.

        Raises:
            OutputError: `folder` exists (without `overwrite`), overlaps an input, or cannot be written.
            UsageError, InputError: an input cannot be opened.
        """
        assert self.folder is not None
        remote = address_of(self.folder)
        written = local(here_among(self.folder), "out")
        if remote is not None:
            _check_remote_apart(remote, reading)
        check_apart(
            reading.places, [*written, *local([] if self.work is None else [self.work], "work")], makes_folder=True
        )
        with (
            fresh_folder(self.folder, overwrite=self.overwrite) as new,
            reading.open_inputs(plan, new / SPOOL) as inputs,
        ):
            check_apart(places_opened(inputs.all_sources), written)
            plan = inputs.plan or plan
            parts = join_inputs(inputs, plan, self.folder, self.join, self.work)
            parts.check_idle()
            self.rows.under(plan).check(inputs.sources, keep_work=self.keep_work, annotate=self.mode == "annotate")
            if self.keep_work:
                check_keepable(inputs.sources)
            beside = new / ASIDE if self.keep_work or (remote and self.work is None) else None
            # Work that lasts is known by the place of the output, not by the folder in which a run for an address is made.
            place = new if remote and self.work is None else self.folder
            work = work_of(
                place, plan, parts.inputs, folder=self.work, memory=self.memory, max_record=self.max_record, fresh=self.fresh,
                copied=new / SPOOL, aside=beside,
            )  # fmt: skip
            yield RunBeingWritten(self, new, plan, parts.inputs, work, stages, parts.scores)
            for name in (SPOOL, ASIDE):
                shutil.rmtree(new / name, ignore_errors=True)
        work.end()
        parts.end()
        if remote is None and (left := parts_left(self.folder, self.work)) is not None:
            stages.notice(left)


@dataclass(slots=True)
class RunBeingWritten:
    """Run folder in progress.

    Attributes:
        options: the output options of the call.
        folder: the folder in progress, which has another name until it is complete.
        plan, inputs, stages: of the run.
        work: intermediate results of the run.
        scores: scores of candidate pairs that parts of the run have stored; None without parts.
        rows: files of rows, once they are written.
    """

    options: OutputOptions
    folder: Path
    plan: Plan
    inputs: RunInputs
    work: Work
    stages: Stages
    scores: GroupScores | None = None
    rows: WrittenRows = field(default_factory=WrittenRows)

    def begin(self) -> Room:
        """Return the memory limit and folders of the run; tell the progress what is known of the run before it begins."""
        self.stages.resumed(self.work.found)
        room = Room(
            self.options.memory,
            self.folder,
            self.work,
            self.options.keep_work,
            pairs=self.folder / "pairs.parquet",
            scores=self.scores,
        )
        files = bytes_of(self.inputs.all_sources)
        if warning := unbounded(self.plan.method, files, budget(self.options.memory)):
            self.stages.remark(warning)
        for remark in self.inputs.remarks:
            self.stages.remark(remark)
        if not self.work.found:
            self.stages.planned(partial(estimate_before, self.inputs, self.plan, room, self.folder))
        return room

    @property
    def splits(self) -> bool:
        """True if rows are split into kept and removed ones, or none is written, for which the ledger is not needed."""
        return self.options.mode != "annotate"

    def write_rows(
        self, decided: DecidedRows, ledger: pa.Table | None, advance: Callable[[int], None], stop: Stop
    ) -> None:
        """Write the rows of the inputs and the table of all documents; see RunWriter."""
        options = self.options.rows.under(self.plan)
        self.rows = write_rows(decided, self.folder, ledger, advance, stop, options)
        if not stop.is_set():
            write_tables({"documents": document_parts(decided, self.rows.parts)}, self.folder)

    def write_tables(self, tables: Mapping[str, pa.Table]) -> None:
        """Write tables; see RunWriter."""
        write_tables({name: [table] for name, table in tables.items()}, self.folder)

    def write_outcome(self, outcome: Outcome) -> None:
        """Write the rows and tables of a run that is decided."""
        with self.stages.stage("write", len(outcome.corpus)) as progress:
            ledger = None if self.splits else outcome.ledger
            self.write_rows(outcome.decided_rows, ledger, progress.advance, Stop())
        with self.stages.stage("write tables"):
            self.write_tables({name: getattr(outcome, name) for name in ("pairs", "ledger", "clusters", "templates")})

    def finish(self, outcome: Outcome) -> tuple[dict[str, Any], dict[str, pa.Table]]:
        """Write bad records, decisions and the manifest, which completes the run; return the manifest, and the tables in memory by name."""
        if self.options.join is not None:
            try:
                with self.stages.stage("write"):
                    check_joined(self.inputs.all_sources, self.plan.workers)
            except InputChanged:
                self.work.end()  # of bytes that are gone
                raise
        stored = None
        if self.options.keep_work:
            stored = keep_work(outcome, self.work, self.folder, self.rows, self.plan, self.stages)
        about = write_manifest(outcome, self.folder, self.options.mode, self.rows, self.stages, stored)
        return about, {name: getattr(outcome, name) for name in ("ledger", "clusters", "templates")}


def _check_remote_apart(out: str, reading: InputOptions) -> None:
    """Raise OutputError if a run at an address would overlap an input there."""
    for data in (reading.data, reading.against):
        for path in paths_of(data):
            read = (address_of(path) or "").rstrip("/")
            if read and (f"{read}/".startswith(f"{out}/") or f"{out}/".startswith(f"{read}/")):
                raise OutputError(
                    "the output {} overlaps with the input {}: choose another output",
                    Param("out", out),
                    read,
                )
