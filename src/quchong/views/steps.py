"""Steps of the decision about a pair: each measure against its threshold, as `inspect` shows them, from the stored measures alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.documents import PairIndex
from quchong.decision.pairs import measured_in
from quchong.errors import QuchongError
from quchong.plan.plan import Plan
from quchong.relations import EQUAL
from quchong.seam import Gate
from quchong.similarity.gates import floor_gates, relation_gates
from quchong.views.subject import Subject

Step = list[Any]
"""What is tested, the value, the value needed, 1 if passed, 0 if failed, and None for a measure without a test."""
_MIRRORED = {
    "containment.left": "containment.right",
    "containment.right": "containment.left",
}


def add_steps(subject: Subject, pairs: Sequence[dict[str, Any]], rows: Sequence[int], mirrored: Sequence[bool]) -> None:
    """Add `steps` to pairs of a page: the tests of the decision about each.

    Args:
        rows: the row of PAIRS of each; -1 for pairs that are not listed, which get no steps.
        mirrored: True for pairs that are shown with the right document of PAIRS on the left.
    """
    known = [k for k, row in enumerate(rows) if row >= 0]
    plan = subject.run.plan()
    if not known or plan is None:
        return
    table = subject.tables["pairs"].take(pa.array([rows[k] for k in known], pa.int64()))
    with suppress(QuchongError):  # texts that cannot be read again: what the run stored is shown
        table = subject.run.examined(table)
    for k, steps in zip(known, steps_of(plan, table), strict=True):
        pairs[k]["steps"] = [mirror(step) if mirrored[k] else step for step in steps]


def rows_of_removals(subject: Subject) -> np.ndarray:
    """Return the row of PAIRS of each removal with its survivor; -1 for removals without one."""
    return PairIndex(*subject.paired, len(subject.ids)).rows(*subject.removals)


def steps_of(plan: Plan, pairs: pa.Table) -> list[list[Step]]:
    """Return the steps of each row of PAIRS: equality alone for exact copies, else the tests of the method that read measures alone."""
    method, measures = plan.method, measured_in(pairs)
    gates, test = method.extras.gates, method.rule.test
    out = []
    evidence = pairs["evidence"].to_pylist()
    for k, relation in enumerate(pairs["relation"].to_pylist()):
        if relation in EQUAL:
            out.append([_step(Gate("equal", None, None, True))])
            continue
        row = {name: column[k : k + 1] for name, column in measures.items()}
        if test is None:  # a paper's rule, whose other tests need the texts
            found = [Gate(f"evidence.{method.name}", evidence[k])] if evidence[k] is not None else []
        elif gates is None:
            found = [*floor_gates(row, test), *relation_gates(row, test, guards=True)]
        else:
            found = [*gates(_NONE, row, None)]
        out.append([_step(gate) for gate in found])
    return out


_NONE: Any = None
"""No documents: tests of methods that compare measures with `Thresholds` read measures alone."""


def _step(gate: Gate) -> Step:
    value = round(gate.value, 4) if isinstance(gate.value, float) else gate.value
    needed = None if gate.needed is None else round(float(gate.needed), 4)
    return [gate.what, value, needed, None if gate.passed is None else int(gate.passed)]


def mirror(step: Step) -> Step:
    """Return a step with the left and the right document exchanged."""
    return [_MIRRORED.get(step[0], step[0]), *step[1:]]
