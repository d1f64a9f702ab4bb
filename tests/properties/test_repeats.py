"""Covers: passages of a corpus, the kernel against its quadratic twin; bounds, threads, empty input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.kernels import Ragged, repeated_passages
from quchong.kernels.reference import repeats as reference

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
    expected = [(*r[:-1], round(r[-1], 9)) for r in reference.repeated_passages(docs, shortest)]
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
    assert rows(found) == [(*r[:-1], round(r[-1], 9)) for r in reference.repeated_passages(docs, shortest)]
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
    with pytest.raises(ValueError, match="shortest must be at least 2"):
        repeated_passages(ragged([[1]]), 1)
