"""Covers: another content word as a difference: told by default, decided by `facts="any"` and by the preset strict in short texts; its count
in run.json; the same by compare, dedup, dedup --per and rethreshold.

Run: pytest tests/unit/engines/test_term_decisions.py
"""

from __future__ import annotations

import pytest

import quchong as qc

ABOUT = "{}患者应当注意休息，保持心情舒畅，饮食宜清淡，忌烟酒辛辣，按时服药，定期到医院复查，如出现不适症状应及时就医，切勿自行停药或更改药量。"
ILL = [ABOUT.format(word) for word in ("感冒", "肺炎")]
LONG = "会议由主任主持，各科室负责人参加，与会者先后发言，就冬季安排、值班、物资储备以及经费使用作了部署。"
MANY = [f"{text}\n{LONG}{LONG[::-1]}{LONG[::2]}{LONG[1::2]}" for text in ILL]


def rows(texts):
    return [{"id": str(k), "text": text, "site": "a"} for k, text in enumerate(texts)]


def test_a_term_is_told_and_decides_nothing_by_default():
    found = qc.compare(*ILL)
    assert (found.relation, found.facts) == ("duplicate", ("term",))
    assert found.differing() == "term 感冒 → 肺炎" and found.differing("zh") == "用词 感冒 → 肺炎"
    result = qc.dedup(rows(ILL))
    assert result.counts["removed"] == 1 == result.counts["other_terms"]
    assert result.ledger["facts"].to_pylist() == [["term"]]
    assert "removed, one content word differs 1, each differs from its survivor in one content word" in " ".join(
        result.summary().split()
    )


@pytest.mark.parametrize(
    ("asked", "apart"),
    [({"facts": "any"}, True), ({"facts": "term"}, True), ({"facts": "figure"}, False), ({"facts": "keep"}, False),
     ({"preset": "strict"}, True), ({"preset": "strict", "facts": "figure"}, False)],
)  # fmt: skip
def test_what_is_asked_for_decides(asked, apart):
    relation = "variant" if apart else "duplicate"
    assert qc.compare(*ILL, **asked).relation == relation
    assert qc.dedup(rows(ILL), **asked).counts["removed"] == int(not apart)
    assert qc.dedup(rows(ILL), per="site", **asked).counts["removed"] == int(not apart)
    if "preset" not in asked:
        again = qc.dedup(rows(ILL)).rethreshold(**asked)
        assert again.counts["removed"] == int(not apart) == again.counts["other_terms"]


def test_strict_counts_terms_in_short_texts_alone():
    assert qc.compare(*MANY, preset="strict").relation == "duplicate"
    assert qc.compare(*MANY, facts="any").relation == "variant"


def test_any_stands_alone():
    with pytest.raises(qc.UsageError, match="keep, remove and any must be used alone"):
        qc.compare(*ILL, facts="any,figure")
