"""Covers: another content word as a kind of difference: Chinese and English words, slips that make words, synonyms, forms, rewritten and noisy
pairs; the lexicon of synonyms.

Run: pytest tests/unit/differences/test_terms.py
"""

from __future__ import annotations

import numpy as np
import pytest

import quchong as qc
from quchong.differences.synonyms import are_synonyms, base_of, is_listed, known_bigrams

CHINESE = "报告谈到{}的情形，并且列出了处理的步骤，要求各地在月底之前把结果报上来，逾期不报的要说明原因，由办公室负责汇总，然后向社会公布。"
ENGLISH = (
    "The commission wrote in its report that the {} of the region had changed, that regulators were told about it in time, and that "
    "further studies of the market for steel would follow in the course of the year for all members of the association."
)


def kinds(one, other):
    return {d.kind for d in qc.compare(one, other).differences}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("感冒", "肺炎"),
        ("高血压", "腹泻"),
        ("小麦", "玉米"),
        ("盗窃", "诈骗"),
        ("货款", "贷款"),
        ("食用", "使用"),
        ("篮球", "羽毛球"),
        ("猫", "狗"),
    ],
)
def test_another_chinese_word(one, other):
    found = qc.compare(CHINESE.format(one), CHINESE.format(other))
    assert (found.relation, found.facts) == ("duplicate", ("term",))
    assert [d.conflict for d in found.differences] == [True]
    assert qc.compare(CHINESE.format(one), CHINESE.format(other), facts="any").relation == "variant"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("账户", "帐户"),
        ("医生", "大夫"),
        ("妻子", "老婆"),
        ("组织", "祖织"),
        ("高血压", "高血压病"),
        ("土豆", "马铃薯"),
        ("秩序", "秩叙"),
        ("", "其中"),
    ],
)
def test_chinese_words_that_say_the_same(one, other):
    assert "term" not in kinds(CHINESE.format(one), CHINESE.format(other))


@pytest.mark.parametrize(
    ("one", "other"), [("climate", "harbour"), ("exports", "prisons"), ("counties", "bridges"), ("wheat", "tobacco")]
)
def test_another_english_word(one, other):
    assert qc.compare(ENGLISH.format(one), ENGLISH.format(other)).facts == ("term",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("export", "exports"),
        ("economy", "economies"),
        ("harbour", "habrour"),
        ("car", "automobile"),
        ("help", "aid"),
        ("purchase", "purchasing"),
    ],
)
def test_english_words_that_say_the_same(one, other):
    assert "term" not in kinds(ENGLISH.format(one), ENGLISH.format(other))


def test_kinds_that_move_are_no_terms_and_names_are_persons():
    assert kinds(CHINESE.format("王建国"), CHINESE.format("李志强")) == {"person"}


def test_what_decides_by_default_is_as_without_terms():
    slip = qc.compare(CHINESE.format("货款"), CHINESE.format("贷款"))
    assert slip.measures["unexplained"] == 0 and slip.measures["aligned_left"] == 1.0


def test_the_lexicon():
    assert are_synonyms("医生", "大夫") and not are_synonyms("感冒", "肺炎")
    assert are_synonyms("buy", "purchases") and not are_synonyms("county", "country")
    assert (base_of("cities"), base_of("merges"), base_of("qwzx")) == ("city", "merge", "")
    assert is_listed("糖尿病") and is_listed("bridges") and not is_listed("祖织")
    first, second = (np.array([ord(c)], np.uint32) for c in "贷款")
    assert known_bigrams().has(first, second).tolist() == [True]
