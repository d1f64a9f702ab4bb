"""Deduplication by units: `dedup_units` cuts repeated lines or paragraphs out of the documents of a corpus."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, cast

import pyarrow as pa

from quchong.api.public_calls import public
from quchong.api.result import Result
from quchong.decision.units import UnitRule
from quchong.engines.local.memory import Room, record_limit
from quchong.engines.local.units import TEXTS, find_units, texts_in_memory
from quchong.errors import Param, UsageError
from quchong.languages import filled
from quchong.outputs import Place, check_apart, local
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.made_by_calls import MadeByCall
from quchong.parameters.other_attributes import SuggestsNames
from quchong.parameters.other_names import OPTION_NAMES
from quchong.plan.parameters import checked, only_with_out
from quchong.plan.plan import Plan
from quchong.plan.request import EqualTexts, make_plan
from quchong.plan.sources import Data, Spool, places_opened
from quchong.progress import LoggedRun, Progress, Stages
from quchong.results.input_options import InputOptions
from quchong.results.unit_folder import (
    TABLE,
    CutUnits,
    check_units_cuttable,
    check_units_policy,
    cut_units,
    describe_units,
    write_units,
)
from quchong.runs.layout import fresh_folder
from quchong.text.units import UNITS

P = ParamSpec("P")


def with_units(function: Callable[P, Result]) -> Callable[P, Result]:
    """Return `dedup` such that a call with `unit` "line" or "paragraph" is one of `dedup_units`, with the other arguments as they are.

    A call that names a method is never one, because some methods have a parameter `unit`; unit="document" is what `dedup` does anyway.
    A type checker takes the result for a `Result`: overloads would hide what is wrong with any call of `dedup` behind both of their long
    signatures. Typed code calls `dedup_units`.

    Raises:
        UsageError: an argument that `dedup_units` does not know.
    """
    known = set(inspect.signature(dedup_units).parameters)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Any:
        given: dict[str, Any] = dict(kwargs)
        if "method" in given or given.get("unit") not in ("document", *UNITS):
            return function(*args, **kwargs)
        if given["unit"] == "document":
            del given["unit"]
            return function(*args, **given)
        for name in given:
            if name not in known and OPTION_NAMES.get(name) not in known:
                raise UsageError(
                    "{} is for a run that compares whole documents: leave out this option, or {}",
                    Param(name),
                    Param("unit"),
                )
        return dedup_units(*cast("tuple[Data]", args), **given)

    return call


@explains_arguments
class UnitResult(SuggestsNames, metaclass=MadeByCall):
    """Result of `dedup_units`: what each document loses, and the rows without it. Without `out` nothing is written before `save`."""

    _MADE_BY = "qc.dedup_units('news.jsonl', unit='line')"

    def __init__(
        self, cut: CutUnits, stages: Stages, spool: Spool | None = None, read: Sequence[Place] = (),
        manifest: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self._cut = cut
        self._stages = stages
        self._spool = spool  # what stdin was written to lives as long as the result
        self._read = read
        self._manifest = manifest

    @property
    def units(self) -> pa.Table:
        """Table with a row for each unit that is cut, and for each that a document repeats and keeps (`quchong.tables.UNITS`)."""
        return pa.concat_tables(self._cut.units())

    @property
    def documents(self) -> pa.Table:
        """Table with a row for each document, in input order: what it lost (`quchong.tables.UNIT_DOCUMENTS`)."""
        return pa.concat_tables(self._cut.documents())

    @property
    def kept(self) -> Any:
        """Rows of data in memory without the units that are cut, and without documents that are removed entirely.

        They come as the data was given: pandas, Polars, Dataset, DatasetDict, a dict of texts by id; else as a `pyarrow.Table`.

        Raises:
            UsageError: the data came from files; their rows are in the folder `out`.
        """
        return self._cut.kept_in_kind()

    @property
    def removed(self) -> Any:
        """Rows of data in memory that lost something, as they were; raises as `kept`."""
        return self._cut.removed_in_kind()

    @property
    def counts(self) -> dict[str, Any]:
        """Counts of documents, units and words."""
        return self._cut.counts

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json if `out` was given, else its future contents, without files."""
        return describe_units(self._cut, {}, self._stages) if self._manifest is None else self._manifest

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the folder of the run: kept.*, removed.*, units.parquet, documents.parquet, skipped.jsonl, run.json; return its path.

        Raises:
            OutputError: the folder exists (without `overwrite`), overlaps an input, or cannot be written.
            InputChanged: an input file changed since it was read.
        """
        out: Path = checked(folder=folder, overwrite=overwrite)["folder"]
        check_apart([*self._read, *places_opened(self._cut.found.corpus.sources)], local([out]))
        with fresh_folder(out, overwrite=overwrite, table=TABLE) as fresh:
            self._manifest = write_units(self._cut, fresh, self._stages)
        return out

    def __repr__(self) -> str:
        c = self.counts
        values = c["cut"], c["changed"] + c["removed"], c["read"]
        return filled("<quchong.UnitResult: {:,} units cut out of {:,} of {:,} documents>", values)


@public()
def dedup_units(
    data: Data,
    *,
    unit: Literal["line", "paragraph"] = "line",
    unit_words: int = 4,
    unit_common: int | None = None,
    unit_repeats: Literal["keep", "cut"] = "keep",
    unit_floor: float = 1,
    keep: str | Iterable[str] | None = None,
    against: Data | None = None,
    protect: Iterable[str | int] | Path = (),
    exact: EqualTexts = "strict",
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
) -> UnitResult:
    """Cut lines or paragraphs that occur more than once in a corpus out of all documents but one.

    Args:
        data, text, id, time, source, format, encoding, max_record, workers, memory, storage_options, progress: as for
            `dedup`.
        unit: "line", or "paragraph": lines up to the next blank one.
        unit_words: least words or Chinese characters of a unit that is compared. Shorter ones, such as "}" or 广告, are never cut,
            because they mean something only beside their neighbours.
        unit_common: None to keep the first copy of every unit. A number N cuts units that N documents or more have from all of them,
            and keeps all others in all documents.
        unit_repeats: a document that has a unit several times keeps all of them, such as the refrain of a song ("keep"), or the first
            one alone ("cut"). Other documents lose all copies.
        unit_floor: a document that loses something is removed entirely if less than this is left of it: a number of words from 1 on, or
            below 1 a share of its words. Its units are then kept by the next document that has them.
        keep: criteria by which one of two documents keeps a unit, as for `dedup`, but for "longest" and "shortest"; None for "earliest".
            Documents that the criteria leave equal are ordered by id; within a document the first copy counts.
        against: a reference corpus, as for `dedup`: units that it has are cut from `data`, and it is never changed. Not with `unit_common`.
        protect: ids of documents that lose nothing and keep their units before all others, or a `pathlib.Path` of a file of them.
        exact: units that are equal: "strict", "loose" or "raw", as for `dedup`.
        out, overwrite: the folder to write, as in `UnitResult.save`.

    Raises:
        UsageError, InputError: a parameter or input cannot be used; the message names the file and a remedy. Bad records are
            counted and listed in skipped.jsonl.
        OutputError, InputChanged: with `out`, as `UnitResult.save`.

    Documents with ids lose the same for any order of the input, any number of files and workers and any memory, unless `keep` has
    "first" or "last".
    """
    sizes = checked(memory=memory, max_record=max_record)
    given = checked(
        unit=unit, unit_words=unit_words, unit_common=unit_common, unit_repeats=unit_repeats, unit_floor=unit_floor, format=format,
        encoding=encoding, progress=progress, out=out, overwrite=overwrite,
    )  # fmt: skip
    plan = make_plan(
        method="exact", max_record=record_limit(sizes["max_record"], sizes["memory"]), keep="earliest" if keep is None else keep,
        text=text, id=id, time=time, source=source, html=None, exact=exact, workers=workers, recall_sample=0,
    )  # fmt: skip
    check_units_policy(plan)
    rule = UnitRule(
        given["unit"], given["unit_words"], given["unit_common"], given["unit_repeats"], given["unit_floor"]
    )
    if against is not None and rule.common is not None:
        raise UsageError(
            "{} cuts text that many documents of one corpus have, so it cannot compare with another corpus: "
            "leave out this option, or {}",
            Param("unit_common"),
            Param("against"),
        )
    reading = InputOptions.of_call(data, plan, against=against, protect=protect, format=format, encoding=encoding)
    stages = Stages(given["progress"], logs=True)
    folder: Path | None = given["out"]
    with LoggedRun("dedup", method=rule.unit, out=None if folder is None else str(folder)) as logged:
        result = _run(reading, plan, rule, stages, folder, bool(overwrite), sizes["memory"])
        logged.finish(result.counts, result.manifest["alarms"], stages.sampler.whole.private)
    return result


def _run(
    reading: InputOptions, plan: Plan, rule: UnitRule, stages: Stages, out: Path | None, overwrite: bool, memory: int | None
) -> UnitResult:  # fmt: skip
    if out is None:
        only_with_out(overwrite=overwrite)
        cut, spool = _cut(reading, plan, rule, stages, Room(memory))
        return UnitResult(cut, stages, spool, reading.places)
    written = local([out], "out")
    check_apart(reading.places, written, makes_folder=True)
    with fresh_folder(out, overwrite=overwrite, table=TABLE) as fresh:
        cut, spool = _cut(reading, plan, rule, stages, Room(memory, fresh))
        check_apart(places_opened(cut.found.corpus.sources), written)
        manifest = write_units(cut, fresh, stages)
    return UnitResult(cut, stages, spool, reading.places, manifest)


def _cut(
    reading: InputOptions, plan: Plan, rule: UnitRule, stages: Stages, room: Room
) -> tuple[CutUnits, Spool | None]:
    with reading.open_inputs(plan, known=False) as inputs:
        for remark in inputs.remarks:
            stages.remark(remark)
        chosen = inputs.plan or plan
        check_units_cuttable(chosen, inputs.sources)
        found = find_units(inputs, chosen, rule, stages, room)
        return cut_units(found, stages, room.spill, (texts_in_memory(room, 2 * TEXTS), room.result_limit)), inputs.spool
