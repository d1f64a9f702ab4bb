"""Covers: questions at the end of a text, phrasal verbs, exchanged parties in long texts and lists in another order.

Run: pytest tests/unit/differences/test_turned_statements.py
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import quchong
from quchong.differences import find_differences
from quchong.differences.phrasals import in_one_word, phrased_otherwise
from quchong.differences.windows import Window
from quchong.relations import ACCEPTED
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text import form

CHINESE = "会议记录显示，与会代表就下一阶段的工作安排交换了意见，并对道路、供水、供电等几个方面的进展逐一作了说明。" * 4
ENGLISH = (
    "The minutes show that members discussed the next stage of the work and heard reports on roads, water and power. "
    * 4
)


def conflicts(one: str, other: str) -> set[str]:
    """The kinds of facts in which two texts conflict, the same in both directions."""
    documents = Documents.from_texts(pa.array([one, other], pa.large_string()))
    mask = np.ones(2, bool)
    found = find_differences(form(), documents, np.array([0, 1]), np.array([1, 0]), mask, mask, 1)
    there, back = (
        {DIFFERENCES[k] for k in found.kind[a:b][found.conflict[a:b]].tolist()} - {"term"}
        for a, b in zip(found.offsets, found.offsets[1:], strict=False)
    )
    assert there == back
    return there


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("校长真的辞职了吗？", "校长真的辞职了！", True),
        ("今天停课吗？", "今天停课。", True),
        ("难道他是凶手？", "他是凶手。", True),
        ("明天放假么？", "明天放假！", True),
        ("今天停课吗？", "今天停课吗", False),
        ("今天停课了！", "今天停课了啊！", False),
        ("谁有这张高清图吗", "谁有这张高清图", False),  # without a mark either may be a question
        ("Did the bank raise the rate?", "The bank raised the rate.", True),
        ("Has the road been closed?", "The road has been closed.", True),
        ("What did the bank raise?", "What the bank did raise?", False),
    ],
)
def test_a_question_is_told_where_the_text_ends(one, other, apart):
    assert (conflicts(one, other) == {"modality"}) is apart
    if apart:
        assert quchong.compare(one, other).relation not in ACCEPTED


@pytest.mark.parametrize(
    ("before", "left", "right", "apart"),
    [
        ("The strike was called", " off", "", True),
        ("The men called the strike", " off", "", True),
        ("He logged", " in", " out", True),
        ("The bank paid", " off", "", False),  # paid off says what paid says
        ("He filled", " in", " out", False),
        ("They called off the strike. He called", "", "", False),
    ],
)
def test_words_behind_a_verb(before, left, right, apart):
    windows = [Window((before + said).lower(), len(before), len(before + said)) for said in (left, right)]
    assert phrased_otherwise(*windows) is apart
    assert phrased_otherwise(*windows[::-1]) is apart


def test_a_word_that_only_moved_is_no_other_verb():
    one, other = f"{ENGLISH}They called off the strike.", f"{ENGLISH}They called the strike off."
    assert not conflicts(one, other)


def test_a_phrasal_verb_is_read_as_one_word():
    assert in_one_word("she turned down it".split()) == ["she", "reject", "it"]
    assert in_one_word("she turned it down".split()) == "she turned it down".split()
    assert in_one_word("the sale went ahead".split()) == ["the", "sale", "proceed"]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("恒泰集团向永兴集团道歉。", "永兴集团向恒泰集团道歉。", True),
        ("老师起诉了校长。", "校长起诉了老师。", True),
        (
            "杜库雷说：“价格偏高。”费尔南德斯则说：“合同有效。”",
            "费尔南德斯说：“价格偏高。”杜库雷则说：“合同有效。”",
            True,
        ),
        ("材料可以复印，现场能够打印。", "材料能够复印，现场可以打印。", False),
        ("居民可以步行或能够骑车前往。", "居民能够步行或可以骑车前往。", False),
        ("买方与卖方签了合同。", "卖方与买方签了合同。", False),
        ("名单上有李四、张三两人。", "名单上有张三、李四两人。", False),
        ("张三和李四分别获得金牌和银牌。", "李四和张三分别获得金牌和银牌。", True),
        ("Mr. Novak sued Mr. Becker there.", "Mr. Becker sued Mr. Novak there.", True),
        ("Professor Novak and Professor Zimmerman signed.", "Professor Zimmerman and Professor Novak signed.", False),
        ("Dr. Novak met Dr. Becker there.", "Dr. Becker met Dr. Novak there.", False),
        ("The train from London to Leeds was late.", "The train from Leeds to London was late.", True),
    ],
)
def test_parties_of_a_long_text_changed_places(one, other, apart):
    text = ENGLISH if one.isascii() else CHINESE
    assert bool(conflicts(text + one, text + other)) is apart
    assert bool(conflicts(one + " " + text, other + " " + text)) is apart


@pytest.mark.parametrize(
    ("short", "long"), [("activated", "deactivated"), ("engaged", "disengaged"), ("formed", "informed")]
)
def test_a_prefix_that_may_negate_is_no_slip(short, long):
    from quchong.differences.slips import NONE, slip, slip_answers

    assert slip(short, long) == slip(long, short) == NONE
    assert slip_answers(pa.array([short, long])).tolist() == [NONE]


@pytest.mark.parametrize(("one", "other"), [("cancel", "cancelled"), ("travel", "travelling"), ("stop", "stopped")])
def test_a_doubled_consonant_ends_one_stem(one, other):
    from quchong.differences.english_terms import is_akin

    assert is_akin(one, other)
