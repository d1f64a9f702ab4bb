"""Covers: which sentences go with a passage, and what a text looks like without them."""

import pytest

from quchong.differences.passage_cutting import unwrapped, whole_pieces, without
from quchong.text import sentences


def cut(text, *spans, whole=True):
    return without(text, whole_pieces(text, spans, sentences(text)) if whole else spans)


def test_only_sentences_that_stand_whole_in_one_span_go():
    text = "甲说了一句话。乙也说了。丙没有说。"
    assert cut(text, (0, 11)) == "丙没有说。"  # up to the last letter of 乙也说了: the mark goes with its sentence
    assert cut(text, (0, 10)) == "乙也说了。丙没有说。"
    assert cut(text, (1, 12)) == "甲说了一句话。丙没有说。"
    assert cut(text, (7, 9), (9, 12)) == text  # two halves are no whole
    assert cut(text, (0, 17)) == ""
    assert cut("——。甲说。", (0, 6)) == "——。"  # what has no letters is left


def test_lines_and_gaps_close():
    text = "第一段。\n\n第二段。\n\n第三段。"
    assert cut(text, (6, 10)) == "第一段。\n\n第三段。"
    assert cut(text, (0, 4)) == "第二段。\n\n第三段。"
    assert cut("One here. Two here. Three.", (10, 18)) == "One here. Three."
    assert cut("甲。\n乙。\n丙。", (3, 5)) == "甲。\n丙。"


def test_to_the_character():
    assert cut("abcdef", (1, 3), (2, 4), whole=False) == "aef"
    assert cut("", whole=False) == "" and cut("abc", whole=False) == "abc"
    assert cut("一二😀三", (1, 3), whole=False) == "一三"


@pytest.mark.parametrize("at", [0, 3])
def test_nothing_to_cut(at):
    assert without("甲乙丙", [(at, at)]) == "甲乙丙"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("开头。\n　　[甲乙。]\n　　[丙丁。]\n　　末尾。", "开头。\n　　末尾。"),
        ("　　[甲乙。]\n　　末尾。", "　　末尾。"),
        ("开头。\n　　[甲乙。]", "开头。\n"),
        ("开头。\n　　[甲乙。]后半。\n末尾。", "开头。\n　　后半。\n末尾。"),
        ("开头。\n　　[甲乙。] [丙丁。] \n末尾。", "开头。\n末尾。"),
        ("开头。\n\n\t[甲乙。]\n\n末尾。", "开头。\n\n末尾。"),
        ("开头。 [甲乙。]\n末尾。", "开头。 \n末尾。"),
    ],
)
def test_the_indent_of_a_paragraph_goes_with_it(text, kept):
    spans, plain = [], ""
    for part in text.split("["):
        inside, closed, rest = part.partition("]")
        if closed:
            spans.append((len(plain), len(plain) + len(inside)))
        plain += inside + rest
    assert without(plain, spans) == kept


WIRE = """The company said it expects profit to rise in the second quarter as
Washington, its largest market, recovers. A dividend was
paid in May.
    Analysts had expected less.
Short line
without an end
"""


def test_lines_broken_at_a_width_are_one_sentence():
    pieces = [WIRE[a:b] for a, b in unwrapped(WIRE, sentences(WIRE))]
    assert pieces[0].endswith("quarter as\nWashington, its largest market, recovers.")
    assert pieces[1:] == ["A dividend was\npaid in May.", "Analysts had expected less.", "Short line", "without an end"]


def test_of_a_sentence_over_two_lines_neither_half_goes_alone():
    at = WIRE.index("Washington")
    cut_out = [(at, WIRE.index("Short"))]
    left = without(WIRE, whole_pieces(WIRE, cut_out, unwrapped(WIRE, sentences(WIRE))))
    assert left == WIRE[: WIRE.index(" A dividend")] + " \nShort line\nwithout an end\n"


def test_lines_of_chinese_paragraphs_stay_as_they_are():
    text = "标题没有句号\n正文第一句。\n　　第二段很长很长很长很长很长很长很长很长很长很长没有句号\n　　第三段。"
    assert unwrapped(text, sentences(text)) == sentences(text)
    truncated = text.replace("很长没有", "很长很长很长很长很长很长没有").replace("\n　　第三段", "\n本文由编辑部整理")
    assert unwrapped(truncated, sentences(truncated)) == sentences(truncated)
