"""Covers: exact copies and who meets whom (`quchong.decision.classes`, `quchong.engines.local.candidates`)."""

import pytest

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


def test_exact_copies_within_a_window_are_exact_for_every_method():
    day = 86400
    rows = [{"id": str(i), "text": t, "time": i * 3 * day} for i, t in enumerate([SPRING] * 4)]
    for method in ("hybrid", "exact", "minhash"):
        result = qc.dedup(rows, within="7d", method=method)
        assert {p["relation"] for p in result.pairs.to_pylist()} == {"exact"}
        assert {(p["left_id"], p["right_id"]) for p in result.pairs.to_pylist()} == {
            ("0", "1"), ("0", "2"), ("1", "2"), ("1", "3"), ("2", "3"),
        }  # fmt: skip
    marks = [{"id": str(i), "text": "！！！", "time": i} for i in range(5)]
    assert qc.dedup(marks, within="7d").counts["removed"] == 4


@pytest.mark.parametrize("times", [2, 5, 40])
def test_texts_that_repeat_themselves_find_their_copies(times):
    rows = [{"id": "a", "text": SPRING * times}, {"id": "b", "text": SPRING * times + "另外今天下午还有一场雨"}]
    result = qc.dedup(rows)
    assert len(result.pairs) == 1
    assert result.pairs["relation"][0].as_py() == qc.compare(rows[0]["text"], rows[1]["text"]).relation
