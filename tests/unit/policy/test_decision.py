"""Covers: quchong.policy.survivors, arcs from pairs and decisions from arcs, on worked examples."""

import numpy as np
import pytest

from quchong.errors import UsageError
from quchong.policy.survivors import arcs, decide
from quchong.relation_codes import RANK
from quchong.relations import ACCEPTED, RELATIONS, REMOVABLE

DEFAULT = frozenset(ACCEPTED) - {"contains"}


def as_arcs(pairs, priority, removable=DEFAULT, reference=None):
    left, right = (np.array([p[side] for p in pairs], dtype=np.int64) for side in (0, 1))
    relation = np.array([RELATIONS.index(p[2]) for p in pairs], np.uint8)
    reference = None if reference is None else np.array(reference, dtype=bool)
    return arcs(left, right, relation, np.array(priority), removable, reference), relation


def run(pairs, priority, forced=None, removable=DEFAULT, containment=None):
    """Survivor of every node."""
    (loser, winner, pair), relation = as_arcs(pairs, priority, removable)
    forced = np.zeros(len(priority), bool) if forced is None else np.array(forced, bool)
    containment = np.full(len(pairs), 0.9) if containment is None else np.array(containment)
    got = decide(len(priority), loser, winner, np.array(priority), forced, RANK[relation[pair]], containment[pair])
    nodes = np.arange(len(priority))
    assert got.stays.dtype == bool
    assert got.survivor.dtype == got.arc.dtype == np.int64
    np.testing.assert_array_equal(got.stays, got.survivor == nodes)
    np.testing.assert_array_equal(got.stays, got.arc == -1)
    gone = nodes[~got.stays]
    assert got.stays[got.survivor[gone]].all()
    np.testing.assert_array_equal(loser[got.arc[gone]], gone)
    np.testing.assert_array_equal(winner[got.arc[gone]], got.survivor[gone])
    return got.survivor.tolist()


# --- arcs


@pytest.mark.parametrize("relation", ["exact", "duplicate", "variant", "partial"])
def test_the_worse_by_priority_loses(relation):
    (loser, winner, pair), _ = as_arcs([(0, 1, relation), (2, 1, relation)], [5, 3, 4], frozenset(REMOVABLE))
    assert (loser.tolist(), winner.tolist(), pair.tolist()) == ([0, 2], [1, 1], [0, 1])
    assert (loser.dtype, winner.dtype, pair.dtype) == (np.uint32, np.uint32, np.int64)


def test_the_contained_one_loses_whatever_the_policy():
    for priority in ([0, 1], [1, 0]):
        (loser, winner, _), _ = as_arcs([(0, 1, "contained_in"), (0, 1, "contains")], priority)
        assert loser.tolist() == [0, 1]
        assert winner.tolist() == [1, 0]


def test_only_removable_relations_give_arcs():
    pairs = [(0, 1, relation) for relation in RELATIONS]
    for removable in ("exact", "duplicate", "variant", "partial"):
        (_, _, pair), _ = as_arcs(pairs, [0, 1], frozenset({removable}))
        assert pair.tolist() == [RELATIONS.index(removable)]
    assert as_arcs(pairs, [0, 1], frozenset({"contained_in"}))[0][2].tolist() == [2, 3]
    assert as_arcs(pairs, [0, 1], frozenset())[0][2].tolist() == []
    assert as_arcs([], [0, 1])[0][0].tolist() == []


@pytest.mark.parametrize("name", ["contains", "similar"])
def test_other_names_cannot_be_removed(name):
    with pytest.raises(UsageError, match="contained_in"):
        as_arcs([], [0], frozenset({name}))


def test_a_pair_with_itself_gives_no_arc():
    assert as_arcs([(1, 1, "exact")], [0, 1])[0][0].tolist() == []


def test_a_reference_document_never_loses():
    pairs = [(0, 1, "duplicate"), (1, 0, "exact"), (0, 1, "contained_in"), (0, 1, "contains"), (2, 1, "duplicate"),
             (0, 3, "duplicate")]  # fmt: skip
    (loser, winner, pair), _ = as_arcs(pairs, [3, 1, 2, 4], reference=[True, False, False, True])
    assert pair.tolist() == [0, 1, 3, 4]
    assert loser.tolist() == [1, 1, 1, 2]
    assert winner.tolist() == [0, 0, 0, 1]


# --- decisions


def test_no_chains():
    """A~B and B~C but not A~C: B goes for A, and C stays, as its only winner went."""
    assert run([(0, 1, "duplicate"), (1, 2, "duplicate")], [0, 1, 2]) == [0, 0, 2]


def test_the_middle_of_a_chain_removes_both_ends():
    assert run([(0, 1, "duplicate"), (1, 2, "duplicate")], [1, 0, 2]) == [1, 1, 1]


def test_containment_beats_the_policy():
    assert run([(0, 1, "contained_in")], [0, 1]) == [1, 1]
    assert run([(0, 1, "contained_in"), (1, 2, "contains")], [0, 1, 2]) == [1, 1, 1]


def test_two_and_two_that_contain_each_other():
    both = [(0, 1, "contained_in"), (1, 0, "contained_in")]
    assert run(both, [0, 1]) == [0, 0]
    assert run(both, [1, 0]) == [1, 1]


def test_in_a_cycle_of_three_the_first_by_policy_stays_and_the_rest_follows():
    ring = [(0, 1, "contained_in"), (1, 2, "contained_in"), (2, 0, "contained_in")]
    assert run(ring, [0, 1, 2]) == [0, 1, 0]  # 2 goes for 0; the only winner of 1 went, so 1 stays
    assert run(ring, [2, 0, 1]) == [1, 1, 2]
    assert run([*ring, (1, 0, "duplicate")], [0, 1, 2]) == [0, 0, 0]


def test_a_cycle_with_a_kept_winner_outside():
    pairs = [(0, 1, "contained_in"), (1, 0, "contained_in"), (0, 2, "contained_in")]
    assert run(pairs, [0, 1, 2], containment=[0.8, 0.8, 0.9]) == [2, 1, 2]  # 1 stays, as its only winner went
    assert run(pairs, [0, 1, 2]) == [1, 1, 2]  # at equal containment the better of the two kept winners


def test_a_protected_document_stays_and_still_wins():
    pairs = [(0, 1, "duplicate"), (1, 2, "duplicate")]
    assert run(pairs, [0, 1, 2]) == [0, 0, 2]
    assert run(pairs, [0, 1, 2], forced=[False, True, False]) == [0, 1, 1]


def test_a_document_stays_when_all_its_winners_went():
    pairs = [(0, 1, "duplicate"), (0, 2, "duplicate"), (1, 3, "duplicate"), (2, 3, "duplicate")]
    assert run(pairs, [0, 1, 2, 3]) == [0, 0, 0, 3]


def test_the_survivor_is_the_best_by_relation_then_containment_then_policy():
    def of_three(relations, containment, priority=(1, 2, 3, 9)):
        return run(
            [(3, k, relations[k]) for k in range(3)], priority, containment=containment, removable=frozenset(REMOVABLE)
        )[3]

    assert of_three(["variant", "partial", "contained_in"], [0.9, 1.0, 0.8]) == 2
    assert of_three(["contained_in", "duplicate", "exact"], [1.0, 1.0, 0.1]) == 2
    assert of_three(["duplicate", "duplicate", "contained_in"], [0.8, 0.9, 1.0]) == 1
    assert of_three(["duplicate", "duplicate", "duplicate"], [0.9, 0.9, 0.9]) == 0
    assert of_three(["duplicate", "duplicate", "duplicate"], [0.9, 0.9, 0.9], (3, 2, 1, 9)) == 2
    assert run([(0, 1, "contains"), (1, 2, "contained_in")], [1, 5, 0], containment=[0.9, 0.9])[1] == 2


def test_a_winner_that_went_is_no_survivor():
    pairs = [(2, 1, "exact"), (2, 0, "contained_in"), (1, 0, "duplicate")]
    assert run(pairs, [0, 1, 2]) == [0, 0, 0]


def test_nothing_to_decide():
    assert run([], [1, 0]) == [0, 1]
    assert run([], []) == []


def test_who_was_published_first_does_not_go_for_what_contains_it():
    pairs = [(0, 1, "contained_in"), (1, 0, "contains"), (0, 1, "duplicate")]
    left, right = (np.array([p[side] for p in pairs], np.int64) for side in (0, 1))
    relation = np.array([RELATIONS.index(p[2]) for p in pairs], np.uint8)

    def found(published, reference=None):
        return arcs(left, right, relation, np.array([0, 1]), DEFAULT, reference, np.array(published))[2].tolist()

    assert found([1.0, 2.0]) == [2]
    assert found([2.0, 2.0]) == found([2.0, 1.0]) == found([np.inf, np.inf]) == [0, 1, 2]
    assert found([1.0, np.inf]) == [2]
    assert found([1.0, 2.0], np.array([False, True])) == [0, 1, 2]
