"""Covers: negations, opposites, and words of lists at a difference. Compared against: what the words mean."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quchong.differences.meaning import (
    LONGEST,
    are_unrelated,
    differing,
    ends_outside_words,
    lexicon,
    opposed_at,
    words_at,
)
from quchong.differences.negation import negated, negates
from quchong.differences.windows import Window, windows

BARE = Window("", 0, 0)
"""No text around two words, so that neither is denied."""


def at(text):
    """The window of a text whose stretch stands in brackets."""
    before, _, rest = text.partition("[")
    stretch, _, after = rest.partition("]")
    clean = before + stretch + after
    return windows([clean], [0], [len(before)], [len(before) + len(stretch)])[0]


def sides(text, other):
    """The windows of both texts: `other` is what stands in the brackets of the right one."""
    before, _, rest = text.partition("[")
    return at(text), at(f"{before}[{other}]{rest.partition(']')[2]}")


def test_windows_are_in_normal_form_with_their_stretch():
    assert at("他[說]ＡＢＣ") == Window("他说abc", 1, 2)
    assert at("[]好") == Window("好", 0, 0) and at("[]").stretch == ""
    assert at("涨[㈱½]了").stretch == "(株)1⁄2"
    inside, empty = at("一[二三]四"), at("一二[]三四")
    assert [inside.touches(a, b) for a, b in ((0, 1), (0, 2), (2, 4), (3, 4))] == [False, True, True, False]
    assert [empty.touches(a, b) for a, b in ((0, 2), (1, 3), (2, 4))] == [False, True, False]


def listed(side, name):
    return words_at(side).get(name, set())


def apart_in(left, right, name):
    return differing(left, right, listed(left, name), listed(right, name))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("居民[不]同意", 1), ("居民[没有]同意", 1), ("居民[尚未]同意", 1), ("请[勿]入内", 1), ("[不是不]同意", 2), ("he did [not] come", 1),
        ("he [didn't] come", 1), ("he [never] came", 1), ("居民[不断]提出", 0), ("居民[不仅]提出", 0), ("[非常]多", 0), ("他的[别墅]大", 0),
        ("[未来]很好", 0), ("这个[不错]", 0), ("是[否]同意", 0), ("[非洲]很远", 0), ("居民同意", 0), ("居民不[同意]", 0), ("[nothing] came", 1),
        ("a [knot] in it", 0), ("[note] it", 0), ("他[不]同意", 1), ("他们[並未]同意", 1),
    ],
)  # fmt: skip
def test_negations_of_a_stretch(text, count):
    assert negates(at(text)) == count


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("居民[]同意方案", "不"), ("居民[没有]看到方案", ""), ("居民[已]同意方案", "未"), ("居民[已经]看到方案", "没有"), ("请[]入内", "勿"),
        ("居民[能]看到方案", "不"), ("he did [] attend", "not"),
        ("居民[會]看到方案", "不会"),
    ],
)  # fmt: skip
def test_one_side_negates_what_the_other_says(text, other):
    left, right = sides(text, other)
    assert negated(left, right) and negated(right, left)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("居民[没有]看到方案", "没"), ("居民[]提出意见", "不断"), ("居民[]提出意见", "不仅"), ("[非常]多的人", "很"), ("条件不[具备]了", "拥有"),
        ("方案[不]可行", "并非"), ("方案[不]完善", "未"), ("[无人]机", "飞"), ("居民[不错]啊", "很好"), ("居民[]同意方案", "不是不"),
        ("居民[]同意方案", "在开会的时候没有"), ("居民[喜欢]它", "没钱买"),
    ],
)  # fmt: skip
def test_where_neither_negates_the_other(text, other):
    left, right = sides(text, other)
    assert not negated(left, right) and not negated(right, left)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("房价[上涨]明显", "下跌"), ("房价[涨]了", "跌"), ("公司[盈利]了", "亏损"), ("对方[支持]它", "反对"),
        ("对方[同意]它", "反对"), ("有[10人以上]参加", "10人以下"), ("10人以[上]参加", "下"), ("最[高]十层", "低"),
        ("prices [rose] fast", "fell"), ("房價[上漲]明顯", "下跌"), ("产量[增加]了", "减少"), ("公司[合]法经营", "非"),
    ],
)  # fmt: skip
def test_opposites(text, other):
    left, right = sides(text, other)
    mine, theirs = listed(left, "opposites"), listed(right, "opposites")
    assert opposed_at(BARE, BARE, mine, theirs) and opposed_at(BARE, BARE, theirs, mine)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("房价[上涨]明显", "上升"), ("房价[上涨]明显", "变化"), ("房价[]明显", "上涨"), ("居民[赞成]它", "同意"), ("prices [rose] fast", "increased"),
        ("the [roses] fell", "fell"), ("房价[上涨]明显", "上涨"), ("生[长]", "活"),
    ],
)  # fmt: skip
def test_no_opposites(text, other):
    left, right = sides(text, other)
    mine, theirs = listed(left, "opposites"), listed(right, "opposites")
    assert not opposed_at(BARE, BARE, mine, theirs) and not opposed_at(BARE, BARE, theirs, mine)


def test_words_at_a_stretch_are_whole_and_the_longest():
    assert listed(at("在[上海市]开"), "places") == {"上海市"}
    assert listed(at("在上[海]市开"), "places") == {"上海市"}
    assert not listed(at("在上海[]开"), "places")
    assert listed(at("在上[]海开"), "places") == {"上海"}
    assert listed(at("股票[涨]了"), "opposites") == {"涨"}
    assert not listed(at("水[涨船]高"), "opposites"), "one character may be a part of another word"
    assert listed(at("in [paris] now"), "places") == {"paris"}
    assert not listed(at("a [parish] now"), "places")
    assert listed(at("in [new] york"), "places") == {"new york"}


@pytest.mark.parametrize(
    ("text", "other", "different"),
    [
        ("在[上海]开", "北京", True), ("在[法]国开", "德", True), ("在[上海]开", "上海市", False), ("在[上海]开", "这里", False),
        ("在[上海]开", "", False), ("in [paris] now", "london", True), ("在[上海和别的许多地方]开", "北京", False),
    ],
)  # fmt: skip
def test_places_that_differ(text, other, different):
    left, right = sides(text, other)
    assert apart_in(left, right, "places") == apart_in(right, left, "places") == different


def test_titles_that_differ():
    assert apart_in(*sides("市[局长]到场", "部长"), "titles")
    assert not apart_in(*sides("市[局长]到场", "副局长"), "titles")


def test_words_apart():
    assert (
        are_unrelated({"上海"}, {"北京"})
        and not are_unrelated({"上海"}, {"上海市"})
        and not are_unrelated({"上海市"}, {"上海", "北京"})
    )
    assert not are_unrelated(set(), {"北京"}) and not are_unrelated({"上海"}, set())


def words_by_hand(window):
    """Every place and every length of words that begin with its character, the longest first."""
    text, start, end = window.text, window.start, window.end
    found, out, by_first = [], {}, {}
    for word in lexicon():
        by_first.setdefault(word[0], set()).add(len(word))
    for a in range(max(0, start - LONGEST), min(end + (start == end), len(text))):
        inside = a > 0 and text[a - 1 : a + 1].isascii() and text[a - 1 : a + 1].isalnum()
        if inside or (start == end and a == start):
            continue
        for n in sorted((n for n in by_first.get(text[a], ()) if a + n <= len(text)), reverse=True):
            b = a + n
            if b > start and text[a:b] in lexicon() and ends_outside_words(text, a, b):
                alone = n == 1 and text[a] > "\u2e80" and (a, b) != (start, end)
                if not alone and not any(c <= a and b <= d for c, d in found):
                    found.append((a, b))
                    for name in lexicon()[text[a:b]]:
                        out.setdefault(name, set()).add(text[a:b])
                break
    return out


WORDS = sorted(lexicon())
PARTS = st.one_of(st.sampled_from(WORDS), st.sampled_from(["的", "在", " ", " the ", "7", ", ", "x"]))


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=4), st.lists(PARTS, max_size=3), st.lists(PARTS, max_size=3))
@example(["at all"], [], [])
@example(["最高"], [], [])
@example([], ["大"], ["小"])
def test_words_at_a_stretch_are_those_that_a_plain_search_finds(before, stretch, after):
    left, middle = "".join(before), "".join(stretch)
    window = Window(left + middle + "".join(after), len(left), len(left) + len(middle))
    assert dict(words_at(window)) == words_by_hand(window)
