"""Decisions by the rules of papers, from the columns of PAIRS."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.relations import ACCEPTED, CONTAINED_IN, CONTAINS, DUPLICATE, PARTIAL
from quchong.similarity.coverage import share
from quchong.similarity.relations import decide
from quchong.similarity.thresholds import Thresholds

BEYOND = "below the rule"
"""Rule of a listed pair that the paper's rule does not accept at the current thresholds."""


def set_evidence(
    sets: FeatureSets, left: np.ndarray, right: np.ndarray, *, jaccard: bool = False, min_shared: int = 1,
    size: np.ndarray | None = None, workers: int | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return what pairs of documents share of their feature sets, by weight, as columns of PAIRS, float64.

    `evidence` is shared / the smaller size (overlap coefficient; 公共包含相似性 in CCDet), or shared / the union with `jaccard`; it is 0
    if either has no features or fewer than `min_shared` distinct ones are common. `features_left` and `features_right` are the
    sizes of the sets, or `size` (float64 a document) if given.
    """
    weight, common = kernels.sets.shared_sets(sets, left, right, workers)
    size = sets.sizes.astype(np.float64) if size is None else size
    a, b, shared = size[left], size[right], weight.astype(np.float64)
    whole = a + b - shared if jaccard else np.minimum(a, b)
    return {
        "evidence": share(np.where(common >= min_shared, shared, 0), whole),
        "features_left": a,
        "features_right": b,
    }


def size_ratio(measures: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the smaller feature set's size divided by the larger one's, float64; 0 if either is empty."""
    a, b = measures["features_left"], measures["features_right"]
    return share(np.minimum(a, b), np.maximum(a, b))


def smaller_inside(measures: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the containment relation of left to right by size: the smaller feature set is contained in the larger one.

    At equal sizes the left text counts as contained in the right one. The result is an array of str.
    """
    inside = measures["features_left"] <= measures["features_right"]
    return np.where(inside, CONTAINED_IN, CONTAINS).astype(object)


def relations_by_rule(
    relation: np.ndarray, accepted: np.ndarray, name: str, verify: str, measures: Mapping[str, np.ndarray],
    thresholds: Thresholds, beyond: str = BEYOND,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return relation and rule of every pair, as arrays of str.

    Args:
        relation: relation that the paper's rule gives the pairs it accepts.
        accepted: mask of the pairs it accepts; the others become partial.
        name: name of the rule in the ledger.
        verify: "rule", or "exact": an accepted pair must also pass the default method's test, and takes the relation of that test; a pair
            that the rule calls partial stays partial.
        measures, thresholds: for that test.
        beyond: rule of the pairs that the paper's rule does not accept.
    """
    if verify == "rule":
        return np.where(accepted, relation, PARTIAL).astype(object), np.where(accepted, name, beyond).astype(object)
    tested, rule = decide(measures, thresholds)
    passed = accepted & np.isin(tested.astype(str), ACCEPTED)
    rule[passed] = f"{name}, " + rule[passed]
    partial = accepted & (relation == PARTIAL)
    tested[partial], rule[partial] = PARTIAL, name
    tested[~accepted], rule[~accepted] = PARTIAL, beyond
    return tested, rule


def duplicates(accepted: np.ndarray) -> np.ndarray:
    """Return the relation "duplicate" for every pair, as `ruled` takes it."""
    return np.full(len(accepted), DUPLICATE, object)
