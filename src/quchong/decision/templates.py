"""Pairs of records on one template: found by the frames that many documents share, decided by what fills the slots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.decision.expansion import ClassPairs, numbers_of_lists
from quchong.decision.hypotheses import may_be_copies
from quchong.plan.plan import Plan
from quchong.seam import Differences, active_differences
from quchong.tables import FACTS

FIELD = np.uint16(1 << FACTS.index("field"))
"""Bit of the kind of fact that says that two records on one template have other things in a slot."""


def reads_templates(plan: Plan) -> bool:
    """Return True if records on one template are told from copies: the method examines differences of texts and counts such facts."""
    steps = active_differences(plan.method)
    return steps is not None and plan.method.form is not None and bool(steps.counted & FIELD)


def alike(plan: Plan, found: ClassPairs) -> np.ndarray:
    """Return the pairs, int64 indices, that would be copies under some outcome of an examination: what a frame is searched among."""
    every = np.arange(len(found.left))
    return every[may_be_copies(plan, found.measures, every)]


def settled(found: ClassPairs, pairs: np.ndarray) -> ClassPairs:
    """Return the pairs of classes with those of a mask told to conflict in a field; open ones are open no more.

    Their other differences are not examined: whatever they are, the pair is no copy.
    """
    if not pairs.any():
        return found
    measures = dict(found.measures)
    if found.open is None:
        measures["facts"] = np.where(pairs, measures["facts"] | FIELD, measures["facts"])
        return replace(found, measures=measures)
    some = np.flatnonzero(found.open & pairs)
    for name, values in Differences.none(len(some)).measures.items():
        measures[name] = measures[name].copy()
        measures[name][some] = values
    measures["told"][some] = True
    measures["facts"][np.flatnonzero(pairs)] |= FIELD
    return replace(found, measures=measures, list_of=numbers_of_lists(found), open=found.open & ~pairs)
