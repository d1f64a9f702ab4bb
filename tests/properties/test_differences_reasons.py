"""Covers: which edits may state a fact, by what their tokens are. Compared against: tests/twins/differences.py.

Run: pytest tests/properties/test_differences_reasons.py
"""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import differences as ref

from quchong import kernels
from quchong.differences import marks
from quchong.differences.kinds import LIMITS
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import ReasonLimits
from quchong.text import form

TABLES = marks.mark_tables(form().tables)
SPOKEN = "不没未第三十万今年去的了说天大中上海北京市县王李张欧阳阿尔巴公司生死涨跌主席经理甲乙 no never 12 3.5 up down shanghai 𠮷😀"
KNOWN = kernels.text.tokenise(form(), pa.array([SPOKEN], pa.large_string()), workers=1).docs.tokens.tolist()
tokens = st.one_of(st.sampled_from(KNOWN), st.integers(0, 2**32 - 1))
documents = st.lists(st.lists(tokens, max_size=24), min_size=1, max_size=3)
limits = st.one_of(
    st.just(LIMITS), st.builds(ReasonLimits, *(st.integers(0, n) for n in (20, 6, 4, 9, 6, 7)))
)  # fmt: skip


@st.composite
def edited(draw):
    docs = draw(documents)
    some = st.integers(0, len(docs) - 1)
    pairs = draw(st.lists(st.tuples(some, some), min_size=1, max_size=3))
    edits = []
    for k, (a, b) in enumerate(pairs):
        for _ in range(draw(st.integers(0, 8))):
            place = [
                *sorted(draw(st.lists(st.integers(0, len(docs[a])), min_size=2, max_size=2))),
                *sorted(draw(st.lists(st.integers(0, len(docs[b])), min_size=2, max_size=2))),
            ]
            edits.append((k, place, draw(st.integers(0, 9)), draw(st.integers(0, 1))))
    return docs, pairs, edits


def ragged(docs):
    flat = np.array([t for doc in docs for t in doc], np.uint32)
    return Ragged(flat, np.concatenate([[0], np.cumsum([len(doc) for doc in docs])]).astype(np.int64))


def native(docs, pairs, edits, how=LIMITS, workers=2, hashed=None):
    left, right = (np.array([p[k] for p in pairs]) for k in (0, 1))
    places = np.array([e[1] for e in edits], np.uint32).reshape(-1, 4)
    columns = [np.array([e[k] for e in edits], np.uint32) for k in (0, 2)]
    slip = np.array([e[3] for e in edits], np.uint8)
    return kernels.differences.reasons(
        ragged(docs), ragged(hashed or docs), left, right, columns[0], places, columns[1], slip, TABLES, how, workers
    ).tolist()


@settings(max_examples=600, deadline=None)
@given(edited(), limits, st.sampled_from([0, 1 << 4, 1 << 30]))
def test_reasons_equal_the_twin(given_, how, flipped):
    """Lists of words are looked up by hashes of tokens, which may be others than the tokens."""
    docs, pairs, edits = given_
    hashed = [[t ^ flipped for t in doc] for doc in docs]
    left, right = zip(*pairs, strict=True)
    columns = [[e[k] for e in edits] for k in range(4)]
    wanted = ref.reasons(docs, hashed, left, right, columns[0], columns[1], columns[2], columns[3], TABLES, how)
    assert native(docs, pairs, edits, how, hashed=hashed) == wanted


def test_any_number_of_threads():
    rng = np.random.default_rng(5)
    docs = [rng.choice(KNOWN, 60).tolist() for _ in range(40)]
    pairs = [(int(a), int(b)) for a, b in rng.integers(0, 40, (3000, 2))]
    edits = [
        (k, [a, a + 2, a, a + int(n)], 9, 0)
        for k in range(3000)
        for a, n in zip((3, 20, 41), rng.integers(0, 4, 3), strict=True)
    ]
    one = native(docs, pairs, edits, workers=1)
    assert one == native(docs, pairs, edits, workers=4)
    assert {bit for why in one for bit in (1, 2, 4, 8) if why & bit} == {1, 2, 4, 8}


def test_marks_are_the_twins():
    assert [getattr(marks, name) for name in "NEGATION SURNAME NUMERAL RELATIVE SUFFIX FOREIGN".split()] == [
        getattr(ref, name) for name in "NEGATION SURNAME NUMERAL RELATIVE SUFFIX FOREIGN".split()
    ]


def test_no_edits():
    assert native([[1, 2]], [(0, 0)], []) == []


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ((0, [1, 0, 0, 0], 9, 0), "places"), ((0, [0, 3, 0, 1], 9, 0), "places"), ((1, [0, 1, 0, 1], 9, 0), "pair"),
    ],
)  # fmt: skip
def test_edits_that_are_not_there_are_refused(edit, said):
    with pytest.raises(ValueError, match=said):
        native([[1, 2]], [(0, 0)], [edit])


def test_edits_out_of_order_are_refused():
    with pytest.raises(ValueError, match="side by side"):
        native([[1, 2]], [(0, 0), (0, 0)], [(1, [0, 1, 0, 1], 9, 0), (0, [0, 1, 0, 1], 9, 0)])
