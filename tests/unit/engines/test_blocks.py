"""Covers: division of pairs into blocks: bytes of new texts, pairs, and enough blocks for several processors."""

from itertools import pairwise

import numpy as np
import pytest

from quchong.engines.local import scores


def blocks(pairs, most, pieces, size=100, classes=1000, seed=1):
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, classes, (2, pairs))
    return scores._blocks(left, right, np.full(classes, size), most, pieces), left, right


@pytest.mark.parametrize("pairs", [1, 511, 2048, 5000, 40_000])
@pytest.mark.parametrize("pieces", [1, 4])
def test_blocks_follow_each_other_and_are_as_many_as_asked_for_where_pairs_suffice(pairs, pieces):
    found, _, _ = blocks(pairs, 1 << 30, pieces)
    assert found[0][0] == 0 and found[-1][1] == pairs
    assert all(before[1] == after[0] for before, after in pairwise(found))
    assert all(0 < end - start <= scores.BLOCK_PAIRS for start, end in found)
    assert len(found) >= min(pieces, pairs // scores.LEAST_PAIRS)
    if pairs < scores.LEAST_PAIRS * 2:
        assert len(found) == 1


def test_blocks_that_are_enough_are_not_divided_further():
    few, left, right = blocks(20_000, 10_000, 4)
    assert len(few) > 4 and few == blocks(20_000, 10_000, 1)[0]
    # A block begins with each 10,000 bytes of texts that no earlier pair has.
    fresh = [len(np.unique(np.concatenate([left[:end], right[:end]]))) for _, end in few]
    assert all(b - a <= 101 for a, b in pairwise([0, *fresh]))


def test_no_pairs_make_no_block():
    assert scores._blocks(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), 100, 4) == []
