"""Evaluation of runs by labels: `evaluate`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

import pyarrow as pa
import pyarrow.compute as pc

from quchong.api.loaded import LoadedResult, load
from quchong.api.public_calls import public
from quchong.api.result import Result
from quchong.errors import InputError, UsageError
from quchong.evaluation.claims import Claims, claims_of_tables
from quchong.evaluation.curve import curve as curve_of
from quchong.evaluation.evaluation import Evaluation
from quchong.evaluation.grouping_fields import SITE, values_of
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labelled_pairs import check_ids
from quchong.evaluation.labels import COPIES, Truth
from quchong.evaluation.measuring import evaluated, measured
from quchong.evaluation.run_comparison import Evaluations, compare_evaluations, names_apart
from quchong.evaluation.slices import Valued
from quchong.languages import Message
from quchong.plan.parameters import checked

One = Result | str | Path
Words = str | Mapping[str, str] | None


@overload
def evaluate(run: One, truth: Any, *, complete: bool = ..., labels: str | Iterable[str] = ..., truth_keys: Words = ...,
             truth_words: Words = ..., by: str | None = ..., curve: bool = ...,
             storage_options: Mapping[str, Any] | None = ...) -> Evaluation: ...  # fmt: skip
@overload
def evaluate(run: list[Any] | tuple[Any, ...], truth: Any, *, complete: bool = ..., labels: str | Iterable[str] = ...,
             truth_keys: Words = ..., truth_words: Words = ..., by: str | None = ..., curve: bool = ...,
             storage_options: Mapping[str, Any] | None = ...) -> Evaluations: ...  # fmt: skip
@public()
def evaluate(
    run: One | list[Any] | tuple[Any, ...],
    truth: Any,
    *,
    complete: bool = False,
    labels: str | Iterable[str] = COPIES,
    truth_keys: Words = None,
    truth_words: Words = None,
    by: str | None = "site",
    curve: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> Evaluation | Evaluations:
    """Measure how good a run is by labels; for a list of runs, compare them.

    Args:
        run: a result or a run folder; or a list of such.
        truth: a file (.jsonl, .csv, .tsv, .parquet), a table or a list of dicts. A truth of pairs has `left_id`, `right_id` and
            `label`, which is same, contained, different or unsure; the last line of a pair wins. A truth of clusters has `id` and
            `cluster`; documents of two clusters are different.
        complete: if True, every pair that the truth does not list is different. If False, a truth of pairs is a sample, and one of
            clusters covers the documents it lists.
        labels: labels of pairs that a run should find: "same", "contained" or both. Pairs of the other label count neither way.
        truth_keys: other names of columns, such as "left=a,right=b,label=kind".
        truth_words: other words for labels, such as "dup=same,template=different". The names of relations are known
            too, each as the label in its row of `quchong.relations.TABLE`.
        by: a column by which pairs are grouped; "site" is the column, or the registrable domain of `url`; None for no groups.
        curve: decide the run again at other thresholds too, for `Evaluation.plot`.
        storage_options: as in `dedup`, for runs and truths on other machines.

    Returns:
        An `Evaluation` for one run, or `Evaluations` for a list, a sequence with the same rows: precision, recall and F1 of pairs
        with 95% intervals, by relation, length and site; B-cubed and adjusted Rand index; documents wrongly removed and wrongly
        kept. A figure that cannot be computed is None, and `notes` gives the reason.

    Raises:
        UsageError: a parameter cannot be used; or `curve` is set and the run cannot be decided again; or no run has the column `by`.
        InputError: the truth cannot be read, has other columns, or a word that is no label.
        RunError: a folder is no run folder, or is damaged.

    The same run and truth give the same figures, in any order. Cost: reading the tables, and the rows if `by` needs them.

    >>> import quchong as qc
    >>> text = "The council said that the new bridge will open in March, and that drivers pay 12 percent less toll in the first year."
    >>> rows = [{"id": "a", "text": text}, {"id": "b", "text": text + " "}, {"id": "c", "text": text[:60][::-1]}]
    >>> truth = [{"left_id": "a", "right_id": "b", "label": "same"}, {"left_id": "a", "right_id": "c", "label": "same"}]
    >>> found = qc.evaluate(qc.dedup(rows), truth)
    >>> found.precision.value, found.recall.value, found.recall.of
    (1.0, 0.5, 2)
    """
    given = checked(
        complete=complete, labels=labels, truth_keys=truth_keys, truth_words=truth_words, by=by, curve=curve
    )
    read = read_truth(truth, given["truth_keys"], given["truth_words"], given["complete"])
    how = {"by": given["by"], "curve": given["curve"]}
    if isinstance(run, list | tuple):
        return evaluate_all(run, read, given["labels"], **how)
    return evaluate_by(open_run(run), read, given["labels"], **how)


def open_run(run: Result | str | Path) -> Result:
    """Return the given result, or load it from its folder."""
    if isinstance(run, Result):
        return run
    if not isinstance(run, str | Path):
        raise UsageError("'run' must be a result or a run folder, got {}", type(run).__name__)
    return load(run)


def evaluate_by(result: Result, truth: Truth, counted: tuple[str, ...], *, by: str | None, curve: bool) -> Evaluation:
    """Measure one result by labels that were read already; `counted` are the labels that make a pair a true copy."""
    (name,) = names_apart([_folder(result)])
    claims = _claims(result)
    check_ids(truth, claims.ids)
    found = evaluated(claims, truth, name, counted, _values(result, by, needed=True), by or SITE)
    return _with_curve(found, result, truth, counted) if curve else found


def evaluate_all(
    runs: Sequence[Any], truth: Truth, counted: tuple[str, ...], *, by: str | None, curve: bool
) -> Evaluations:
    """Measure several runs, in order, by labels that were read already; `counted` are the labels that make a pair a true copy.

    The notes of a run say if its rows have no column `by`, or if it has no curve. If that is true of all runs, it is an error.
    """
    if not runs:
        raise UsageError("no run is given: name one or more run folders")
    found: list[tuple[Evaluation, Valued | None]] = []
    why = None
    names = names_apart([_folder(run) for run in runs])
    strangers: list[InputError] = []
    first: pa.ChunkedArray | None = None
    for run, name in zip(runs, names, strict=True):
        result = open_run(run)
        values = _values(result, by, needed=False)
        claims = _claims(result)
        try:
            check_ids(truth, claims.ids)
        except InputError as error:
            strangers.append(error)  # its notes say so, if another run has these ids
        one, valued = measured(claims, truth, name, counted, values, by or SITE)
        if curve:
            try:
                one = _with_curve(one, result, truth, counted)
            except UsageError as error:
                why = error
                one = replace(
                    one,
                    notes=(*one.notes, Message("no curve can be drawn, only the point of the run: {}", error.message)),
                )
        ids = result.documents["id"].cast(pa.large_string())
        if first is None:
            first = ids
        elif not _same_ids(first, ids):
            other = Message(
                "the documents of this run differ from those of {}, so the measures cannot be compared", names[0]
            )
            one = replace(one, notes=(other, *one.notes))
        found.append((one, valued))
    if len(strangers) == len(runs):
        raise strangers[0]
    if curve and why is not None and not any(one.curve for one, _ in found):
        raise why
    if by is not None and all(valued is None for _, valued in found):
        if by != SITE:
            _values(open_run(runs[0]), by, needed=True)  # says what columns there are
    elif by is not None:
        lacks = Message("the rows have no column {}, so measures cannot be listed by its values", by)
        found = [
            (one if valued is not None else replace(one, notes=(*one.notes, lacks)), valued) for one, valued in found
        ]
    return compare_evaluations(found)


def _same_ids(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return True if two runs have the same documents, in any order."""
    if len(one) != len(other):
        return False
    return bool(one.equals(other) or pc.all(pc.is_in(one, value_set=other.combine_chunks())).as_py())


def _claims(result: Result) -> Claims:
    return claims_of_tables({**result._run.tables, "pairs": result._run.examined_pairs})


def _values(result: Result, by: str | None, *, needed: bool) -> list[str | None] | None:
    return values_of(result._run, by, needed=needed)


def _with_curve(found: Evaluation, result: Result, truth: Truth, counted: tuple[str, ...]) -> Evaluation:
    parameter, points = curve_of(result._outcome, truth, counted)
    return replace(found, parameter=parameter, curve=points)


def _folder(run: Any) -> Path | None:
    """Return the folder of a run; None for a run in memory or anything that is no run."""
    if isinstance(run, LoadedResult):
        return run.folder.resolve()
    return Path(run).resolve() if isinstance(run, str | Path) else None
