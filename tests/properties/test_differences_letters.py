"""Covers: letters in which two words differ, one of which may be a slip. Compared against: tests/twins/differences.py.
Method: hypothesis draws words of few letters and slips in them.
"""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import differences as ref

from quchong import kernels
from quchong.kernels.differences import NO_SLIP

WORD = st.text("abcdelmnorsuvw0158", max_size=26)


@st.composite
def slips(draw):
    """Draw a word and the same with a few letters changed, or another word, or one that is none."""
    word = draw(WORD)
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return word, draw(st.one_of(WORD, st.text(max_size=6)))
    if kind == 1:
        return word, draw(st.sampled_from(["un", "non"])) + word
    other = word
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(other)))
        how = draw(st.integers(0, 3))
        put = (
            other[at : at + 2][::-1]
            if how == 0
            else draw(st.sampled_from(["", "a", "n", "rn", "m", "cl", "d", "0", "o"]))
        )
        other = other[:at] + put + other[at + (2 if how == 0 else how - 1) :]
    return (word, other) if draw(st.booleans()) else (other, word)


@given(st.lists(slips(), max_size=8))
def test_letters_apart(words):
    left, right = (pa.array([both[k] for both in words], pa.large_string()) for k in (0, 1))
    wanted = [ref.letters_apart(one, other) for one, other in words]
    assert kernels.differences.letters_apart(left, right).tolist() == wanted


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("government", "govemment", 0),
        ("government", "goverment", 1),
        ("percent", "pecrent", 1),
        ("house", "mouse", 1),
        ("committee", "comittees", 2),
        ("increasingly", "incresinlyg", 3),
        ("house", "mousy", NO_SLIP),
        ("lawful", "unlawful", NO_SLIP),
        ("aaa", "aa", NO_SLIP),
        ("b51", "b58", NO_SLIP),
        ("he11o", "hello", 0),
        ("café", "cafe", NO_SLIP),
        ("", "a", NO_SLIP),
        ("a" + "bcdefgh" * 3 + "ab", "a" + "bcdefgh" * 3 + "ac", 1),
        ("a" + "bcdefgh" * 3 + "abc", "a" + "bcdefgh" * 3 + "abd", NO_SLIP),
    ],
)
def test_examples(one, other, apart):
    words = [pa.array([word], pa.large_string()) for word in (one, other)]
    assert kernels.differences.letters_apart(*words).tolist() == [apart]


def test_many_words_on_several_threads_are_answered_as_on_one():
    left = pa.array([f"word{'abc'[k % 3]}{'xyz'[k % 7 % 3]}" for k in range(20_000)], pa.large_string())
    right = left.take(pa.array(range(19_999, -1, -1)))
    one, four = (kernels.differences.letters_apart(left, right, workers) for workers in (1, 4))
    assert one.tolist() == four.tolist()


def test_the_sides_must_be_equally_long():
    with pytest.raises(ValueError, match="equally many"):
        kernels.differences.letters_apart(pa.array(["a"], pa.large_string()), pa.array([], pa.large_string()))
