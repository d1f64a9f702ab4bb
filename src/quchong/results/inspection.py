"""Inspection of documents of a run by a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.inspection import MethodSights, counted_on, inspect_places
from quchong.engines.local.outcome import Outcome
from quchong.errors import UsageError
from quchong.io import Bad
from quchong.plan.plan import Plan
from quchong.plan.request import method_of
from quchong.progress import Stages
from quchong.seam import Method


def inspect_run(
    outcome: Outcome, ids: Sequence[str], places: np.ndarray, method: str | Method | None, parameters: Mapping[str, Any]
) -> MethodSights:
    """Show which features a method sees in one or two documents of a run; the default is the method of the run.

    Statistics that are not given are counted on the documents of the run.

    Args:
        ids, places: the documents, and their rows.

    Raises:
        UsageError: the method or a parameter is unknown.
    """
    corpus, plan = outcome.corpus, outcome.plan
    if method is not None or parameters:
        chosen = method_of(plan.method.name if method is None else method, parameters)
        plan = replace(plan, method=chosen)
        corpus = _read_again(outcome, plan)
        plan = counted_on(corpus, plan)
    return inspect_places(corpus, plan, places, ids, of_run=True)


def _read_again(outcome: Outcome, plan: Plan) -> Corpus:
    """Read the documents of the run again, in their order, with the columns that another method needs."""
    corpus, _ = load(outcome.inputs, plan, list[Bad](), Stages())
    if len(corpus) != len(outcome.corpus):
        raise UsageError("the texts of the run were changed after the run read them: run again")
    return corpus.under(plan, np.zeros(len(corpus), bool))
