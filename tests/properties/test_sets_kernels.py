"""Covers: connected components, sets of features, what pairs share, all pairs above a threshold, features of full stops.

Compared against: tests/twins/{sets,graph}.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref_features
from twins import graph as ref_graph
from twins import sets as ref_sets

from quchong import kernels

bag = st.lists(st.one_of(st.integers(0, 6), st.integers(0, 2**64 - 1)), max_size=9)
bags = st.lists(bag, max_size=9)


def built(documents, weighted=True):
    values = np.array([v for d in documents for v in d], np.uint64)
    offsets = np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64)
    return kernels.sets.feature_sets(values, offsets, weighted=weighted, workers=2)


def as_dicts(sets):
    return [
        dict(zip(sets.values[a:b].tolist(), sets.weights[a:b].tolist(), strict=True))
        for a, b in pairwise(sets.offsets.tolist())
    ]


@settings(max_examples=200, deadline=None)
@given(bags)
def test_sets_equal_the_twin(documents):
    assert as_dicts(built(documents)) == ref_sets.feature_sets(documents)
    assert as_dicts(built(documents, weighted=False)) == [dict.fromkeys(sorted(set(d)), 1) for d in documents]
    assert built(documents).sizes.tolist() == [len(d) for d in documents]
    assert built(documents).lengths.tolist() == [len(set(d)) for d in documents]


@settings(max_examples=300, deadline=None)
@given(bags, st.floats(0.05, 1), st.booleans(), st.integers(1, 3), st.booleans(), st.data())
def test_all_pairs_above_the_threshold_are_found(documents, threshold, jaccard, least, weighted, data):
    sets = built(documents, weighted)
    scope = data.draw(st.lists(st.integers(0, 1), min_size=len(documents), max_size=len(documents)))
    references = data.draw(st.integers(0, len(documents)))
    met = kernels.sets.meet_sets(
        sets, threshold, jaccard=jaccard, min_shared=least, scope=np.array(scope, np.uint64), references=references,
        workers=data.draw(st.integers(1, 3)),
    )  # fmt: skip
    twins = as_dicts(sets)
    wanted = ref_sets.meet_sets(twins, threshold, jaccard, least, scope, references)
    assert list(zip(met.left.tolist(), met.right.tolist(), strict=True)) == wanted
    weight, common = kernels.sets.shared_sets(sets, met.left, met.right, 2)
    assert list(zip(weight.tolist(), common.tolist(), strict=True)) == [
        ref_sets.shared_sets(twins[a], twins[b]) for a, b in wanted
    ]


@settings(max_examples=200, deadline=None)
@given(bags, st.integers(1, 4))
def test_a_cap_loses_only_pairs_that_meet_in_no_list(documents, cap):
    sets = built(documents, weighted=False)
    met = kernels.sets.meet_sets(sets, 0.5, cap=cap, workers=2)
    found = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    twins = as_dicts(sets)
    lists = {v: [d for d, t in enumerate(twins) if v in t] for t in twins for v in t}
    assert met.largest == max([len(x) for x in lists.values() if len(x) > 1], default=0)
    assert met.capped == sum(len(x) > cap for x in lists.values() if len(x) > 1)
    for a, b in ref_sets.meet_sets(twins, 0.5, False, 1, [0] * len(twins), 0):
        if any(lists[v].index(a) < cap for v in twins[a].keys() & twins[b].keys()):
            assert (a, b) in found


text = st.text(alphabet=st.sampled_from("天气很好。。｡”」 \n\u3000a1，！\u200b（）)"), max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.lists(text, max_size=4), st.integers(1, 12), st.integers(0, 6))
def test_period_features_equal_the_twin(texts, before, after):
    values, offsets = kernels.features.period_features(pa.array(texts, pa.large_string()), before, after, 2)
    assert [values[a:b].tolist() for a, b in pairwise(offsets.tolist())] == [
        ref_features.period_features(t, before, after) for t in texts
    ]


def test_the_papers_example_of_period_features():
    page = (
        "首页新闻体育今天上午九点市政府召开了新闻发布会。会议很成功。。市长出席并回答了记者提出的十二个问题。版权所有"
    )
    assert ref_features.period_strings(page, 10) == ["政府召开了新闻发布会", "会议很成功", "记者提出的十二个问题"]


@pytest.mark.parametrize(
    "how", [{"threshold": 0}, {"threshold": 1.1}, {"threshold": 0.5, "min_shared": 0}, {"threshold": 0.5, "cap": 0}]
)
def test_what_cannot_be_used_is_refused(how):
    with pytest.raises(ValueError, match=f"^{list(how)[-1]} must be"):
        kernels.sets.meet_sets(built([[1]]), **how)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=14))
def test_components_equal_the_twin(n, edges):
    edges = [(a % n, b % n) for a, b in edges]
    left, right = np.array(edges, np.int64).reshape(-1, 2).T
    assert kernels.graph.components(n, left, right).tolist() == ref_graph.components(n, edges)
