"""Covers: sentences of Chinese, English and mixed text. Run: pytest tests/unit/text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.text import sentences


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", []),
        (" \n ", []),
        ("今天下雨。明天呢？", ["今天下雨。", "明天呢？"]),
        ("他说：“今天下雨。”我不去了！", ["他说：“今天下雨。”", "我不去了！"]),
        ("全长3.5公里。No. It is 3.5 km.", ["全长3.5公里。", "No.", "It is 3.5 km."]),
        ('He said "yes." Then he left (at last.) Good', ['He said "yes."', "Then he left (at last.)", "Good"]),
        ("第一行\n第二行\n\n第三行……完", ["第一行", "第二行", "第三行……", "完"]),
        ("It was 1998. Then 1999", ["It was 1998.", "Then 1999"]),
    ],
)
def test_sentences_are_cut_where_a_reader_would(text, want):
    assert [text[a:b] for a, b in sentences(text)] == want


@given(st.text("今天。！？!?…. a3\n”’\"') "))
def test_nothing_but_white_space_is_lost_and_nothing_overlaps(text):
    found = sentences(text)
    assert all(a < b for a, b in found)
    assert all(x[1] <= y[0] for x, y in pairwise(found))
    inside = {i for a, b in found for i in range(a, b)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in inside)
