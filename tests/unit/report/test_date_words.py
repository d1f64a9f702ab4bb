"""Covers: dates in the words of a change (`quchong.report.date_words`). Compared against: the dates that a reader sees."""

import pytest

from quchong.findings import Difference
from quchong.report.change_wording import changes_in_words
from quchong.report.date_words import dates_alone


def difference(left, right, kind="date"):
    return Difference(kind, True, left, right, 0, len(left), 0, len(right))


@pytest.mark.parametrize(
    ("left", "right", "dates"),
    [
        ("客户端2月18日消息，2月18日", "省纪委消息：近日", ("2月18日", "近日")),
        ("1月6日", "6日在北京", ("1月6日", "6日")),
        ("昨天，记者", "记者5日", ("昨天", "5日")),
        ("去年1月29日", "习近平2015年1月29日", ("去年 1月29日", "2015年1月29日")),
        ("二〇一六年", "二〇一五年三月五日", ("二〇一六年", "二〇一五年三月五日")),
        ("on 5 March 2026 in", "on March 6, 2026", ("5 March 2026", "March 6, 2026")),
        ("said yesterday that", "said Monday", ("yesterday", "Monday")),
        ("2020-03-30 at", "2020-03-31", ("2020-03-30", "2020-03-31")),
    ],
)
def test_the_dates_alone_are_told(left, right, dates):
    found = dates_alone(difference(left, right))
    assert (found.left, found.right) == dates
    assert all(date in str(changes_in_words([difference(left, right)], "zh")) for date in dates)


@pytest.mark.parametrize(
    "one",
    [
        difference("", "3月5日"),
        difference("今天在京", "今天在沪"),
        difference("腊月初八", "正月十五元宵"),
        difference("3月5日的5号", "6号", kind="place"),
    ],
)
def test_what_has_no_two_dates_stays(one):
    assert dates_alone(one) == one
