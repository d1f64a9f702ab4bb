"""Covers: what is known of the tokens at an edit before anything is read. Compared against: the words that reading finds there."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong import kernels
from quchong.differences.kinds import BY_LIST, LIMITS
from quchong.differences.marks import mark_tables
from quchong.differences.meaning import lexicon, words_at
from quchong.differences.windows import Window
from quchong.text import form

WORDS = sorted(word for word in lexicon()[0] if all("\u4e00" <= c <= "\u9fff" for c in word))
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from("的在了说人这天生大中"))


def by_list(text, first, last):
    """Is a stretch read for words of the lexicon, where the other side has the same one? None where tokens are no characters."""
    docs = kernels.text.tokenise(form(), pa.array([text], pa.large_string()), workers=1).docs
    if docs.lengths[0] != len(text):  # a character that the form writes as two: places of tokens are others then
        return None
    one, edit = np.zeros(1, np.uint32), np.array([[first, last, first, last]])
    return bool(
        kernels.differences.reasons(docs, one, one, one, edit, one + 9, one, mark_tables(), LIMITS)[0] & BY_LIST
    )


@given(st.lists(PIECES, min_size=1, max_size=5), st.data())
def test_no_word_that_reading_finds_is_passed_over(pieces, data):
    text = "".join(pieces)
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, min(len(text), first + LIMITS.read)))
    if words_at(Window(text, first, last)):
        assert by_list(text, first, last) in (True, None), (text, first, last)


def test_words_beside_the_stretch_do_not_count():
    """A word of one character stands for itself only where it is what differs: 生 behind what differs is none."""
    assert by_list("毁长坠生班盼", 2, 3) is False
    assert by_list("有人生了", 2, 3) is True
