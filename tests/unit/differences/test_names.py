"""Covers: names of persons, places and organisations at a difference, who wrote, short forms. Compared against: whom they name."""

import random

import numpy as np
import pytest

from quchong.differences.facts import contradiction, spoken_of
from quchong.differences.names import MEDIA, named_apart, names, short_form
from quchong.differences.windows import Window, windows


def at(text):
    before, _, rest = text.partition("[")
    stretch, _, after = rest.partition("]")
    return windows([before + stretch + after], [0], [len(before)], [len(before) + len(stretch)])[0]


def sides(text, other):
    before, _, rest = text.partition("[")
    return at(text), at(f"{before}[{other}]{rest.partition(']')[2]}")


def kind(text, other):
    """The kind of names that stand apart, whichever side is left."""
    left, right = sides(text, other)
    there, back = named_apart(*names([left, right])), named_apart(*names([right, left]))
    assert there == back
    return there


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("市长[李建国]出席了活动。", "王志强"), ("市长李建[国]出席了活动。", "军"), ("学生[张伟]获得了奖金。", "刘洋"), ("学生小[明]获得了奖金。", "红"),
        ("演员[欧阳]娜获得了奖金。", "司马"), ("副市长[何]平到场。", "陈"), ("总统[特朗普]发表了讲话。", "拜登"),
    ],
)  # fmt: skip
def test_persons(text, other):
    assert kind(text, other) == "person"


@pytest.mark.parametrize(("text", "other"), [("展览在[上海]举行。", "北京"), ("展览在[巴黎]举行。", "伦敦")])
def test_places(text, other):
    assert kind(text, other) == "place"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("项目由[教育]部负责。", "财政"), ("项目由市[教育局]负责。", "财政局"), ("项目由[工商]银行负责。", "建设"), ("项目由[清华]大学负责。", "复旦"),
    ],
)  # fmt: skip
def test_organisations(text, other):
    assert kind(text, other) == "organisation"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("活动由[王丽]主持。", "她"), ("展览在[上海]举行。", "这里"), ("展览在[上海]举行。", "上海市"), ("项目由[环保部]负责。", "环境保护部"),
        ("项目由环[保]部负责。", "境保护"), ("据[新华社]报道，活动结束。", "中新社"), ("据[新华网]消息，活动结束。", "人民网"), ("网页去[重]的方法。", "除"),
        ("大家[喜欢]它。", "需要"), ("老[师]们到场。", "人"),
    ],
)  # fmt: skip
def test_what_names_nobody_else(text, other):
    assert kind(text, other) is None


def test_names_of_many_windows_stand_with_their_window():
    texts = ["市长[李建国]出席了活动。", "", "没有[名字]的一句话。", "展览在[上海]举行。\n然后结束。"]
    together = names([at(text) for text in texts])
    assert together == [names([at(text)])[0] for text in texts]
    assert together[0]["person"] == {"李建国"} and together[3]["place"] == {"上海"} and not together[1]
    assert names([]) == []


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ({"person": {"张伟"}}, {"person": {"刘洋"}}, "person"), ({"person": {"张伟"}}, {"person": {"张伟明"}}, None),
        ({"person": {"张伟"}}, {}, None), ({}, {}, None), ({"place": {"上海"}}, {"place": {"北京"}}, "place"),
        ({"place": {"上海"}}, {"person": {"刘洋"}}, None), ({"organisation": {"教育部"}}, {"place": {"北京"}}, "organisation"),
        ({"organisation": {"环保部"}}, {"organisation": {"环境保护部"}}, None), ({"organisation": {"新华社"}}, {"organisation": {"中新社"}}, None),
        ({"person": {"张伟"}}, {"perhaps a person": {"高峰"}}, "person"), ({"perhaps a person": {"高峰"}}, {"perhaps a person": {"于是"}}, None),
    ],
)  # fmt: skip
def test_names_apart(left, right, found):
    assert named_apart(left, right) == named_apart(right, left) == found


@pytest.mark.parametrize(
    ("a", "b", "short"),
    [
        ("环保部", "环境保护部", True),
        ("发改委", "发展改革委员会", True),
        ("北大", "北京大学", True),
        ("教育部", "财政部", False),
        ("部环", "环保部", False),
    ],
)
def test_short_forms(a, b, short):
    assert short_form(a, b) == short_form(b, a) == short


@pytest.mark.parametrize("name", ["新华社", "人民网", "云河日报", "本报讯", "云河电视台", "云河新闻", "本网"])
def test_media(name):
    assert MEDIA.search(name)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("（记者[李建国]）活动结束", True), ("（记者 [李建国]）活动结束", True), ("责任编辑：[李建国]", True), ("作者：[李建国]", True), ("摄影[李建国]", True),
        ("（[记者李建国]）活动结束", True), ("[云河]日报报道", True), ("新华社[云河]3月5日电", True), ("[云河]3月5日电", True), ("来源：[新浪]网", True),
        ("市长[李建国]到场", False), ("[云河]社会稳定", False), ("在[云河]3月5日举行", False), ("[云河]报名", False), ("记者采访了几位市民和[李建国]", False),
    ],
)  # fmt: skip
def test_who_wrote_and_from_where(text, spoken):
    assert spoken_of(at(text)) == spoken


@pytest.mark.parametrize(
    ("text", "other", "found"),
    [
        ("来了[5]人。", "6", ("figure", True)), ("来了[5]人。", "五", ("figure", False)), ("来了[1.2万]人。", "12000", ("figure", False)),
        ("在3月[5]日开。", "6", ("date", True)), ("在[3月]5日开。", "", ("date", False)), ("在[5]日开。", "昨", ("date", False)),
        ("乘MH[370]去。", "371", ("code", True)), ("乘[mh370]去。", "MH370", None), ("来了[许多]人。", "不少", None),
        ("来了[]人。", "5", None), ("来了1[]人。", "0", ("figure", True)), ("云河3月[5]日电", "6", ("date", False)), ("发布时间：2020-03-[05]", "06", ("date", False)),
        ("在[今]日开。", "明", ("date", True)), ("在[今]日开。", "昨", ("date", False)),
    ],
)  # fmt: skip
def test_figures_that_contradict_at_a_difference(text, other, found):
    left, right = sides(text, other)
    assert contradiction(left, right) == contradiction(right, left) == found


SENTENCES = [
    "市长李建国在上海市出席了清华大学的活动，欧阳娜获得奖金。", "副市长何平到场，总统特朗普发表讲话，据新华社报道。", "项目由市教育局负责，工商银行和三星公司参加。",
    "老师们和来宾向司马先生提出三个问题，王某没有回答。", "北京医院的张伟说，环保部已经通知了发改委。", "Mr. 陈 went to 广州 with Li Ming, 法院没有受理。",
]  # fmt: skip


def test_stretches_passed_by_have_no_part_in_a_name(monkeypatch):
    rng = random.Random(11)
    sides = []
    for _ in range(1500):
        text = rng.choice(SENTENCES)
        a, b = sorted(rng.choices(range(len(text) + 1), k=2))
        sides.append(Window(text, a, min(b, a + rng.randint(0, 9))))
    told = names(sides)
    assert 0.2 < np.mean([bool(one) for one in told]) < 0.95
    monkeypatch.setattr("quchong.differences.names._perhaps", lambda *columns: np.ones(len(columns[-1]), bool))
    assert names(sides) == told
