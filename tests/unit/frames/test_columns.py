"""Covers: quchong.frames.columns. Compared against: alignments written by hand, and a search in token lists.

Run: pytest tests/unit/frames/test_columns.py
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.frames.columns import align, covered, range_hashes, replaced, stretches_at
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
    counts = replaced(found, np.zeros(3, np.int64), np.array([0, 2 * len(MODEL) + 1]))
    assert {int(at): int(counts[at]) for at in np.flatnonzero(counts)} == {7: 2, 15: 1}
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
