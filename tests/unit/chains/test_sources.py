"""Covers: the likeliest source of each version (`quchong.chains.sources`), and stretches of time (`quchong.chains.publication_times`)."""

import numpy as np
import pytest

from quchong.chains.publication_times import Moments
from quchong.chains.sources import MOST, SCALE, sources
from quchong.chains.trees import NONE


def found(n, arcs, tokens=100):
    source, copy, price = (np.array(values) for values in zip(*arcs, strict=True)) if arcs else (np.zeros(0, int),) * 3
    return sources(n, source, copy, price.astype(float), np.full(n, tokens))


def test_of_those_before_it_the_cheapest_is_named_and_the_next_is_told():
    out = found(3, [(0, 1, 5.0), (0, 2, 9.0), (1, 2, 5.0)])
    assert out.source.tolist() == [NONE, 0, 1]
    assert out.choices.tolist() == [0, 1, 2]
    assert out.second[2] == 0
    odds = np.exp(4.0 / SCALE)
    assert out.confidence[2] == pytest.approx(odds / (1 + odds), rel=1e-6)
    assert out.confidence[2] + out.second_confidence[2] == pytest.approx(1.0)


def test_of_two_without_order_nobody_knows_which_was_first():
    out = found(2, [(0, 1, 5.0), (1, 0, 5.0)])
    assert out.source.tolist() == [NONE, 0]
    assert out.confidence.tolist() == pytest.approx([0.5, 0.5])


def test_a_text_that_costs_more_to_copy_than_to_write_is_nobodys_copy():
    assert found(2, [(0, 1, 500.0)]).source.tolist() == [NONE, NONE]


def test_nothing_to_choose_from():
    out = found(2, [])
    assert out.source.tolist() == [NONE, NONE] and out.confidence.tolist() == [1.0, 1.0]


def test_a_block_of_many_goes_from_the_longer_to_the_shorter():
    n = MOST + 6
    arcs = [(a, b, float(abs(a - b))) for a in range(n) for b in range(n) if a != b and abs(a - b) < 3]
    source, copy, price = (np.array(values) for values in zip(*arcs, strict=True))
    out = sources(n, source, copy, price, np.arange(n) + 50)
    assert out.source.tolist() == [*range(1, n), NONE]


def test_a_date_without_a_time_of_day_is_the_whole_day():
    day, noon, next_day = 86400.0, 86400.0 + 43200, 2 * 86400.0
    moments = Moments.from_seconds(np.array([day, noon, next_day, np.nan]))
    may = [[bool(moments.may_precede(np.array([a]), np.array([b]))[0]) for b in range(4)] for a in range(4)]
    assert may == [[True, True, True, True], [True, True, True, True], [False, False, True, True], [True] * 4]
    assert moments.precedes(np.array([0, 0, 3]), np.array([1, 2, 0])).tolist() == [False, True, False]
    assert moments.order(np.arange(4)).tolist() == [0, 1, 2, 3]
