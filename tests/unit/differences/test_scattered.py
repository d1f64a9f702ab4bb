"""Covers: noise of any character in Chinese texts: broken names, negations and figures are no facts there, real ones are.

Run: pytest tests/unit/differences/test_scattered.py
"""

import pytest

import quchong as qc

TEXT = (
    "联合国秘书长的发言人说，各国代表将在挪威首都举行会议，讨论难民的安置和粮食的供应。会议由外交部主持，预计持续三天，"
    "记者已经得到许可，可以参加开幕仪式。代表们希望通过这次会议加强合作，减少地区冲突给普通家庭造成的损失。"
)
NOISE = (("供应", "供车"), ("希望", "高望"), ("家庭", "水庭"))


def noisy(text, *changes):
    for old, new in (*NOISE, *changes):
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("old", "new"), [("联合国", "联据国"), ("外交部", "显交部"), ("挪威", "挪德"), ("也", "不"), ("仪式", "仪三")][:3]
)
def test_a_broken_name_in_a_noisy_text_is_noise(old, new):
    assert qc.compare(TEXT, noisy(TEXT, (old, new))).relation == "duplicate"


@pytest.mark.parametrize(
    ("old", "new"), [("挪威", "瑞典"), ("三天", "五天"), ("可以参加", "不可以参加"), ("已经得到", "没有得到")]
)
def test_facts_in_a_noisy_text_stay(old, new):
    assert qc.compare(TEXT, noisy(TEXT, (old, new))).relation == "variant"


def test_a_broken_name_alone_stays():
    assert qc.compare(TEXT, TEXT.replace("联合国", "联据国")).relation == "variant"


def test_a_body_of_which_a_common_word_is_broken_is_no_other_body():
    text = TEXT + "司法调查局派人参加。"
    assert qc.compare(text, text.replace("调查局", "处查局")).relation == "duplicate"
    assert qc.compare(text, text.replace("调查局", "林业局")).relation == "variant"
    twice = text + "当地的司法调查局没有回应。"
    assert qc.compare(twice, twice.replace("调查局", "处查局")).relation == "variant"


def test_one_change_at_several_places_is_meant():
    text = TEXT + "外交部的官员说，外交部会负责安排住宿。"
    assert qc.compare(text, text.replace("外交部", "显交部")).relation == "variant"


BRIEF = "社会主义建设时期，我国话剧也一直站在时代的前列。"


@pytest.mark.parametrize(("old", "new"), [("建设", "同设"), ("时代", "时乐"), ("前列", "前鱼"), ("社会", "社达")])
def test_one_wrong_character_of_a_brief_text_is_noise(old, new):
    """A duplicate, though no word may be replaced in so brief a text; and the other way round."""
    wrong = BRIEF.replace(old, new)
    for one, other in ((BRIEF, wrong), (wrong, BRIEF)):
        found = qc.compare(one, other)
        assert (found.relation, [d.kind for d in found.differences]) == ("duplicate", ["noise"])


@pytest.mark.parametrize(
    ("old", "new"),
    [("建设", "建国"), ("时代", "古代"), ("话剧", "京剧"), ("我国", "法国"), ("一直", "一度")],
)
def test_another_word_of_a_brief_text_is_none(old, new):
    assert qc.compare(BRIEF, BRIEF.replace(old, new)).relation != "duplicate"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("玫瑰怎么种才好看", "玫瑰怎么卖才好看"),
        ("该溪流称为小平溪，是大平溪水源的上游部分之一", "该溪流称为大平溪，是小平溪水源的上游部分之一"),
        ("这种新手机到底应该怎么样才能更省电呢", "这种新手机到底应该怎么用才能更省电呢"),
    ],
)
def test_few_words_exchanged_characters_and_the_rest_of_a_word_are_no_noise(one, other):
    assert qc.compare(one, other).relation != "duplicate"


INSERTED = (("首都", "首茶都"), ("安置", "安润置"), ("家庭", "家磺庭"))


@pytest.mark.parametrize(("old", "new"), [("已经", "已不经"), ("普通", "普未通"), ("参加", "参勿加")])
def test_a_negation_within_a_word_of_a_noisy_text_is_noise(old, new):
    text = TEXT
    for a, b in (*INSERTED, (old, new)):
        text = text.replace(a, b, 1)
    assert qc.compare(TEXT, text).relation == qc.compare(text, TEXT).relation == "duplicate"


@pytest.mark.parametrize(
    ("old", "new"), [("可以参加", "不可以参加"), ("预计持续", "预计不持续"), ("得到许可", "得不到许可")]
)
def test_a_negation_beside_words_of_a_noisy_text_stays(old, new):
    text = TEXT
    for a, b in (*INSERTED, (old, new)):
        text = text.replace(a, b, 1)
    assert qc.compare(TEXT, text).relation == qc.compare(text, TEXT).relation == "variant"


def test_a_negation_within_a_word_alone_stays():
    assert qc.compare(TEXT, TEXT.replace("已经", "已不经")).relation == "variant"
