"""Covers: short cuts of the reading of differences. Compared against: the same without them, in a line or two each.

Run: pytest tests/properties/test_differences_short_cuts.py
"""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.differences.dates import relative_patterns
from quchong.differences.definitions import _DEFINED, defined_names
from quchong.differences.figures import _is_chinese, _matches, _matches_of_latin, _pattern, _within_mentions
from quchong.differences.furniture import LONG, LONGEST, _may_be, _unmistakable, foot_of, head_of
from quchong.differences.meaning import ends_outside_words, lexicon, words_at
from quchong.differences.rearranged import _PLAINLY, _lines, _without_common_lines, has_lines, same_parts
from quchong.differences.source_code import _AT_FIRST, _BEHIND, _FIRST, _LINE, may_be_code
from quchong.differences.windows import Window, dictionary_forms

PIECES = (
    'Published May 3, 2021 at 4:05 pm|阅读 1234|© 2023 The Daily|3 days ago|copyright|舉報|the end.|a. |" |。|！|”|x|Σ|ΑΣ |é|e\u0301|Ａ|ﬁ|｛|{|[1]'
    "| |  |\u3000|\xa0|\n|\n|\r|\x85|\u2028|\x00|word word |x = 3|def f(x):|class A(B):|import os|go(1)|2023-05-06|10:20|来源：新华社| \\| "
).split("|")
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=2)), max_size=16).map("".join)
code = st.lists(st.sampled_from(["x = 3", "def f(x):", "class A(B):", "go(1)", "word ", " ", "\n"]), max_size=5).map(
    "".join
)
SOME = [
    "the ",
    "in ",
    "not ",
    "New York ",
    "must not ",
    "市长",
    "书记",
    "北京",
    "有",
    "没有",
    "A",
    ".",
    "-",
    " ",
    "12",
    *sorted(lexicon())[::97],
]


@settings(max_examples=500, deadline=None)
@given(texts)
def test_the_head_ends_at_the_last_of_sixteen_blanks_up_to_which_it_is_unmistakable(text):
    head = text[: LONGEST + 1]
    blanks = [m.start() for m in re.finditer(r"\s", head)][:16]
    assert head_of(text) == max([0, *(b for b in blanks if _may_be(head) and _unmistakable(head[:b], False))])


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_the_foot_begins_behind_a_mark_that_ends_a_sentence(behind):
    text = "\u6c34" * LONG + behind
    start = len(text) - LONGEST - 20
    foot = text[start:]
    mark = r"(?<=[。！？!?”」』)）】])\s*|(?<=[a-z]\.)\s+|(?<=[\"”]) "
    ends = [m.end() for m in re.finditer(mark, foot)]
    found = [end for end in ends if 0 < end < len(foot) and _unmistakable(foot[end:], True)]
    assert foot_of(text) == (start + found[0] if found else len(text))


@settings(max_examples=500, deadline=None)
@given(st.one_of(texts, code))
def test_lines_of_code_are_found_behind_line_breaks(text):
    anywhere = re.search(f"^{_LINE}", text, re.M) is not None
    assert anywhere == bool(_AT_FIRST.match(text) or _BEHIND.search(text))
    assert may_be_code(text) == bool(_FIRST.match(text) or ("\n" in text and anywhere))
    assert defined_names(text) == set(re.findall("^" + _DEFINED.pattern.removeprefix("\\n"), text, re.M))


@settings(max_examples=500, deadline=None)
@given(texts, texts, st.randoms(use_true_random=False), st.booleans())
def test_lines_that_both_texts_have_need_no_other_form(one, other, dice, moved):
    if moved:
        lines = one.split("\n")
        dice.shuffle(lines)
        other = "\n".join(lines)
    if any(map(_PLAINLY.match, (one, other))):
        x, y = dictionary_forms(_without_common_lines(one, other))
        several = len(_lines(one.replace("\x00", " "))) > 1
        assert (several and _lines(x) == _lines(y)) == same_parts(*dictionary_forms([one, other]))


@settings(max_examples=200, deadline=None)
@given(texts, texts, texts)
def test_all_lines_of_a_text_are_in_one_with_more(one, more, other):
    turned = "\n".join([*reversed(one.splitlines()), *more.splitlines()])
    assert has_lines(one, turned) == has_lines(turned, one) == (len(_lines(one)) > 1)
    missing = [line for line in set(_lines(one)) if _lines(one).count(line) > _lines(other).count(line)]
    if len(_lines(one)) <= len(_lines(other)):
        assert has_lines(one, other) == (len(_lines(one)) > 1 and not missing)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(SOME), max_size=8).map("".join), st.integers(0, 40), st.integers(0, 4))
def test_words_at_a_stretch_are_the_longest_that_overlap_it(text, start, length):
    start = min(start, len(text))
    end = min(start + length, len(text))
    wanted = {}
    for word in _longest_words(text, start, end):
        for name in lexicon()[word]:
            wanted.setdefault(name, set()).add(word)
    assert words_at(Window(text, start, end)) == wanted


STATED = (
    "上 上午 下 中 中午 凌晨 清 傍晚 三点 礼 礼拜天 周 周五 星期 民 民国 万分之二 万 近万人 亿 数亿件 负 二 第 三 号 码 尾 为 是 12 123 2003年 5月3日 3.5 % ， - + "
    "今天 上周 us$ a$ $ x ii iv a座 京a牌 covid-19 v2"
).split() + [f"{word} " for word in ("", "the", "in", "last year", "a third of", *sorted(_within_mentions()))]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(STATED), max_size=12).map("".join))
def test_mentions_are_those_that_the_patterns_find_anywhere(text):
    form = dictionary_forms([text])[0]
    days, written = (_matches if _is_chinese(form) else _matches_of_latin)(form, 0, len(form))
    assert [m.span() for m in written] == [m.span() for m in _pattern().finditer(form)]
    everywhere = [m.span() for pattern in relative_patterns() for m in pattern.finditer(form)]
    assert sorted(m.span() for m in days) == sorted(everywhere)


def _longest_words(text, start, end):
    """Words of the lexicon that overlap text[start:end], of those that begin at one offset the longest, and none within another."""
    known, found = lexicon(), []
    for a in range(max(0, start - 16), min(end + (start == end), len(text))):
        latin = text[a].isascii()
        if (start == end == a) or (latin and not re.compile("(?<![0-9A-Za-z])[0-9A-Za-z]").match(text, a)):
            continue
        for b in range(len(text), max(a + (not latin), start), -1):
            if text[a:b] in known and ends_outside_words(text, a, b):
                if not any(c <= a and b <= d for c, d in found):
                    found.append((a, b))
                break
    if end == start + 1 and text[start] in known and not any(c <= start and end <= d for c, d in found):
        found.append((start, end))
    return [text[a:b] for a, b in found]
