"""Reprints of one text under many sources are copies, not records on a template, and records that name a source are records.

Covers: quchong.decision.reprints, quchong.differences.reprinted, the frames that they leave out. Compared against: the number of texts made.
Run: pytest tests/unit/engines/test_reprints.py
"""

import random

import pytest

import quchong as qc

ARTICLE = (
    "清晨的雾还没有散，村口的果园里已经忙碌起来。五十多岁的果农蹲在树下，仔细查看滴灌管上的小孔有没有堵住。"
    "他告诉来访的人，过去浇一遍水要三天，如今拧开阀门，两个小时就够了。变化是从前年开始的，村里请来农校的老师，"
    "挨家挨户看土、看根、看水。如今村里又商量着修一座小冷库，好让果子错开上市的日子。"
)
ENGLISH = (
    "The clock in the tower of the corn exchange has been stopped so that its movement can be taken apart and cleaned. "
    "It is the first thorough overhaul since the mechanism was installed, and it will take about four months. Until then "
    "the hands will stand at noon, and the bell will be rung by hand on market days."
)
PAPERS = [a + b for a in "北京 上海 广州 武汉 成都 西安 南京 杭州".split() for b in "日报 晚报 在线 新闻网".split()]
ENGLISH_PAPERS = [
    f"{a} {b}" for a in "Boston Denver Leeds Dublin Perth Lyon".split() for b in "Herald Times Post Gazette".split()
]
PEOPLE = [f"{a} {b}" for a in "Anna John Mary Peter Lucy Tom".split() for b in "Smith Jones Brown Miller".split()]
NAMES = [a + b for a in "王李张刘陈杨" for b in ("伟明", "芳", "建国", "丽", "强")]


def day(dice):
    return f"2022年{dice.randint(1, 12)}月{dice.randint(1, 28)}日"


FORMS = {
    "source above": lambda dice: f"来源：{dice.choice(PAPERS)}\n{ARTICLE}",
    "source and day above": lambda dice: f"来源：{dice.choice(PAPERS)} {day(dice)}\n{ARTICLE}",
    "source below": lambda dice: f"{ARTICLE}\n（来源：{dice.choice(PAPERS)}）",
    "author above": lambda dice: f"作者：{dice.choice(NAMES)}\n{ARTICLE}",
    "reporter below": lambda dice: f"{ARTICLE}（本报记者 {dice.choice(NAMES)}）",
    "editor below": lambda dice: f"{ARTICLE}\n责任编辑：{dice.choice(NAMES)}",
    "English source above": lambda dice: f"Source: {dice.choice(ENGLISH_PAPERS)}\n{ENGLISH}",
    "English author above": lambda dice: f"By {dice.choice(PEOPLE)}\n{ENGLISH}",
    "English source below": lambda dice: (
        f"{ENGLISH}\n(This article first appeared in the {dice.choice(ENGLISH_PAPERS)}.)"
    ),
    "English paper and day": lambda dice: (
        f"{dice.choice(ENGLISH_PAPERS)}, {dice.randint(1, 28)}/{dice.randint(1, 12)}/2022\n{ENGLISH}"
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [5, 40, 150])
def test_one_of_all_reprints_is_kept(form, count):
    dice = random.Random(count)
    rows = [{"id": i, "text": FORMS[form](dice)} for i in range(count)]
    result = qc.dedup(rows, recall_sample=0)
    assert len(result.ledger) == count - 1
    assert not len(result.templates)


RECORDS = {
    "post": lambda dice, i: (
        f"本公司现招聘{TRADES[i]}{dice.randint(2, 9)}名，要求吃苦耐劳，身体健康，有一年以上工作经验者优先，工作地点在{PAPERS[i][:2]}。来源：{dice.choice(PAPERS)}"
    ),
    "topic": lambda dice, i: (
        f"Write a short and friendly article for beginners about {TOPICS[i]}, with one example.\nBy {dice.choice(PEOPLE)}"
    ),
}
TRADES = "电工 焊工 司机 会计 厨师 保安 文员 翻译 裁缝 木工 瓦工 护士 教师 律师 店员 导游 钳工 车工 客服 前台".split()
TOPICS = (
    "gardening knitting sailing baking painting chess running pottery cycling astronomy fishing skiing weaving "
    "archery juggling calligraphy beekeeping birdwatching carpentry origami"
).split()


@pytest.mark.parametrize("kind", RECORDS)
def test_records_that_name_a_source_are_kept(kind):
    dice = random.Random(4)
    rows = [{"id": i, "text": RECORDS[kind](dice, i)} for i in range(20)]
    result = qc.dedup(rows, recall_sample=0)
    assert not len(result.ledger)
    assert len(result.templates) == 1


def test_posts_passed_on_by_other_readers_are_copies():
    dice = random.Random(6)
    rows = [
        {"id": i, "text": f"RT @reader{i + 10}: {ENGLISH} {dice.choice(['', 'Tell your friends.'])}"} for i in range(30)
    ]
    assert len(qc.dedup(rows, recall_sample=0).ledger) == 29


def test_accounts_that_a_text_names_tell_apart():
    text = "Please send your order for the spring catalogue to the account @{} before the end of the week, and wait for our answer. We open every day at nine in the morning, and somebody will write to you within two days."
    assert qc.compare(text.format("shop17"), text.format("shop52")).relation == "variant"
