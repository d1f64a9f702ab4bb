"""No row is lost for having no text: it is kept, counted, and compared with nothing."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc

A = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上。"
ROWS = [
    {"id": "a", "text": A},
    {"id": "b", "text": None},
    {"id": "c", "text": A},
    {"id": "d", "text": ""},
    {"id": "e", "text": None},
]
KINDS = ("dicts", "arrow", "jsonl", "missing key", "parquet", "csv")


def given(kind, folder):
    table = pa.Table.from_pylist(ROWS)
    if kind == "dicts":
        return ROWS
    if kind == "arrow":
        return table
    if kind == "parquet":
        pq.write_table(table, folder / "in.parquet")
        return str(folder / "in.parquet")
    if kind == "csv":
        (folder / "in.csv").write_text("id,text\n" + "".join(f"{r['id']},{r['text'] or ''}\n" for r in ROWS))
        return str(folder / "in.csv")
    rows = [{k: v for k, v in r.items() if v is not None} for r in ROWS] if kind == "missing key" else ROWS
    (folder / "in.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return str(folder / "in.jsonl")


@pytest.mark.parametrize("method", ["hybrid", "exact", "two-stage", "ccdet"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_without_text_is_kept(kind, method, tmp_path):
    result = qc.dedup(given(kind, tmp_path), method=method, recall_sample=0)
    c = result.counts
    assert result.kept["id"].to_pylist() == ["a", "b", "d", "e"] and result.removed["id"].to_pylist() == ["c"]
    assert (c["read"], c["kept"], c["removed"], c["skipped"], c["records"], c["without_text"]) == (5, 4, 1, 0, 5, 3)
    assert result.skipped == [] and result.unscored == ["b", "d", "e"]
    assert "5 documents, 4 kept, 1 removed" in repr(result) and "many without text" in repr(result)
    assert "without text" in result.summary()
    loaded = qc.load(result.save(tmp_path / "run"))
    assert loaded.kept.equals(result.kept) and loaded.counts == result.counts and len(loaded.documents) == 5
    assert loaded.explain("b").reason == "empty" and loaded.explain("b").text == ""


def test_only_what_cannot_be_read_is_skipped(tmp_path):
    path = tmp_path / "in.jsonl"
    lines = [json.dumps(r) for r in ROWS] + ["{broken", json.dumps({"id": "f", "text": 7})]
    path.write_text("".join(line + "\n" for line in lines))
    result = qc.dedup(str(path), recall_sample=0)
    c = result.counts
    assert c["kept"] + c["removed"] + c["skipped"] == c["records"] == len(lines)
    assert [s["line"] for s in result.skipped] == [6, 7] and result.skipped[1][
        "reason"
    ] == "text is a number, not a string"
    assert "2 skipped" in repr(result)
    again = result.rethreshold(0.99)
    assert again.counts["kept"] + again.counts["removed"] + again.counts["skipped"] == len(lines)


def test_rows_put_back_between_rows_without_text(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    loaded = qc.load(qc.dedup(str(path), recall_sample=0).save(tmp_path / "run"))
    loaded.restore("c")
    assert (tmp_path / "run" / "kept.jsonl").read_bytes() == path.read_bytes()


def test_a_key_that_no_record_has_is_still_an_error(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"id": str(i), "words": A}) + "\n" for i in range(3)))
    with pytest.raises(qc.InputError, match="has the key 'text'"):
        qc.dedup(str(path))
    with pytest.raises(qc.InputError, match="no column 'text'"):
        qc.dedup([{"id": "a", "words": A}])


def test_blanks_are_no_text_and_explain_says_so():
    rows = [{"id": "a", "text": "   "}, {"id": "b", "text": ""}, {"id": "c", "text": "！！"}, {"id": "d", "text": "雨"}]
    result = qc.dedup(rows, recall_sample=0)
    assert result.counts["without_text"] == 2
    assert all("has no text" in str(result.explain(i)) for i in "ab")
    assert all("too short" in str(result.explain(i)) for i in "cd")
