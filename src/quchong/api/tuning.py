"""Thresholds recommended by labels: `tune`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from quchong.api.checking import check_without_rows
from quchong.api.evaluating import Words
from quchong.api.loaded import load
from quchong.api.public_calls import public
from quchong.api.result import Result
from quchong.decision.alarms import Alarm
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.memory import record_limit
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.run import run
from quchong.errors import Param, UsageError
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labels import COPIES, Truth
from quchong.evaluation.recommendation import Tuning
from quchong.evaluation.sweep import Sweep, sweep
from quchong.evaluation.threshold_search import recommend_all
from quchong.evaluation.tuning import Goal, recommend
from quchong.evaluation.values import thresholds_after, tunable
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan
from quchong.plan.request import Body, EqualTexts, Roundups, Templated, make_plan, method_of
from quchong.plan.sources import Data, spooled
from quchong.progress import Progress, Stages
from quchong.relations import DEFAULT_REMOVED
from quchong.results.input_options import InputOptions
from quchong.runs.layout import is_run
from quchong.seam import Method, settings_of


@public("tokens")
def tune(
    data: Data | Result,
    truth: Any,
    *,
    method: str | Method | None = None,
    parameter: str | None = None,
    values: str | Iterable[float] | None = None,
    least_precision: float | None = None,
    least_recall: float | None = None,
    by_runs: bool = False,
    complete: bool = False,
    labels: str | Iterable[str] = COPIES,
    truth_keys: Words = None,
    truth_words: Words = None,
    keep: str | Iterable[str] | None = None,
    relations: str | Iterable[str] = DEFAULT_REMOVED,
    against: Data | None = None,
    only_against: bool = False,
    text: str | Iterable[str] = "text",
    id: str | None = None,
    time: str = "time",
    source: str = "source",
    html: str | None = "html",
    body: Body = "main",
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    within: str | None = None,
    per: str | None = None,
    same_site: bool = False,
    strip: str | Iterable[str] = (),
    social: str | Iterable[str] | None = None,
    boilerplate: str | Path | Sequence[str | Path] = (),
    templates: Templated = "keep",
    roundups: Roundups | None = None,
    exact: EqualTexts = "strict",
    workers: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    progress: Progress | bool | None = None,
    **parameters: Unpack[MethodParameters],
) -> Tuning:
    """Recommend the thresholds of a method by labels: one half of the labels chooses them, the other half measures them.

    The halves depend on ids and labels alone; documents of labelled pairs are put into one half together as far as possible. If a
    threshold is used only in the decision, the pairs of one run are decided again at each value. Runs with the recommended value, the
    best number and the method's own value check this (if lists were cut, also one at the other end of the values). If they disagree,
    there is a run for every value.

    Args:
        data: data as for `dedup`, or a run: its result or folder. A run gives its method, options and rows; then the options from
            `keep` to `exact` are ignored.
        truth, complete, labels, truth_keys, truth_words: as in `evaluate`.
        method: a name, or a method; None for that of the run, or the default one.
        parameter: the parameter to tune, a number; None for the thresholds of the method: `threshold` (two-stage: `distance`), and
            `containment` if it has one, each tried with the other at its best.
        values: values to try, numbers or a text such as "0.5:0.9:0.02", of `parameter` or else of the first threshold alone. None for
            0.30 to 1.00 in steps of 0.05, and the method's own value.
        least_precision, least_recall: choose the highest recall with at least this precision, or the highest precision with at least
            this recall, and not the highest F1.
        by_runs: make a run for every value, and decide no pairs again.
        keep, relations, against, only_against, text, id, time, source, html, body, format, encoding, max_record, within, per, same_site,
            strip, social, boilerplate, templates, roundups, exact, workers, storage_options, progress, **parameters: as in `dedup`.

    Returns:
        A `Tuning`: the value, its interval, every value tried, and precision, recall and F1 on the labels held back.

    Raises:
        UsageError: the method has no threshold, does not accept the values, or a parameter cannot be used.
        InputError: data or labels cannot be read.

    Deterministic as `dedup`. Cost: up to four runs, and a decision for each value; a run for each value if pairs cannot be decided
    again.

    >>> import quchong as qc
    >>> text = "The council said that the new bridge number {} will open in March, and that drivers pay {} percent less toll."
    >>> rows = [{"id": f"{i}{side}", "text": text.format(i * 7919, i * 31)} for i in range(8) for side in "ab"]
    >>> truth = [{"left_id": f"{i}a", "right_id": f"{i}b", "label": "same"} for i in range(8)]
    >>> found = qc.tune(rows, truth, method="minhash", complete=True)
    >>> found.parameter, found.reported.f1.value
    ('threshold', 1.0)
    """
    given = checked(
        complete=complete, labels=labels, truth_keys=truth_keys, truth_words=truth_words, by_runs=by_runs,
        least_precision=least_precision, least_recall=least_recall, parameter=parameter,
    )  # fmt: skip
    goal = goal_of(given["least_precision"], given["least_recall"])
    read = read_truth(truth, given["truth_keys"], given["truth_words"], given["complete"])
    options: dict[str, Any] = {
        "keep": keep, "relations": relations, "only_against": only_against, "text": text, "id": id, "time": time,
        "source": source, "html": html, "body": body, "within": within, "per": per, "same_site": same_site, "strip": strip,
        "social": social, "boilerplate": boilerplate, "templates": templates, "roundups": roundups, "exact": exact,
        "workers": workers, **parameters,
    }  # fmt: skip
    check_without_rows("tune", parameters)
    bench = bench_of(
        data,
        method,
        options,
        against=against,
        format=format,
        encoding=encoding,
        max_record=max_record,
        progress=progress,
    )
    swept = bench.sweep(given["parameter"], values, given["by_runs"])
    alone = given["parameter"] is not None or values is not None
    return bench.recommend_all(swept, read, given["labels"], goal, alone=alone, by_runs=given["by_runs"])


def goal_of(least_precision: float | None, least_recall: float | None) -> Goal:
    """Return the goal of tuning: highest F1, or best with a bound on precision or recall.

    Raises:
        UsageError: both bounds are given.
    """
    if least_precision is not None and least_recall is not None:
        raise UsageError(
            "{} and {} cannot be used together: leave out one of them", Param("least_precision"), Param("least_recall")
        )
    return Goal(least_precision, least_recall)


@dataclass
class Bench:
    """Corpus on which a method is run repeatedly with different parameters.

    Attributes:
        plan: the plan of all runs, except the tuned parameter of the method.
        inputs: what is read.
        stages: receives times and progress.
        reading: input options of the call; None for the rows of an earlier run.
        alarms: after a run: earlier runs compared with whose kept rows are not those that they kept.
    """

    plan: Plan
    inputs: RunInputs
    stages: Stages
    reading: InputOptions | None = None
    alarms: list[Alarm] | None = None

    def run(self, method: Method) -> Outcome:
        """Run a method on the corpus."""
        spool = self.inputs.spool
        with spooled(spool.folder if spool else None):
            outcome = run(self.inputs, replace(self.plan, method=method), self.stages)
        if self.alarms is None:  # the same for every method
            self.alarms = [] if self.reading is None else self.reading.alarms(outcome)
        return outcome

    @property
    def described_alarms(self) -> tuple[dict[str, Any], ...]:
        """Return the alarms as dictionaries."""
        return tuple(alarm.describe() for alarm in self.alarms or ())

    def sweep(self, parameter: str | None, values: Any, by_runs: bool) -> Sweep:
        """Run the method, or decide again, at each value of a parameter."""
        return sweep(self.plan.method, tunable(self.plan.method, parameter, values), self.run, by_runs=by_runs)

    def recommend(self, swept: Sweep, truth: Truth, counted: Sequence[str], goal: Goal) -> Tuning:
        """Recommend a value by one half of the labels."""
        return replace(recommend(swept, truth, counted, goal, called(swept)), alarms=self.described_alarms)

    def recommend_all(
        self, swept: Sweep, truth: Truth, counted: Sequence[str], goal: Goal, *, alone: bool, by_runs: bool = False
    ) -> Tuning:
        """Recommend a value, and one for every other threshold of the method unless this parameter is tuned `alone`."""
        others = () if alone else thresholds_after(self.plan.method, swept.tunable.name)
        return replace(
            recommend_all(swept, others, truth, counted, goal, called, by_runs=by_runs), alarms=self.described_alarms
        )

    def shown(self, swept: Sweep) -> Result:
        """Return the run with most pairs, whose texts can be shown."""
        return Result(swept.outcome, self.stages, self.inputs.spool)


def called(swept: Sweep) -> dict[str, Any]:
    """Return the method of a sweep as arguments of a call, without the tuned parameter."""
    method = swept.method
    plain = settings_of(type(method)())
    changed = {
        k: v
        for k, v in settings_of(method).items()
        if v != plain.get(k) and k not in (swept.tunable.name, "statistics")
    }
    return {"method": method.name, **changed}


def bench_of(
    data: Data | Result,
    method: str | Method | None,
    options: dict[str, Any],
    *,
    against: Data | None = None,
    format: str | None = None,
    encoding: str | None = None,
    max_record: str | int | None = None,
    progress: Progress | bool | None = None,
) -> Bench:
    """Build the bench of a call; `options` are those of `make_plan`, and parameters of the method."""
    stages = Stages(checked(progress=progress)["progress"], logs=True)
    folder = isinstance(data, str | Path) and is_run(Path(data))
    if folder or isinstance(data, Result):
        result = data if isinstance(data, Result) else load(Path(data))
        return _of_run(result, method, options, stages)
    most = record_limit(checked(max_record=max_record)["max_record"])
    plan = make_plan(
        method=DEFAULT if method is None else method, differences="all", recall_sample=0, max_record=most, **options
    )
    reading = InputOptions.of_call(data, plan, against=against, format=format, encoding=encoding)
    with reading.open_inputs(plan, known=False) as inputs:
        plan = inputs.plan or plan
        for remark in plan.columns_found.remarks():
            stages.remark(remark)
        return Bench(plan, inputs, stages, reading)


def _of_run(result: Result, method: str | Method | None, options: dict[str, Any], stages: Stages) -> Bench:
    """Build the bench of an earlier run; of `options` only parameters of the method and `workers` are used."""
    outcome = result._outcome
    plan = replace(
        outcome.plan,
        differences="all",
        recall_sample=0,
        keep_per_cluster=1,
        workers=checked(workers=options["workers"])["workers"],
    )
    named = {k: v for k, v in options.items() if k not in PLAN_OPTIONS and v is not None}
    if method is not None or named:
        own = {k: v for k, v in settings_of(plan.method).items() if k not in named} if method is None else {}
        own = {k: v for k, v in own.items() if v is not None and k != "statistics"}
        plan = replace(plan, method=method_of(plan.method.name if method is None else method, {**own, **named}))
    return Bench(plan, outcome.inputs, stages)


PLAN_OPTIONS = (
    "keep", "relations", "only_against", "text", "id", "time", "source", "html", "body", "within", "per", "same_site", "strip",
    "social", "boilerplate", "templates", "roundups", "exact", "workers",
)  # fmt: skip
"""Options of `make_plan` that are no parameters of a method."""
