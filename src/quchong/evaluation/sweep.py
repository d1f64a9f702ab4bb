"""Claims of a method about a corpus at many values of its threshold, each by a run or decided again from one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quchong.decision.pairs import from_table
from quchong.engines.local.examine_again import examined_pairs
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
"""Function that runs a method over the corpus."""
BOUNDED = ("candidate lists bounded", "candidates bounded")
"""Alarms of a run that did not compare all candidates.

Where lists are cut depends on the threshold, so such a run may lack pairs that a higher threshold finds.
"""


@dataclass
class Sweep:
    """Claims of a method by value of a parameter, one of them the method's own. A value decided again is run when it is confirmed.

    Attributes:
        tunable, method: the parameter that is varied, and its method.
        claims: claims by value, for the values tried; None is the method's own choice.
        refused: reasons why values were not tried.
        again: True if pairs were decided again, False if each value was run.
        outcome: the run with most pairs, from which texts are shown.
        run: function that runs a value.
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
        """Numbers tried, ascending, without the method's own choice."""
        return sorted(v for v in self.claims if v is not None)

    def confirm(self, value: float | None) -> bool:
        """Run the method at a value that was only decided again; return True if both give the same copies.

        The claims of the run replace the earlier ones.
        """
        if value in self.confirmed:
            return True
        self.confirmed.add(value)
        before, now = self.claims[value], claims_of_run(self.run(_at(self, value)))
        self.claims[value] = now
        return np.array_equal(_accepted(before), _accepted(now))

    def by_runs(self) -> None:
        """Run every value that was only decided again."""
        for value in sorted(self.claims, key=_order):
            self.confirm(value)
        self.again = False


def sweep(method: Method, moved: Tunable, run: Run, *, by_runs: bool = False) -> Sweep:
    """Compute the claims of a method at every value of one parameter (`moved`); `run` runs a method over the corpus.

    If only the decision uses the parameter, the pairs of one run are decided again; otherwise every value is run. If
    the run at the loosest value was bounded, the strictest value is run too: pairs are decided again only if both
    agree there.

    Raises:
        UsageError: the method accepts none of the values.
    """
    built, refused = _built(method, moved)
    if not built:
        first = next(iter(refused.values()), Message("no values"))
        raise UsageError("method {} accepts none of the values of {}: {}", method.name, moved.name, first)
    # the loosest value lists most pairs, from which the others can be decided
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
                raise UsageError("this run cannot be decided again at some of the values")
        except UsageError:
            out.again, out.claims = False, {}
    # lists cut by a cap may differ at another value: check at the far end
    cut = any(alarm.kind in BOUNDED for alarm in outcome.alarms)
    if out.again and cut and not out.confirm(strictest):
        out.by_runs()
    # no value could be decided again: run each; the run at the loosest value is known already
    if not out.again and not out.claims:
        for value in values:
            known = value == loosest and value is not None
            out.claims[value] = claims_of_run(outcome if known else run(_at(out, value)))
            out.confirmed.add(value)
    return out


def _grows(moved: Tunable) -> bool:
    """Return True if a higher value of the parameter finds more pairs (a distance), False if fewer (a threshold)."""
    return moved.name == "distance"


def _built(method: Method, moved: Tunable) -> tuple[dict[float, Method], dict[float, str]]:
    """Build the method at each value of the parameter; return the methods, and the reasons for refused values."""
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
    """Return the claims of a run after its pairs are decided again by `method`, the one with its own value of the parameter."""
    plan = replace(outcome.plan, method=method)
    check_again(outcome, plan)
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    listed, fate = decided_again(outcome, plan, looked_where_decisive(outcome, plan, pairs))
    return claims_of_decision(outcome.corpus, listed, fate, plan.removing)


def claims_of_run(outcome: Outcome) -> Claims:
    """Return the claims of a run that has just ended."""
    pairs = replace(from_table(outcome.corpus.documents, examined_pairs(outcome, outcome.pairs)), differences=None)
    return claims_of_decision(outcome.corpus, pairs, outcome.fate, outcome.plan.removing)


def _accepted(claims: Claims) -> np.ndarray:
    mine = np.isin(claims.relation, claims.accepted)
    keys: np.ndarray = claims.left[mine] * len(claims.ids) + claims.right[mine]
    return keys


def _order(value: float | None) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else value
