"""Covers: which partners a document keeps of very many, and the join of sets with that bound, lists cut or not.

Compared against: tests/twins/join.py and sets.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import sets as ref
from twins.join import keep_most

from quchong import kernels
from quchong.candidates.nearest import nearest

bags = st.lists(st.lists(st.integers(0, 6), max_size=7), max_size=12)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12), st.integers(1, 4)), unique_by=lambda p: p[:2]),
    st.integers(1, 6),
)
@settings(deadline=None)
def test_the_nearest_are_those_of_the_twin(pairs, most):
    me, other, shared = (np.array([p[k] for p in pairs], np.int64) for k in range(3))
    count, kept = nearest(me, other, shared, most)
    for d in set(me.tolist()):
        mine = sorted((o, s) for m, o, s in pairs if m == d)
        assert sorted(other[kept & (me == d)].tolist()) == [o for o, _ in keep_most(mine, most)]
        assert set(count[me == d].tolist()) == {len(mine)}


def built(documents, weighted):
    values = np.array([v for d in documents for v in d], np.uint64)
    offsets = np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)
    return kernels.sets.feature_sets(values, offsets, weighted=weighted, workers=2)


@settings(max_examples=150, deadline=None)
@given(documents=bags, threshold=st.floats(0.05, 1), jaccard=st.booleans(), weighted=st.booleans(), data=st.data())
def test_a_bound_of_pairs_is_that_of_the_twin(documents, threshold, jaccard, weighted, data):
    sets, n = built(documents, weighted), len(documents)
    scope = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    references, most, least = (data.draw(st.integers(a, b)) for a, b in ((0, n), (0, 4), (1, 3)))
    met = kernels.sets.meet_sets(
        sets, threshold, most=most, jaccard=jaccard, min_shared=least, scope=np.array(scope, np.uint64),
        references=references, workers=2,
    )  # fmt: skip
    twins = [
        dict(zip(sets.values[a:b].tolist(), sets.weights[a:b].tolist(), strict=True))
        for a, b in pairwise(sets.offsets.tolist())
    ]
    whole = ref.meet_sets(twins, threshold, jaccard, least, scope, references)
    wanted = []
    for right in range(n):
        mine = [(a, ref.shared_sets(twins[a], twins[b])[0]) for a, b in whole if b == right]
        for side in ([p for p in mine if p[0] < references], [p for p in mine if p[0] >= references]):
            wanted += [(a, right) for a, _ in keep_most(side, most)]
    assert list(zip(met.left.tolist(), met.right.tolist(), strict=True)) == wanted
    assert met.bounded == len({b for _, b in set(whole) - set(wanted)})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5), max_size=6), max_size=12), st.integers(1, 3), st.integers(1, 4))
def test_bounded_pairs_reach_the_threshold_where_lists_are_cut_too(documents, cap, most):
    met = kernels.sets.meet_sets(built([sorted(d) for d in documents], False), 0.5, cap=cap, most=most, workers=2)
    for a, b in zip(met.left.tolist(), met.right.tolist(), strict=True):
        assert 2 * len(documents[a] & documents[b]) >= min(len(documents[a]), len(documents[b]))
    assert np.bincount(met.right, minlength=1).max() <= most
