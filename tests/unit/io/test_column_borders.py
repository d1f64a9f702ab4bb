"""Covers: the border between text columns that are joined, in every kind of source.

Compared against: rows whose columns end elsewhere. Run: pytest tests/unit/io/test_column_borders.py
"""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.io.documents import join_texts

ROWS = [
    {"id": 1, "title": "甲乙", "body": "丙丁戊己庚辛"},
    {"id": 2, "title": "甲", "body": "乙丙丁戊己庚辛"},
    {"id": 3, "title": "甲乙", "body": "丙丁戊己庚辛。"},
]


def sources(folder):
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    (folder / "a.csv").write_text(
        "id,title,body\n" + "".join("{id},{title},{body}\n".format(**r) for r in ROWS), "utf-8"
    )
    pq.write_table(pa.Table.from_pylist(ROWS), folder / "a.parquet")
    return [ROWS, *(folder / f"a.{end}" for end in ("jsonl", "csv", "parquet"))]


def test_rows_whose_columns_end_elsewhere_are_no_exact_copies(tmp_path):
    for source in sources(tmp_path):
        result = qc.dedup(source, text="title,body", relations="exact", recall_sample=0)
        assert [str(row["id"]) for row in result.ledger.to_pylist()] == ["3"]


def test_columns_without_a_text_have_no_border():
    columns = [["甲", None, "甲", "?", None, " "], ["乙", "乙", "", "!", None, "\n"]]
    joined = join_texts([pa.array(column, pa.large_string()) for column in columns])
    assert joined.to_pylist() == ["甲\n\u1160\n乙", "乙", "甲\n", "?\n!", "", " \n\n"]


def test_rows_of_symbols_are_compared_by_all_their_characters():
    rows = [
        {"title": "??", "body": "!!"},
        {"title": "++", "body": "--"},
        {"title": "", "body": " "},
        {"title": None, "body": ""},
    ]
    assert not len(qc.dedup(rows, text="title,body", recall_sample=0).ledger)


@pytest.mark.parametrize("method", ["hybrid", "minhash", "ppjoin"])
def test_the_border_is_a_token_for_every_method(method):
    """Near-copies of three columns are still found, and a text shows an empty line in place of the border."""
    body = "市政府昨日召开会议，研究部署防汛工作，要求各部门落实责任，确保安全度汛。气象台预计未来一周仍有较强降雨，沿江各县须加强巡查。"
    rows = [
        {"id": "a", "title": "防汛会议召开", "body": body, "end": "完"},
        {"id": "b", "title": "防汛会议召开", "body": body + "会议很短。", "end": "完"},
    ]
    result = qc.dedup(rows, text="title,body,end", method=method, keep="longest", recall_sample=0)
    assert [row["id"] for row in result.ledger.to_pylist()] == ["a"]
    assert "1160" not in str(result.explain("a")) and "防汛会议召开\n\n" in str(result.explain("a")).replace(
        "⟦", ""
    ).replace("⟧", "")
