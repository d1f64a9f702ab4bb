"""Precision and recall of a run at other thresholds, and their picture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quchong.decision.pairs import from_table
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import check_again, decided_again, named_where_decisive
from quchong.errors import OutputError, Param, QuchongError, UsageError, install
from quchong.evaluation.claims import Claims, claims_of_decision
from quchong.evaluation.estimates import f_measure, share
from quchong.evaluation.judged import judge, placed
from quchong.evaluation.labels import COPIES, Truth
from quchong.outputs import staged_file
from quchong.plan.catalogue import altered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURES = (".png", ".svg", ".pdf")
STEPS = 50


@dataclass(frozen=True, slots=True)
class Point:
    """A run decided again at one threshold: None where there is nothing to take a share of."""

    threshold: float
    precision: float | None
    recall: float | None
    f1: float | None


def moved_by(outcome: Outcome) -> str:
    """The parameter that a curve moves: the first that the decision of a method alone knows.

    Raises:
        UsageError: there is none.
    """
    method = outcome.plan.method
    known = method.traits.decided_by
    for name in ("distance", "threshold"):
        if name in known and name in method.settings():
            return name
    raise UsageError(
        "method {} decides by no threshold that could be changed after the run: it has one point, and no curve",
        method.name,
    )


def decisions(outcome: Outcome, name: str, values: Sequence[float]) -> Iterator[tuple[float, Claims]]:
    """The run decided again at each of these values that its pairs can tell, the highest first.

    Raises:
        UsageError: they can tell none.
    """
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    why: QuchongError | ValueError | None = None
    told = False
    for value in sorted(values, reverse=True):
        try:
            plan = replace(outcome.plan, method=altered(outcome.plan.method, {name: value}))
            check_again(outcome, plan)
            pairs = named_where_decisive(outcome.corpus, plan, pairs)
            listed, fate = decided_again(outcome, plan, pairs)
        except (QuchongError, ValueError) as error:
            why = error
            continue
        told = True
        yield value, claims_of_decision(outcome.corpus, listed, fate, plan.removing)
    if not told:
        raise UsageError("the run can be decided at no other {}: {}", name, why)


def curve(outcome: Outcome, truth: Truth, counted: Sequence[str] = COPIES) -> tuple[str, tuple[Point, ...]]:
    """The parameter moved, and precision and recall at its values, ascending. Each point is what `Result.rethreshold` gives.

    Raises:
        UsageError: a method without such a parameter, or pairs that can tell no other value.
    """
    name = moved_by(outcome)
    settings = outcome.plan.method.settings()
    values = range(int(settings[name]) + 1) if name == "distance" else [k / STEPS for k in range(STEPS + 1)]
    known, out = None, []
    for value, claims in decisions(outcome, name, list(values)):
        known = known or placed(truth, claims.ids)
        judged = judge(claims, known, counted)
        precision = share(judged.right_pair[judged.found], judged.group[judged.found]).value
        recall = share(judged.found[judged.right_pair], judged.group[judged.right_pair]).value
        f1 = f_measure(judged.found, judged.right_pair, judged.group).value
        out.append(Point(value, precision, recall, f1))
    return name, tuple(reversed(out))


def check_picture(path: Path) -> None:
    """Refuses a place that no picture can be written to, before anything is computed.

    Raises:
        UsageError: another suffix.
        OutputError: it exists.
    """
    if path.suffix.lower() not in PICTURES:
        raise UsageError("{} has to end in {}", Param("curve", str(path)), ", ".join(PICTURES))
    if os.path.lexists(path):
        raise OutputError("{} exists: choose another name for the picture", path)


Drawn = tuple[str, str, Sequence[Point], tuple[float | None, float | None]]
"""Of a run its name, the parameter moved, the points, and its own precision and recall."""


def draw(curves: Sequence[Drawn], axes: Axes | None = None) -> Axes:
    """Recall to the right, precision up: one line a run, a dot at its best F1, a cross where the run itself is.

    Args:
        curves: of each run; axes: of matplotlib, to draw on; those of a new figure without.

    Raises:
        UsageError: matplotlib is missing; `axes` is something else.
    """
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError as error:
        raise UsageError("pictures need matplotlib: {}", install("plot")) from error
    if axes is not None and not isinstance(axes, Axes):
        raise UsageError(
            "ax is to be Axes of matplotlib, as matplotlib.pyplot.subplots() gives them, not {!r:.80}", axes
        )
    if axes is None:
        _, axes = pyplot.subplots(figsize=(6, 5), layout="constrained")
    for name, parameter, points, (precision, recall) in curves:
        told = [(p, p.recall, p.precision) for p in points if p.precision is not None and p.recall is not None]
        if not told:
            continue
        best, *at = max(told, key=lambda one: (one[0].f1 or 0.0, -abs(one[0].threshold - 0.5)))
        label = f"{name}: best F1 {best.f1 or 0:.3f} at {parameter} {best.threshold:g}"
        (line,) = axes.plot([one[1] for one in told], [one[2] for one in told], label=label)
        axes.plot(at[:1], at[1:], "o", color=line.get_color())
        if precision is not None and recall is not None:
            axes.plot([recall], [precision], "x", color=line.get_color())
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(loc="lower left", frameon=False)
    return axes


def write_picture(curves: Sequence[Drawn], path: Path) -> None:
    """Draws curves to a file, .png, .svg or .pdf: whole or not at all. The same curves give the same bytes.

    Raises:
        UsageError: matplotlib is missing; another suffix.
        OutputError: it exists, or cannot be written.
    """
    check_picture(path)
    try:
        from matplotlib import pyplot, rc_context
    except ImportError as error:
        raise UsageError("pictures need matplotlib: {}", install("plot")) from error
    kind = path.suffix.lower().lstrip(".")
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with rc_context({"svg.hashsalt": "quchong"}):
        figure, axes = pyplot.subplots(figsize=(6, 5), layout="constrained")
        try:
            draw(curves, axes)
            with staged_file(path) as new:
                figure.savefig(new, format=kind, metadata=undated)
        finally:
            pyplot.close(figure)
