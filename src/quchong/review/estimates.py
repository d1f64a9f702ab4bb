"""Precision and recall of a run, estimated from labelled pairs.

The whole is the listed pairs but exact copies. A pair that the desk drew stands for all of its stratum, which it was drawn from at
random: it weighs as many pairs as the stratum has for each one drawn. A pair that a person picked was not drawn, and stands for itself
alone. A stratum that nothing was drawn from, and that was not labelled from end to end, is left out. So it does not matter that strata
near the line are drawn from more often. Pairs that nobody could tell (`unsure`) count as not asked.

Intervals are Wilson's, for as many trials as the weights are worth (Kish 1965: the square of their sum by the sum of their squares).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from quchong.review.acts import COPIES
from quchong.review.intervals import wilson
from quchong.review.strata import Strata


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95% interval; `value` is None where no label tells."""

    value: float | None
    low: float
    high: float
    labels: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Labelled pairs and what each stands for. Arrays of one entry a pair, by row.

    Attributes:
        rows: int64, rows of PAIRS.
        copy: bool: is it labelled as a copy?
        weight: float64: how many listed pairs it stands for.
        drawn: how many labels the desk drew.
        picked: how many a person picked; those in strata that nothing was drawn from are not among the rows.
        unsure: labelled pairs that nobody could tell.
        open: listed pairs, exact copies left out, in strata that nothing was drawn from: no label stands for them.
        whole: listed pairs, exact copies left out.
    """

    rows: np.ndarray
    copy: np.ndarray
    weight: np.ndarray
    drawn: int
    picked: int
    unsure: int
    open: int
    whole: int


def weighted(strata: Strata, labels: Iterable[tuple[int, str, bool]]) -> Sample:
    """What labels stand for.

    Args:
        strata: of the run.
        labels: row of PAIRS, label, and whether the desk drew it; of exact copies they are left out.
    """
    known = sorted((row, label, drawn) for row, label, drawn in labels if strata.of[row] >= 0)
    told = [one for one in known if one[1] != "unsure"]
    rows = np.array([row for row, _, _ in told], np.int64)
    copy = np.array([label in COPIES for _, label, _ in told], bool)
    drawn = np.array([one for _, _, one in told], bool)
    by_hand = int((~drawn).sum())
    sizes = np.array([kind.size for kind in strata.kinds], np.int64)
    stratum = strata.of[rows]
    picked = np.bincount(stratum[~drawn], minlength=len(sizes))
    tried = np.bincount(stratum[drawn], minlength=len(sizes))
    each = (sizes - picked) / np.maximum(tried, 1)
    weight = np.where(drawn, each[stratum], 1.0) if len(rows) else np.zeros(0)
    covered = (tried > 0) | (picked == sizes)
    known_of = covered[stratum] if len(rows) else np.zeros(0, bool)
    rows, copy, weight = rows[known_of], copy[known_of], weight[known_of]
    unsure, nobody = len(known) - len(told), int(sizes[~covered].sum())
    return Sample(rows, copy, weight, int(drawn.sum()), by_hand, unsure, nobody, int(sizes.sum()))


def precision(sample: Sample, called: np.ndarray) -> Share:
    """The share of copies among the pairs called so; `called` is a mask aligned with the sample."""
    return _share(sample.copy[called], sample.weight[called])


def recall(sample: Sample, called: np.ndarray) -> Share:
    """The share called so among the copies."""
    return _share(called[sample.copy], sample.weight[sample.copy])


def f1(sample: Sample, called: np.ndarray) -> float | None:
    """The harmonic mean of precision and recall; None without a copy among the labels."""
    right = float(sample.weight[sample.copy & called].sum())
    both = float(sample.weight[called].sum() + sample.weight[sample.copy].sum())
    return 2 * right / both if sample.copy.any() else None


def _share(hit: np.ndarray, weight: np.ndarray) -> Share:
    total = float(weight.sum())
    if not total:
        return Share(None, 0.0, 1.0, 0)
    value = float(weight[hit].sum()) / total
    worth = total**2 / float((weight**2).sum())
    low, high = wilson(value * worth, worth)
    return Share(value, low, high, len(weight))
