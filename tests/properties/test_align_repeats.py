"""Covers: passages of a corpus and their ends, the kernels against their quadratic twins; bounds, threads, empty input."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import align as ref
from twins.align import Letters
from twins.align import whole_runs as whole_runs_twin
from twins.runs import maximal_runs
from twins.text import Tables

from quchong.kernels.align import repeated_passages, whole_runs
from quchong.kernels.arrays import Ragged
from quchong.text import Preparer, form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases

corpora = st.lists(st.lists(st.integers(0, 2), max_size=24), max_size=6)


def ragged(docs):
    offsets = np.cumsum([0, *map(len, docs)])
    return Ragged(np.array([t for d in docs for t in d], np.uint32), offsets.astype(np.int64))


def rows(found):
    documents, share = found.documents[found.passage], found.share[found.passage]
    columns = (found.doc, found.other, found.start, found.other_start, found.length, documents, share.round(9))
    return list(zip(*(c.tolist() for c in columns), strict=True))


@given(corpora, st.integers(2, 8))
def test_the_kernel_agrees_with_its_twin(docs, shortest):
    found = repeated_passages(ragged(docs), shortest, partners=10_000, tries=10_000, workers=2)
    expected = [(*r[:-1], round(r[-1], 9)) for r in ref.repeated_passages(docs, shortest)]
    assert rows(found) == expected
    assert found.bounded == 0
    texts = [tuple(docs[d][i : i + k]) for d, i, k in zip(found.doc, found.start, found.length, strict=True)]
    numbers = dict(zip(texts, found.passage.tolist(), strict=True))
    assert [numbers[t] for t in texts] == found.passage.tolist() and len(set(numbers.values())) == len(numbers)


@pytest.mark.parametrize("shortest", [3, 30, 60])
def test_long_texts_with_planted_passages(shortest):
    draw = np.random.default_rng(shortest)
    docs = [draw.integers(0, 5000, draw.integers(0, 400)).tolist() for _ in range(40)]
    for _ in range(60):
        source, target = draw.integers(0, 40, 2)
        at, length = draw.integers(0, 300), draw.integers(1, 120)
        place = draw.integers(0, 300)
        docs[target][place:place] = docs[source][at : at + length]
    found = repeated_passages(ragged(docs), shortest, workers=2)
    assert rows(found) == [(*r[:-1], round(r[-1], 9)) for r in ref.repeated_passages(docs, shortest)]
    assert len(found.doc) > 5
    alone = repeated_passages(ragged(docs), shortest, workers=1)
    assert rows(alone) == rows(found)


def test_what_stands_everywhere_meets_the_first_ones_only():
    footer = list(range(10, 50))
    docs = [[1000 + 7 * d, *footer, 5000 + 3 * d] for d in range(30)]
    found = repeated_passages(ragged(docs), 20, partners=4)
    assert found.bounded > 0
    assert set(found.other.tolist()) == {0, 1, 2, 3}
    assert found.documents.tolist() == [30] and found.share[0] == pytest.approx(40 / 42)
    assert (np.bincount(found.doc) == [0, 1, 2, 3, *[4] * 26]).all()


def test_one_token_over_and_over():
    docs = [[7] * 3000, [7] * 2000, [8] * 10]
    found = repeated_passages(ragged(docs), 60)
    assert (found.doc.tolist(), found.other.tolist(), found.length.tolist()) == ([1], [0], [2000])


def test_nothing_to_find():
    for docs in ([], [[]], [[1, 2, 3]], [[1, 2, 3], [4, 5, 6]], [[1, 2], [1, 2]]):
        assert len(repeated_passages(ragged(docs), 3).doc) == 0
    with pytest.raises(ValueError, match="shortest must be 2 to"):
        repeated_passages(ragged([[1]]), 1)


TABLES = Tables(folds(), *phrases(), NUMBER_WORDS)
PREPARER = Preparer()
parts = st.sampled_from(
    [
        "网页去重", "網頁去重與軟體", "滑鼠", "二十三", "二十一", "一百二十", "二〇二〇", "三千零五", "3.5", "35", "1,234", "1234", "1.2.3",
        "3.5kg", "online", "line", "on", " ", "，", "\n", "①㈱½", "㏂", "℡", "㍿", "x", "é", "ガ", "ไทย", "😀", "five",
        "https://a.b/c?d=1", "https://a.b/c?d=2", "www.q.com", "&nbsp;", "13800138000", "去", "重", "a" * 70, "5" * 66,
    ]
)  # fmt: skip
written = st.lists(parts, max_size=14).map("".join)


def ends_of(texts, runs, how=None, workers=2):
    columns = np.array(runs, np.int64).reshape(-1, 5).T
    return whole_runs(how or form(), pa.array(texts, pa.large_string()), *columns, workers=workers)


@settings(max_examples=400, deadline=None)
@given(st.lists(written, min_size=1, max_size=4), st.integers(1, 6), st.booleans())
def test_ends_of_runs_agree_with_their_twin(texts, shortest, full):
    texts = PREPARER.prepare(pa.array(texts, pa.large_string())).texts.to_pylist()
    values = [[c.value for c in Letters(t, TABLES, full=full).letters] for t in texts]
    runs = [
        (a, b, *run)
        for a in range(len(texts)) for b in range(a + 1) for run in maximal_runs(values[a], values[b], shortest)
    ]  # fmt: skip
    found = ends_of(texts, runs, form("standard" if full else "plain"))
    expected = whole_runs_twin(texts, runs, TABLES, full=full)
    got = zip(found.places.tolist(), found.length.tolist(), found.exact.tolist(), strict=True)
    assert [(tuple(p), k, bool(e)) for p, k, e in got] == expected


@pytest.mark.parametrize(
    ("left", "right", "run", "places", "length", "exact"),
    [
        ("他二十三岁", "他二十一岁", (0, 0, 2), (0, 1, 0, 1), 1, 1),
        ("去重online", "网络line", (4, 2, 4), (0, 0, 0, 0), 0, 1),
        ("共3.5元", "共35元", (0, 0, 4), (0, 5, 0, 4), 4, 0),
        ("去" + "a" * 63, "去" + "a" * 64, (0, 0, 64), (0, 1, 0, 1), 1, 1),
        ("去" + "a" * 64, "去" + "a" * 65, (0, 0, 65), (0, 0, 0, 0), 0, 1),
        ("网页", "网页", (0, 0, 0), (0, 0, 0, 0), 0, 1),
    ],
)
def test_what_is_part_of_a_word_or_number_goes(left, right, run, places, length, exact):
    found = ends_of([left, right], [(0, 1, *run)])
    assert (found.places.tolist(), found.length.tolist(), found.exact.tolist()) == ([list(places)], [length], [exact])
    assert whole_runs_twin([left, right], [(0, 1, *run)], TABLES) == [(places, length, bool(exact))]


def test_runs_that_are_not_there_are_refused():
    assert ends_of([], []).places.shape == (0, 4)
    for run in ((0, 0, 0, 0, 3), (0, 0, 2, 0, 1), (0, 0, 2**32 - 1, 0, 2), (0, 1, 0, 0, 1)):
        with pytest.raises(ValueError, match=r"a run ends behind its text|beyond the 1 there are"):
            ends_of(["去重"], [run])
    with pytest.raises(ValueError, match="start must have 1 entries, got 2"):
        whole_runs(form(), pa.array(["去重"], pa.large_string()), [0], [0], [0, 1], [0], [1])


def test_ends_are_the_same_for_any_number_of_threads():
    draw = np.random.default_rng(4)
    words = ["去重", "online", "3.5", "35", "二十三", "，", " line "]
    texts = ["".join(draw.choice(words, 30)) for _ in range(80)]
    values = [[c.value for c in Letters(t, TABLES).letters] for t in texts]
    runs = [(k, k - 1, *run) for k in range(1, 80) for run in maximal_runs(values[k], values[k - 1], 4)]
    one, four = ends_of(texts, runs, workers=1), ends_of(texts, runs, workers=4)
    assert len(runs) > 200 and all((a == b).all() for a, b in zip(one, four, strict=True))
    assert one.length.any() and (one.length < [r[-1] for r in runs]).any() and not one.exact.all()
