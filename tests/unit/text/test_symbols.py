"""Covers: symbols that carry meaning are tokens, and decoration is none; vowel signs are letters, optional marks nothing.

Run: pytest tests/unit/text/test_symbols.py
"""

import pytest
from test_signs import exact
from twins import text as ref

import quchong as qc

APART = [
    ("信用等级为AA+", "信用等级为AA-"), ("信用等级为AA+", "信用等级为AA"), ("打分★★★★★", "打分★★"), ("抗原(+)正常", "抗原(-)正常"),
    ("用C++编写程序", "用C编写程序"), ("用C#编写程序", "用C编写程序"), ("当n >= 5时报警", "当n <= 5时报警"), ("当n ≥ 5时报警", "当n < 5时报警"),
    ("当n == 5时报警", "当n != 5时报警"), ("计算 12 + 34 的结果", "计算 12 - 34 的结果"), ("计算 12 × 34 的结果", "计算 12 ÷ 34 的结果"),
    ("好吃👍", "好吃👎"), ("👍", "👎"), ("已审✓", "已审✗"), ("水H₂O", "水H₂O₂"), ("离子Fe²⁺", "离子Fe³⁺"), ("指数▲1.2%", "指数▼1.2%"),
    ("x = a || b", "x = a && b"), ("温度↑", "温度↓"), ("表中(●)", "表中(○)"), ("total += step", "total -= step"),
]  # fmt: skip
ALIKE = [
    ("今天天气很好", "■今天天气很好"), ("今天天气很好", "★今天天气很好"), ("今天天气很好", "《今天天气很好》"), ("今天天气很好", "**今天天气很好**"),
    ("读数≥5时", "读数 >= 5 时"), ("等级ＡＡ＋级", "等级AA+级"), ("今天天气很好", "> 今天天气很好"), ("今天天气很好", "今天天气很好■"), ("今天天气很好", "======\n今天天气很好"),
    ("今天天气很好👍", "今天天气很好👍👍👍"), ("今天天气很好👍", "今天天气很好👍\ufe0f"), ("今天天气很好", "今天天气很好©"), ("今天天气很好", "#今天天气很好#"),
    ("the #topic# of today", "the topic of today"), ("well-known facts", "well known facts"), ("真的吗？", "真的吗！"), ("a = b", "a b"),
    ("今天天气很好", "+ 今天天气很好"), ("今天天气很好", "　　> 今天天气很好"), ("R&D and A&B", "R D and A B"),
    ("今天天气很好", "<!-- -->\n今天天气很好"), ("今天天气 info 很好", "今天天气<!-- info -->很好"),
    ("xml version 今天天气很好", "<?xml version?>今天天气很好"), ("今天" + 40 * "天气 很好", "今天<!-- " + 40 * "天气 很好" + " -->"),
]  # fmt: skip
WORDS_APART = ["ข่าว", "ข้าว", "ขาว", "लड़का", "लड़की", "বই", "বউ", "མི", "མེ", "ကို", "ကာ", "ខែ", "ខោ"]
WORDS_ALIKE = [
    ("كِتَاب", "كتاب"), ("שָׁלוֹם", "שלום"), ("за\u0301мок", "замок"), ("ΟΔΟΣ", "οδος"), ("STRASSE", "straße"), ("İstanbul", "istanbul"),
    ("exam\u00adple", "example"), ("오늘날씨가좋다", "오늘 날씨가 좋다"), ("等於這樣", "等于这样"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), APART)
@pytest.mark.parametrize("options", [{}, {"tokens": "char"}, {"normalise": "plain"}, {"exact": "raw"}])
def test_texts_that_differ_in_a_symbol_are_not_exact(a, b, options):
    assert not exact(a, b, **options)


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_decoration_makes_no_difference(a, b):
    assert exact(a, b)


@pytest.mark.parametrize(("a", "b"), [pair for pair in APART if pair[0] not in ("👍", "水H₂O", "离子Fe²⁺")])
def test_symbols_do_not_count_where_letters_alone_do(a, b):
    assert exact(a, b, exact="loose") or {"+", "-"} & set(a + b)  # a sign beside a figure is a part of it


@pytest.mark.parametrize("a", WORDS_APART)
def test_words_that_differ_in_a_vowel_sign_are_not_exact(a):
    assert [b for b in WORDS_APART if b == a or exact(f"{a}", f"{b}")] == [a]


@pytest.mark.parametrize(("a", "b"), WORDS_ALIKE)
def test_optional_marks_and_forms_of_a_letter_make_no_difference(a, b):
    assert exact(a, b)


def test_a_symbol_is_a_token_with_its_place():
    tokens = ref.tokenise("评级AA+，★ 说明", ref.Tables())
    assert [(t.text, t.start, t.end) for t in tokens] == [
        ("评", 0, 1), ("级", 1, 2), ("aa", 2, 4), ("+", 4, 5), ("说", 8, 9), ("明", 9, 10),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        (
            "评级机构将该公司的主体信用等级评定为AA+，评级展望为稳定。",
            "评级机构将该公司的主体信用等级评定为AA-，评级展望为稳定。",
            "variant",
        ),
        ("当读数≥5时控制器会接通报警装置并通知值班人员。", "当读数5时控制器会接通报警装置并通知值班人员。", "variant"),
        ("网友给这家店打出★★★★★，并写下长评论一篇。", "网友给这家店打出★★，并写下长评论一篇。", "variant"),
        ("这家店的服务真的让我非常满意下次还会再来👍", "这家店的服务真的让我非常满意下次还会再来", "duplicate"),
        (
            "各栏目：☑是□否，填表人签字后交到前台处登记保存。",
            "各栏目：□是☑否，填表人签字后交到前台处登记保存。",
            "variant",
        ),
    ],
)
def test_what_a_difference_of_symbols_comes_to(a, b, relation):
    found = qc.compare(a, b)
    assert found.relation == relation
    assert {d.kind for d in found.differences} == {"symbol"}
    assert (found.facts == ("symbol",)) is (relation == "variant")


ROWS = [
    "本期债券等级为AA+，展望稳定。",
    "本期债券等级为AA-，展望稳定。",
    "本期债券等级为ＡＡ＋,展望稳定",
    "👍",
    "😡",
    "？？？",
    "？？?",
    "本期债券等级为AA+，展望稳定。",
]


@pytest.mark.parametrize(
    ("equality", "removed"), [("raw", {"7"}), ("strict", {"2", "6", "7"}), ("loose", {"1", "2", "6", "7"})]
)
def test_the_equality_asked_for_says_what_exact_copies_are(equality, removed):
    rows = [{"id": str(k), "text": text} for k, text in enumerate(ROWS)]
    found = qc.dedup(rows, method="exact", exact=equality, recall_sample=0)
    assert set(found.ledger["id"].to_pylist()) == removed
    assert (
        set(qc.dedup(rows[::-1], method="exact", exact=equality, recall_sample=0).ledger["id"].to_pylist()) == removed
    )


def test_an_unknown_equality_is_refused():
    with pytest.raises(qc.UsageError, match="raw, strict or loose"):
        qc.dedup(["a", "b"], exact="letters")
