"""Covers: fates among equal documents of an index are those that a pair of every two of them gives, with a pair for each document only.

Run: pytest tests/unit/engines/test_equal_members.py
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.decision.pairs import EQUAL
from quchong.engines.index.neighbourhood import Member, MemberPair, decided, exact_pair
from quchong.plan.request import make_plan
from quchong.relation_codes import code_of

KEEPS = ("longest", "earliest", "latest", "longest,earliest", "source:a>b,earliest", "earliest,source:a>b")
RELATIONS = ("duplicate", "contained_in", "contains", "variant")


def member(number, text, time, source=None):
    columns = {"time": None if time is None else f"2026-01-{time:02}", "source": source}
    return Member(number, f"d{(number * 7) % 31:02}", text, text + 100, 100 + 10 * text, 90 + 10 * text, False, columns)


@pytest.fixture(scope="module", params=KEEPS)
def plan(request):
    return make_plan(keep=request.param)


neighbourhoods = st.lists(
    st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(1, 5)), st.sampled_from([None, "a", "b"])),
    min_size=2,
    max_size=9,
)
compared = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(RELATIONS)), max_size=6)


def near_pairs(members, some):
    """A pair of every member of one text with every one of the other, as documents by which copies are compared give."""
    told = {frozenset((a, b)): (a, b, relation) for a, b, relation in some if a != b}
    out = []
    for a, b, relation in told.values():
        inside, around = (
            (1.0, 0.5) if relation == "contained_in" else (0.5, 1.0) if relation == "contains" else (0.9, 0.9)
        )
        for i, one in enumerate(members):
            for j, other in enumerate(members):
                if (one.high, other.high) == (a, b):
                    out.append(MemberPair(i, j, code_of(relation), "rule", inside, around))
    return out


@given(texts=neighbourhoods, some=compared)
def test_equal_members_are_decided_as_if_every_two_were_a_pair(plan, texts, some):
    members = [member(n, *values) for n, values in enumerate(texts)]
    near = near_pairs(members, some)
    same = [one.high for one in members]
    every = [exact_pair(members, a, b) for a in range(len(members)) for b in range(a) if same[a] == same[b]]
    expected, _ = decided(plan, members, [*near, *every], list(range(len(members))))
    fate, pairs = decided(plan, members, near, same)
    assert fate.removed.tolist() == expected.removed.tolist()
    assert fate.survivor.tolist() == expected.survivor.tolist()
    named = {k: (pairs[p].relation, pairs[p].rule) for k, p in enumerate(fate.pair.tolist()) if p >= 0}
    wanted = {
        k: ([*near, *every][p].relation, [*near, *every][p].rule)
        for k, p in enumerate(expected.pair.tolist())
        if p >= 0
    }
    assert named == wanted


def test_a_thousand_equal_members_are_a_thousand_pairs():
    plan = make_plan()
    members = [member(n, 1, None) for n in range(1000)]
    fate, pairs = decided(plan, members, [], [1] * 1000)
    assert len(pairs) == 999
    assert np.count_nonzero(fate.removed) == 999
    assert {pair.rule for pair in pairs} == {EQUAL}
