"""Covers: numbers in Chinese words, full-width digits and quotes, as errors about spans, sizes and shares suggest them."""

import pytest

from quchong.plan.plan import parse_within, span_meant
from quchong.plan.spoken_numbers import in_digits, share_said, size_meant


@pytest.mark.parametrize(
    ("text", "digits"),
    [("一百二十", "120"), ("两万", "20000"), ("1.5亿", "150000000"), ("１２", "12"), ("‘7d’", "7d"), ("点", "点"), ("三点五", "3.5"),
     ("半点", "半点"), ("high", "high"), ("", ""), ("十" * 60, "十" * 60)],
)  # fmt: skip
def test_numerals_become_digits_and_other_words_stay(text, digits):
    assert in_digits(text) == digits


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("九成", 0.9),
        ("九成半", 0.95),
        ("百分之八", 0.08),
        ("百分之８５", 0.85),
        ("成", None),
        ("0.8", None),
        ("百分之", None),
    ],
)
def test_shares_in_words(text, share):
    assert share_said(text) == share


@pytest.mark.parametrize(
    ("text", "span"),
    [("三十天", "30d"), ("半年", "182d"), ("两周", "2w"), ("近7天", "7d"), ("最近一个月", "30d"), ("一季度", "90d"), ("36小时", "36h"),
     ("三天以内", "3d"), ("明天", None), ("soon", None)],
)  # fmt: skip
def test_spans_that_are_suggested_can_be_typed(text, span):
    assert span_meant(text) == span
    assert span is None or parse_within(span) > 0


@pytest.mark.parametrize(
    ("text", "size"), [("４个Ｇ", "4G"), ("八百兆", "800M"), ("2 gigabytes", "2G"), ("4", ""), ("four", "")]
)
def test_sizes_in_other_words(text, size):
    assert str(size_meant(text)) == (f"; did you mean {size}?" if size else "")
