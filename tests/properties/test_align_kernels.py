"""Covers: the alignment kernel. Compared against: tests/twins/align.py, and what every answer must hold.

Run: pytest tests/properties/test_align.py
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import align as ref

from quchong import kernels
from quchong.kernels.align import AlignOptions

token = st.integers(0, 60)
passage = st.lists(token, max_size=30)
options = st.builds(
    AlignOptions,
    cap=st.integers(1, 30), skip=st.integers(0, 4), shingle=st.integers(1, 6), slack=st.integers(1, 5),
    radius=st.integers(1, 31), dense=st.integers(1, 10), chance=st.integers(0, 5), reach=st.integers(1, 30), gain=st.integers(1, 6),
    least=st.integers(0, 40), run=st.integers(1, 20), repeat=st.integers(1, 9),
    join=st.integers(0, 30),
)  # fmt: skip


@st.composite
def related(draw):
    """Two texts that share some passages, each edited in its own way, in their own order."""
    pool = draw(st.lists(passage, min_size=1, max_size=3))

    def edited(tokens):
        out = list(tokens)
        for _ in range(draw(st.integers(0, 4))):
            at, kind = draw(st.integers(0, len(out))), draw(st.sampled_from(["insert", "replace", "delete", "swap"]))
            if kind == "insert" or len(out) < 2:
                out.insert(at, draw(token))
            elif kind == "delete":
                del out[at % len(out)]
            elif kind == "replace":
                out[at % len(out)] = draw(token)
            else:
                out[at % len(out)], out[at - 1] = out[at - 1], out[at % len(out)]
        return out

    def text():
        parts = draw(st.lists(st.one_of(st.sampled_from(pool).map(edited), passage), max_size=4))
        return [t for part in parts for t in part]

    return text(), text()


def ragged(docs):
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.array([t for d in docs for t in d], np.uint32), offsets)


def native(a, b, how):
    found = kernels.align.align_tokens(ragged([a, b]), np.array([0, 1]), np.array([1, 0]), how, 2)
    rows = [(*map(int, s), bool(e)) for s, e in zip(found.spans, found.exact, strict=True)]
    return rows[: found.offsets[1]], rows[found.offsets[1] :]


@settings(max_examples=600, deadline=None)
@given(related(), options)
def test_spans_equal_the_twin(texts, how):
    a, b = texts
    there, back = native(a, b, how)
    assert there == ref.align_tokens(a, b, ref.AlignOptions(*how))
    assert back == ref.align_tokens(b, a, ref.AlignOptions(*how))


wider = st.builds(  # so that every option matters in some of the cases
    AlignOptions,
    cap=st.sampled_from([1, 4, 36]), skip=st.integers(0, 3), shingle=st.integers(2, 5), slack=st.integers(1, 4),
    radius=st.sampled_from([3, 8, 31]), dense=st.sampled_from([2, 5, 9, 30]), chance=st.sampled_from([0, 1, 2, 6]), reach=st.sampled_from([1, 3, 30]),
    gain=st.integers(1, 4), least=st.sampled_from([5, 20, 100]), run=st.sampled_from([4, 7, 15]),
    repeat=st.sampled_from([4, 8, 32]), join=st.sampled_from([0, 8, 60]),
)  # fmt: skip


def reworked(seed):
    """Two texts of some hundred tokens whose paragraphs are copies, edited and shuffled ones, in any order and number."""
    random = np.random.default_rng(seed)
    words = int(random.choice([30, 200, 1000]))
    pool = [random.integers(0, words, random.integers(8, 60)) for _ in range(3)]

    def edited(tokens):
        out = tokens.copy()
        changed = random.random(len(out)) < random.choice([0, 0.05, 0.2, 0.4])
        out[changed] = random.integers(0, words, changed.sum())
        if random.random() < 0.4:  # shuffled a few at a time
            out = out[np.argsort(np.arange(len(out)) + random.uniform(0, 6, len(out)))]
        return out[random.random(len(out)) >= random.choice([0, 0.1])]

    def text():
        parts = []
        for _ in range(random.integers(1, 7)):
            parts += [
                random.integers(0, words, random.integers(0, 25)),
                np.tile(edited(pool[random.integers(3)]), random.choice([1, 1, 1, 4])),
            ]
        return np.concatenate(parts).tolist()

    return text(), text()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32).map(reworked), wider)
def test_spans_of_longer_texts_equal_the_twin(texts, how):
    a, b = texts
    there, back = native(a, b, how)
    assert there == ref.align_tokens(a, b, ref.AlignOptions(*how))
    assert back == ref.align_tokens(b, a, ref.AlignOptions(*how))


@settings(max_examples=200, deadline=None)
@given(related() | st.integers(0, 2**32).map(reworked), options)
def test_spans_are_sorted_inside_the_texts_and_none_within_another(texts, how):
    a, b = texts
    found, _ = native(a, b, how)
    spans = [s[:4] for s in found]
    assert spans == sorted(set(spans))
    for a0, a1, b0, b1, exact in found:
        assert 0 <= a0 < a1 <= len(a) and 0 <= b0 < b1 <= len(b)
        assert exact == (a[a0:a1] == b[b0:b1])
        assert set(a[a0:a1]) & set(b[b0:b1])
        assert not (a0 and b0 and a[a0 - 1] == b[b0 - 1])
        assert not any(s != (a0, a1, b0, b1) and ref.within((a0, a1, b0, b1), s) for s in spans)


@settings(max_examples=100, deadline=None)
@given(passage.filter(lambda p: len(p) >= 12), passage, passage)
def test_a_copy_between_tokens_of_its_own_is_found_exactly(copy, before, behind):
    how = AlignOptions(cap=4096, radius=31, dense=1, chance=0, least=1)
    a = [100 + t for t in before] + copy + [200 + t for t in behind]
    (found,), _ = native(a, copy, how._replace(join=64, reach=64))
    assert found == (len(before), len(before) + len(copy), 0, len(copy), True) or len(set(copy)) < len(copy)


def test_texts_that_share_nothing_or_are_empty_have_no_spans():
    assert native([], [], AlignOptions()) == native([], [1], AlignOptions()) == ([], [])
    assert native(list(range(100)), list(range(100, 200)), AlignOptions()) == ([], [])
    assert kernels.align.align_tokens(ragged([]), np.zeros(0, int), np.zeros(0, int)).offsets.tolist() == [0]


def test_threads_change_nothing():
    random = np.random.default_rng(3)
    words = random.integers(0, 400, 20_000)
    docs = [words[k : k + 900].tolist() for k in random.integers(0, 19_000, 24)]
    left, right = np.triu_indices(24, 1)
    one, four = (kernels.align.align_tokens(ragged(docs), left, right, workers=w) for w in (1, 4))
    assert len(one.spans) > 10
    assert all((x == y).all() for x, y in zip(one, four, strict=True))


@pytest.mark.parametrize("how", [{"cap": 0}, {"radius": 32}, {"shingle": 0}, {"skip": 16}, {"least": -1}, {"dense": 0}])
def test_options_are_checked(how):
    with pytest.raises(ValueError, match=next(iter(how))):
        native([1], [1], AlignOptions(**how))


def test_a_pair_beyond_the_documents_is_refused():
    with pytest.raises(ValueError, match="beyond"):
        kernels.align.align_tokens(ragged([[1]]), np.array([0]), np.array([1]))
