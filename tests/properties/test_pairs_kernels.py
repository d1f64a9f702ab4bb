"""Covers: kernels on token sequences and keys. Compared against: tests/twins/{align,join,pairs,sketch}.py.

Run: pytest tests/properties.
"""

from collections import Counter

import _quchong
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import align as ref_align
from twins import hashing as ref_hashing
from twins import join as ref_join
from twins import pairs as ref_pairs
from twins import sketch as ref_sketch

from quchong import kernels

NUMBER, WORD = 0xC0000000, 0x80000000
token = st.sampled_from([1, 2, 3, 0x4E00, 0x4E01, WORD | 5, WORD | 6, NUMBER | 7, NUMBER | 8, NUMBER | 9])
document = st.one_of(
    st.lists(token, max_size=30),
    st.lists(st.integers(0, 2**32 - 1), max_size=12),
    st.lists(st.integers(0x4E00, 0x4E08), min_size=60, max_size=150),
)
corpus = st.lists(document, min_size=1, max_size=5)


def ragged(docs):
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.array([t for d in docs for t in d], np.uint32), offsets)


def draw_pairs(data, n):
    some = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=8))
    if data.draw(st.booleans()):
        some = sorted(some)
    return some, *(np.array([p[k] for p in some], np.uint32) for k in (0, 1))


@settings(max_examples=200, deadline=None)
@given(corpus, st.data())
def test_shared_and_distinct_shingles(docs, data):
    pairs, left, right = draw_pairs(data, len(docs))
    w = np.array(data.draw(st.lists(st.integers(1, 7), min_size=len(pairs), max_size=len(pairs))), np.uint8)
    got = kernels.pairs.shared_shingles(ragged(docs), left, right, w, 2).tolist()
    assert got == [ref_pairs.shared_shingles(docs[a], docs[b], k) for (a, b), k in zip(pairs, w.tolist(), strict=True)]
    widths = np.array(data.draw(st.lists(st.integers(0, 7), min_size=len(docs), max_size=len(docs))), np.uint8)
    distinct = kernels.pairs.distinct_shingles(ragged(docs), widths, 2).tolist()
    assert distinct == [ref_pairs.distinct_shingles(d, k) for d, k in zip(docs, widths.tolist(), strict=True)]


@settings(max_examples=200, deadline=None)
@given(corpus, st.data())
def test_tokens_that_known_shingles_cover(docs, data):
    width, run = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 15))
    every = [tuple(d[i : i + width]) for d in docs for i in range(len(d) - width + 1)]
    some = data.draw(st.lists(st.sampled_from(every), max_size=30)) if every else []
    hashes = {
        ref_hashing.mix64(sum((t + 1) * ref_hashing.COEFFICIENTS[k] for k, t in enumerate(s)) & ref_hashing.M64)
        for s in some
    }
    known = np.array(sorted(hashes), np.uint64)
    got = kernels.pairs.covered_tokens(ragged(docs), known, width, run, 2).tolist()
    assert got == [one for d in docs for one in ref_pairs.covered_tokens(d, hashes, width, run)]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), max_size=25), min_size=1, max_size=5), st.data())
def test_a_text_that_says_another_thing_than_a_rest(docs, data):
    """Token 0 stands in the place of headers."""
    pairs, left, right = draw_pairs(data, len(docs))
    shift, pieces = data.draw(st.integers(0, 6)), data.draw(st.integers(1, 4))
    got = kernels.pairs.says_other(ragged(docs), left, right, 0, shift, pieces, 2).tolist()
    assert got == [ref_pairs.says_other(docs[a], docs[b], 0, shift, pieces) for a, b in pairs]


def test_known_shingles_must_ascend():
    with pytest.raises(ValueError, match="ascend"):
        kernels.pairs.covered_tokens(ragged([[1, 2]]), np.array([3, 1], np.uint64), 2, 1)


@settings(max_examples=200, deadline=None)
@given(corpus, st.data())
def test_shared_shingles_are_those_of_any_order_of_reading(docs, data):
    """Long documents are read in the order that reads least of them; here all are long."""
    pairs, left, right = draw_pairs(data, len(docs))
    w = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(pairs), max_size=len(pairs))), np.uint8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels.pairs, "LONG", 0)
        got = kernels.pairs.shared_shingles(ragged(docs), left, right, w, 1).tolist()
    assert got == [ref_pairs.shared_shingles(docs[a], docs[b], k) for (a, b), k in zip(pairs, w.tolist(), strict=True)]


def test_of_nested_beginnings_the_longer_one_is_read_once():
    lengths = np.arange(1, 41) * 1000
    left, right = (np.array(some, np.uint32) for some in np.triu_indices(40, 1))
    widths = np.full(len(left), 3, np.uint8)
    order, a, b = kernels.pairs._least_read(lengths, left, right, widths)
    assert order is not None and (lengths[a] >= lengths[b]).all() and (np.sort(order) == np.arange(len(left))).all()
    assert kernels.pairs._read(lengths, a, b, widths) < 0.6 * kernels.pairs._read(lengths, left, right, widths)
    star = (
        np.full(39, 39, np.uint32),
        np.arange(39, dtype=np.uint32),
    )  # one long document with many, in the best order already
    assert kernels.pairs._least_read(lengths, *star, widths[:39])[0] is None


@settings(max_examples=300, deadline=None)
@given(corpus, st.data())
def test_numbers_swaps_and_additions(docs, data):
    pairs, left, right = draw_pairs(data, len(docs))
    numbers = kernels.pairs.compare_numbers(ragged(docs), left, right, 2).tolist()
    assert [tuple(n) for n in numbers] == [ref_pairs.compare_numbers(docs[a], docs[b]) for a, b in pairs]
    cells = data.draw(st.sampled_from([0, 200, 100_000]))
    swaps = kernels.pairs.repeated_swaps(ragged(docs), left, right, cells, 2).tolist()
    assert swaps == [int(ref_pairs.repeated_swaps(docs[a], docs[b], cells)) for a, b in pairs]
    names = [[1, 2], [1, 2, 3], [2], [0x4E00, 0x4E01], [0x4E02, 0x4E03, 0x4E04]]
    places = kernels.pairs.disjoint_places(ragged(docs), left, right, ragged(names), 2).tolist()
    assert places == [int(ref_pairs.disjoint_places(docs[a], docs[b], names)) for a, b in pairs]
    added = kernels.pairs.added_only(ragged(docs), left, right, 2).tolist()
    assert added == [int(ref_pairs.added_only(docs[a], docs[b])) for a, b in pairs]


@settings(max_examples=150, deadline=None)
@given(document, document, st.integers(1, 6), st.integers(1, 9))
def test_equal_runs(a, b, ngram, shortest):
    got = kernels.align.equal_runs(np.array(a, np.uint32), np.array(b, np.uint32), ngram, shortest).tolist()
    assert [tuple(r) for r in got] == ref_align.equal_runs(a, b, ngram, shortest)
    for i, j, n in got:
        assert a[i : i + n] == b[j : j + n]


def test_a_repeated_name_swap_is_seen_and_a_single_one_is_not():
    def doc(text):
        return np.array([ord(c) for c in text], np.uint32)

    left, right = "默茨今天访问北京默茨说两国关系很好", "塔里克今天访问北京塔里克说两国关系很好"
    docs = ragged([doc(left).tolist(), doc(right).tolist(), doc("默茨今天访问北京他说两国关系很好").tolist()])
    one, two = np.array([0, 0], np.uint32), np.array([1, 2], np.uint32)
    assert kernels.pairs.repeated_swaps(docs, one, two, 10**6, 1).tolist() == [1, 0]


keys = st.lists(st.lists(st.integers(0, 12).map(lambda k: ref_hashing.mix64(k * 7919)), max_size=8), max_size=14)


@settings(max_examples=300, deadline=None)
@given(keys, st.data())
def test_join_of_keys(documents, data):
    n = len(documents)
    flat = np.array([k for d in documents for k in d], np.uint64)
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in documents])]).astype(np.int64)
    order = data.draw(st.permutations(range(n)))
    order = np.array(order[: data.draw(st.integers(0, n))], np.int64)
    m = len(order)
    size = np.array(data.draw(st.lists(st.integers(1, 40), min_size=m, max_size=m)), np.uint32)
    window = np.array(data.draw(st.lists(st.sampled_from([4, 16]), min_size=m, max_size=m)), np.uint32)
    references = data.draw(st.integers(0, m))
    within = data.draw(st.sampled_from([None, 0.0, 3.0]))
    times = data.draw(st.lists(st.integers(0, 9), min_size=m, max_size=m))
    time = np.array(times[:references] + sorted(times[references:]), np.float64)
    how = {
        "cap": data.draw(st.integers(1, 4)), "min_shared": data.draw(st.integers(1, 3)),
        "share": data.draw(st.sampled_from([0.0, 0.25, 0.6])), "references": references, "within": within,
        "most": data.draw(st.integers(0, 4)), "few": data.draw(st.integers(0, 2)), "crowd": data.draw(st.integers(0, 3)),
    }  # fmt: skip
    wave = data.draw(st.sampled_from([1, 5, 1 << 20]))  # how many keys at a time: nothing but memory depends on it
    got = kernels.join.join_keys(flat, offsets, order, size=size, window=window, time=time, workers=2, wave=wave, **how)
    chosen = [documents[i] for i in order]
    want = ref_join.join_keys(chosen, size=size.tolist(), window=window.tolist(), time=time.tolist(), **how)
    assert list(zip(got.left.tolist(), got.right.tolist(), got.shared.tolist(), strict=True)) == want
    free = ref_join.join_keys(
        chosen, size=size.tolist(), window=window.tolist(), time=time.tolist(), **(how | {"most": 0})
    )
    met = Counter((right, left < references) for left, right, _ in free)
    lists = Counter(key for own in chosen for key in set(own))
    in_crowd = {d for d, own in enumerate(chosen) if 0 < how["crowd"] < max((lists[key] for key in own), default=0)}
    limit = {d: min(how["most"], 3 * how["few"]) if d in in_crowd else how["most"] for d in range(len(chosen))}
    bounded = {right for (right, _), n in met.items() if n > limit[right] > 0}
    assert got.bounded == len(bounded)
    assert got.crowded.tolist() == sorted(bounded & in_crowd)


@settings(max_examples=60, deadline=None)
@given(corpus, st.integers(1, 5), st.sampled_from([8, 16, 33, 128]), st.integers(0, 2**64 - 1))
def test_signatures_and_bands(docs, ngram, num_perm, seed):
    for name in _quchong.available_loops():
        _quchong.use_loops(name)
        got = kernels.sketch.k_mins(ragged(docs), ngram, num_perm, seed, 2).tolist()
        assert got == [ref_sketch.k_mins(d, ngram, num_perm, seed) for d in docs]
    one = kernels.sketch.one_permutation(ragged(docs), ngram, num_perm, seed, 2)
    assert one.tolist() == [ref_sketch.one_permutation(d, ngram, num_perm, seed) for d in docs]
    bands, rows = num_perm // 4, 3
    assert kernels.sketch.band_keys(one, bands, rows).tolist() == [
        ref_sketch.band_keys(s, bands, rows) for s in one.tolist()
    ]


@pytest.mark.parametrize("call", ["shingle_hashes", "winnow", "shared_shingles", "join_keys", "band_keys"])
def test_arguments_are_checked(call):
    docs = ragged([[1, 2, 3]])
    bad = {
        "shingle_hashes": lambda: kernels.text.shingle_hashes(np.zeros(3, np.uint32), 0),
        "winnow": lambda: kernels.text.winnow(np.zeros(3, np.uint64), 0),
        "shared_shingles": lambda: kernels.pairs.shared_shingles(docs, np.array([0]), np.array([1]), np.array([3])),
        "join_keys": lambda: kernels.join.join_keys(np.zeros(2, np.uint64), np.array([0, 3]), np.array([0])),
        "band_keys": lambda: kernels.sketch.band_keys(np.zeros((1, 8), np.uint32), 3, 3),
    }
    with pytest.raises(ValueError):
        bad[call]()
