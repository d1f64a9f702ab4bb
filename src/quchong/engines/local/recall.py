"""Measurement of candidate recall: a sample of documents is compared exactly with all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong import kernels
from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.headers import rests_of_pairs
from quchong.decision.intervals import stratified_total, wilson
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.known_relations import UNKNOWN, KnownRelations
from quchong.engines.local.recall_pairs import MetPairs
from quchong.engines.local.recall_sample import choose, meet
from quchong.engines.local.scores import BLOCK_BYTES, cut
from quchong.engines.local.templates import told_apart_later
from quchong.plan.plan import Plan
from quchong.relations import BY_NAME, SEARCHED
from quchong.seam import active_differences

AT_ONCE = 1 << 15
"""Pairs judged at once: their differences take up to 2 KB each meanwhile."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Recall of one relation: true pairs found and in all (estimated if not all were judged), with the 95% interval."""

    found: float
    true: float
    low: float
    high: float

    def describe(self) -> dict[str, Any]:
        """Return the recall as a dictionary for JSON; recall is None without true pairs."""
        return {
            "found": round(self.found),
            "true": round(self.true),
            "recall": round(self.found / self.true, 4) if self.true else None,
            "interval_95": [round(self.low, 4), round(self.high, 4)],
        }


@dataclass(frozen=True, slots=True)
class Recall:
    """Share of the true pairs of a sample that became candidates, by relation.

    Attributes:
        sampled: number of documents that were compared exactly with all others, or with a share of them that was drawn
            (`quchong.engines.local.recall_sample`).
        pairs: estimated number of pairs with a sampled document that have so much in common that they may be true.
        judged: number of the pairs that were judged as the run judges a candidate.
        rows: by relation.
    """

    sampled: int
    pairs: float
    judged: int
    rows: dict[str, Measured]

    def describe(self) -> dict[str, Any]:
        """Return the recall as a dictionary for JSON: the sample, and by relation found, true, recall, 95% interval."""
        sample = {"sampled_documents": self.sampled, "pairs": round(self.pairs), "judged_pairs": self.judged}
        return sample | {relation: one.describe() for relation, one in self.rows.items()}


def measure_recall(
    corpus: Corpus,
    plan: Plan,
    classes: Classes,
    found: ClassPairs,
    sample: np.ndarray | None,
    known: KnownRelations,
    stop: kernels.machine.Stop | None = None,
) -> Recall | None:
    """Compare a sample with all classes, and estimate how many of its true pairs are among the found candidates.

    Args:
        corpus, plan, classes, found: as of a run; measures and differences of the pairs are not needed.
        sample: the sampled classes (`sampled`); None if recall is not measured.
        known: relations of pairs of the sample that the run has decided already (`known_relations`).
        stop: set from another thread, ends the measurement early; the returned value is then meaningless.

    Returns:
        None if recall is not measured.

    Cost: see `quchong.engines.local.recall_sample`: bounded but for one look at the shingles of all documents.
    """
    if sample is None:
        return None
    thresholds = plan.method.rule.test
    least = min(thresholds.floor_containment, 2 * thresholds.floor_jaccard / (1 + thresholds.floor_jaccard))
    if not len(sample):
        return Recall(0, 0.0, 0, dict.fromkeys(SEARCHED, Measured(0, 0, 0.0, 1.0)))
    met = meet(corpus, plan, classes, found, sample, least, stop)
    if met is None:
        return None
    size = corpus.texts.bytes[classes.first]
    pairs = met.drawn(size[met.left] + size[met.right])
    judged = _count(corpus, plan, classes, found, pairs, known, stop)
    return Recall(len(sample), float(pairs.weight.sum()), len(pairs), judged)


def sampled(corpus: Corpus, plan: Plan, classes: Classes) -> np.ndarray | None:
    """Return the sample of classes for measuring recall; None if the method finds all pairs by design or the sample is off."""
    if plan.recall_sample <= 0 or plan.method.rule.recall_widths is None:
        return None
    return choose(corpus, classes, plan.recall_sample)


def _count(
    corpus: Corpus, plan: Plan, classes: Classes, found: ClassPairs, pairs: MetPairs, known: KnownRelations,
    stop: kernels.machine.Stop | None,
) -> dict[str, Measured]:  # fmt: skip
    """Judge the pairs by the method's own rule and return the recall of each relation."""
    size = corpus.texts.bytes[classes.first[pairs.left]] + corpus.texts.bytes[classes.first[pairs.right]]
    counted = np.full(len(pairs), "", object)
    for piece in cut(np.arange(len(pairs)), np.maximum(size, BLOCK_BYTES // AT_ONCE)):
        if stop is not None and stop.is_set():
            break
        relation = _pair_relations(corpus, plan, classes, pairs.left[piece], pairs.right[piece], found, known)
        counted[piece] = [BY_NAME[name].either if name else "" for name in relation.tolist()]
    return {name: _measured(pairs, counted == name) for name in SEARCHED}


def _measured(pairs: MetPairs, true: np.ndarray) -> Measured:
    """Return the recall over judged pairs; `true` is the mask of those that have the relation.

    Where all pairs were judged this is the share that was found, with Wilson's interval. Else the limits are those of the shares that the
    limits of both estimated numbers give.
    """
    hit, weight = pairs.found, pairs.weight
    found, missed = (stratified_total(pairs.stratum[some], weight[some], true[some]) for some in (hit, ~hit))
    whole, squares = found.value + missed.value, float((weight[true] ** 2).sum())
    if not whole:
        return Measured(0, 0, 0.0, 1.0)
    trials = whole**2 / squares
    least, most = found.low / (found.low + missed.high), found.high / (found.high + missed.low)
    return Measured(found.value, whole, wilson(least * trials, trials)[0], wilson(most * trials, trials)[1])


def _pair_relations(
    corpus: Corpus, plan: Plan, classes: Classes, left: np.ndarray, right: np.ndarray, found: ClassPairs, known: KnownRelations
) -> np.ndarray:  # fmt: skip
    """Return the relation name of each pair of classes; "" for pairs below the floor and for records on one template."""
    relation = known.relations_of(left, right)
    open_ = np.flatnonzero(relation == UNKNOWN)
    relation[open_] = _compared(corpus, plan, classes, left[open_], right[open_], found)
    relation[told_apart_later(corpus, plan, classes, found, left, right)] = ""
    return relation


def _compared(
    corpus: Corpus, plan: Plan, classes: Classes, left: np.ndarray, right: np.ndarray, found: ClassPairs
) -> np.ndarray:
    """Return the relation name of each pair of classes by comparing their texts; "" for pairs below the floor."""
    docs, index = np.unique(np.concatenate([left, right]), return_inverse=True)
    documents = corpus.take(classes.first[docs], plan.method.traits.needs)
    a, b = index[: len(left)].astype(np.uint32), index[len(left) :].astype(np.uint32)
    measures = plan.method.score(documents, a, b, plan.workers)
    listed = plan.method.rule.floor(measures)
    a, b = a[listed], b[listed]
    measures = {name: values[listed] for name, values in measures.items()}
    if found.headers is not None and len(found.headers):
        measures |= rests_of_pairs(plan.method, documents, found.headers, a, b, measures, plan.workers)
    steps = active_differences(plan.method)
    differing = None if steps is None else steps.find(documents, a, b, measures, plan.workers)
    relation = np.full(len(left), "", object)
    relation[listed], _ = plan.method.rule.decide(measures | (differing.measures if differing else {}))
    return relation
