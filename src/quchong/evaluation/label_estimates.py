"""Estimates of a run's precision and recall from labelled pairs.

The population is the listed pairs without exact copies. A pair that the desk drew represents its stratum, from which
it was drawn at random: its weight is the number of pairs in the stratum for each one drawn. A pair that a person
picked was not drawn, and represents only itself. A stratum from which nothing was drawn, and which was not labelled
completely, is left out. So it does not matter that strata near the threshold are drawn from more often. Undecided
pairs (`unsure`) count as not asked.

Intervals are Wilson's, for the effective number of trials (Kish 1965: the square of the sum of weights, divided by
the sum of their squares).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from quchong.decision.intervals import wilson
from quchong.evaluation.strata import Strata
from quchong.runs.acts import COPIES


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95% interval; `value` is None without labels."""

    value: float | None
    low: float
    high: float
    labels: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Labelled pairs with their weights. Arrays have one entry per pair, sorted by row.

    Attributes:
        rows: int64, rows of PAIRS.
        copy: bool: True if the label says that it is a copy.
        weight: float64: number of listed pairs that it represents.
        drawn: number of labels of pairs that the desk drew.
        picked: number of labels of pairs that a person picked; those in strata from which nothing was drawn are not among the rows.
        unsure: number of pairs labelled as unsure.
        open: number of listed pairs without exact copies in strata from which nothing was drawn: no label represents them.
        whole: number of listed pairs without exact copies.
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
    """Compute the weights of labelled pairs.

    Args:
        strata: strata of the run.
        labels: row of PAIRS, label, and whether the desk drew it; labels of exact copies are left out.
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
    # weight of a drawn pair: pairs of its stratum that were not picked, per pair drawn
    each = (sizes - picked) / np.maximum(tried, 1)
    weight = np.where(drawn, each[stratum], 1.0) if len(rows) else np.zeros(0)
    # strata that labels represent: drawn from, or labelled completely
    covered = (tried > 0) | (picked == sizes)
    known_of = covered[stratum] if len(rows) else np.zeros(0, bool)
    rows, copy, weight = rows[known_of], copy[known_of], weight[known_of]
    unsure, nobody = len(known) - len(told), int(sizes[~covered].sum())
    return Sample(rows, copy, weight, int(drawn.sum()), by_hand, unsure, nobody, int(sizes.sum()))


def precision(sample: Sample, called: np.ndarray) -> Share:
    """Estimate precision: the share of true copies among the pairs called copies; `called` is a mask aligned with the sample."""
    return _share(sample.copy[called], sample.weight[called])


def recall(sample: Sample, called: np.ndarray) -> Share:
    """Estimate recall: the share of true copies that are called copies; `called` is a mask aligned with the sample."""
    return _share(called[sample.copy], sample.weight[sample.copy])


def f1(sample: Sample, called: np.ndarray) -> float | None:
    """Return the harmonic mean of precision and recall; None without a copy among the labels."""
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
