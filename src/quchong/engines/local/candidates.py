"""Candidates by the join of equal keys."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from quchong import kernels
from quchong.candidates.keyed import scoped
from quchong.decision.classes import Classes
from quchong.decision.documents import DocumentColumns
from quchong.kernels.sorting import distinct
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import CROWD, JoinLimits, Keys


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate pairs of classes (left < right), with counts of the limits that cut comparisons off.

    `crowded` holds the classes that may share keys with more others than they were compared with (`JoinLimits.many`), `unseen` those in
    which the method saw nothing by which they could meet others (int64).
    """

    left: np.ndarray
    right: np.ndarray
    capped_keys: int
    largest_key: int
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()  # what else was bounded, for an alarm
    crowded: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    unseen: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


def find_candidates(
    documents: DocumentColumns, plan: Plan, keys: Keys, limits: JoinLimits, classes: Classes, stages: Stages
) -> Candidates:
    """Return the candidate pairs of exact classes that share keys, within one scope."""
    order = classes.first
    references = int((order < documents.references).sum())
    values, codes, seconds = keys.values, documents.scope.codes, documents.scope.seconds
    if codes is not None:
        values = scoped(values, keys.offsets, codes)
    time = None
    # With a time window, the documents behind the references are sorted by time, so that the nearest in time are compared first.
    # Documents without a time get times far apart from all others.
    if seconds is not None:
        behind = order[references:]
        order = np.concatenate([order[:references], behind[np.lexsort((documents.id_rank[behind], seconds[behind]))]])
        time = np.where(np.isinf(seconds[order]), np.arange(len(order)) * 1e12 + 1e15, seconds[order])
    with stages.stage("candidates", len(order)):
        met = kernels.join.join_keys(
            values,
            keys.offsets,
            order,
            size=keys.size[order],
            window=keys.window[order],
            time=time,
            cap=limits.cap,
            min_shared=limits.min_shared,
            share=limits.share,
            most=limits.most,
            few=limits.few,
            crowd=CROWD,
            references=references,
            within=documents.scope.within,
            workers=plan.workers,
        )
        left, right = met.left.astype(np.int64), met.right.astype(np.int64)
        many = np.flatnonzero(np.bincount(right, minlength=len(order)) >= limits.many)
        if plan.only_against:
            across = left < references
            left, right = left[across], right[across]
        # The join numbers documents by their index in `order`: convert these indices to class numbers.
        left, right = classes.node[order[left]], classes.node[order[right]]
        if seconds is not None:  # equal documents are linked already
            other = ~documents.same(classes.first[left], classes.first[right])
            left, right = left[other], right[other]
    left, right = np.minimum(left, right), np.maximum(left, right)
    crowded = distinct(classes.node[order[np.concatenate([met.crowded.astype(np.int64), many])]])
    return Candidates(
        left,
        right,
        met.capped_keys,
        met.largest_key,
        limits.notes(met.bounded - len(met.crowded), len(met.crowded)),
        crowded,
    )
