"""What a method says of a corpus at many values of its threshold: by a run each, or decided again from one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quchong.decision.pairs import from_table
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import check_again, decided_again, looked_where_decisive
from quchong.errors import UsageError
from quchong.evaluation.claims import Claims, claims_of_decision
from quchong.evaluation.curve import decisions
from quchong.evaluation.values import Tunable
from quchong.languages import Message
from quchong.plan.catalogue import altered
from quchong.seam import Method

Run = Callable[[Method], Outcome]
"""A run over the corpus by a method."""
BOUNDED = ("candidate lists bounded", "candidates bounded")
"""Alarms of a run that did not compare all that might be alike: where lists are cut depends on the threshold, it may have lost what a
higher one finds.
"""


@dataclass
class Sweep:
    """Claims by value, of which one is the method's own. Values that were decided again are run when they are confirmed.

    Attributes:
        tunable, method: what is moved, and of which method.
        claims: by value, as far as they were tried; None is the method's own choice.
        refused: why values were not tried.
        again: whether pairs were decided again; else each value was run.
        outcome: the run with most pairs, to show texts of.
        run: runs a value.
        confirmed: the values that were run.
    """

    tunable: Tunable
    method: Method
    claims: dict[float | None, Claims]
    refused: dict[float, str]
    again: bool
    outcome: Outcome
    run: Run
    confirmed: set[float | None]

    @property
    def values(self) -> list[float]:
        """The numbers tried, ascending."""
        return sorted(v for v in self.claims if v is not None)

    def confirm(self, value: float | None) -> bool:
        """Runs a value that was decided again; whether it says the same of every pair it calls copies. Its claims are those
        of the run from then on.
        """
        if value in self.confirmed:
            return True
        self.confirmed.add(value)
        before, now = self.claims[value], claims_of_run(self.run(_at(self, value)))
        self.claims[value] = now
        return np.array_equal(_accepted(before), _accepted(now))

    def by_runs(self) -> None:
        """Runs every value that was decided again."""
        for value in sorted(self.claims, key=_order):
            self.confirm(value)
        self.again = False


def sweep(method: Method, moved: Tunable, run: Run, *, by_runs: bool = False) -> Sweep:
    """Tries every value.

    Pairs of one run are decided again where the parameter enters the decision alone; else every value is run. Where the run at the
    least value was bounded, the other end of the values is run as well: it is decided again only if both say the same there.

    Raises:
        UsageError: the method takes none of the values.
    """
    built, refused = _built(method, moved)
    if not built:
        first = next(iter(refused.values()), Message("no values"))
        raise UsageError("method {} takes none of the values of {}: {}", method.name, moved.name, first)
    loosest, strictest = (min(built), max(built)) if not _grows(moved) else (max(built), min(built))
    outcome = run(built[loosest])
    again = moved.decides and not by_runs
    out = Sweep(moved, method, {}, refused, again, outcome, run, set())
    values: list[Any] = [*built, *([] if moved.own in built else [moved.own])]
    if again:
        try:
            out.claims = {value: claims for value, claims in decisions(outcome, moved.name, list(built))}
            out.claims[moved.own] = _again(outcome, method)
            if len(out.claims) < len(values):
                raise UsageError("some values cannot be decided again")
        except UsageError:
            out.again, out.claims = False, {}
    cut = any(alarm.kind in BOUNDED for alarm in outcome.alarms)
    if out.again and cut and not out.confirm(strictest):
        out.by_runs()
    if not out.again and not out.claims:
        for value in values:
            known = value == loosest and value is not None
            out.claims[value] = claims_of_run(outcome if known else run(_at(out, value)))
            out.confirmed.add(value)
    return out


def _grows(moved: Tunable) -> bool:
    """Does a higher value find more? That of a distance does."""
    return moved.name == "distance"


def _built(method: Method, moved: Tunable) -> tuple[dict[float, Method], dict[float, str]]:
    """The method at every value it takes, and why it refuses others."""
    built: dict[float, Method] = {}
    refused: dict[float, str] = {}
    for value in moved.values:
        try:
            built[value] = altered(method, {moved.name: value})
        except (UsageError, ValueError) as error:
            refused[value] = error.message if isinstance(error, UsageError) else str(error)
    return built, refused


def _at(out: Sweep, value: float | None) -> Method:
    return out.method if value == out.tunable.own else altered(out.method, {out.tunable.name: value})


def _again(outcome: Outcome, method: Method) -> Claims:
    """The method's own value, decided again."""
    plan = replace(outcome.plan, method=method)
    check_again(outcome, plan)
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    listed, fate = decided_again(outcome, plan, looked_where_decisive(outcome, plan, pairs))
    return claims_of_decision(outcome.corpus, listed, fate, plan.removing)


def claims_of_run(outcome: Outcome) -> Claims:
    """The claims of a run that has just ended."""
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    return claims_of_decision(outcome.corpus, pairs, outcome.fate, outcome.plan.removing)


def _accepted(claims: Claims) -> np.ndarray:
    mine = np.isin(claims.relation, claims.accepted)
    keys: np.ndarray = claims.left[mine] * len(claims.ids) + claims.right[mine]
    return keys


def _order(value: float | None) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else value
