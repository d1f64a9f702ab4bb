"""Precision and recall of a run at other thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quchong.decision.pairs import from_table
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import check_again, decided_again, looked_where_decisive
from quchong.errors import QuchongError, UsageError
from quchong.evaluation.claims import Claims, claims_of_decision
from quchong.evaluation.estimates import f_measure, share
from quchong.evaluation.labelled_pairs import judge, placed
from quchong.evaluation.labels import COPIES, Truth
from quchong.plan.catalogue import altered
from quchong.seam import settings_of

STEPS = 50


@dataclass(frozen=True, slots=True)
class Point:
    """Measures of a run decided again at one threshold; a share without any pair to count is None."""

    threshold: float
    precision: float | None
    recall: float | None
    f1: float | None


def moved_by(outcome: Outcome) -> str:
    """Return the name of the parameter that a curve varies: distance or threshold, the first that only the decision uses.

    Raises:
        UsageError: the method has no such parameter.
    """
    method = outcome.plan.method
    known = method.traits.decided_by
    for name in ("distance", "threshold"):
        if name in known and name in settings_of(method):
            return name
    raise UsageError(
        "method {} has no threshold that can be changed after the run, so it has a single point instead of a curve",
        method.name,
    )


def decisions(outcome: Outcome, name: str, values: Sequence[float]) -> Iterator[tuple[float, Claims]]:
    """Yield the value and the claims of the run decided again at each value, highest first; impossible values are skipped.

    Raises:
        UsageError: the run can be decided again at none of the values.
    """
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    why: QuchongError | ValueError | None = None
    told = False
    for value in sorted(values, reverse=True):
        try:
            plan = replace(outcome.plan, method=altered(outcome.plan.method, {name: value}))
            check_again(outcome, plan)
            pairs = looked_where_decisive(outcome, plan, pairs)
            listed, fate = decided_again(outcome, plan, pairs)
        except (QuchongError, ValueError) as error:
            why = error
            continue
        told = True
        yield value, claims_of_decision(outcome.corpus, listed, fate, plan.removing)
    if not told:
        raise UsageError("quchong cannot compute this run with a different {}: {}", name, why)


def curve(outcome: Outcome, truth: Truth, counted: Sequence[str] = COPIES) -> tuple[str, tuple[Point, ...]]:
    """Return the name of the varied parameter, and precision and recall at its values, ascending.

    The run's own value is among them. Each point equals the result of `Result.rethreshold`.

    Raises:
        UsageError: the method has no such parameter, or its pairs can be decided at no other value.
    """
    name = moved_by(outcome)
    settings = settings_of(outcome.plan.method)
    own = settings[name]
    values = set(range(int(own) + 1)) if name == "distance" else {k / STEPS for k in range(STEPS + 1)}
    if own is not None:
        values.add(own)
    known, out = None, []
    for value, claims in decisions(outcome, name, list(values)):
        known = known or placed(truth, claims.ids)
        judged = judge(claims, known, counted)
        precision = share(judged.right_pair[judged.found], judged.group[judged.found]).value
        recall = share(judged.found[judged.right_pair], judged.group[judged.right_pair]).value
        f1 = f_measure(judged.found, judged.right_pair, judged.group).value
        out.append(Point(value, precision, recall, f1))
    return name, tuple(reversed(out))
