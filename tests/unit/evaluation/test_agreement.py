"""Covers: quchong.evaluation.agreement. Compared against: the definitions, document by document and pair by pair, and figures
reckoned by hand.

Run: pytest tests/unit/evaluation/test_agreement.py.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.evaluation.agreement import agreement

CLUSTERINGS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


def bcubed(found, true):
    """By the definition: of every document the share of its cluster that is right."""
    n = len(found)
    precision = sum(
        sum(true[j] == true[i] for j in range(n) if found[j] == found[i]) / found.count(found[i]) for i in range(n)
    )
    return precision / n


def adjusted_rand(found, true):
    """By pairs: how many are together in both, beyond what chance gives."""
    pairs = list(combinations(range(len(found)), 2))
    a, b = ([x[i] == x[j] for i, j in pairs] for x in (found, true))
    both, expected = sum(p and q for p, q in zip(a, b, strict=True)), sum(a) * sum(b) / max(len(pairs), 1)
    most = (sum(a) + sum(b)) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def test_by_hand():
    """Found {1,2,3} {4}, true {1,2} {3,4}. Precision (2/3 + 2/3 + 1/3 + 1)/4 = 2/3, recall (1 + 1 + 1/2 + 1/2)/4 = 3/4. Pairs
    together: 3 found, 2 true, 1 both, by chance 3*2/6 = 1: adjusted Rand 0.
    """
    found = agreement(np.array([7, 7, 7, 2]), np.array([0, 0, 1, 1]))
    assert (found.precision, found.recall) == pytest.approx((2 / 3, 3 / 4))
    assert found.f1 == pytest.approx(2 * (2 / 3) * (3 / 4) / (2 / 3 + 3 / 4))
    assert found.adjusted_rand == 0


def test_bagga_and_baldwins_example():
    """Their figure: truth of 5, 2 and 5 documents, found as 5 and 7: precision (5 + 4/7 + 25/7)/12 = 0.762, recall 1."""
    true = np.repeat([0, 1, 2], [5, 2, 5])
    found = agreement(np.repeat([0, 1, 1], [5, 2, 5]), true)
    assert (found.precision, found.recall) == pytest.approx(((5 + 4 / 7 + 25 / 7) / 12, 1.0))


@given(CLUSTERINGS)
def test_as_defined(pairs):
    found, true = (list(column) for column in zip(*pairs, strict=True))
    got = agreement(np.array(found), np.array(true))
    assert got.precision == pytest.approx(bcubed(found, true))
    assert got.recall == pytest.approx(bcubed(true, found))
    assert got.adjusted_rand == pytest.approx(adjusted_rand(found, true))
    turned = agreement(np.array(true), np.array(found))
    assert (turned.precision, turned.recall) == pytest.approx((got.recall, got.precision))
    assert turned.adjusted_rand == pytest.approx(got.adjusted_rand)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=25))
def test_equal_clusterings_agree_wholly_whatever_their_numbers(found):
    got = agreement(np.array(found), 100 - np.array(found))
    assert (got.precision, got.recall, got.f1, got.adjusted_rand) == pytest.approx((1, 1, 1, 1))


def test_no_documents_and_one():
    assert agreement(np.zeros(0, int), np.zeros(0, int)).f1 is None
    assert agreement(np.zeros(1, int), np.ones(1, int)).adjusted_rand == 1


def test_as_scikit_learn_has_it():
    metrics = pytest.importorskip(
        "sklearn.metrics", reason="scikit-learn is no dependency: the definitions above stand in"
    )
    draw = np.random.default_rng(3)
    for _ in range(20):
        found, true = draw.integers(0, 9, 200), draw.integers(0, 5, 200)
        assert agreement(found, true).adjusted_rand == pytest.approx(metrics.adjusted_rand_score(true, found))
