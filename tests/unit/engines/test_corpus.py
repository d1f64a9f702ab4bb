"""Covers: inputs read together (`quchong.engines.local.corpus`)."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


def test_inputs_of_mixed_formats_share_a_time_column(tmp_path):
    (tmp_path / "t.jsonl").write_text(
        json.dumps({"id": "1", "text": SPRING, "time": "2026-03-03T10:00:00"}) + "\n", "utf-8"
    )
    stamp = pa.array([1772532000], pa.timestamp("s"))
    pq.write_table(pa.table({"id": ["2"], "text": [SPRING], "time": stamp}), tmp_path / "arch.parquet")
    result = qc.dedup(tmp_path / "t.jsonl", against=tmp_path / "arch.parquet", within="1d")
    assert result.ledger["survivor_id"].to_pylist() == ["against/2"]
