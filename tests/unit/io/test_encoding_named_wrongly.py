"""Covers: bytes that are invalid in the encoding that was named: the remedy says so; without a name it asks for one."""

import pytest

import quchong as qc


@pytest.mark.parametrize(("name", "text"), [
    ("a.csv", "text\n今天天气很好\n"), ("a.jsonl", '{"text": "今天天气很好"}\n'), ("a.txt", "今天天气很好"),
])  # fmt: skip
def test_the_encoding_named_is_told(tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode("gbk"))
    skipped = qc.dedup(tmp_path / name, encoding="utf8").skipped.to_pylist()
    assert "--encoding (encoding= in Python) names UTF-8: leave it out" in skipped[0]["reason"]
    assert qc.dedup(tmp_path / name).counts["read"] == 1
