"""Decisions by the rules of papers, from the columns of PAIRS."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.relation_codes import COPIES, INSIDE, codes_of
from quchong.relations import ACCEPTED, CONTAINED_IN, CONTAINS, DUPLICATE, PARTIAL
from quchong.similarity.coverage import share
from quchong.similarity.relations import decide
from quchong.similarity.thresholds import Thresholds
from quchong.tables import SMALL_SHARE

LEAST_SHARE = 0.25
"""Share of a text in the other one, by exact counts of shingles, below which a copy is told apart: the rule of a paper decided it by
features of less than a quarter of the text."""
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
    thresholds: Thresholds, beyond: str = BEYOND, reads: bool = True,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return relation and rule of every pair, two arrays of str, for a paper's rule that accepted the pairs of a mask.

    Args:
        relation: relation that the paper's rule gives the pairs it accepts.
        accepted: mask of the pairs it accepts; the others become partial.
        name: name of the rule in the ledger.
        verify: "rule", or "exact": an accepted pair must also pass the default method's test, and takes the relation of that test; a pair
            that the rule calls partial stays partial.
        measures, thresholds: for that test.
        beyond: rule of the pairs that the paper's rule does not accept.
        reads: True to give copies that share less than LEAST_SHARE the rule SMALL_SHARE.
    """
    if verify == "rule":
        relation, rule = np.where(accepted, relation, PARTIAL), np.where(accepted, name, beyond)
        little = rests_on_little(relation, measures) if reads else np.zeros(len(rule), bool)
        return relation.astype(object), np.where(little, SMALL_SHARE, rule).astype(object)
    tested, rule = decide(measures, thresholds)
    passed = accepted & np.isin(tested.astype(str), ACCEPTED)
    rule[passed] = f"{name}, " + rule[passed]
    partial = accepted & (relation == PARTIAL)
    tested[partial], rule[partial] = PARTIAL, name
    tested[~accepted], rule[~accepted] = PARTIAL, beyond
    return tested, rule


def rests_on_little(relation: np.ndarray, measures: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a mask of the copies of which less than LEAST_SHARE is found in the other text by exact counts.

    For a contained document this is its own share in the other one, for duplicates the larger share of the two. `relation` is an array of
    str, seen from the left document.
    """
    codes = codes_of(relation)
    left, right = measures["containment_left"], measures["containment_right"]
    share = np.select([INSIDE[codes] > 0, INSIDE[codes] < 0], [left, right], np.maximum(left, right))
    mask: np.ndarray = COPIES[codes] & (share < LEAST_SHARE)
    return mask


def duplicates(accepted: np.ndarray) -> np.ndarray:
    """Return the relation "duplicate" for every pair, as an array of str."""
    return np.full(len(accepted), DUPLICATE, object)
