"""Covers: the edits of pairs. Compared against: tests/twins/align.py, and what every answer must hold.

Run: pytest tests/properties/test_align_edits.py
"""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from twins import align as ref
from twins.pairs import suffix_lcs

from quchong import kernels

token = st.integers(0, 4) | st.integers(0, 60)
passage = st.lists(token, max_size=25)
options = st.builds(
    ref.EditOptions,
    shingle=st.integers(1, 6), most_runs=st.sampled_from([1, 2, 3, 1024]), cells=st.sampled_from([0, 1, 6, 40, 1 << 22]), join=st.booleans(),
)  # fmt: skip


@st.composite
def copies(draw):
    """A text, and a copy of it with tokens put in, taken out and replaced, and parts moved or repeated."""
    parts = draw(st.lists(passage, max_size=4))
    other = list(draw(st.permutations(parts))) if draw(st.booleans()) else list(parts)
    if other and draw(st.booleans()):
        other.insert(draw(st.integers(0, len(other))), draw(st.sampled_from(other)))
    out = [t for part in other for t in part]
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(out)))
        out[at : at + draw(st.integers(0, 3))] = draw(st.lists(token, max_size=3))
    return [t for part in parts for t in part], out


def long_copies(seed):
    """A text of some hundred tokens and a copy, edited, with blocks moved; words of few or many kinds."""
    random = np.random.default_rng(seed)
    words = int(random.choice([3, 12, 100, 2000]))
    blocks = [random.integers(0, words, random.integers(1, 80)) for _ in range(random.integers(1, 6))]
    order = random.permutation(len(blocks)) if random.random() < 0.4 else np.arange(len(blocks))
    b = np.concatenate([blocks[k] for k in order])
    changed = random.random(len(b)) < random.choice([0, 0.02, 0.1, 0.3])
    b[changed] = random.integers(0, words, changed.sum())
    b = b[random.random(len(b)) >= random.choice([0, 0.03])]
    for _ in range(random.integers(0, 3)):
        b = np.insert(b, random.integers(0, len(b) + 1), random.integers(0, words, random.integers(1, 30)))
    return np.concatenate(blocks).tolist(), b.tolist()


small = st.tuples(st.lists(st.integers(0, 2), max_size=14), st.lists(st.integers(0, 2), max_size=14))
texts = small | copies() | st.integers(0, 2**32).map(long_copies)


def ragged(docs):
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.array([t for d in docs for t in d], np.uint32), offsets)


def native(a, b, how=ref.EditOptions()):  # noqa: B008 - it never changes
    """The edits there and back, each with the tokens matched."""
    found = kernels.align.edits(ragged([a, b]), np.array([0, 1]), np.array([1, 0]), **how._asdict(), workers=2)
    rows = [tuple(row) for row in found.places.tolist()]
    there, back = found.matched.tolist()
    return (rows[: found.offsets[1]], there), (rows[found.offsets[1] :], back)


@settings(max_examples=700, deadline=None)
@given(texts, options)
@example(([], []), ref.EditOptions())
@example(([1, 2], []), ref.EditOptions())
def test_edits_equal_the_twin(pair, how):
    a, b = pair
    assert native(a, b, how) == (ref.edits(a, b, how), ref.edits(b, a, how))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32).map(long_copies))
def test_edits_of_long_copies_equal_the_twin_as_they_are_asked_for(pair):
    a, b = pair
    assert native(a, b) == (ref.edits(a, b, ref.EditOptions()), ref.edits(b, a, ref.EditOptions()))


@settings(max_examples=300, deadline=None)
@given(texts, options)
def test_edits_make_the_right_text_of_the_left_one(pair, how):
    a, b = pair
    for (edits, matched), left, right in zip(native(a, b, how), (a, b), (b, a), strict=True):
        made, at, ends = [], 0, (-1, -1)
        for a0, a1, b0, b1 in edits:
            assert 0 <= a0 <= a1 <= len(left) and 0 <= b0 <= b1 <= len(right)
            assert (a0 < a1 or b0 < b1) and left[a0:a1] != right[b0:b1]
            assert a0 > ends[0] and b0 > ends[1], "two that touch are one"
            ends = a1, b1
            made += left[at:a0] + right[b0:b1]
            at = a1
        assert made + left[at:] == right
        beside = len(left) - sum(a1 - a0 for a0, a1, _, _ in edits)
        assert beside == len(right) - sum(b1 - b0 for _, _, b0, b1 in edits)
        assert beside <= matched <= suffix_lcs(left, right)[0][0]
        if matched > beside:
            assert any(a0 < a1 and b0 < b1 for a0, a1, b0, b1 in edits), "a run within an edit"


@settings(max_examples=300, deadline=None)
@given(texts, options)
def test_a_run_between_two_edits_is_longer_than_one_of_them(pair, how):
    (edits, _), _ = native(*pair, how._replace(join=True))
    sizes = [max(a1 - a0, b1 - b0) for a0, a1, b0, b1 in edits]
    for k in range(1, len(edits)):
        assert edits[k][0] - edits[k - 1][1] > min(sizes[k - 1], sizes[k])


@settings(max_examples=300, deadline=None)
@given(small | copies())
def test_without_anchors_a_longest_common_subsequence_is_matched_both_ways(pair):
    a, b = pair
    (_, there), (_, back) = native(a, b, ref.EditOptions(shingle=63, cells=1 << 40))
    assert there == back == suffix_lcs(a, b)[0][0]


@settings(max_examples=200, deadline=None)
@given(st.lists(token, max_size=60), st.lists(token, min_size=1, max_size=20), st.integers(0, 60), options)
def test_one_passage_put_in_is_one_edit_of_its_length(text, passage, at, how):
    at = min(at, len(text))
    longer = text[:at] + passage + text[at:]
    (there, matched), (back, again) = native(text, longer, how)
    assert matched == again == len(text)
    assert [a1 - a0 for a0, a1, _, _ in there] == [0] and there[0][3] - there[0][2] == len(passage)
    assert back == [(b0, b1, a0, a1) for a0, a1, b0, b1 in there]


def test_a_text_has_no_edits_to_itself_and_is_one_to_another():
    a, b = list(range(50)), list(range(100, 130))
    assert native(a, a) == (([], 50), ([], 50))
    assert native([], []) == (([], 0), ([], 0))
    assert native(a, b) == (([(0, 50, 0, 30)], 0), ([(0, 30, 0, 50)], 0))
    assert native(a, []) == (([(0, 50, 0, 0)], 0), ([(0, 0, 0, 50)], 0))


def test_a_moved_block_is_taken_out_and_put_in():
    a = list(range(100))
    b = a[:20] + a[60:70] + a[20:60] + a[70:]
    assert native(a, b)[0] == ([(20, 20, 20, 30), (60, 70, 70, 70)], 90)


def test_a_gap_beyond_the_cells_is_one_edit():
    a = [*range(20), 50, 51, 52, 53, 54, 55, *range(20, 40)]
    b = [*range(20), 60, 51, 52, 53, 54, 65, *range(20, 40)]
    how = ref.EditOptions(shingle=6)
    assert native(a, b, how)[0] == ([(20, 21, 20, 21), (25, 26, 25, 26)], 44)
    assert native(a, b, how._replace(cells=36))[0] == ([(20, 21, 20, 21), (25, 26, 25, 26)], 44)
    assert native(a, b, how._replace(cells=35))[0] == ([(20, 26, 20, 26)], 40)


def test_of_too_many_runs_the_longest_stay():
    runs = [list(range(100 * k, 100 * k + n)) for k, n in ((1, 8), (2, 12), (3, 9))]
    a = [t for k, run in enumerate(runs) for t in ([1000 + k] * 20 + run)] + [1009] * 20
    b = [t for k, run in enumerate(runs) for t in ([2000 + k] * 20 + run)] + [2009] * 20
    assert [native(a, b, ref.EditOptions(most_runs=m, cells=0))[0][1] for m in (1, 2, 3)] == [12, 21, 29]


def test_threads_change_nothing():
    random = np.random.default_rng(5)
    words = random.integers(0, 300, 4000)
    docs = [words[k : k + 500].tolist() for k in random.integers(0, 3500, 20)]
    left, right = np.triu_indices(20, 1)
    one, four = (kernels.align.edits(ragged(docs), left, right, workers=w) for w in (1, 4))
    assert len(left) > 2 * 64 and len(one.places) > len(left)
    assert all((x == y).all() for x, y in zip(one, four, strict=True))
    none = kernels.align.edits(ragged(docs), left[:0], right[:0])
    assert (none.offsets.tolist(), none.places.shape, none.matched.tolist()) == ([0], (0, 4), [])


@pytest.mark.parametrize("how", [{"shingle": 0}, {"shingle": 64}, {"most_runs": 0}, {"cells": -1}])
def test_bounds_are_checked(how):
    with pytest.raises(ValueError, match=next(iter(how))):
        kernels.align.edits(ragged([[1]]), np.array([0]), np.array([0]), **how)
    with pytest.raises(ValueError, match="beyond"):
        kernels.align.edits(ragged([[1]]), np.array([0]), np.array([1]))


@pytest.mark.parametrize(
    ("most_runs", "more", "there", "back"), [(9, 0, 11, 10), (1, 0, 11, 11), (1, 2, 10, 11), (1, 3, 10, 10)]
)
def test_of_equal_chains_that_of_the_left_text_stays_and_of_equal_runs_the_first_of_the_longer_one(
    most_runs, more, there, back
):
    one, two = list(range(100, 110)), list(range(200, 210))
    a = [*one, 1, 2, 3, *two, 7]
    b = [*two, *one, 2, 8, *[9] * more]  # beside the first run one more token is found, beside the second none
    how = ref.EditOptions(most_runs=most_runs)
    found = native(a, b, how)
    assert (found[0][1], found[1][1]) == (there, back)
    assert found == (ref.edits(a, b, how), ref.edits(b, a, how))
