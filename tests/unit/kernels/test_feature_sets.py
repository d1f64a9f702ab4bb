"""Covers: feature sets in another order. Compared against: each set by itself."""

import numpy as np
import pytest

from quchong.kernels.arrays import FeatureSets

SETS = [[(1, 1), (2, 1)], [], [(3, 2), (9, 1)], [(4, 3), (5, 1)]]


def made(sets):
    flat = [pair for one in sets for pair in one]
    values, weights = (np.array([pair[k] for pair in flat], kind) for k, kind in ((0, np.uint64), (1, np.uint32)))
    return FeatureSets(values, weights, np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64))


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 2, 1], []])
def test_sets_taken_are_those_sets(order):
    got, want = made(SETS).take(np.array(order, np.int64)), made([SETS[k] for k in order])
    for mine, theirs in zip(got, want, strict=True):
        assert mine.dtype == theirs.dtype and mine.tolist() == theirs.tolist()
