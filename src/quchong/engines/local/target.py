"""Search for the threshold under which a finished run keeps a number of documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quchong.decision.alarms import missed_target
from quchong.decision.pairs import from_table
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import again, changed_plan, check_again, decided_again, looked_where_decisive
from quchong.errors import Param, UsageError
from quchong.languages import Message, join_names
from quchong.plan.catalogue import altered
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan
from quchong.relations import REMOVABLE
from quchong.seam import Method, settings_of

STEPS = 1000
"""Steps between 0 and 1 in which thresholds are searched."""


def plan_again(
    outcome: Outcome, given: Mapping[str, Any], relations: tuple[str, ...] | None, target: int | None
) -> Plan:
    """Return the plan by which a finished run is decided again: with other parameters, or with the threshold for a target.

    Args:
        outcome: a finished run.
        given: other parameters of its method. relations: other relations, or None.
        target: see `plan_for_target`; None for no target.

    Raises:
        UsageError: as `changed_plan` and `plan_for_target`; or both parameters and a target are given.
    """
    if target is None:
        return changed_plan(outcome.plan, given, relations)
    if given:
        raise UsageError("{} finds a threshold itself: leave out {}", Param("target", target), Param(min(given)))
    return plan_for_target(outcome, checked(target=target)["target"], relations)


class TargetMissed(UsageError):
    """Error: no threshold keeps the wanted number of documents; `plan` has the nearest threshold."""

    plan: Plan


def _missed(message: Message, plan: Plan) -> TargetMissed:
    error = TargetMissed(message)
    error.plan = plan
    return error


def check_target(method: Method, target: int) -> None:
    """Raise UsageError unless the method has a threshold that a finished run can be decided by again."""
    known = "threshold" in settings_of(method) and "threshold" in method.traits.decided_by
    if known:
        try:
            altered(method, {"threshold": 1.0})
        except UsageError:  # with these parameters another one decides
            known = False
    if not known:
        raise UsageError(
            "{}: method {} has no threshold that can be changed after a run; use {}",
            Param("target", target),
            method.name,
            Param("method", "hybrid"),
        )


def brought_to(outcome: Outcome, target: int) -> tuple[Outcome, Message | None]:
    """Decide a run again so that about `target` documents are kept; return the outcome, and a message on the threshold.

    If no threshold keeps so many, the outcome is that of the nearest one, with an alarm that says so, and there is no message.

    Args:
        outcome: a finished run with its pairs.
        target: see `plan_for_target`.

    Raises:
        UsageError: as `check_target`.
    """
    settings = settings_of(outcome.plan.method)
    missed = None
    try:
        plan = plan_for_target(outcome, target)
    except TargetMissed as error:
        plan, missed = error.plan, error.message
    found = again(outcome, plan)
    threshold, kept = settings_of(plan.method)["threshold"], found.counts["kept"]
    if missed is not None:
        told = Message("the target cannot be reached; {:,} documents are kept: {}", kept, missed)
        return replace(found, alarms=[*found.alarms, missed_target(told, target, kept)]), None
    if settings["threshold"] is not None:
        told = Message(
            "target {:,}: the threshold {} keeps {:,} documents; pairs were searched for with {}",
            target,
            threshold,
            kept,
            settings["threshold"],
        )
    elif settings.get("preset"):
        told = Message(
            "target {:,}: the threshold {} keeps {:,} documents; pairs were searched for with preset {}",
            target,
            threshold,
            kept,
            settings["preset"],
        )
    else:
        told = Message("target {:,}: the threshold {} keeps {:,} documents", target, threshold, kept)
    return found, told


def plan_for_target(outcome: Outcome, target: int, relations: tuple[str, ...] | None = None) -> Plan:
    """Return the plan with the highest threshold, to three decimals, under which at most `target` documents are kept; it names the target.

    The number of kept documents grows with the threshold, but for a few documents that are contained in one that is then kept; where it
    does not, the threshold found is one of several after which more are kept.

    Args:
        outcome: a finished run.
        target: number of documents to keep.
        relations: relations that remove a document; None for those of the run.

    Raises:
        UsageError: the method has no threshold that its pairs can be decided by again; or no threshold leaves so many or so few.

    Cost: about ten decisions of all pairs. Deterministic.
    """
    check_target(outcome.plan.method, target)
    lowest = _lowest(outcome, relations)
    low, high = math.floor(lowest * STEPS), STEPS

    def plan_at(step: int) -> Plan:
        plan = changed_plan(outcome.plan, {"threshold": max(step / STEPS, lowest)}, relations)
        return replace(plan, target=target)

    # What the lowest threshold may need to look at is looked at once.
    pairs = looked_where_decisive(outcome, plan_at(low), from_table(outcome.corpus.documents, outcome.pairs))
    read = len(outcome.corpus) - outcome.corpus.documents.references

    def kept_at(step: int) -> int:
        return read - int(decided_again(outcome, plan_at(step), pairs)[1].removed.sum())

    if (fewest := kept_at(low)) > target:
        others = [one for one in REMOVABLE if one not in plan_at(low).relations]
        raise _missed(
            Message(
                "{}: the lowest threshold that the stored pairs allow is {}, and it keeps {:,} documents{}",
                Param("target", target), lowest, fewest,
                Message("; to remove more, add these relations: {}", join_names(others)) if others else Message(""),
            ),
            plan_at(low),
        )  # fmt: skip
    if target > read:
        raise _missed(Message("{}: there are only {:,} documents", Param("target", target), read), plan_at(high))
    if (most := kept_at(high)) <= target:
        if most < target:
            raise _missed(
                Message(
                    "{}: even the threshold 1.0 keeps only {:,} documents; to keep more, leave out some of the "
                    "relations: {}",
                    Param("target", target),
                    most,
                    join_names(sorted(plan_at(high).relations)),
                ),
                plan_at(high),
            )
        return plan_at(high)
    while high - low > 1:  # kept_at(low) <= target < kept_at(high)
        middle = (low + high) // 2
        low, high = (middle, high) if kept_at(middle) <= target else (low, middle)
    return plan_at(low)


def _lowest(outcome: Outcome, relations: tuple[str, ...] | None) -> float:
    """Return the lowest threshold that the method allows and the pairs suffice for: their floor, else the threshold of the run."""
    test, own = outcome.plan.method.rule.test, settings_of(outcome.plan.method)["threshold"]
    floor = None if test is None else float(test.floor_jaccard)
    if floor is not None and (own is None or floor < own):
        with suppress(UsageError):
            check_again(outcome, changed_plan(outcome.plan, {"threshold": floor}, relations))
            return floor
    return float(1 if own is None else own)
