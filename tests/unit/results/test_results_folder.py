"""Covers: the rows a run writes (`quchong.results.folder`)."""

import pyarrow as pa
import pyarrow.parquet as pq

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


def test_a_null_text_keeps_its_whole_row(tmp_path):
    pq.write_table(pa.table({"id": ["a", "b"], "text": [SPRING, None], "title": ["t", "u"]}), tmp_path / "in.parquet")
    run = qc.dedup(tmp_path / "in.parquet").save(tmp_path / "run")
    assert pq.read_table(run / "kept.parquet").to_pylist()[1] == {"id": "b", "text": None, "title": "u"}
    assert (run / "skipped.jsonl").read_text("utf-8") == ""
