"""Covers: modality as a kind of fact: which words exclude each other, cut words, rewritten clauses, English verbs in another form; posts.

Run: pytest tests/unit/differences/test_modality.py
"""

from __future__ import annotations

import random

import pytest

import quchong as qc
from quchong.differences.dictionaries import modalities
from quchong.differences.modality import modality_differs
from quchong.differences.windows import Window

CHINESE = "公司决定，上述人员{}在六月底之前完成培训并通过考核，各部门负责人要认真做好组织工作，确保生产秩序不受影响，培训期间工资照发，考核成绩计入档案。"
ENGLISH = (
    "The commission said on Monday that the two firms {} their talks on the merger, that the regulators were told about it, and that a report on the "
    "market for steel would follow in the course of the year for all members of the association."
)


@pytest.mark.parametrize(
    ("one", "other"),
    [("必须", "可以"), ("将", "已"), ("可能", "必然"), ("拟", "已"), ("有望", "已经"), ("可以", "必须"), ("将要", "已经"), ("拟", "已成功"), ("可能", "已"),
     ("正在", "已经"), ("即将", "已")],
)  # fmt: skip
def test_chinese_modality_is_a_fact(one, other):
    found = qc.compare(CHINESE.format(one), CHINESE.format(other))
    assert (found.relation, found.facts) == ("variant", ("modality",))
    assert qc.compare(CHINESE.format(one), CHINESE.format(other), facts="figure").relation == "duplicate"


@pytest.mark.parametrize(
    ("one", "other"),
    [("已", "已经"), ("将", "拟"), ("可能", "也许"), ("必须", "务必"), ("应该", "应当"), ("必须", ""), ("可以", "能够"), ("将", "将会"),
     ("必须抓紧时间尽早", "可以根据自己的情况")],
)  # fmt: skip
def test_the_same_modality_and_a_rewritten_clause_are_no_conflict(one, other):
    assert "modality" not in qc.compare(CHINESE.format(one), CHINESE.format(other)).facts


@pytest.mark.parametrize(
    ("one", "other"),
    [("must resume", "may resume"), ("will resume", "may resume"), ("will resume", "have resumed"), ("are expected to resume", "are forced to resume"),
     ("plan to resume", "have to resume"), ("can resume", "must resume"), ("are likely to resume", "are certain to resume")],
)  # fmt: skip
def test_english_modality_is_a_fact(one, other):
    assert "modality" in qc.compare(ENGLISH.format(one), ENGLISH.format(other)).facts


@pytest.mark.parametrize(
    ("one", "other"),
    [("will resume", "would resume"), ("may resume", "might resume"), ("are expected to resume", "are likely to resume"), ("have resumed", "had resumed"),
     ("will resume", "may break off"), ("plan to resume", "intend to resume")],
)  # fmt: skip
def test_english_words_that_say_the_same(one, other):
    assert "modality" not in qc.compare(ENGLISH.format(one), ENGLISH.format(other)).facts


def test_a_word_that_the_alignment_cuts():
    assert modality_differs(Window("人员可能在", 3, 4), Window("人员可将在", 3, 4)) is False
    assert modality_differs(Window("现正在转往", 1, 3), Window("现已经转往", 1, 3))
    assert not modality_differs(Window("将军说", 0, 2), Window("已经说", 0, 2))


def test_words_have_known_classes():
    classes = frozenset[str]().union(*modalities().values())
    assert classes == {
        "must",
        "ought",
        "exempt",
        "forbidden",
        "may",
        "possible",
        "certain",
        "future",
        "plan",
        "now",
        "done",
    }


def test_posts_of_which_there_is_one_are_persons():
    text = "本报讯 公司{}王建国在会议上表示，市民对此表示支持，今年将继续扩大投资规模，加强技术创新，提升产品质量，增加就业岗位。"
    assert qc.compare(text.format("董事长"), text.format("总经理")).facts == ("person",)
    assert qc.compare(text.format("科长"), text.format("主任")).facts == ()


def test_stretches_without_a_character_of_modality_are_told_without_a_look_at_their_words(monkeypatch):
    """The shortcut answers as the rest does: where it is off, no pair of stretches is another one."""
    rng = random.Random(5)
    letters = "可以必须能将已经非去不可要应当会建设成了在还准备禁止许"
    windows = []
    for _ in range(1500):
        sides = []
        for _ in range(2):
            before, stretch, behind = ("".join(rng.choices(letters, k=k)) for k in (3, rng.randint(0, 4), 3))
            sides.append(Window(before + stretch + behind, 3, 3 + len(stretch)))
        windows.append(sides)
    told = [modality_differs(*sides) for sides in windows]
    monkeypatch.setattr("quchong.differences.modality._characters", lambda: frozenset(letters))
    assert told == [modality_differs(*sides) for sides in windows]
    assert sum(told) > 5
