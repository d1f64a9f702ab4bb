"""Covers: the sum by which the texts of a source are known again.

Compared against: whole numbers of Python.
"""

import numpy as np

from quchong.decision.texts import sum_of_texts


def given(n=200, seed=3):
    rng = np.random.default_rng(seed)
    high, low = (rng.integers(0, 1 << 64, n, np.uint64) for _ in range(2))
    return high, low, rng.integers(0, 3, n), np.arange(n) * 3


def test_the_sum_is_that_of_whole_numbers_in_any_order():
    high, low, tokens, row = given()
    halves = [
        sum(int(half) * (2 * int(r) + 1) for half, t, r in zip(column, tokens, row, strict=True) if t) % (1 << 64)
        for column in (high, low)
    ]
    told = sum_of_texts(high, low, tokens, row)
    assert told == "".join(f"{half:016x}" for half in halves)
    other = np.random.default_rng(1).permutation(len(row))
    assert sum_of_texts(high[other], low[other], tokens[other], row[other]) == told


def test_another_text_another_place_and_two_copies_that_change_are_told():
    high, low, _, row = given()
    tokens = np.ones(len(row), np.int64)
    told = {sum_of_texts(high, low, tokens, row)}
    high[1], low[1] = high[0], low[0]
    told.add(sum_of_texts(high, low, tokens, row))
    high[:2] += np.uint64(1)
    told.add(sum_of_texts(high, low, tokens, row))
    high[5], high[9] = high[9], high[5]
    told.add(sum_of_texts(high, low, tokens, row))
    assert len(told) == 4
    tokens[7] = 0
    kept = sum_of_texts(high, low, tokens, row)
    high[7] = 0  # a text without words is left out
    assert sum_of_texts(high, low, tokens, row) == kept and kept not in told
    assert sum_of_texts(high[:0], low[:0], tokens[:0], row[:0]) == "0" * 32
