"""Covers: words of Taiwan and of the mainland in the normal form. Compared against: what either side writes."""

import pytest

from quchong import compare
from quchong.text.opencc import ORDINARY, _read, phrases


def test_words_that_both_sides_write_stay():
    words, _ = phrases()
    assert not ORDINARY & words.keys() and _read("TWPhrasesRev").keys() >= ORDINARY
    assert words["軟體"] == "軟件"


@pytest.mark.parametrize("other", [("确诊", "確診"), ("云河", "雲河")])
def test_a_traditional_copy_with_such_a_word_is_exact(other):
    text = "云河市3月5日新增确诊病例12例，会议要求建立机制，核心指标不变，有关部门与市民互动。"
    assert compare(text, text.replace(*other)).relation == "exact"
