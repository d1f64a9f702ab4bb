"""Covers: figures, dates, times and codes in a text, and which of them contradict each other. Compared against: what they mean."""

import random
import re
from itertools import pairwise, product

import pytest

import quchong as qc
from quchong.differences.agreement import same
from quchong.differences.dates import RELATIVE
from quchong.differences.figures import (
    _CHINESE,
    _WRITTEN,
    _matches,
    _matches_of_latin,
    clear_before,
    mentions,
    stating,
    wordy,
)
from quchong.differences.numerals import numeral, with_ordinary_numerals
from quchong.differences.windows import dictionary_forms


def told(text):
    """Kind, writing and value of what a text mentions."""
    (clean,) = dictionary_forms([text])
    return [(m.kind, clean[m.start : m.end], m.value) for m in mentions(clean)]


def one(text):
    (clean,) = dictionary_forms([text])
    (found,) = mentions(clean)
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10), ("十二", 12), ("二十", 20), ("一百二十", 120), ("一百零五", 105), ("两千", 2000), ("三万五千", 35_000),
        ("二〇二〇", 2020), ("〇五", 5), ("三点五", 3.5), ("零点二五", 0.25), ("半", 0.5), ("百", 100),
    ],
)  # fmt: skip
def test_numerals(text, value):
    assert numeral(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("a", "b", "same_amount"),
    [
        ("壹佰贰拾万元整", "壹佰叁拾万元整", False), ("壹佰贰拾万元整", "120万元整", True), ("壹佰贰拾万元整", "一百三十万元整", False),
        ("人民幣貳萬伍仟圓", "25000圆", True), ("租期贰年", "租期叁年", False), ("租期一年", "租期壹年", True),
        ("伍元", "陆元", False), ("壹仟零伍元", "1005元", True), ("第叁条", "第肆条", False),
        ("零陆拾元", "60元", True),
    ],
)  # fmt: skip
def test_financial_numerals_are_figures(a, b, same_amount):
    left, right = (
        (found,) for text in (a, b) for found in mentions(with_ordinary_numerals(dictionary_forms([text])[0]))
    )
    assert same(left[0], right[0]) is same_amount
    body = "兹收到人民币（大写）{}，由买受人李强交付，出卖人开具本收据一份，双方约定于本月底前签订正式买卖合同，逾期未签订的不予退还。"
    found = qc.compare(body.format(a), body.format(b))
    assert found.relation == ("duplicate" if same_amount else "variant")


@pytest.mark.parametrize(
    "text", ["大陆万科", "队伍万人", "收拾元素", "登陆年", "内陆份额", "陆先生", "壹基金", "柒牌男装", "陆元素", "捌"]
)
def test_letters_of_names_and_words_are_no_financial_numerals(text):
    assert with_ordinary_numerals(text) == text


@pytest.mark.parametrize(
    ("text", "writing", "number", "unit"),
    [
        ("共12000人", "12000", 12_000, ""), ("共12,034人", "12,034", 12_034, ""), ("共1.2万人", "1.2万", 12_000, ""),
        ("共3亿元", "3亿元", 3e8, "元"), ("约500多元", "500多元", 500, "元"), ("值10亿美元", "10亿美元", 1e9, "美元"),
        ("增3成", "3成", 30, "%"), ("增三成", "三成", 30, "%"), ("增30%", "30%", 30, "%"), ("增30％", "30%", 30, "%"),
        ("为-5.3%", "-5.3%", -5.3, "%"), ("为−5.3%", "-5.3%", -5.3, "%"), ("为+5.3%", "+5.3%", 5.3, "%"),
        ("增5.3‰", "5.3‰", 0.53, "%"), ("增5个百分点", "5个百分点", 5, "百分点"), ("增两倍", "两倍", 200, "%"),
        ("为25℃", "25°c", 25, "°c"), ("为-25 °C", "-25 °c", -25, "°c"), ("5日元", "5日元", 5, "日元"),
        ("值$5", "$5", 5, "美元"), ("值¥5", "¥5", 5, "元"), ("值￥5", "¥5", 5, "元"), ("值€5", "€5", 5, "欧元"), ("值£5", "£5", 5, "英镑"),
        ("第25届", "第25", 25, "第"), ("第二十五届", "第二十五", 25, "第"), ("三名", "三", 3, ""), ("一百二十人", "一百二十", 120, ""),
        ("up 5 percent", "5 percent", 5, "%"), ("some 5 million", "5 million", 5e6, ""), ("saw five men", "five", 5, ""),
    ],
)  # fmt: skip
def test_figures(text, writing, number, unit):
    ((kind, found, value),) = told(text)
    assert (kind, found, value[1]) == ("figure", writing, unit)
    assert value[0] == pytest.approx(number)


@pytest.mark.parametrize(
    ("text", "writing", "value"),
    [
        ("于3月5日到", "3月5日", ("date", None, 3, 5)), ("于三月五日到", "三月五日", ("date", None, 3, 5)),
        ("于3月份到", "3月份", ("date", None, 3, None)), ("于5日到", "5日", ("date", None, None, 5)),
        ("于二十五日到", "二十五日", ("date", None, None, 25)), ("于2020年到", "2020年", ("date", 2020, None, None)),
        ("于二〇二〇年到", "二〇二〇年", ("date", 2020, None, None)), ("于二零二零年到", "二零二零年", ("date", 2020, None, None)),
        ("于二○二○年到", "二〇二〇年", ("date", 2020, None, None)),
        ("于2020年3月5日到", "2020年3月5日", ("date", 2020, 3, 5)), ("于20年3月到", "20年3月", ("date", 2020, 3, None)),
        ("于2020-03-05到", "2020-03-05", ("date", 2020, 3, 5)), ("于2020/3/5到", "2020/3/5", ("date", 2020, 3, 5)),
        ("于2020.3.5到", "2020.3.5", ("date", 2020, 3, 5)),
        ("on march 5", "march 5", ("date", None, 3, 5)), ("on 5 March 2020", "5 march 2020", ("date", 2020, 3, 5)),
        ("on March 5th, 2020", "march 5th, 2020", ("date", 2020, 3, 5)), ("on Sept. 5", "sept. 5", ("date", None, 9, 5)),
        ("on Monday", "monday", ("week", 0)), ("于周三到", "周三", ("week", 2)), ("于星期天到", "星期天", ("week", 6)),
        ("于礼拜日到", "礼拜日", ("week", 6)), ("于昨日到", "昨日", ("relative", "day", None)), ("于明天到", "明天", ("relative", "tomorrow", None)),
        ("于去年到", "去年", ("relative", "year before", None)),
        ("于上午10时到", "上午10时", ("time", 10, 0)), ("于22时到", "22时", ("time", 22, 0)), ("于下午3点半到", "下午3点半", ("time", 15, 30)),
        ("于10:30到", "10:30", ("time", 10, 30)), ("于十时三十分到", "十时三十分", ("time", 10, 30)), ("于凌晨2时到", "凌晨2时", ("time", 2, 0)),
        ("于晚8时到", "晚8时", ("time", 20, 0)),
    ],
)  # fmt: skip
def test_dates_and_times(text, writing, value):
    assert told(text) == [("date", writing, value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("航班MH370次", "mh370"), ("会议G20上", "g20"), ("牌照云A12345的", "a12345"), ("版本1.2.3的", "1.2.3"), ("版号ab-1200的", "ab-1200"),
        ("电话010-62345678接通", "010-62345678"), ("手机13800138000接通", "13800138000"), ("尾号8823的", "8823"),
        ("编号为20200305的", "20200305"), ("covid-19", "covid-19"), ("ＭＨ３７０", "mh370"),
    ],
)  # fmt: skip
def test_codes(text, value):
    ((kind, _, found),) = told(text)
    assert (kind, found) == ("code", value)


@pytest.mark.parametrize(
    "text", ["一样的", "多元的", "半数人", "首次", "people", "becoming", "someone", "a股", "十几人"]
)
def test_what_states_no_figure(text):
    assert told(text) == []


def test_mentions_stand_in_order_and_apart():
    text = "2020年3月5日上午10时，第25届灯会来了1.2万人，比去年多3成，电话010-62345678。"
    found = mentions(dictionary_forms([text])[0])
    assert [m.kind for m in found] == ["date", "date", "figure", "figure", "date", "figure", "code"]
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert mentions("") == ()


def test_a_range_is_both_its_ends():
    assert [value.written for _, _, value in told("3-5天")] == [3, 5]
    assert [value.written for _, _, value in told("3%-5%")] == [3, 5]
    assert [value[1:] for _, _, value in told("8:00-10:00")] == [(8, 0), (10, 0)]
    assert [value[3] for _, _, value in told("3月5-8日")] == [5, 8]
    assert [value[3] for _, _, value in told("12日至15日")] == [12, 15]


EQUAL = [
    ("1.2万", "12000", "12,000", "1.2万"), ("3成", "30%", "三成", "30％"), ("-5.3%", "−5.3%"), ("25℃", "25°C"),
    ("5美元", "$5", "5"), ("¥5", "5元", "五元"), ("第25届", "第二十五届"), ("一百二十人", "120人"), ("1.5亿", "15000万", "1.5亿元"),
    ("3月5日", "三月五日", "5日", "3月", "2020年3月5日", "2020-03-05", "March 5"), ("二〇二〇年", "2020年", "二零二零年"),
    ("上午10时", "10时", "10:00", "上午10点"), ("下午3点半", "15:30"), ("周三", "星期三", "Wednesday"), ("今天", "昨天", "当天"),
    ("5 percent", "5%"), ("five", "5"), ("MH370", "mh370"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [pair for group in EQUAL for pair in product(group, repeat=2)])
def test_the_same_in_other_words(a, b):
    assert same(one(a), one(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1.2万", "1.3万"), ("1.2万", "13000"), ("3成", "40%"), ("-5.3%", "5.3%"), ("5%", "5个百分点"), ("5%", "5‰"), ("25℃", "-25℃"),
        ("25℃", "26℃"), ("5美元", "5欧元"), ("$5", "¥5"), ("5元", "6元"), ("第25届", "第26届"), ("3亿", "3万"), ("三名", "两名"),
        ("3月5日", "3月6日"), ("3月5日", "4月5日"), ("3月5日", "6日"), ("3月5日", "4月"), ("2020年3月5日", "2019-03-05"),
        ("2020年", "2021年"), ("二〇二〇年", "2019年"), ("上午10时", "22时"), ("10:30", "10:45"), ("下午3点", "下午3点半"),
        ("周三", "周四"), ("Monday", "星期二"), ("今天", "明天"), ("去年", "今年"), ("March 5", "April 5"), ("March 5", "March 6"),
        ("MH370", "MH371"), ("尾号8823", "尾号8824"), ("1.2.3", "1.2.4"), ("云A12345", "云B12345"), ("five", "six"), ("13800138000", "13800138001"),
    ],
)  # fmt: skip
def test_what_contradicts(a, b):
    x, y = one(a), one(b)
    assert x.kind == y.kind and not same(x, y) and not same(y, x)


def test_a_date_does_not_contradict_a_relative_day_or_a_weekday():
    assert same(one("5日"), one("昨日")) and same(one("3月5日"), one("周三")) and same(one("2020年"), one("去年"))


@pytest.mark.parametrize(("coarse", "fine"), [("1.2万", "12034"), ("31.4", "31.42"), ("3.142", "3.14159")])
def test_a_rounded_figure_is_the_same(coarse, fine):
    assert same(one(coarse), one(fine))


@pytest.mark.parametrize(("a", "b"), [("1.2万", "12634"), ("31.4", "31.47"), ("5.3", "5.34"), ("120", "123")])
def test_a_figure_that_rounds_to_another_or_has_two_digits_is_not(a, b):
    assert not same(one(a), one(b))


@pytest.mark.parametrize(
    ("before", "stretch", "behind", "alone"),
    [
        ("in ", "components", " 00", True), ("in ", "small, germanic", ". 5", True), ("in ", "covid", "-19", False), ("a320-", "neo", "", False),
        ("5 ", "dollars", " paid", False), ("at 5 ", "pm", "", False), ("5 ", "per", " cent", False), ("5", "gb", "", False), ("", "m", " 5", False),
        ("", "", " 5", False), ("on ", "may", " 5", False), ("", "don't", " 5", False),
    ],
)  # fmt: skip
def test_words_alone_have_no_part_in_a_mention(before, stretch, behind, alone):
    text, end = before + stretch + behind, len(before) + len(stretch)
    assert wordy(text, len(before), end) is alone
    if alone:
        assert not any(m.start < end and m.end > len(before) for m in mentions(text))


def test_no_mention_reaches_into_words_alone():
    rng = random.Random(3)
    words = [
        *sorted(stating()),
        "5",
        "5th",
        "3/4",
        "12:30",
        "2,000",
        "$5",
        "-",
        "covid-19",
        "a",
        "of",
        "paper",
        "ship",
        "the",
        "notice",
        "not",
    ]
    for _ in range(3000):
        parts = rng.choices(words, k=9)
        before, stretch = " ".join(parts[:4]) + " ", rng.choice(["paper", "ships", "notice the", rng.choice(words)])
        text, end = before + stretch + " " + " ".join(parts[4:]), len(before) + len(stretch)
        if wordy(text, len(before), end):
            assert not any(m.start < end and m.end > len(before) for m in mentions(text)), text


@pytest.mark.parametrize("mixed", [False, True])
def test_no_mention_reaches_into_chinese_characters_alone(mixed):
    rng = random.Random(7)
    pieces = CHINESE_PIECES + (LATIN_PIECES if mixed else [])
    alone = 0
    for _ in range(3000):
        before, behind = ("".join(rng.choices(pieces, k=4)) for _ in range(2))
        stretch = "".join(rng.choices("监签引湖书的是不牌会议报道亿元今上度", k=rng.randint(1, 3)))
        text, end = before + stretch + behind, len(before) + len(stretch)
        if wordy(text, len(before), end):
            assert not any(m.start < end and m.end > len(before) for m in mentions(text)), text
            alone += 1
    assert alone > 300


def test_patterns_tried_at_some_places_find_what_a_search_finds():
    """In text without Chinese characters the patterns are tried where a mention can begin: as a search of the whole text finds them."""
    rng = random.Random(9)
    words = sorted({*re.findall("[a-z]+", _WRITTEN), *RELATIVE, *stating(), "mondays", "sundaymay", "covid", "thex"})
    words = [word for word in words if not _CHINESE.search(word)]
    joints = ["", " ", " ", " ", "-", ".", ",", "/", ":", "\n", "'", "_", "é", "“", " a ", " of ", "$", "+", "±", "€"]
    numbers = ["1", "5", "12", "2019", "1,200", "3.5", "1/3", "0", "٣", "00"]
    found = 0
    for _ in range(8000):
        parts = (
            rng.choice(numbers if rng.random() < 0.4 else words) + rng.choice(joints) for _ in range(rng.randint(1, 7))
        )
        text = rng.choice(joints) + "".join(parts)
        plain, quick = (
            [[(m.span(), m.groups()) for m in some] for some in f(text, 0, len(text))]
            for f in (_matches, _matches_of_latin)
        )
        assert quick == plain, text
        found += len(plain[0]) + len(plain[1])
    assert found > 8000


CHINESE_PIECES = (
    "3月 5日 十二 三点五 亿元 万 今天 上个月 第三 百分之五 负 去年 昨 天气 会议 报道 半 一半 民国 三十八年 两 翻 两番 号码是 5566 京 a牌 "
    "下午三点 8:30 5公斤 -3度 $5 最 大前年 上上周 每年 初三 腊月 型 a级 〇 二〇二〇年 百 千 点 分之"
).split()
LATIN_PIECES = "5 may 12th first half a third two thirds per cent percent last week covid-19 paper the of us$5 1,200 x ii code 5566 don't - é to".split()


@pytest.mark.parametrize("pieces", [CHINESE_PIECES, LATIN_PIECES, CHINESE_PIECES + LATIN_PIECES])
def test_mentions_looked_for_from_a_clear_place_are_those_of_the_whole_text(pieces):
    rng = random.Random(31)
    later = 0
    for _ in range(3000):
        text = "".join(rng.choice(pieces) + rng.choice(["", " ", " ", ",", "的", "。\n"]) for _ in range(8))
        at = rng.randrange(len(text) + 1)
        first = clear_before(text, at)
        assert 0 <= first <= at
        whole = mentions(text)
        assert not any(m.start < first < m.end for m in whole), text
        assert mentions(text, None, first) == tuple(m for m in whole if m.start >= first), text
        later += first > 0
    assert later > 300


@pytest.mark.parametrize(
    "text",
    [
        "新华社北京3月5日电 第二天共投资1亿2000万元，增长5.2%，型号XK-204，下周三上午十点开会，验证码为8817",
        "on monday, march 5, 2003 profits rose 5.2 percent to $350 million; code is 8817 and flight aa204 left at 10:30 am, twice",
        "二〇一六年五月三日", "", "没有数字",
    ],
)  # fmt: skip
def test_mentions_up_to_an_offset_are_the_first_ones_of_all(text):
    every = mentions(text)
    for last in range(len(text) + 1):
        assert [m for m in mentions(text, last) if m.start <= last] == [m for m in every if m.start <= last]
