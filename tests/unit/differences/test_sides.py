"""Covers: what is known of the tokens at an edit before anything is read. Compared against: the words that reading finds there."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong import kernels
from quchong.differences.meaning import LISTS, lexicon, words_at
from quchong.differences.sides import Side
from quchong.differences.windows import Window
from quchong.text import form

WORDS = sorted(word for word in lexicon()[0] if all("\u4e00" <= c <= "\u9fff" for c in word))
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from("的在了说人这天生大中"))


@given(st.lists(PIECES, min_size=1, max_size=8), st.data())
def test_no_word_that_reading_finds_is_passed_over(pieces, data):
    text = "".join(pieces)
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    docs = kernels.text.tokenise(form(), pa.array([text], pa.large_string()), workers=1).docs
    if docs.lengths[0] != len(text):  # a character that the form writes as two: places of tokens are others then
        return
    side = Side.of(docs, np.array([0]), np.array([first]), np.array([last]))
    bits = int(side.listed()[0])
    for name in words_at(Window(text, first, last)):
        assert bits >> LISTS.index(name) & 1, (name, text, first, last)


def test_words_beside_the_stretch_do_not_count():
    """A word of one character stands for itself only where it is what differs: 生 behind what differs is none."""
    docs = kernels.text.tokenise(form(), pa.array(["毁长坠生班盼", "有人生了"], pa.large_string()), workers=1).docs
    side = Side.of(docs, np.array([0, 1]), np.array([2, 2]), np.array([3, 3]))
    assert [int(bits) >> LISTS.index("opposites") & 1 for bits in side.listed()] == [0, 1]


def test_empty():
    docs = kernels.text.tokenise(form(), pa.array(["上海"], pa.large_string()), workers=1).docs
    nothing = np.zeros(0, np.int64)
    assert Side.of(docs, nothing, nothing, nothing).listed().tolist() == []
