"""Covers: quchong.frames.columns. Compared against: alignments written by hand, and a search in token lists.

Run: pytest tests/unit/frames/test_columns.py
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.frames.columns import align, covered, range_hashes, replaced_runs, stretches_at
from quchong.frames.slots import Slots, _tokens_outside
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums


def ragged(*docs):
    return Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))


MODEL = [1, 2, 3, 50, 4, 5, 6, 60, 61, 7, 8, 9]


def aligned_with_model(*docs):
    both = ragged(MODEL, *docs)
    return both, align(both, np.zeros(len(docs), np.int64), np.arange(1, len(docs) + 1), 1)


def test_an_edit_is_a_range_of_places():
    _, found = aligned_with_model([1, 2, 3, 51, 4, 5, 6, 60, 61, 7, 70, 8, 9])
    # Token 3 is place 7; what is put in before token 10 stands in the gap of place 20.
    assert found.first.tolist() == [7, 20] and found.last.tolist() == [8, 21]
    assert found.row.tolist() == [0, 0] and found.matched.tolist() == [11]


def test_places_replaced_are_counted_and_omissions_are_not():
    docs, found = aligned_with_model(
        [1, 2, 3, 51, 4, 5, 6, 60, 61, 7, 8, 9], [1, 2, 3, 52, 4, 5, 6, 7, 8, 9], [1, 2, 3, 50, 4, 5, 6, 62, 61, 7, 8, 9]
    )  # fmt: skip
    once = replaced_runs(found, np.zeros(3, np.int64), np.array([1]))
    assert [values.tolist() for values in once] == [[0, 0], [7, 15], [8, 16]]
    assert [values.tolist() for values in replaced_runs(found, np.zeros(3, np.int64), np.array([2]))] == [[0], [7], [8]]
    assert covered(docs, found, 0.9).tolist() == [True, False, True]


def stands(doc, first, last):
    docs, found = aligned_with_model(doc)
    start, end, known = stretches_at(docs, found, np.zeros(1, np.int64), np.array([first]), np.array([last]))
    return doc[start[0] : end[0]], bool(known.all())


def test_what_stands_at_places_of_the_model_is_found_in_the_document():
    slot = (6, 9)  # the gap before token 3, the token, and the gap behind it
    assert stands([1, 2, 3, 50, 4, 5, 6, 60, 61, 7, 8, 9], *slot) == ([50], True)
    assert stands([1, 2, 3, 51, 52, 53, 4, 5, 6, 60, 61, 7, 8, 9], *slot) == ([51, 52, 53], True)
    assert stands([1, 2, 3, 4, 5, 6, 60, 61, 7, 8, 9], *slot) == ([], True)
    assert stands([0, 0, 1, 2, 3, 50, 99, 4, 5, 6, 7, 8, 9], *slot) == ([50, 99], True)


def test_what_an_edit_takes_along_with_the_frame_is_not_known():
    # One edit replaces the slot and the frame beside it: where the slot ends nobody can tell, but noise replaces one for one.
    assert stands([1, 2, 3, 51, 90, 5, 6, 60, 61, 7, 8, 9], 6, 9) == ([51], False)
    assert stands([1, 2, 90, 51, 52, 4, 5, 6, 60, 61, 7, 8, 9], 6, 9) == ([51, 52], False)
    # Fewer tokens than the frame alone has there.
    assert stands([1, 2, 3, 90, 9], 6, 9) == ([], False)


sides = st.lists(st.integers(0, 6), max_size=12)


@settings(max_examples=300, deadline=None)
@given(sides, st.lists(st.integers(20, 30), min_size=1, max_size=4), sides)
def test_a_filler_between_equal_frames_is_found_whole(before, filler, behind):
    model, doc = [*before, 100, *behind], [*before, *filler, *behind]
    docs = ragged(model, doc)
    found = align(docs, np.zeros(1, np.int64), np.ones(1, np.int64), 1)
    at = 2 * len(before)
    start, end, known = stretches_at(docs, found, np.zeros(1, np.int64), np.array([at]), np.array([at + 3]))
    assert known.all() and doc[start[0] : end[0]] == filler


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), max_size=5), min_size=1, max_size=6))
def test_ranges_have_equal_hashes_if_and_only_if_their_tokens_are_equal(docs):
    one = ragged(*docs)
    n = len(docs)
    hashes = range_hashes(one, np.arange(n), np.zeros(n, np.int64), one.lengths)
    for i in range(n):
        assert (hashes[i] == 0) == (not docs[i])
        for j in range(n):
            assert (hashes[i] == hashes[j]) == (docs[i] == docs[j])


@pytest.mark.parametrize("seed", range(8))
def test_runs_of_replaced_places_and_tokens_outside_of_slots_are_those_counted_place_by_place(seed):
    rng = np.random.default_rng(seed)
    models = [rng.integers(0, 50, rng.integers(0, 30)) for _ in range(4)]
    docs, group = [], []
    for k, model in enumerate(models):
        for _ in range(rng.integers(1, 7)):
            doc = [int(t) for t in model if rng.random() > 0.1]
            for at in sorted(rng.integers(0, len(doc) + 1, rng.integers(0, 6)), reverse=True):
                doc[at : at + int(rng.integers(0, 3))] = rng.integers(100, 120, rng.integers(0, 3)).tolist()
            docs.append(doc)
            group.append(k)
    group = np.array(group)
    found = align(ragged(*models, *docs), group, np.arange(len(models), len(models) + len(docs)), 1)
    # How many documents have other tokens at each place of each model.
    counts = [np.zeros(2 * len(model) + 1, np.int64) for model in models]
    for row, first, last, (_, _, begin, end) in zip(found.row, found.first, found.last, found.places, strict=True):
        if end > begin:
            counts[group[row]][first:last] += 1
    least = rng.integers(1, 4, len(models))
    expected = []
    for k, replaced in enumerate(counts):
        steps = np.diff(np.concatenate([[0], (replaced >= least[k]).astype(int), [0]]))
        expected += [(k, a, b) for a, b in zip(np.flatnonzero(steps > 0), np.flatnonzero(steps < 0), strict=True)]
    runs = replaced_runs(found, group, least)
    assert list(zip(*(values.tolist() for values in runs), strict=True)) == expected
    slots = Slots(runs[0], np.stack(runs[1:], 1))
    for k, model in enumerate(models):
        outside = np.arange(2 * len(model) + 1) % 2
        for frame, first, last in expected:
            if frame == k:
                outside[first:last] = 0
        places = np.arange(2 * len(model) + 2)
        told = _tokens_outside(slots, np.full(len(places), k), places)
        assert told.tolist() == [0, *np.cumsum(outside).tolist()]
