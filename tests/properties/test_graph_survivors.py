"""Covers: who survives, on any graph.

Compared against: the definition without a procedure. A node waives a winner that is worse than itself and leads
back to it through winners that are all worse than itself, that is, in every cycle the best node does not wait.
Of the arcs that are not waived a node goes if and only if one of its winners stays.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.graph import survivors as reference

from quchong.kernels.graph import survivors as native


@st.composite
def graphs(draw):
    n = draw(st.integers(0, 9))
    node = st.integers(0, max(n - 1, 0))
    arcs = draw(st.lists(st.tuples(node, node), max_size=30 if n else 0))
    priority = draw(st.permutations(range(n)) | st.lists(st.integers(-2, 2), min_size=n, max_size=n))
    forced = draw(st.just([0] * n) | st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return arcs, priority, forced


def decided(arcs, priority, forced, kernel=reference):
    ends = np.array(arcs, dtype=np.uint32).reshape(-1, 2)
    loser, winner = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
    stays = kernel(loser, winner, np.array(priority, dtype=np.int64), np.array(forced, dtype=np.uint8))
    assert stays.dtype == np.uint8
    assert stays.shape == (len(priority),)
    return stays.tolist()


def waived(arcs, priority):
    order = sorted(range(len(priority)), key=lambda v: (priority[v], v))
    place = {v: i for i, v in enumerate(order)}
    found = set()
    for v, w in arcs:
        seen, todo = set(), [w]
        while todo:
            u = todo.pop()
            if u not in seen and place[u] >= place[v]:
                seen.add(u)
                todo += [y for x, y in arcs if x == u]
        if v in seen and place[w] > place[v]:
            found.add((v, w))
    return found


def by_definition(arcs, priority, forced):
    real = {(v, w) for v, w in arcs if v != w} - waived(arcs, priority)
    stays = {}

    def fate(v):  # ends, as arcs without the waived ones have no cycle
        if v not in stays:
            lost = [fate(w) for x, w in real if x == v]
            stays[v] = bool(forced[v]) or not any(lost)
        return stays[v]

    return [int(fate(v)) for v in range(len(priority))]


@given(graphs())
def test_the_procedure_is_the_definition(graph):
    assert decided(*graph) == by_definition(*graph)


@given(graphs())
def test_the_kernel_is_the_reference(graph):
    assert decided(*graph, kernel=native) == decided(*graph)


@given(graphs())
def test_who_goes_has_a_kept_winner_and_was_free_to_go(graph):
    arcs, _, forced = graph
    stays = decided(*graph)
    for v in range(len(stays)):
        if not stays[v]:
            assert not forced[v]
            assert any(stays[w] for x, w in arcs if x == v)


@given(graphs())
def test_who_stays_beside_a_kept_winner_is_forced_or_the_best_of_a_cycle_through_that_winner(graph):
    arcs, priority, forced = graph
    stays = decided(*graph)
    excused = waived(arcs, priority)
    for v, w in arcs:
        if v != w and stays[v] and stays[w] and not forced[v]:
            assert (v, w) in excused


@given(graphs())
def test_without_cycles_nobody_stays_beside_a_kept_winner(graph):
    arcs, priority, forced = graph
    arcs = [(v, w) for v, w in arcs if (priority[v], v) > (priority[w], w)]
    stays = decided(arcs, priority, forced)
    for v in range(len(stays)):
        assert stays[v] == (forced[v] or not any(stays[w] for x, w in arcs if x == v))


@given(graphs(), st.randoms())
def test_order_doubles_and_self_arcs_have_no_effect(graph, random):
    arcs, priority, forced = graph
    more = arcs + random.sample(arcs, len(arcs) // 2) + [(v, v) for v in range(len(priority))]
    random.shuffle(more)
    assert decided(more, priority, forced) == decided(*graph)


@given(graphs(), st.randoms())
def test_numbering_has_no_effect_where_the_priority_is_a_total_order(graph, random):
    arcs, priority, forced = graph
    n = len(priority)
    if len(set(priority)) < n:
        return
    new = random.sample(range(n), n)
    old = sorted(range(n), key=new.__getitem__)
    moved = decided([(new[v], new[w]) for v, w in arcs], [priority[v] for v in old], [forced[v] for v in old])
    assert [moved[new[v]] for v in range(n)] == decided(*graph)


@settings(deadline=None)
@given(st.integers(0, 25), st.integers(1, 4))
def test_cycles_one_behind_another(cycles, size):
    """Each cycle hangs on the next: the best of the last stays, and so on up to the first."""
    n = cycles * size
    arcs = [(c * size + k, c * size + (k + 1) % size) for c in range(cycles) for k in range(size)]
    arcs += [(v, v + size) for v in range(0, n - size, size)]
    graph = arcs, list(range(n)), [0] * n
    assert decided(*graph) == by_definition(*graph)
    assert decided(*graph, kernel=native) == decided(*graph)
