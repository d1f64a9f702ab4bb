"""Covers: fates of a small neighbourhood of an index, decided over plain values.

Compared against: the decision over columns, which is that of a run.

Run: pytest tests/properties/test_small_fates.py
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.engines.index.neighbourhood import Member, MemberPair, Neighbourhood, decided, removal_of
from quchong.engines.index.small_fates import MOST_PLAIN, few_losses, losses
from quchong.plan.request import make_plan
from quchong.relation_codes import code_of
from quchong.relations import RELATIONS
from quchong.tables import FIELD

SETTINGS = (
    {}, {"keep": "earliest"}, {"keep": "latest,shortest"}, {"keep": "first"}, {"keep": "last"}, {"keep": "shortest"},
    {"keep": "source:a>b,earliest"}, {"keep": "prefer:source=b,latest"}, {"keep": "earliest:time,source:a>b"},
    {"keep": "prefer:id=d3,first"}, {"keep": "longest", "roundups": "remove"}, {"keep": "earliest", "roundups": "whole"},
    {"relations": "exact,duplicate"},
)  # fmt: skip
TIMES = (None, "", "2026-01-02", "2026-01-02T08:00:00+08:00", "2026-01-01", "no time", "1767225600")


@st.composite
def neighbourhoods(draw):
    n = draw(st.integers(1, 7))
    members = [
        Member(
            draw(st.integers(0, 3)) * 8 + i, draw(st.sampled_from([f"d{i}", i, f"#{i}"])), text, 0, 40 + 30 * text, 40, False,
            {"time": draw(st.sampled_from(TIMES)), "source": draw(st.sampled_from([None, "a", "b", 7]))},
        )
        for i, text in enumerate(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
    ]  # fmt: skip
    share = st.sampled_from([0.2, 0.69, 0.7, 0.9, 1.0])
    pairs = draw(
        st.lists(
            st.builds(
                MemberPair, st.integers(0, n - 1), st.integers(0, n - 1), st.sampled_from([code_of(one) for one in RELATIONS]),
                st.sampled_from(["one rule", "other rule"]), share, share, st.sampled_from([0, 0, 0, 1, FIELD]),
            ),
            max_size=12,
        )
    )  # fmt: skip
    return Neighbourhood(members, [pair for pair in pairs if pair.left != pair.right], [m.high for m in members])


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda one: ",".join(map(str, one.values())) or "default")
def plan(request):
    return make_plan(**request.param)


def by_columns(plan, hood):
    fate, pairs = decided(plan, hood.members, hood.near, hood.same)
    return [removal_of(fate, pairs, i) for i in range(len(hood.members))]


@settings(deadline=None, max_examples=200)
@given(hood=neighbourhoods())
def test_plain_values_decide_as_columns_do(plan, hood):
    found = few_losses(plan, hood)
    assert found is None or found == by_columns(plan, hood)


@settings(deadline=None, max_examples=40)
@given(some=st.lists(neighbourhoods(), max_size=4))
def test_neighbourhoods_are_decided_each_by_itself_whichever_way(plan, some):
    assert losses(plan, some) == [by_columns(plan, hood) for hood in some]


def test_an_order_by_a_column_and_large_neighbourhoods_are_left_to_columns():
    members = [Member(i, f"d{i}", i, 0, 50, 50, False, {"quality": str(i)}) for i in range(MOST_PLAIN + 1)]
    near = [MemberPair(0, 1, code_of("duplicate"), "rule", 0.9, 0.9)]
    small = Neighbourhood(members[:2], near, [0, 1])
    ordered = make_plan(keep="column:quality desc")
    assert few_losses(ordered, small) is None
    assert losses(ordered, [small]) == [[(1, code_of("duplicate"), "rule"), None]]
    assert few_losses(make_plan(), Neighbourhood(members, near, list(range(len(members))))) is None
    assert few_losses(make_plan(), small) == [None, (0, code_of("duplicate"), "rule")]


def test_a_part_and_its_whole_need_no_columns():
    plan, pair = make_plan(), MemberPair(0, 1, code_of("contained_in"), "rule", 1.0, 0.4)
    members = [Member(0, "a", 1, 0, 50, 50, False, {}), Member(1, "b", 2, 0, 90, 90, False, {})]
    assert few_losses(plan, Neighbourhood(members, [pair], [0, 1])) == [(1, code_of("contained_in"), "rule"), None]
