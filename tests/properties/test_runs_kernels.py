"""Covers: sentence places, maximal equal runs, one-to-one blocks, equal values, diagonal runs; what bounds them.

Compared against: tests/twins/{runs,text}.py. Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from twins import runs as ref

from quchong import kernels
from quchong.kernels.runs import ROADS, Matches, Sequences
from quchong.text import sentences

few = st.lists(st.integers(0, 4), max_size=24)
repeated = st.builds(lambda unit, times, tail: (unit * times)[:40] + tail, few, st.integers(1, 12), few)
sequences = st.one_of(few, repeated)


def u64(values):
    return np.array(values, np.uint64)


def sequences_of(documents):
    return Sequences(u64([x for d in documents for x in d]), np.cumsum([0, *map(len, documents)]))


def tuples(rows):
    return [tuple(r) for r in rows.tolist()]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.text(alphabet="天a.3。！!…”）\" \n\u3000\x85」😀'", max_size=20), max_size=5))
@example(["3.5。”）天 a.” b. \n\n天", "...", "", "a.\"'"])
def test_sentence_places_equal_the_twin(texts):
    start, end, offsets = kernels.text.sentence_places(pa.array(texts, pa.large_string()), 2)
    found = list(zip(start.tolist(), end.tolist(), strict=True))
    assert [found[a:b] for a, b in pairwise(offsets.tolist())] == [sentences(t) for t in texts]


@settings(max_examples=500, deadline=None)
@given(sequences, sequences, st.integers(1, 4), st.sampled_from(ROADS))
@example([1, 1, 1, 1], [1, 1, 1], 1, "suffixes")
@example([1, 2, 1, 2, 1], [2, 1, 2, 1, 2], 2, "suffixes")
def test_maximal_runs_equal_the_twin(left, right, shortest, road):
    found, bounded = kernels.runs.maximal_runs(u64(left), u64(right), shortest, road=road)
    assert tuples(found) == ref.maximal_runs(left, right, shortest)
    assert not bounded


@settings(max_examples=200, deadline=None)
@given(sequences, sequences, st.integers(1, 3), st.integers(1, 12), st.sampled_from(ROADS))
def test_too_many_runs_lose_the_shortest_lengths_whole(left, right, shortest, limit, road):
    found, bounded = kernels.runs.maximal_runs(u64(left), u64(right), shortest, limit=limit, road=road)
    assert tuples(found) == ref.maximal_runs(left, right, shortest, limit)
    assert bounded == (len(found) < len(ref.maximal_runs(left, right, shortest)))


def test_an_unknown_road_is_told():
    with pytest.raises(ValueError, match="use size, suffixes, places"):
        kernels.runs.maximal_runs(u64([1]), u64([1]), road="tree")


@settings(max_examples=300, deadline=None)
@given(sequences, sequences, st.integers(1, 3), st.data())
def test_blocks_equal_the_twin_and_splitting_equals_putting_together(left, right, shortest, data):
    checks = data.draw(st.lists(st.integers(0, 2), min_size=len(left) + len(right), max_size=len(left) + len(right)))
    a, b = checks[: len(left)], checks[len(left) :]
    docs = sequences_of([left, right])
    found = kernels.runs.matched_blocks(docs, [0, 1], [1, 0], checks=u64(checks), shortest=shortest, workers=2)
    assert tuples(found.blocks[: found.offsets[1]]) == ref.matched_blocks(left, right, (a, b), shortest)
    together = u64([3 * s + c if s else 0 for s, c in zip([*left, *right], checks, strict=True)]) + u64([3]) * u64(
        [s > 0 for s in [*left, *right]]
    )
    same = kernels.runs.matched_blocks(Sequences(together, docs.offsets), [0, 1], [1, 0], shortest=shortest, workers=1)
    assert tuples(same.blocks) == tuples(found.blocks)
    assert same.offsets.tolist() == found.offsets.tolist()
    for i, j, n in tuples(found.blocks[: found.offsets[1]]):
        assert left[i : i + n] == right[j : j + n] and a[i : i + n] == b[j : j + n]


def test_long_sequences_take_the_suffix_array_and_find_the_same():
    rng = np.random.default_rng(3)
    left, right = rng.integers(1, 30, 400), rng.integers(1, 30, 300)
    right[50:120] = left[200:270]
    found, _ = kernels.runs.maximal_runs(u64(left), u64(right), 2)
    assert tuples(found) == ref.maximal_runs(left.tolist(), right.tolist(), 2)
    assert any(n >= 70 for _, _, n in tuples(found))


def test_endless_repetition_stays_bounded():
    """One symbol 5,000 times has as many runs as diagonals; two symbols at random are bounded by the limit."""
    ones = np.ones(5000, np.uint64)
    found, bounded = kernels.runs.maximal_runs(ones, ones, 2)
    assert len(found) == 9997 and not bounded
    blocks = kernels.runs.matched_blocks(Sequences(np.tile(ones, 2), np.array([0, 5000, 10000])), [0], [1])
    assert tuples(blocks.blocks) == [(0, 0, 5000)]
    noise = np.random.default_rng(1).integers(1, 3, 10_000).astype(np.uint64)
    found, bounded = kernels.runs.maximal_runs(noise[:5000], noise[5000:], 2, limit=100_000)
    assert bounded and 0 < len(found) <= 100_000
    least = int(found[:, 2].min())
    assert least > 2
    blocks = kernels.runs.matched_blocks(Sequences(noise, np.array([0, 5000, 10000])), [0], [1], limit=100_000)
    assert blocks.bounded.tolist() == [1]


@settings(max_examples=200, deadline=None)
@given(st.data(), st.integers(1, 4))
def test_value_matches_equal_the_twin(data, repeats):
    document = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=12)
    docs = data.draw(st.lists(document, min_size=2, max_size=4))
    flat = [x for d in docs for x in d]
    pairs = [(i, j) for i in range(len(docs)) for j in range(i + 1, len(docs))]
    left, right = zip(*pairs, strict=True)
    found = kernels.runs.value_matches(
        u64([v for v, _ in flat]), np.array([p for _, p in flat], np.uint32), np.cumsum([0, *map(len, docs)]),
        left, right, repeats=repeats, workers=2,
    )  # fmt: skip
    got = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    for p, (i, j) in enumerate(pairs):
        here = got[found.offsets[p] : found.offsets[p + 1]]
        assert here == ref.value_matches(docs[i], docs[j], repeats)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25), max_size=4),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_diagonal_runs_equal_the_twin(pairs, gap, drift):
    ordered = [sorted(p) for p in pairs]
    flat = np.array([m for p in ordered for m in p], np.uint32).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, ordered)])
    run = kernels.runs.diagonal_runs(Matches(flat[:, 0].copy(), flat[:, 1].copy(), offsets), gap, drift, 2).tolist()
    assert [run[a:b] for a, b in pairwise(offsets.tolist())] == [ref.diagonal_runs(p, gap, drift) for p in ordered]


def test_what_cannot_be_is_refused():
    docs = Sequences(u64([1, 2]), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match="shortest"):
        kernels.runs.maximal_runs(u64([1]), u64([1]), 0)
    with pytest.raises(ValueError, match="checks"):
        kernels.runs.matched_blocks(docs, [0], [1], checks=u64([1]))
    with pytest.raises(ValueError, match="beyond"):
        kernels.runs.matched_blocks(docs, [0], [2])
    with pytest.raises(ValueError, match="repeats"):
        kernels.runs.value_matches(u64([1]), np.zeros(1, np.uint32), np.array([0, 1]), [0], [0], repeats=0)
    with pytest.raises(ValueError, match="gap"):
        kernels.runs.diagonal_runs(Matches(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.array([0])), -1)
