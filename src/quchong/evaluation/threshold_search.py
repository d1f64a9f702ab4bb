"""Tuning of a method with several thresholds: one after the other, until none changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quchong.errors import UsageError
from quchong.evaluation.labels import Truth
from quchong.evaluation.recommendation import Further, Tuning
from quchong.evaluation.sweep import Sweep, sweep
from quchong.evaluation.tuning import Goal, recommend
from quchong.evaluation.values import tunable
from quchong.languages import Message
from quchong.plan.catalogue import altered
from quchong.seam import Method

ROUNDS = 3
"""Maximum number of sweeps of each threshold."""
EACH = Message("while the values of one threshold were tried, the other thresholds had their recommended values")

Call = Callable[[Sweep], Mapping[str, Any]]
"""Function that returns the parameters to use besides the one that was swept."""


def recommend_all(
    swept: Sweep, names: Sequence[str], truth: Truth, counted: Sequence[str], goal: Goal, call: Call, *, by_runs: bool = False
) -> Tuning:  # fmt: skip
    """Recommend a value for the swept parameter and for each of `names`.

    Each parameter is swept with the others at their best values, until none changes. Every choice is made on the
    tuned half. Of equally good values the method's own is chosen, so that a threshold that only compensated for
    another one returns to its own value. The reported measures come from a run with all recommended values.

    Args:
        swept: the sweep of the first parameter. names: further parameters; one of which the method accepts no value is skipped.
        by_runs: as `sweep`.

    Returns:
        The tuning of the first parameter, with the others in `further`; `before` is the method with its own values of all.

    Deterministic: as `sweep`. Cost: one sweep per parameter, and another one whenever a different parameter changed; at
        most ROUNDS per parameter.
    """
    first = swept.tunable.name
    told = {first: recommend(swept, truth, counted, goal, call(swept))}
    last = told[first]
    before, method = last.before, _at(swept.method, last)
    order, settled = [first, *names], 1
    for name in (order * ROUNDS)[1:]:
        if settled >= len(order):
            break
        if name not in order:  # refused before
            continue
        moved = swept.tunable if name == first else tunable(swept.method, name)
        try:
            one = sweep(altered(method, {name: moved.own}), moved, swept.run, by_runs=by_runs)
        except UsageError:
            order.remove(name)
            continue
        was = told[name].value if name in told else moved.own
        told[name] = recommend(one, truth, counted, goal, call(one))
        method = _at(one.method, told[name])
        settled = 1 if told[name].value != was else settled + 1
        last = told[name]
    others = [told[name] for name in order[1:] if name in told]
    if not others:
        return last
    notes = [EACH, *(note for one in (told[first], *others) for note in one.notes)]
    return replace(
        told[first],
        before=before,
        reported=last.reported,
        call={k: last.call[k] for k in ("method", *order, *last.call) if k in last.call},
        again=all(one.again for one in told.values()),
        further=tuple(Further(one.parameter, one.value, one.low, one.high, one.own, one.tried) for one in others),
        notes=tuple(dict.fromkeys(notes)),
    )


def _at(method: Method, told: Tuning) -> Method:
    """Return the method with the recommended value."""
    return altered(method, {told.parameter: told.value})
