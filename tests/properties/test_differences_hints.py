"""Covers: which texts may have page furniture or source code, by their letters alone. Compared against: tests/twins/differences.py, and
what the hints are for: no text without one has any.

Run: pytest tests/properties/test_differences_hints.py
"""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import differences as ref

from quchong import kernels
from quchong.differences.furniture import foot_of, head_of, line_of_furniture
from quchong.differences.hinted_documents import hints_of
from quchong.differences.source_code import may_be_code, may_have_code
from quchong.kernels.arrays import texts_of
from quchong.kernels.differences import FOOTED, HEADED, LINED

PIECES = (
    "阅读 1234|Published May 3, 2021 at 4:05 pm|© 2023 The Daily|举報|3 days ago|版权所有|来源：新华社|the river |文章。|\u3000|\xa0|\x1c|\r|\n|\n|  |\t|é|😀|\x00"
    "|“好！”|（完）|a.|end.\"|\u2009|\u205f|\x85|import os|def f(x):|@x|# note|#include <a>|// a|x = 3|x.y[1] = 2|go(1)|名 = 1|aé(1)|return 1|Word word |r'''d'''|\"|'|if __name__ == 1:"
).split("|")
pieces = st.one_of(st.sampled_from(PIECES), st.text(max_size=3))
texts = st.lists(st.lists(pieces, max_size=9).map("".join), max_size=5)
words = st.lists(st.sampled_from(["1", "：", "©", "举報", "ago", "an", "新华社", "😀", "\n"]), max_size=4)
few = st.integers(0, 30)


@settings(max_examples=500, deadline=None)
@given(texts, words, few, few, few)
def test_hints_equal_the_twin(some, listed, line, head, foot):
    array = pa.array(some, pa.large_string())
    found = kernels.differences.text_hints(array, listed, line=line, head=head, foot=foot, workers=2)
    wanted = [ref.text_hints(text, listed, line, head, foot) for text in some]
    assert list(zip(found.hints.tolist(), found.characters.tolist(), strict=True)) == wanted


@settings(max_examples=500, deadline=None)
@given(texts, st.data())
def test_no_text_without_a_hint_has_what_it_hints_at(some, data):
    views = texts_of([pa.array(some, pa.large_string())])
    for text, hint, code in zip(some, hints_of(views).hints.tolist(), may_have_code(views).tolist(), strict=True):
        assert hint & HEADED or head_of(text) == 0
        assert hint & FOOTED or foot_of(text) == len(text)
        assert code or not may_be_code(text)
        begin, end = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        assert hint & LINED or not line_of_furniture(text, begin, end)


def test_an_empty_word_is_none():
    with pytest.raises(ValueError, match="a word must not be empty"):
        kernels.differences.text_hints(pa.array(["a"], pa.large_string()), ["a", ""], line=1, head=1, foot=1)
