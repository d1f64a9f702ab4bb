"""Covers: a figure replaced beside an insertion: which figures stand in one slot, in texts of every length, contained or not, and what is no
other figure: the old one stays, or one side has none.

Compared against: tokens written by hand; what the sentences mean.
"""

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.differences.edits import NUMBER_TOKEN
from quchong.differences.find import find_differences
from quchong.differences.slots import FRAME as EQUAL
from quchong.differences.slots import words_of_slots
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import slots
from quchong.kernels.text import tokenise
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text import form

NONE = [0xFFFFFFFF] * 4


def tokens(text):
    """Tokens of a text, and the text of each for people."""
    return tokenise(form(), pa.array([text], pa.large_string()), workers=1).docs.tokens.tolist()


def slot(few, many, near, around, longest=256):
    """What the kernel finds in an edit: `near` stand before and behind it, 0 where the texts begin or end."""
    sides = [[t for t in (near[0], *side, near[1]) if t] for side in (few, many)]
    docs = Ragged(np.array(sides[0] + sides[1], np.uint32), np.array([0, len(sides[0]), len(sides[0] + sides[1])]))
    ahead = int(near[0] != 0)
    places = [[ahead, ahead + len(few), ahead, ahead + len(many)]]
    words, one = words_of_slots(form().tables), [0]
    (cut,) = slots(
        docs, docs, [0], [1], one, places, [around[0]], [around[1]], words, EQUAL, longest, workers=1
    ).tolist()
    return None if cut == NONE else tuple(cut)


@pytest.mark.parametrize(
    ("few", "many", "near", "cut"),
    [
        ("4.80元", "47.30元其中6.0元可用", "为登", (0, 2, 0, 2)),  # the edit begins with it
        ("4.80", "47.30元其中6.0", "为元", (0, 1, 0, 1)),
        ("为4.80元", "现为47.30元其中6.0元可用", "额登", (1, 3, 2, 4)),  # 为 and 元
        ("4.80元", "话费6.0元和余额47.30元", "额登", (0, 2, 7, 9)),  # 额 and 元
        ("三人", "十二人其中两人来自外地", "有报", (0, 2, 0, 2)),
        ("4.80元", "47.30元其中4.80元可用", "为登", None),  # the old figure stays
        ("4.80元", "其中可用于抵扣", "为登", None),
        ("4.80元", "其中6.0角可用", "为登", None),  # another slot
        ("3月5日", "4月6日电记者从会上了解到共有5", "于开", None),  # days
        ("5日", "6人参加其中", "月开", None),
    ],
)  # fmt: skip
def test_figures_in_one_slot(few, many, near, cut):
    before, behind = (tokens(c)[0] for c in near)
    assert slot(tokens(few), tokens(many), (before, behind), (9, 9)) == cut


def test_an_edge_of_a_text_is_no_slot():
    assert slot([NUMBER_TOKEN + 1], [NUMBER_TOKEN + 2, 5, 6], (0, 9), (16, 9)) is None
    assert slot([NUMBER_TOKEN + 1], [NUMBER_TOKEN + 2, 5, 6], (8, 9), (1, 9)) is None
    assert slot([NUMBER_TOKEN + 1], [NUMBER_TOKEN + 2, 5, 6], (8, 9), (2, 9)) == (0, 1, 0, 1)
    # What was not gone through to its end has no end.
    many = [5, 8, NUMBER_TOKEN + 2]
    assert slot([8, NUMBER_TOKEN + 1], many, (7, 9), (2, 9)) == (1, 2, 2, 3)
    assert slot([8, NUMBER_TOKEN + 1], [*many, 77], (7, 9), (2, 9), longest=3) is None


FRAME = "尊敬的客户您好，截至昨日二十四时，您的{}。登录网上营业厅充值更优惠，感谢您一直以来的支持，祝您生活愉快。{}"
LONGER = (
    "本公司的营业厅遍布全市各个街道，周末照常营业，欢迎您携带有效证件前来办理各项业务，也可以拨打客服热线咨询。" * 6
)
CLAUSE = "，其中{}元只能用来抵扣通话费以外的其他各项消费，另有{}元将于年底到期"
ENGLISH = "Dear customer, the balance of your account on Monday was {} and you can pay in any shop. Thank you for being with us all these years.{}"
PAY = ", of which {} can only be used for calls within the country and {} run out at the end of the year"


@pytest.mark.parametrize("more", ["", LONGER])
@pytest.mark.parametrize(
    ("old", "new"), [("4.80元", "47.30元"), ("48元", "47元"), ("三百元", "五百元"), ("1.2万元", "3万元")]
)
def test_a_figure_replaced_beside_a_clause_is_another_figure(old, new, more):
    left = FRAME.format(f"账户余额为{old}", more)
    right = FRAME.format(f"账户余额为{new}" + CLAUSE.format("6.0", "2.5"), more)
    kept = FRAME.format(f"账户余额为{old}" + CLAUSE.format("6.0", "2.5"), more)
    for one, other in ((left, right), (right, left)):
        said = qc.compare(one, other)
        assert said.relation == "variant" and said.facts == ("figure",), said
        (found,) = (d for d in said.differences if d.conflict)
        assert {found.left, found.right} == {old, new}
        assert not len(qc.dedup([one, other], recall_sample=0).removed)
    assert len(qc.dedup([left, kept], recall_sample=0).removed) == 1
    assert not qc.compare(left, kept).facts


@pytest.mark.parametrize(
    "more", ["", " We wrote to all customers in March, and our shops are open at weekends too." * 6]
)
def test_the_same_in_english(more):
    left, right = ENGLISH.format("$4.80", more), ENGLISH.format("$47.30" + PAY.format("$6.00", "$2.50"), more)
    kept = ENGLISH.format("$4.80" + PAY.format("$6.00", "$2.50"), more)
    for one, other in ((left, right), (right, left)):
        assert qc.compare(one, other).facts == ("figure",)
        assert not len(qc.dedup([one, other], recall_sample=0).removed)
    assert len(qc.dedup([left, kept], recall_sample=0).removed) == 1


ADDED = [
    (
        "会议在云河市举行",
        "会议在云河市举行，来自12个国家的300多名代表参加了开幕式和为期两天的各场分论坛",
    ),  # on one side only
    (
        "本报3月5日电 会议在云河市举行",
        "本报云河3月6日电（记者陈思远 通讯员李明 实习生王小雨 摄影报道 编辑周文）会议在云河市举行",
    ),  # a dateline
    ("会议在云河市举行", "会议在云河市举行。扫码下载客户端，新用户立减20元，满100元再减30元，活动截至本月底，先到先得"),
    ("有12人参加", "有12人参加，其中3人来自外地的学校，另有5人因为材料不全没有能够通过初审"),
    ("有1.2万人参加", "有12000人参加，其中3000人来自外地的学校，另有500人因为材料不全没有能够通过初审"),
]


@pytest.mark.parametrize(("left", "right"), ADDED)
def test_a_clause_with_figures_of_its_own_is_no_other_figure(left, right):
    frame = "{}。与会各方围绕沿江地区的生态保护和产业发展交换了意见，并参观了新建成的湿地公园。工作人员介绍说，河边的步道还在修建。"
    said = qc.compare(frame.format(left), frame.format(right))
    assert not said.facts and said.relation in ("duplicate", "contained_in"), said
    assert len(qc.dedup([frame.format(left), frame.format(right)], recall_sample=0).removed) == 1


def test_what_is_left_of_a_cut_edit_is_told_and_counted():
    left = FRAME.format("账户余额为4.80元", "")
    right = FRAME.format("账户余额为47.30元" + CLAUSE.format("6.0", "2.5"), "")
    every = np.ones(2, bool)
    documents = Documents.from_texts(pa.array([left, right], pa.large_string()))
    found = find_differences(form(), documents, np.array([0, 1]), np.array([1, 0]), every, every, 1)
    assert found.offsets.tolist() == [0, 2, 4]
    assert [DIFFERENCES[k] for k in found.kind.tolist()] == ["figure", "wording"] * 2
    for k, pair in enumerate(found.pair.tolist()):
        a0, a1, b0, b1 = found.places[k].tolist()
        one, other = (left, right) if pair == 0 else (right, left)
        assert (found.left[k].as_py(), found.right[k].as_py()) == (one[a0:a1], other[b0:b1])
    assert found.unexplained[0] == found.unexplained[1] > 20  # the tokens of the clause count as what was replaced
