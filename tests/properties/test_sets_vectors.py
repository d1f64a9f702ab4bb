"""Covers: cosines of sparse vectors, single-pass clustering.

Compared against: tests/twins/sets.py. Run: pytest tests/properties.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import sets as ref

from quchong import kernels

vector = st.dictionaries(st.integers(0, 9), st.integers(1, 5), max_size=6)


def built(bags):
    values = np.array([t for b in bags for t in sorted(b)], np.uint64)
    weights = np.array([b[t] for b in bags for t in sorted(b)], np.float64)
    return kernels.sets.unit_vectors(values, weights, np.cumsum([0, *(len(b) for b in bags)]).astype(np.int64))


def as_dicts(v):
    return [
        dict(zip(v.terms[a:b].tolist(), v.weights[a:b].tolist(), strict=True))
        for a, b in zip(v.offsets[:-1].tolist(), v.offsets[1:].tolist(), strict=True)
    ]


@settings(max_examples=300, deadline=None)
@given(st.lists(vector, min_size=1, max_size=14), st.floats(0.05, 1), st.booleans(), st.data())
def test_single_pass_equals_the_twin(bags, threshold, scoped, data):
    v = built(bags)
    scope = data.draw(st.lists(st.integers(0, 1), min_size=len(bags), max_size=len(bags))) if scoped else None
    founder, similarity = kernels.sets.single_pass(v, threshold, None if scope is None else np.array(scope, np.uint64))
    wanted, near = ref.single_pass(as_dicts(v), threshold, scope)
    assert founder.tolist() == wanted
    assert np.allclose(similarity, near, rtol=1e-12, atol=1e-12)
    for i, f in enumerate(wanted):
        assert f == i or similarity[i] >= threshold - 1e-8


@settings(max_examples=200, deadline=None)
@given(st.lists(vector, min_size=2, max_size=8))
def test_cosines_equal_the_twin(bags):
    v = built(bags)
    n = len(bags)
    left, right = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    found = kernels.sets.dots(v, left, right, 2).reshape(n, n)
    plain = as_dicts(v)
    names = sorted({t for b in bags for t in b})
    for made, bag in zip(plain, bags, strict=True):
        assert made == pytest.approx({names.index(t): w for t, w in ref.unit_vector(bag).items()})
    assert np.allclose(found, [[ref.dot(a, b) for b in plain] for a in plain], rtol=1e-12)
    assert np.array_equal(found, found.T)
    assert np.allclose(np.diag(found), [1.0 if b else 0.0 for b in bags])


def test_a_member_may_be_far_from_the_founder():
    bags = [{0: 1}, {0: 1, 1: 1}, {0: 1, 1: 2}]
    founder, _ = kernels.sets.single_pass(built(bags), 0.7)
    assert founder.tolist() == [0, 0, 0]
    assert kernels.sets.dots(built(bags), [0], [2])[0] < 0.7


def test_what_cannot_be_used_is_refused():
    with pytest.raises(ValueError, match="threshold"):
        kernels.sets.single_pass(built([{1: 1}]), 0)
    with pytest.raises(ValueError, match="offsets"):
        kernels.sets.unit_vectors(np.zeros(2, np.uint64), np.ones(2), np.array([0, 1]))
