"""Covers: keys of short documents, replaced words. Compared against: tests/twins/{features,pairs}.py, and brute force over what is promised.

Run: pytest tests/properties.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import features as ref_features
from twins import pairs as ref_pairs
from twins.hashing import shingle_hashes

from quchong import kernels
from quchong.features import Anchors, ShortKeys
from quchong.features.short import COMMON
from quchong.text import form

NUMBER, WORD = 0xC0000000, 0x80000000
token = st.sampled_from([*range(0x4E00, 0x4E0C), WORD | 5, WORD | 6, NUMBER | 7, NUMBER | 8])
document = st.lists(token, max_size=24)
USUAL = [0x4E00, 0x4E01, 0x4E02]


def ragged(docs):
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.array([t for d in docs for t in d], np.uint32), offsets)


def keys_of(docs, **how):
    keys, offsets = kernels.features.short_keys(ragged(docs), np.array(USUAL, np.uint32), workers=2, **how)
    return [set(keys[a:b].tolist()) for a, b in pairwise(offsets)]


def promised(a, b, lacking):
    x, y = set(shingle_hashes(a, 2)), set(shingle_hashes(b, 2))
    shared = len(x & y)
    if len(x) == len(y) == 1:
        return x == y
    return shared >= 2 and all(2 * shared >= len(s) and shared >= len(s) - lacking for s in (x, y))


@settings(max_examples=200, deadline=None)
@given(st.lists(document, max_size=5), st.integers(0, 30), st.integers(0, 7))
def test_keys_equal_the_twin(docs, longest, lacking):
    got = keys_of(docs, longest=longest, lacking=lacking)
    assert got == [ref_features.short_keys(d, USUAL, longest, lacking) for d in docs]


@settings(max_examples=300, deadline=None)
@given(document, st.data())
def test_no_promised_pair_is_without_a_key(a, data):
    b = list(a)
    for _ in range(data.draw(st.integers(0, 5))):  # edits, so that the pairs lie on both sides of the promise
        at, new = data.draw(st.integers(0, len(b))), data.draw(token)
        kind = data.draw(st.sampled_from(["insert", "replace", "delete", "move"]))
        if kind == "insert" or not b:
            b.insert(at, new)
        elif kind == "replace":
            b[at % len(b)] = new
        else:
            gone = b.pop(at % len(b))
            if kind == "move":
                b.insert(data.draw(st.integers(0, len(b))), gone)
    lacking = data.draw(st.integers(0, 7))
    left, right = keys_of([a, b], longest=60, lacking=lacking)
    if promised(a, b, lacking):
        assert left & right


@settings(max_examples=200, deadline=None)
@given(st.lists(document, min_size=2, max_size=4), st.sampled_from([0, 60, 10_000]))
def test_replaced_words_equal_the_twin(docs, cells):
    pairs = [(a, b) for a in range(len(docs)) for b in range(len(docs))]
    left, right = (np.array([p[k] for p in pairs], np.uint32) for k in (0, 1))
    got = kernels.pairs.replaced_words(ragged(docs), left, right, cells, 2).tolist()
    assert got == [ref_pairs.replaced_words(docs[a], docs[b], cells) for a, b in pairs]


def test_a_word_for_a_word_is_seen_and_words_added_are_not():
    def doc(text):
        return [ord(c) for c in text]

    docs = [doc("临江大学昨天开学"), doc("望山大学昨天开学"), doc("临江大学昨天正式开学了"), doc("临湖大学昨天开学")]
    left, right = np.zeros(4, np.uint32), np.arange(4, dtype=np.uint32)
    assert kernels.pairs.replaced_words(ragged(docs), left, right, 10_000).tolist() == [0, 2, 0, 1]


def test_the_promise_is_neither_empty_nor_everything():
    a = [0x4E00 + i for i in range(20)]
    near, far = [*a[:10], 0x4FFF, *a[11:]], [*a[:4], 0x4FFF, *a[5:9], 0x4FFE, *a[10:14], 0x4FFD, *a[15:]]
    assert promised(a, near, 4)
    assert not promised(a, far, 4)  # six bigrams lacking
    assert keys_of([[], a], longest=19) == [set(), set()]
    assert all(len(k) <= 35 for k in keys_of([a, near, far]))


texts = st.lists(st.text("甲乙丙丁戊己的一是在2a ", max_size=14), min_size=2, max_size=12)


@settings(max_examples=150, deadline=None)
@given(texts)
def test_candidates_of_a_whole_batch_lose_no_promised_pair(items):
    import pyarrow as pa

    column, how, station = pa.array(items, pa.large_string()), form(), ShortKeys()
    found = station.features(how, column, 2)
    keys = station.keys(found)
    met = kernels.join.join_keys(keys.values, keys.offsets, size=keys.size, window=keys.window, cap=64, share=0.25)
    pairs = set(zip(met.left.tolist(), met.right.tolist(), strict=True))
    docs = kernels.text.tokenise(how, column).docs
    tokens = [docs.tokens[a:b].tolist() for a, b in pairwise(docs.offsets)]
    for b in range(len(items)):
        for a in range(b):
            if promised(tokens[a], tokens[b], station.lacking):
                assert (a, b) in pairs
    plain = Anchors().features(how, column, workers=1)
    assert (found.high == plain.high).all() and len(found.values) >= len(plain.values)


def test_long_documents_keep_their_anchors_and_get_nothing_else():
    import pyarrow as pa

    column = pa.array(["好" * 3, "天地玄黄宇宙洪荒日月盈昃辰宿列张" * 9, ""], pa.large_string())
    found, plain = ShortKeys().features(form(), column), Anchors().features(form(), column)
    assert np.diff(found.offsets)[1:].tolist() == np.diff(plain.offsets)[1:].tolist()
    assert found.values[found.offsets[1] : found.offsets[2]].tolist() == plain.values[plain.offsets[1] :].tolist()
    assert len(set(COMMON)) > 300


@pytest.mark.parametrize("how", [{"lacking": 61}, {"lacking": -1}, {"longest": -1}])
def test_arguments_are_checked(how):
    with pytest.raises(ValueError, match=f"^{next(iter(how))} must be"):
        keys_of([[1, 2]], **how)
