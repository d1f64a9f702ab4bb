"""Covers: SimHash signatures, feature counts, pairs within a Hamming distance.

Compared against: tests/twins/sketch.py; worked examples; brute force.
Run: pytest tests/properties/test_simhash.py.
"""

from math import comb

import _quchong
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import hashing as ref_hashing
from twins import sketch as ref_sketch

from quchong import kernels
from quchong.text import form

document = st.one_of(
    st.lists(st.integers(0, 2**32 - 1), max_size=12),
    st.lists(st.integers(0x4E00, 0x4E06), min_size=50, max_size=300),
    st.integers(1, 700).map(lambda n: [0x4E00 + i * i % 997 for i in range(n)]),
)
corpus = st.lists(document, min_size=1, max_size=5)


def ragged(docs):
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.array([t for d in docs for t in d], np.uint32), offsets)


def every_loop():
    before = kernels.machine.loops()
    for name in _quchong.available_loops():
        _quchong.use_loops(name)
        yield name
    _quchong.use_loops(before)


def test_worked_examples():
    assert ref_sketch.majority([(0b1010, 1), (0b0110, 2), (0b1111, 1)], 4) == 0b0110
    assert ref_sketch.majority([(0b1010, 1), (0b0101, 1)], 4) == 0
    assert ref_sketch.h64("今天") == 0xDB1107715AECFEA1
    (a,), (b,) = (ref_sketch.simhash([ord(c) for c in t], 2, hash="blake2b") for t in ("今天天气很好", "今天天气真好"))
    assert (a, b) == (0xDE9927D86CF4F9B7, 0xD53907787FF4FD85)
    assert ref_sketch.hamming_distances([a], [b]) == 15


@settings(max_examples=80, deadline=None)
@given(corpus, st.integers(1, 6), st.sampled_from([64, 128]), st.data())
def test_signatures(docs, ngram, bits, data):
    want = [ref_sketch.simhash(d, ngram, bits) for d in docs]
    features = sorted({x for d in docs for x in ref_hashing.shingle_hashes(d, ngram)})
    known = data.draw(st.lists(st.sampled_from(features), unique=True)) if features else []
    weights = {x: data.draw(st.integers(0, 2**21)) for x in known}
    unknown = data.draw(st.integers(0, 2**21))
    table = kernels.sketch.feature_weights(
        np.array(list(weights), np.uint64), np.array(list(weights.values()), np.uint32), unknown
    )
    weighed = [ref_sketch.simhash(d, ngram, bits, weights, unknown) for d in docs]
    for _ in every_loop():
        for workers in (1, 3):
            assert kernels.sketch.simhash(ragged(docs), ngram, bits, workers=workers).tolist() == want
            assert kernels.sketch.simhash(ragged(docs), ngram, bits, table, workers).tolist() == weighed
    if bits == 128:
        assert [w[:1] for w in want] == [ref_sketch.simhash(d, ngram, 64) for d in docs]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(alphabet="今天天气很好ab1 ，臺灣", max_size=40), max_size=30),
    st.sampled_from([64, 128]),
    st.booleans(),
)
def test_signatures_of_texts_are_those_of_their_tokens(texts, bits, characters):
    how = form("standard", "char" if characters else "auto")
    column = pa.array(texts, pa.large_string())
    docs = kernels.text.names(how, column).docs
    got = kernels.sketch.simhash_texts(how, column, 2, bits, workers=2)
    assert got.words.tolist() == kernels.sketch.simhash(docs, 2, bits).tolist()
    assert got.defined.tolist() == (docs.lengths > 0).tolist()


@pytest.mark.parametrize("shingles", [1, 2, 63, 64, 65, 127, 128, 129, 1000, 4097, 70_000])
def test_counters_carry_at_every_size(shingles):
    tokens = np.arange(shingles) ** 3 % 5003
    (want,) = ref_sketch.simhash(tokens.tolist(), 1)
    for name in every_loop():
        (got,) = kernels.sketch.simhash(ragged([tokens.tolist()]), 1)[0].tolist()
        assert got == want, name


def test_a_tie_is_zero_and_one_more_is_not():
    a, b = (kernels.sketch.simhash(ragged([[t]]), 1)[0, 0] for t in (17, 18))
    assert kernels.sketch.simhash(ragged([[17, 18]]), 1)[0, 0] == a & b
    assert kernels.sketch.simhash(ragged([[17, 18, 17]]), 1)[0, 0] == a  # multiset counts add up
    assert kernels.sketch.simhash(ragged([[]]), 2)[0, 0] == 0


@settings(max_examples=80, deadline=None)
@given(corpus, st.integers(1, 5))
def test_feature_counts(docs, ngram):
    feature, documents = kernels.sketch.count_features(ragged(docs), ngram, 2)
    assert list(zip(feature.tolist(), documents.tolist(), strict=True)) == ref_sketch.count_features(docs, ngram)


def flip(words, bits, rng):
    out = words.copy()
    for p in rng.choice(64 * len(words), bits, replace=False):
        out[p // 64] ^= np.uint64(1 << int(p % 64))
    return out


def signatures(seed, width, kind):
    """Random ones, or clusters of near and equal ones, or all within a few bits of one another."""
    rng = np.random.default_rng(seed)
    if kind == "random":
        return rng.integers(0, 2**64, (int(rng.integers(0, 120)), width), dtype=np.uint64)
    centres = rng.integers(0, 2**64, (1 if kind == "dense" else int(rng.integers(1, 12)), width), dtype=np.uint64)
    n = int(rng.integers(2, 160))
    reach = 4 if kind == "dense" else 12
    return np.array([flip(centres[rng.integers(len(centres))], int(rng.integers(0, reach)), rng) for _ in range(n)])


def listed(pairs):
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True))


kinds = st.sampled_from(["random", "clustered", "dense"])


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 2]), kinds, st.integers(0, 8), st.data())
def test_block_tables_find_what_brute_force_finds(seed, width, kind, distance, data):
    words = signatures(seed, width, kind)
    n = len(words)
    most = distance + 1
    while most < distance + 4 and comb(most + 1, distance) <= 500:
        most += 1
    blocks = data.draw(st.integers(distance + 1, most))
    rng = np.random.default_rng(seed + 1)
    defined = rng.random(n) < 0.9
    scope = rng.integers(0, 2, n).astype(np.uint64) if data.draw(st.booleans()) else None
    references = data.draw(st.integers(0, n))
    cap = data.draw(st.sampled_from([0, 1, 3, 1000]))
    how = {"defined": defined, "scope": scope, "references": references}
    want = ref_sketch.hamming_pairs(
        words.tolist(), distance, cap=cap, defined=defined.tolist(), references=references,
        scope=None if scope is None else scope.tolist(),
    )  # fmt: skip
    assert listed(kernels.sketch.hamming_pairs(words, distance, 0, cap=cap, workers=2, **how)) == want
    for workers in (1, 2):
        assert listed(kernels.sketch.hamming_pairs(words, distance, blocks, cap=cap, workers=workers, **how)) == want
    exact = ref_sketch.hamming_pairs(
        words.tolist(), distance, defined=defined.tolist(), references=references,
        scope=None if scope is None else scope.tolist(),
    )  # fmt: skip
    assert listed(kernels.sketch.hamming_pairs(words, distance, blocks, split=4, workers=2, **how)) == exact


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 2]), st.integers(1, 6), st.integers(1, 8))
def test_buckets_that_cannot_be_split_follow_leaders(seed, width, distance, cap):
    words = signatures(seed, width, "dense")
    exact = listed(kernels.sketch.hamming_pairs(words, distance, distance + 1))
    found = kernels.sketch.hamming_pairs(words, distance, distance + 1, cap=cap, split=2)
    assert set(listed(found)) <= set(exact)
    assert listed(found) == listed(
        kernels.sketch.hamming_pairs(words, distance, distance + 1, cap=cap, split=2, workers=3)
    )
    assert np.bincount(found.right, minlength=1).max() <= cap
    # Whoever is near to the very first one, which is always a leader, is linked to it or to another leader.
    assert {right for left, right, _ in exact if left == 0} <= set(found.right.tolist())


def test_arguments_are_checked():
    words = np.zeros((3, 1), np.uint64)
    for wrong in (
        lambda: kernels.sketch.simhash(ragged([[1]]), 0),
        lambda: kernels.sketch.simhash(ragged([[1]]), 2, 32),
        lambda: kernels.sketch.count_features(ragged([[1]]), 64),
        lambda: kernels.sketch.feature_weights(np.zeros(2, np.uint64), np.zeros(1, np.uint32), 0),
        lambda: kernels.sketch.hamming_pairs(words, 4, 4),
        lambda: kernels.sketch.hamming_pairs(words, 65, 0),
        lambda: kernels.sketch.hamming_pairs(words, 4, 5, cap=-1),
        lambda: kernels.sketch.hamming_pairs(words, 4, 5, defined=np.ones(2, bool)),
        lambda: kernels.sketch.hamming_pairs(np.zeros((3, 3), np.uint64), 4, 5),
        lambda: kernels.sketch.hamming_distances(words, np.array([0]), np.array([3])),
    ):
        with pytest.raises(ValueError):
            wrong()
