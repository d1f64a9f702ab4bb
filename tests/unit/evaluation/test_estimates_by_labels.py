"""Covers: quchong.evaluation.estimates. Compared against: figures reckoned by hand, Wilson's formula, simulation.

Run: pytest tests/unit/evaluation/test_estimates.py.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.evaluation.estimates import effective_number, f_measure, share

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40)


def bools(*values):
    return np.array(values, bool)


def test_a_share_of_pairs_that_have_nothing_in_common_has_wilsons_interval():
    """9 of 10: Wilson's interval by hand is (0.9 + 3.8415/20 -+ 1.96 sqrt(0.009 + 3.8415/400)) / 1.38415."""
    found = share(bools(*[True] * 9, False), np.arange(10))
    assert (found.value, found.hits, found.of, found.effective) == (0.9, 9, 10, 10)
    assert (found.low, found.high) == pytest.approx((0.5958, 0.9821), abs=1e-4)


def test_pairs_of_one_group_count_as_what_they_tell_together():
    """Two groups of four, one all right, one all wrong: p = 1/2, variance 2 * (4/2)**2 * 2/1 / 64 = 1/4, of independent pairs
    1/32: eight pairs tell as much as 8 * (1/32) / (1/4) = 1.
    """
    assert effective_number(bools(*[True] * 4, *[False] * 4), np.repeat([0, 1], 4)) == pytest.approx(1.0)
    # all right: no variance to go by, so Kish's number: 64 / (16 + 16)
    assert effective_number(np.ones(8, bool), np.repeat([0, 1], 4)) == pytest.approx(2.0)
    # every group half right: they tell more than independent pairs would, and no more than that is claimed
    assert effective_number(bools(True, False, True, False), np.array([0, 0, 1, 1])) == 4


def test_one_group_alone_tells_next_to_nothing():
    found = share(bools(True, False, True, True), np.zeros(4, int))
    assert found.effective == 1 and found.low < 0.2 and found.high > 0.95


def test_without_pairs_there_is_no_value():
    for found in (share(bools(), np.zeros(0, int)), f_measure(bools(False), bools(False), np.zeros(1, int))):
        assert (found.value, found.low, found.high, str(found)) == (None, 0.0, 1.0, "-")


def test_f1_and_its_interval_come_from_the_share_of_those_found_and_right():
    found, right = bools(1, 1, 1, 0, 0), bools(1, 1, 0, 1, 0)
    f1, s = f_measure(found, right, np.arange(5)), share(bools(1, 1, 0, 0), np.arange(4))
    assert f1.value == pytest.approx(2 * 2 / (3 + 3))
    assert f1.low == pytest.approx(2 * s.low / (1 + s.low)) and f1.high == pytest.approx(2 * s.high / (1 + s.high))


@given(PAIRS)
def test_every_share_lies_in_its_interval_whatever_the_order(pairs):
    hit, right, group = (np.array(column) for column in zip(*pairs, strict=True))
    for measure in (lambda h, r, g: share(h, g), f_measure):
        one, turned = measure(hit, right, group), measure(hit[::-1], right[::-1], group[::-1])
        assert (one.value, one.hits, one.of) == (turned.value, turned.hits, turned.of)
        assert one.low == pytest.approx(turned.low) and one.high == pytest.approx(turned.high)
        if one.value is not None:
            assert 0 <= one.low <= one.value + 1e-9 and one.value <= one.high + 1e-9 <= 1 + 2e-9
            assert one.effective + 1e-9 >= 1 and one.effective <= one.of + 1e-9


def test_intervals_hold_the_truth_about_as_often_as_they_say_also_in_groups():
    """Groups of eight pairs that are right or wrong together: Wilson's own interval would hold the share half of the time."""
    draw = np.random.default_rng(1)
    group, held = np.repeat(np.arange(60), 8), 0
    for _ in range(300):
        found = share(np.repeat(draw.random(60) < 0.7, 8), group)
        held += found.low <= 0.7 <= found.high
    assert 0.92 <= held / 300 <= 0.98
