"""Recommendation of a threshold by one half of the labels, with its measures on the other half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.evaluation.estimates import f_measure, share
from quchong.evaluation.label_halves import REPORTED, TUNED, Halves, halves
from quchong.evaluation.labelled_pairs import JudgedPairs, check_ids, judge, placed
from quchong.evaluation.labels import LABELS, UNSURE, Truth
from quchong.evaluation.recommendation import Tried, Tuning
from quchong.evaluation.sweep import Sweep
from quchong.languages import Message

REDRAWN = 1000
"""Number of times the groups of the tuned half are redrawn, for the interval of the value."""
FEW = 10
"""Number of copies that a half should have at least."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Definition of the best value: the highest F1, or the highest recall (precision) with at least a given precision (recall)."""

    least_precision: float | None = None
    least_recall: float | None = None

    def score(self, tp: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> np.ndarray:
        """Return a score of each value, higher is better, float64; values below the required minimum score below all others."""
        with np.errstate(divide="ignore", invalid="ignore"):
            f1: np.ndarray = np.nan_to_num(2 * tp / (2 * tp + fp + fn))
            precision, recall = np.nan_to_num(tp / (tp + fp), nan=1.0), np.nan_to_num(tp / (tp + fn))
        if self.least_precision is not None:
            f1 = np.where(precision >= self.least_precision, 2 + recall, precision)
        if self.least_recall is not None:
            f1 = np.where(recall >= self.least_recall, 2 + precision, recall)
        return f1

    @property
    def words(self) -> Message:
        """Goal in words, such as "highest F1"."""
        if self.least_precision is not None:
            return Message("highest recall with a precision of {:g} or more", self.least_precision)
        if self.least_recall is not None:
            return Message("highest precision with a recall of {:g} or more", self.least_recall)
        return Message("highest F1")

    @property
    def missed(self) -> Message:
        """Message that no value reaches the required minimum."""
        if self.least_precision is not None:
            return Message(
                "on the half of the labels used for tuning, no value has a precision of {:g} or more, so the "
                "nearest value is given",
                self.least_precision,
            )
        return Message(
            "on the half of the labels used for tuning, no value has a recall of {:g} or more, so the nearest "
            "value is given",
            self.least_recall,
        )


def recommend(swept: Sweep, truth: Truth, counted: Sequence[str], goal: Goal, call: Mapping[str, Any]) -> Tuning:
    """Choose a value by one half of the labels and report its measures on the other.

    If values were decided again, the chosen value, the best number and the method's own value are run; if one of
    these runs differs, all values are run. Of equally good values the method's own is chosen, else the middle one.
    """
    sides = Sides(swept, truth, counted)
    own = swept.tunable.own
    tuned = sides.all()
    value = _choose(tuned, goal, _ascending(swept), own)
    if not all([swept.confirm(v) for v in (value, _choose(tuned, goal, swept.values, own), own)]):
        swept.by_runs()
        tuned = sides.all()
        value = _choose(tuned, goal, _ascending(swept), own)
    held = {v: sides.half_at(v, REPORTED) for v in (value, own)}
    low, high = _interval(swept.values, [tuned[v] for v in swept.values], goal)
    labels = {"tuned": sides.labelled(TUNED), "reported": sides.labelled(REPORTED)}
    return Tuning(
        swept.method.name, swept.tunable.name, goal.words, value, low, high, own,
        tuple(tuned[v].tried(v) for v in _ascending(swept)), held[value].tried(value), held[own].tried(own), labels,
        swept.again, {**call, **({} if value is None else {swept.tunable.name: value})},
        _notes(swept, truth, labels, value, tuned, goal, sides.halves.split),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Half:
    """Pairs of one half, as arrays with one entry per pair.

    `found` and `right` are bool; `hung` is the group as in `JudgedPairs.group`, and `drawn` the group that is redrawn.
    """

    found: np.ndarray
    right: np.ndarray
    hung: np.ndarray
    drawn: np.ndarray

    def tried(self, value: float | None) -> Tried:
        """Return the measures of this half, for a value."""
        found, right, hung = self.found, self.right, self.hung
        return Tried(
            value, share(right[found], hung[found]), share(found[right], hung[right]), f_measure(found, right, hung)
        )

    def counts(self) -> tuple[int, int, int]:
        """Count pairs found and right, found but not right, right but not found."""
        found, right = self.found, self.right
        return int((found & right).sum()), int((found & ~right).sum()), int((~found & right).sum())


class Sides:
    """Judge of a sweep's claims, for each half of the labels."""

    def __init__(self, swept: Sweep, truth: Truth, counted: Sequence[str]) -> None:
        self._swept, self._counted = swept, counted
        ids = swept.claims[swept.tunable.own].ids
        check_ids(truth, ids)
        self._known = placed(truth, ids)
        self.halves: Halves = halves(self._known, ids)

    def half_at(self, value: float | None, side: int) -> Half:
        """Return the pairs of one half of the labels, judged at a value."""
        judged: JudgedPairs = judge(self._swept.claims[value], self._known, self._counted)
        half, group = self.halves.owned(judged.left, judged.right)
        mine = half == side
        return Half(judged.found[mine], judged.right_pair[mine], judged.group[mine], group[mine])

    def labelled(self, side: int) -> dict[str, int]:
        """Count the labelled pairs of a half, and the copies among them."""
        known = self._known
        mine = (self.halves.owned(known.left, known.right)[0] == side) & (known.label != LABELS.index(UNSURE))
        copies = np.isin(known.label[mine], [LABELS.index(name) for name in self._counted])
        return {"pairs": int(mine.sum()), "copies": int(copies.sum())}

    def all(self) -> dict[float | None, Half]:
        """Return the pairs of the half that chooses, by value."""
        return {value: self.half_at(value, TUNED) for value in self._swept.claims}


def _ascending(swept: Sweep) -> list[float | None]:
    return [*swept.values, *([None] if None in swept.claims else [])]


def _choose(
    tuned: Mapping[float | None, Half], goal: Goal, values: Sequence[float | None], own: float | None
) -> float | None:
    score = goal.score(*np.array([tuned[v].counts() for v in values], float).T)
    best = [v for v, s in zip(values, score.tolist(), strict=True) if s >= score.max() - 1e-12]
    return own if own in best else best[(len(best) - 1) // 2]


def _interval(values: Sequence[float], parts: Sequence[Half], goal: Goal) -> tuple[float | None, float | None]:
    """Return the 95% interval of the best value over redrawn groups of pairs, deterministically; (None, None) without pairs."""
    groups = np.unique(np.concatenate([part.drawn for part in parts] or [np.zeros(0, np.int64)]))
    if not len(groups):
        return None, None
    # counts of found and right, found only, right only: by value and by redrawn group
    table = np.zeros((3, len(values), len(groups)))
    for k, part in enumerate(parts):
        at = np.searchsorted(groups, part.drawn)
        for which, mask in enumerate((part.found & part.right, part.found & ~part.right, ~part.found & part.right)):
            table[which, k] = np.bincount(at[mask], minlength=len(groups))
    draw = np.random.default_rng(0)
    best = np.empty((2, REDRAWN))  # the least and the highest of equally good ones
    for i in range(REDRAWN):
        # one bootstrap sample: how often each group was drawn
        times = np.bincount((draw.random(len(groups)) * len(groups)).astype(np.int64), minlength=len(groups))
        score = goal.score(*(table @ times))
        # of equally good values take both ends, so that the interval is not too narrow
        equal = np.flatnonzero(score >= score.max() - 1e-12)
        best[:, i] = values[int(equal[0])], values[int(equal[-1])]
    best.sort(axis=1)
    return float(best[0, int(0.025 * REDRAWN)]), float(best[1, int(0.975 * REDRAWN) - 1])


def _notes(
    swept: Sweep, truth: Truth, labels: Mapping[str, Mapping[str, int]], value: float | None,
    tuned: Mapping[float | None, Half], goal: Goal, split: bool,
) -> tuple[Message, ...]:  # fmt: skip
    out = truth.column_remarks()
    if not truth.complete and truth.cluster is None:
        out.append(
            Message(
                "the labels are read as a sample: pairs without a label do not count. If the labels list all "
                "copies, add --complete"
            )
        )
        if not truth.told:
            out.append(
                Message(
                    'no label is "different", so the lowest value always looks best: label some different pairs too'
                )
            )
    for name, at in labels.items():
        if at["copies"] < FEW:
            out.append(
                Message(
                    "the half of the labels used for tuning has only {} pairs labelled as copies: label more "
                    "pairs before you rely on the result"
                    if name == "tuned"
                    else (
                        "the half of the labels used for the report has only {} pairs labelled as copies: "
                        "label more pairs before you rely on the result"
                    ),
                    at["copies"],
                )
            )
    if split:
        out.append(
            Message(
                "the two halves of the labels have documents in common, because shared documents connect most "
                "labelled pairs"
            )
        )
    for refused, why in list(swept.refused.items())[:1]:
        out.append(Message("{} values were not tried, such as {:g}: {}", len(swept.refused), refused, why))
    scores = {v: half.counts() for v, half in tuned.items()}
    if len(set(scores.values())) == 1 and len(scores) > 1:
        out.append(Message("{} makes no difference to these labels", swept.tunable.name))
    elif value is not None and len(swept.values) > 1 and value in (swept.values[0], swept.values[-1]):
        out.append(
            Message(
                "the recommended {} is the lowest value tried: try lower values too"
                if value == swept.values[0]
                else "the recommended {} is the highest value tried: try higher values too",
                swept.tunable.name,
            )
        )
    bounded = goal.least_precision is not None or goal.least_recall is not None
    if bounded and goal.score(*np.array([scores[value]], float).T)[0] < 2:
        out.append(goal.missed)
    return tuple(out)
