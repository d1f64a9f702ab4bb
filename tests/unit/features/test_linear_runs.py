"""Covers: the suffix tree of an automaton, maximal runs by it, runs split and placed.

Compared against: suffixes of plain Python, tests/twins/runs.py, the kernel. Run: pytest tests/unit/features/test_linear_runs.py
"""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import runs as twins

from quchong import kernels
from quchong.features.suffix_tree import SuffixTree, maximal_runs, placed_runs, split_runs

symbols = st.lists(st.integers(0, 4), max_size=24)


def test_the_worked_example_of_the_paper():
    """5c793 and 8c7935: the raw maximal runs are (0, 5, 1) and (1, 1, 4)."""
    assert maximal_runs([5, 12, 7, 9, 3], [8, 12, 7, 9, 3, 5]) == [(0, 5, 1), (1, 1, 4)]
    assert maximal_runs([5, 12, 7, 9, 3], [8, 12, 7, 9, 3, 5], 2) == [(1, 1, 4)]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=20))
def test_nodes_are_the_branching_prefixes_of_suffixes(text):
    text = [*text, 9]
    tree = SuffixTree(text)
    suffixes = [tuple(text[i:]) for i in range(len(text))]
    prefixes = {s[:k] for s in suffixes for k in range(len(s) + 1)}
    following = {p: {s[len(p)] for s in suffixes if s[: len(p)] == p and len(s) > len(p)} for p in prefixes}
    inner = {p for p in prefixes if len(following[p]) > 1 and p}
    assert sorted(tree.depth[1:]) == sorted([len(s) for s in suffixes] + [len(p) for p in inner])
    for node, place in enumerate(tree.suffix):
        if place >= 0:
            assert tree.depth[node] == len(text) - place
            branches = [k for k in range(tree.depth[node]) if suffixes[place][:k] in inner | {()}]
            assert tree.depth[tree.parent[node]] == max(branches)


@settings(max_examples=300, deadline=None)
@given(symbols, symbols, st.integers(1, 3))
def test_runs_are_those_of_every_road(left, right, shortest):
    mine = maximal_runs(left, right, shortest)
    assert mine == twins.maximal_runs(left, right, shortest)
    for road in ("places", "suffixes"):
        found, _ = kernels.runs.maximal_runs(np.array(left, np.uint64), np.array(right, np.uint64), shortest, road=road)
        assert [tuple(r) for r in found.tolist()] == mine


@settings(max_examples=150, deadline=None)
@given(symbols, symbols, st.data())
def test_runs_split_and_placed_are_those_of_the_twin(left, right, data):
    checks = [data.draw(st.lists(st.integers(0, 1), min_size=len(s), max_size=len(s))) for s in (left, right)]
    runs = maximal_runs(left, right)
    split = split_runs(runs, *checks, 1)
    assert sorted(split) == sorted(twins.split_runs(runs, *checks, 1))
    assert placed_runs(split, 2) == twins.placed(split, 2)


@pytest.mark.parametrize("kinds", [2, 20, 80])
def test_the_steps_grow_as_the_sequence(kinds):
    """Twice the symbols cost twice the steps, whatever the sequence: random, of one symbol, of two in turn."""
    rng = random.Random(kinds)
    for text in (rng.choices(range(kinds), k=16_000), [1] * 16_000, [1, 2] * 8_000):
        counted = [SuffixTree([*text[:n], -1]).steps for n in (4_000, 8_000, 16_000)]
        assert counted[2] <= 2.3 * counted[1] <= 2.3 * 2.3 * counted[0]
        assert counted[2] <= (6 + kinds) * 16_000
