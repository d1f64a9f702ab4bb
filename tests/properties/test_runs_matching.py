"""Covers: matching statistics by automaton, array and suffix vector, shared runs, greedy tiles, winnowing with places.

Compared against: tests/twins/runs.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref_features
from twins import runs as ref_runs

from quchong import kernels

text = st.lists(st.integers(0, 3), max_size=24)
far = st.lists(st.sampled_from([0, 1, 2**31, 2**32 - 1]), max_size=16)
STRUCTURES = st.sampled_from(kernels.runs.STRUCTURES)


def ragged(documents):
    flat = np.array([t for d in documents for t in d], np.uint32)
    return kernels.arrays.Ragged(flat, np.cumsum([0, *(len(d) for d in documents)]).astype(np.int64))


def tiled(a, b, shortest, start=20):
    _, found = kernels.runs.tiles(ragged([a, b]), np.array([0]), np.array([1]), np.array([shortest]), start=start)
    return [tuple(t) for t in found.tolist()]


def codes(s):
    return [ord(c) for c in s]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.tuples(text, text), st.tuples(far, far)), STRUCTURES, st.data())
def test_matching_statistics_equal_the_twin(both, structure, data):
    starts = [
        data.draw(st.none() | st.lists(st.integers(0, 1), min_size=len(t), max_size=len(t)), label="starts")
        for t in both
    ]
    found = kernels.runs.matching_statistics(
        *(np.array(t, np.uint32) for t in both),
        text_starts=None if starts[0] is None else np.array(starts[0], np.uint8),
        other_starts=None if starts[1] is None else np.array(starts[1], np.uint8),
        structure=structure,
    )
    want = ref_runs.matching_statistics(*both, starts[0] or (), starts[1] or ())
    assert list(zip(found.lengths.tolist(), found.places.tolist(), strict=True)) == want
    assert found.memory > 0


@pytest.mark.parametrize("structure", kernels.runs.STRUCTURES)
def test_the_worked_example(structure):
    p, t = (np.array(codes(s), np.uint32) for s in ("xabcdy", "zabcdw"))
    found = kernels.runs.matching_statistics(p, t, structure=structure)
    assert found.lengths.tolist() == [0, 4, 3, 2, 1, 0]
    runs = kernels.runs.shared_runs(ragged([p, t]), np.array([0]), np.array([1]), 3, structure=structure)
    assert runs.runs.tolist() == [[1, 1, 4]]
    assert runs.covered_left.tolist() == [4]  # of 6: 2/3


@settings(max_examples=300, deadline=None)
@given(st.lists(text, min_size=2, max_size=5), st.integers(1, 5), STRUCTURES, st.booleans(), st.data())
def test_shared_runs_equal_the_twin(documents, least, structure, restricted, data):
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, len(documents) - 1)] * 2), max_size=6))
    docs = ragged(documents)
    n = len(docs.tokens)
    starts = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) if restricted else None
    found = kernels.runs.shared_runs(
        docs, np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs]), least,
        starts=None if starts is None else np.array(starts, np.uint8), structure=structure,
        workers=data.draw(st.integers(1, 3)),
    )  # fmt: skip
    own = [() if starts is None else starts[a:b] for a, b in pairwise(docs.offsets.tolist())]
    for k, (i, j) in enumerate(pairs):
        runs, left, right = ref_runs.shared_runs(documents[i], documents[j], least, own[i], own[j])
        assert [tuple(r) for r in found.runs[found.offsets[k] : found.offsets[k + 1]].tolist()] == runs
        assert (found.covered_left[k], found.covered_right[k]) == (left, right)


@settings(max_examples=500, deadline=None)
@given(text, text, st.integers(1, 5), st.integers(1, 8))
def test_running_karp_rabin_makes_the_tiles_of_plain_greedy_tiling(a, b, shortest, start):
    assert tiled(a, b, shortest, start) == ref_runs.tiles(a, b, shortest)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_repetition_beyond_the_budget_changes_no_tile(data):
    """Runs of one letter parted by letters of their own: more maximal matches than the budget allows."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))

    def made(base):
        parts = [
            [0] * int(n) + [base + i] for i, n in enumerate(rng.integers(1, data.draw(st.sampled_from([4, 9])), 24))
        ]
        return [t for p in parts for t in p]

    a, b = made(10), made(100)
    assert tiled(a, b, 2, 2) == ref_runs.tiles(a, b, 2)


def test_the_examples_of_tiling():
    a = "the quick brown fox jumps over the lazy dog".split()
    b = "over the lazy dog a quick brown fox jumps".split()
    number = {w: i for i, w in enumerate(dict.fromkeys(a + b))}
    found = tiled([number[w] for w in a], [number[w] for w in b], 2)
    assert found == [(1, 5, 4), (5, 0, 4)]
    assert 2 * sum(t[2] for t in found) / (len(a) + len(b)) == pytest.approx(0.889, abs=5e-4)
    assert tiled(codes("aaaa"), codes("aa"), 2) == [(0, 0, 2)]
    assert tiled(codes("abcxabc"), codes("abcabc"), 2) == [(0, 0, 3), (4, 3, 3)]


def periodic(n, seed):
    rng = np.random.default_rng(seed)
    parts = [[0] * int(k) + [int(seed * 10**6 + i + 5)] for i, k in enumerate(rng.integers(20, 60, n // 40))]
    return np.array([t for p in parts for t in p], np.uint32)


@pytest.mark.parametrize("kind", ["equal", "cut", "runs", "random"])
def test_long_repetitive_texts_are_tiled_whole(kind):
    """Tiles looked for place by place would be 10^10 comparisons a round."""
    n = 100_000
    a = np.zeros(n, np.uint32)
    b = {
        "equal": a,
        "cut": np.concatenate([a[: n // 2], [7], a[: n // 3]]),
        "runs": periodic(n, 2),
        "random": np.random.default_rng(1).integers(0, 2, n),
    }[kind]
    if kind == "runs":
        a = periodic(n, 1)
    if kind == "random":
        a = np.random.default_rng(2).integers(0, 2, n)
    docs = ragged([a, b])
    _, found = kernels.runs.tiles(docs, np.array([0]), np.array([1]), np.array([8]), workers=1)
    covered = found[:, 2].sum()
    least = {"equal": n, "cut": n // 2 + n // 3, "runs": 0.8 * n, "random": 0.5 * n}[kind]
    assert covered >= least
    lefts = [range(x, x + k) for x, _, k in found.tolist()]
    assert sum(len(r) for r in lefts) == len({p for r in lefts for p in r})  # a token is in one tile at most


@settings(max_examples=300, deadline=None)
@given(st.lists(text, max_size=5), st.integers(1, 6), st.integers(1, 7))
def test_window_minima_equal_the_twin(documents, ngram, window):
    values, places, offsets = kernels.features.window_minima(ragged(documents), ngram, window, 2)
    for d, (a, b) in zip(documents, pairwise(offsets.tolist()), strict=True):
        mine = list(zip(values[a:b].tolist(), places[a:b].tolist(), strict=True))
        assert mine == ref_features.window_minima(d, ngram, window)


@settings(max_examples=300, deadline=None)
@given(st.data(), st.integers(1, 5), st.integers(1, 6))
def test_winnowing_catches_every_long_enough_run(data, ngram, window):
    run = data.draw(st.lists(st.integers(0, 3), min_size=ngram + window - 1, max_size=20))
    a, b = (data.draw(text) + run + data.draw(text) for _ in range(2))
    values, _, offsets = kernels.features.window_minima(ragged([a, b]), ngram, window)
    assert set(values[: offsets[1]].tolist()) & set(values[offsets[1] :].tolist())


def test_impossible_arguments_are_refused():
    docs, one = ragged([[1, 2], [3]]), np.array([0])
    for call in (
        lambda: kernels.runs.shared_runs(docs, one, one, 0),
        lambda: kernels.runs.shared_runs(docs, one, one, 1, structure="tree"),
        lambda: kernels.runs.shared_runs(docs, one, one, 1, starts=np.ones(2, np.uint8)),
        lambda: kernels.runs.matching_statistics(np.array([1]), np.array([1]), text_starts=np.ones(2, np.uint8)),
        lambda: kernels.runs.tiles(docs, one, one, np.array([0])),
        lambda: kernels.runs.tiles(docs, one, one, np.array([1, 1])),
        lambda: kernels.features.window_minima(docs, 2, 0),
        lambda: kernels.features.window_minima(docs, 64, 1),
    ):
        with pytest.raises(ValueError, match=r".+"):
            call()
