"""Covers: the cheapest forest and how likely its branches are (`quchong.chains.trees`).

Compared against: all forests of up to five nodes, one by one.
"""

import itertools

import numpy as np
import pytest

from quchong.chains.trees import NONE, cheapest, shares


def forests(n):
    """Every way to give nodes parents without a circle."""
    for parents in itertools.product(range(-1, n), repeat=n):
        for start in range(n):
            node, steps = start, 0
            while node != NONE and steps <= n:
                node, steps = parents[node], steps + 1
            if node != NONE:
                break
        else:
            yield parents


def price_of(parents, cost, entry):
    return sum(entry[j] if i == NONE else cost[i, j] for j, i in enumerate(parents))


def brute(cost, entry, scale):
    """Least price, and the shares by counting every forest."""
    n = len(entry)
    priced = [(price_of(p, cost, entry), p) for p in forests(n)]
    least = min(price for price, _ in priced)
    parents, none, total = np.zeros((n, n)), np.zeros(n), 0.0
    for price, forest in priced:
        weight = np.exp(-(price - least) / scale)
        total += weight
        for j, i in enumerate(forest):
            if i == NONE:
                none[j] += weight
            else:
                parents[i, j] += weight
    return least, parents / total, none / total


def drawn(seed):
    """Prices of a few nodes: some of no arc, entries small or far beyond the arcs."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 6))
    cost = draw.uniform(0, 20, (n, n))
    cost[draw.random((n, n)) < 0.2] = np.inf
    np.fill_diagonal(cost, np.inf)
    return cost, draw.uniform(0, 30, n) + draw.choice([0.0, 150.0, 1000.0])


@pytest.mark.parametrize("seed", range(60))
def test_no_forest_is_cheaper(seed):
    cost, entry = drawn(seed)
    assert price_of(cheapest(cost, entry), cost, entry) == pytest.approx(brute(cost, entry, 3.0)[0])


@pytest.mark.parametrize("seed", range(60))
def test_shares_are_those_of_all_forests(seed):
    cost, entry = drawn(seed)
    _, parents, none = brute(cost, entry, 3.0)
    found, alone = shares(cost, entry, 3.0)
    np.testing.assert_allclose(found, parents, atol=1e-9)
    np.testing.assert_allclose(alone, none, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=0) + alone, 1.0)


def test_two_groups_far_from_each_other_have_sound_odds():
    """Each pair of texts is alike and unlike the other pair by 100,000 tokens: one begins, and nobody knows which."""
    cost = np.full((4, 4), 1e5)
    cost[0, 1] = cost[1, 0] = cost[2, 3] = cost[3, 2] = 1.0
    np.fill_diagonal(cost, np.inf)
    parents, none = shares(cost, np.full(4, 9e4), 2.0)
    np.testing.assert_allclose(none, 0.5, atol=0.05)  # odds so long are pressed together
    assert np.isfinite(parents).all() and parents[0, 1] == pytest.approx(0.5, abs=0.05)


def test_equal_prices_take_the_lesser_parent():
    cost = np.full((3, 3), 4.0)
    np.fill_diagonal(cost, np.inf)
    assert cheapest(cost, np.full(3, 9.0)).tolist() == [NONE, 0, 0]
