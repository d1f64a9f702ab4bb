"""Covers: `compare` of two texts says what a run over the two says, for every method and for a method of a package.

The texts are odd on purpose: one letter over and over, sentences many times, a few characters, nothing but other words.
"""

import sys

import pytest
from method_kinds import of_each_kind
from method_package import CODE, PROJECT, installed

import quchong as qc
from quchong.relations import DUPLICATE, MIRROR, PARTIAL

NEWS = "云河市召开会议，共有2人参加，会议持续三天，讨论了城市轨道交通建设、教育改革和医疗保障等多个议题。市长在会上强调，要加快推进重点项目。"
OTHER = "今天下午的天气转晴，气温回升到二十度左右，市民纷纷走出家门，到公园里散步和锻炼身体。"
ENGLISH = (
    "The council met on Monday to discuss the new bridge. It will cost four million pounds. Work begins in spring."
)
PAIRS = [
    ("哈" * 50, "哈" * 100), (NEWS, NEWS.replace("加快", "大力")), (NEWS * 3, NEWS * 9), (NEWS, NEWS + OTHER), (NEWS, OTHER),
    ("你好世界", "你好呀世界"), ("好", "好好"), (ENGLISH, ENGLISH.replace("spring", "autumn")),
    ("。".join(["一二三四"] * 20), "。".join(["一二三四"] * 60)), ("评级AA+", "评级AA-"),
]  # fmt: skip


def by_run(left, right, **options):
    """Relation and rule of the pair in a run over the two texts; no relation for a pair that is not listed."""
    rows = [{"id": "a", "text": left}, {"id": "b", "text": right}]
    found = qc.dedup(rows, recall_sample=0, workers=1, **options).examined_pairs.to_pylist()
    if not found:
        return "none", None
    (pair,) = found
    relation = pair["relation"] if pair["left_id"] == "a" else MIRROR.get(pair["relation"], pair["relation"])
    return relation, pair["rule"]


@pytest.mark.parametrize("name", of_each_kind())
def test_a_pair_is_the_same_in_a_run(name):
    for left, right in PAIRS:
        asked, (relation, rule) = qc.compare(left, right, method=name), by_run(left, right, method=name)
        assert asked.relation == relation, (left, right, asked)
        assert rule in (None, asked.rule), (left, right, asked)
        assert asked.relation_if_found is None or relation == "none"


def test_a_pair_that_no_run_finds_is_told_with_the_relation_it_would_have(tmp_path, monkeypatch):
    installed(tmp_path, PROJECT, {"quchong_opening": CODE})
    monkeypatch.syspath_prepend(str(tmp_path))
    options = {"method": "opening", "width": 8, "threshold": 0.5}
    left, right = NEWS + OTHER, "本报讯：" + NEWS + OTHER
    asked = qc.compare(left, right, **options)
    assert (asked.relation, asked.rule, asked.relation_if_found) == ("none", "no key in common", DUPLICATE)
    assert by_run(left, right, **options) == ("none", None)
    assert asked.as_dict()["relation_if_found"] == DUPLICATE
    seen = qc.inspect(left, right, **options)
    assert seen.comparison == asked
    assert "a run does not find this pair: no key in common. If a run found this pair: duplicate" in seen.text("en")
    assert "实际运行时找不到这一对（没有共同的键）；假如找到，关系为近似重复" in seen.text("zh")
    assert qc.compare(left, left + right[:20], **options).relation_if_found is None
    sys.modules.pop("quchong_opening", None)


def test_texts_that_repeat_themselves_are_found():
    for left, right in (("哈" * 50, "哈" * 100), ("哈哈嘿" * 20, "哈哈嘿" * 40), ("ha ha ha " * 30, "ha ha ha " * 70)):
        for method in ("hybrid", "short-text"):
            assert by_run(left, right, method=method)[0] not in ("none", PARTIAL), (left, method)
