"""Covers: what a result holds of its input (`quchong.api.result`)."""

import io
import json
import sys

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


def test_rows_of_a_file_come_back_as_they_are(tmp_path):
    path = tmp_path / "in.jsonl"
    lines = [
        json.dumps({"id": "a", "text": SPRING}),
        '{"id": "b", "text": "另一篇", "url": "u", "score": NaN}',
        '{"id": 3, "text": "第三篇"}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    kept = qc.dedup(path).kept
    assert kept["url"].to_pylist() == [None, "u", None]
    assert kept["id"].to_pylist() == ["a", "b", "3"]
    table = tmp_path / "in.csv"
    table.write_text("id,text\n001,甲篇文章\nNA,乙篇文章\n", encoding="utf-8")
    assert qc.dedup(table).kept["id"].to_pylist() == ["001", "NA"]


def test_stdin_can_be_read_after_the_run(monkeypatch, tmp_path):
    rows = "".join(json.dumps({"id": i, "text": SPRING}, ensure_ascii=False) + "\n" for i in range(3))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    result = qc.dedup("-")
    assert len(result.kept) == 1
    assert result.explain("1").text == SPRING
    assert (result.save(tmp_path / "run") / "kept.jsonl").read_text("utf-8").count("\n") == 1
