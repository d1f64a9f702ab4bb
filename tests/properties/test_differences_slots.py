"""Covers: figures in one slot of a long edit. Compared against: tests/twins/differences.py.

Run: pytest tests/properties/test_differences_slots.py
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import differences as ref

from quchong import kernels
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import SlotWords

FIGURES = st.integers(0xC0000000, 0xC0000002)
tokens = st.one_of(st.integers(1, 5), FIGURES)
stretches = st.lists(tokens, max_size=12)


@st.composite
def edited(draw):
    """Two texts around one edit, often with the same token before it and behind it."""
    before, behind = draw(stretches), draw(stretches)
    few, many = draw(stretches), draw(stretches)
    docs = [before + few + behind, before + many + behind]
    places = [len(before), len(before) + len(few), len(before), len(before) + len(many)]
    return docs, places


words = st.builds(lambda some: np.array(sorted(some), np.uint32), st.sets(st.integers(1, 5), max_size=2))


def ragged(docs):
    ends = np.cumsum([0, *map(len, docs)])
    return Ragged(np.array([t for doc in docs for t in doc], np.uint32), ends.astype(np.int64))


@settings(max_examples=600, deadline=None)
@given(
    edited(), words, words, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 20), st.booleans()
)
def test_slots_equal_the_twin(given_, numerals, calendar, before, after, frame, longest, renumbered):
    """Words that share their hash with another have another number, and are known by the hash."""
    docs, places = given_
    hashed = [[1 if renumbered and t == 2 else t for t in doc] for doc in docs]
    edit = ([0], [1], [0], [places], [before], [after], SlotWords(numerals, calendar), frame, longest)
    found = kernels.differences.slots(ragged(docs), ragged(hashed), *edit, workers=2)
    assert found.tolist() == ref.slots(docs, hashed, *edit)


def test_words_out_of_order_are_refused():
    docs = ragged([[1], [2]])
    wrong = SlotWords(np.array([2, 1], np.uint32), np.zeros(0, np.uint32))
    with pytest.raises(ValueError, match="increasing"):
        kernels.differences.slots(docs, docs, [0], [1], [0], [[0, 1, 0, 1]], [2], [2], wrong, 2, 9)
