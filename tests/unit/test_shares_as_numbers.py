"""Covers: the share of an evaluation, which compares, rounds and formats as its value, and says so without one."""

import pytest

from quchong.evaluation.estimates import NOTHING, Share

HALF, MOST = Share(0.5, 0.3, 0.7, 5, 10, 10.0), Share(0.875, 0.6, 1.0, 7, 8, 8.0)


def test_a_share_is_its_value():
    assert float(HALF) == 0.5 and round(MOST, 2) == 0.88 and f"{MOST:.1f}" == "0.9" and f"{HALF}" == str(HALF)
    assert HALF < 0.6 and HALF <= 0.5 and MOST > 0.8 and MOST >= 0.875 and MOST < 0.9 and HALF < MOST
    assert not HALF > 0.5 and max(HALF, MOST) is MOST


def test_a_share_of_nothing_has_no_value():
    for call in (float, round, lambda one: one > 0.5, lambda one: f"{one:.2f}"):
        with pytest.raises(TypeError, match="nothing was counted"):
            call(NOTHING)
    with pytest.raises(TypeError):
        assert HALF < "0.6"
    assert f"{NOTHING}" == "-"
