"""Runs held to labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from quchong.api.loaded import LoadedResult, load
from quchong.api.result import Result
from quchong.errors import UsageError
from quchong.evaluation.claims import claims_of_tables
from quchong.evaluation.curve import curve as curve_of
from quchong.evaluation.evaluation import Evaluation
from quchong.evaluation.fields import values_of
from quchong.evaluation.labels import COPIES, Truth
from quchong.evaluation.measuring import evaluated
from quchong.evaluation.reading import read_truth
from quchong.plan.parameters import checked

Words = str | Mapping[str, str] | None


def evaluate(
    run: Result | str | Path,
    truth: Any,
    *,
    complete: bool = False,
    labels: str | Iterable[str] = COPIES,
    truth_keys: Words = None,
    truth_words: Words = None,
    by: str | None = "site",
    curve: bool = False,
) -> Evaluation:
    """How good a run is, by labels.

    Args:
        run: a result, or the folder of one.
        truth: a file (.jsonl, .csv, .tsv, .parquet), a table or a list of dicts. Of pairs: `left_id`, `right_id` and `label`, which
            is same, contained, different or unsure; the last line of a pair wins. Of clusters: `id` and `cluster`; documents of two
            clusters are different.
        complete: every pair that the truth does not list is different. Without it a truth of pairs is a sample, and one of clusters
            speaks of the documents it lists.
        labels: what a run is to find: "same", "contained" or both. Pairs of the other label count neither way.
        truth_keys: other names of columns, such as "left=a,right=b,label=kind".
        truth_words: other words for labels, such as "dup=same,template=different". The relations of `quchong.tables` are known:
            exact and duplicate are the same, contains and contained_in contained, variant and partial different.
        by: a column by which pairs are told apart; "site" is the column, or the registrable domain of `url`; None for none.
        curve: decide the run again at other thresholds too, for `Evaluation.plot`.

    Returns:
        Precision, recall and F1 of pairs with 95% intervals, by relation, length and site; B-cubed and adjusted Rand index; documents
        wrongly removed and wrongly kept. What cannot be told is None, and `notes` says why.

    Raises:
        UsageError: a parameter that cannot be used; `curve`, and the run cannot be decided again.
        InputError: a truth that cannot be read, has other columns, or a word that is no label.
        RunError: no run folder, or a damaged one.

    Deterministic: the same run and truth give the same figures, in any order. Cost: that of reading the tables, and the rows
    for `by`.

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
    return evaluate_by(opened(run), read, given["labels"], by=given["by"], curve=given["curve"])


def opened(run: Result | str | Path) -> Result:
    """The result given, or the one in a folder."""
    if isinstance(run, Result):
        return run
    if not isinstance(run, str | Path):
        raise UsageError("run wants a result or the folder of one, got {}", type(run).__name__)
    return load(run)


def evaluate_by(result: Result, truth: Truth, counted: tuple[str, ...], *, by: str | None, curve: bool) -> Evaluation:
    """A result held to a truth that was read."""
    name = result.folder.resolve().name if isinstance(result, LoadedResult) else "run"
    tables = {"documents": result.documents, "pairs": result.pairs, "ledger": result.ledger}
    values = values_of(result._side, len(tables["documents"]), by)
    found = evaluated(claims_of_tables(tables), truth, name, counted, values, by or "site")
    if curve:
        parameter, points = curve_of(result._outcome, truth, counted)
        found = replace(found, parameter=parameter, curve=points)
    return found
