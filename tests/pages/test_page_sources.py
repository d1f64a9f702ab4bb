"""Covers: a column that stands in for a missing text, and folders of pages. Run: pytest tests/pages/test_page_sources.py."""

import json
import os

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from page_files import page

import quchong as qc
from quchong.errors import InputError, UsageError
from quchong.io import WantedColumns, from_object, open_inputs
from quchong.io.file_contents import PAGE_BYTES

WANTED = WantedColumns(instead="html")
ROWS = [
    {"id": "text", "text": "有文字", "html": "<p>不看</p>"},
    {"id": "page", "text": None, "html": "<p>页</p>"},
    {"id": "none", "text": None, "html": None},
    {"id": "empty", "text": "", "html": "<p>空</p>"},
]
EXPECTED = [("text", "有文字", None), ("page", "", "<p>页</p>"), ("empty", "", "<p>空</p>")]


def said(rows):
    return [(row["id"], row["text"], row["html"]) for row in rows]


@pytest.mark.parametrize("broken", [False, True], ids=["at once", "one by one"])
def test_jsonl(tmp_path, read, broken):
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS[:2] + ROWS[3:]]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, "{"] if broken else lines), encoding="utf-8")
    rows, bad = read(open_inputs([tmp_path / "a.jsonl"])[0])
    assert said(rows) == EXPECTED
    assert len(bad) == broken


def test_jsonl_with_neither_is_bad(tmp_path, read):
    (tmp_path / "a.jsonl").write_text(
        "\n".join(map(json.dumps, [*ROWS, {"id": "x", "html": 3}, {"id": "y"}])), encoding="utf-8"
    )
    rows, bad = read(open_inputs([tmp_path / "a.jsonl"])[0])
    assert said(rows) == EXPECTED
    assert [(one.row, one.line, one.reason) for one in bad] == [
        (2, 3, "text is null"),
        (4, 5, "html is a number, not a string"),
        (5, 6, "no key 'text' or 'html'"),
    ]


def test_a_file_with_neither_column_is_an_error(tmp_path, read):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "body": "x"}\n')
    with pytest.raises(InputError, match="has the key 'text' or 'html'; other keys are 'id', 'body'"):
        read(open_inputs([tmp_path / "a.jsonl"])[0])
    (tmp_path / "a.csv").write_text("id,body\n1,x\n")
    with pytest.raises(InputError, match=r"no column 'text'.*pages with html='COLUMN' \(there is no 'html' either\)"):
        read(open_inputs([tmp_path / "a.csv"])[0])
    with pytest.raises(InputError, match=r"no column 'text'.*pages with html='COLUMN' \(there is no 'html' either\)"):
        from_object([{"body": "x"}], WANTED)
    with pytest.raises(InputError, match="column 'html' is int64, neither text nor bytes"):
        from_object([{"html": 3}], WANTED)


@pytest.mark.parametrize("keys", [("text", "html"), ("html",)])
@pytest.mark.parametrize("quoted", [False, True], ids=["at once", "one by one"])
def test_csv_takes_an_empty_cell_for_none(tmp_path, read, keys, quoted):
    rows = [row for row in ROWS if row["html"] and (len(keys) == 2 or row["id"] != "text")]
    lines = ["id," + ",".join(keys), *(",".join([row["id"], *((row[key] or "") for key in keys)]) for row in rows)]
    if quoted:
        lines.append("bad")
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found, bad = read(open_inputs([tmp_path / "a.csv"])[0])
    assert said(found) == [(row["id"], row["text"] or "", None if row["text"] else row["html"]) for row in rows]
    assert len(bad) == quoted


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
@pytest.mark.parametrize("write", [pq.write_table, feather.write_feather])
def test_columns(tmp_path, read, kind, write):
    html = pa.array([None if row["html"] is None else row["html"].encode() for row in ROWS], pa.binary()).cast(kind)
    table = pa.table({"id": [row["id"] for row in ROWS], "text": [row["text"] for row in ROWS], "html": html})
    path = tmp_path / ("a.parquet" if write is pq.write_table else "a.feather")
    write(table, path)
    rows, bad = read(open_inputs([path])[0])
    plain = kind in (pa.string(), pa.large_string())
    assert said(rows) == [(a, b, c if plain or c is None else c.encode()) for a, b, c in EXPECTED]
    assert [one.reason for one in bad] == ["text and html are null"]
    assert open_inputs([path])[0].fetch([1], WANTED)["text"].to_pylist() == [""]


def test_html_alone_is_enough(tmp_path, read):
    pq.write_table(pa.table({"html": [b"<p>a</p>", None]}), tmp_path / "a.parquet")
    rows, bad = read(open_inputs([tmp_path / "a.parquet"])[0])
    assert [(row["text"], row["html"]) for row in rows] == [("", b"<p>a</p>")]
    assert [one.reason for one in bad] == ["html is null"]


def test_a_table_of_pages_whose_ids_are_named(tmp_path):
    """An id asked for by name has to be there; a text of its own still wins over the page."""
    ids, html = ["a", None, "b", "c"], [page(1), page(2), page(1), page(3)]
    table = pa.table({"doc": ids, "text": [None, None, None, "有文字"], "html": html})
    pq.write_table(table, tmp_path / "a.parquet")
    found = qc.dedup(tmp_path / "a.parquet", id="doc", recall_sample=0)
    assert found.counts["read"] == 3 and [one["reason"] for one in found.skipped] == [
        "doc is null or not a whole number"
    ]
    assert [(r["id"], r["survivor_id"]) for r in found.ledger.to_pylist()] == [("b", "a")]


def test_a_parquet_file_whose_texts_are_whole_does_not_read_its_pages(tmp_path):
    table = pa.table({"text": ["a", "b"], "html": ["<p>", "<p>"]})
    pq.write_table(table, tmp_path / "a.parquet")
    source = open_inputs([tmp_path / "a.parquet"])[0]
    assert source._columns(WANTED).present == ("text",)
    pq.write_table(pa.table({"text": ["a", None], "html": ["<p>", "<p>"]}), tmp_path / "b.parquet")
    assert open_inputs([tmp_path / "b.parquet"])[0]._columns(WANTED).present == ("text", "html")


@pytest.mark.parametrize("make", [pa.Table.from_pylist, pl.DataFrame, pd.DataFrame, list])
def test_memory(make, read):
    rows, bad = read(from_object(make(ROWS), WANTED))
    assert said(rows) == EXPECTED
    assert [one.row for one in bad] == [2]


def test_memory_of_bytes_and_str(read):
    rows, _ = read(from_object([{"html": b"\xff"}, {"html": "页"}], WANTED))
    assert [row["html"] for row in rows] == [b"\xff", "页".encode()]


def test_several_texts_are_joined_where_there_is_one(tmp_path, read):
    given = [
        {"title": "题", "body": "文", "html": "<p>"},
        {"title": None, "body": None, "html": "<p>"},
        {"title": "题", "body": None},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, given)))
    wanted = WantedColumns(("title", "body"), instead="html")
    rows, bad = read(open_inputs([tmp_path / "a.jsonl"])[0], wanted)
    assert [(row["text"], row["html"]) for row in rows] == [("题\n\u1160\n文", None), ("", "<p>"), ("题", None)]
    assert not bad


def test_what_is_compared_cannot_stand_in():
    with pytest.raises(
        UsageError, match="column 'html' is already used as the text or the id, so it cannot replace a missing text"
    ):
        WantedColumns(("html",), instead="html")


def test_a_folder_of_pages_and_texts(tmp_path, read):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "x.HTML").write_bytes(page(1, "gbk"))
    (tmp_path / "a" / "b" / "y.htm").write_bytes(b"\xff\xfe<\0p\0>\0")
    (tmp_path / "a" / "b" / "z.txt").write_bytes(b"\xef\xbb\xbftext")
    (tmp_path / "a" / "b" / "z.css").write_bytes(b"p {}")
    [source] = open_inputs([tmp_path / "a"])
    rows, bad = read(source)
    assert [(row["id"], row["text"]) for row in rows] == [("b/y.htm", ""), ("b/z.txt", "text"), ("x.HTML", "")]
    assert [row["html"] for row in rows] == [b"\xff\xfe<\0p\0>\0", None, page(1, "gbk")]
    assert not bad
    assert source.fetch([2], WANTED)["html"].to_pylist() == [page(1, "gbk")]
    assert source.fingerprint() == open_inputs([tmp_path / "a"])[0].fingerprint()


def test_pages_by_name_and_by_format(tmp_path, read):
    for name in ("a.html", "b.shtml", "c.php"):
        (tmp_path / name).write_bytes(b"<p>" + name.encode())
    [source] = open_inputs([tmp_path / "a.html", tmp_path / "b.shtml"])
    assert [row["html"] for row in read(source)[0]] == [b"<p>a.html", b"<p>b.shtml"]
    [source] = open_inputs([tmp_path / "c.php"], "html")
    assert [row["html"] for row in read(source)[0]] == [b"<p>c.php"]
    [source] = open_inputs([tmp_path / "a.html"], "txt")
    assert [(row["text"], row["html"]) for row in read(source)[0]] == [("<p>a.html", None)]


def test_too_large_a_page_in_a_folder_is_not_read(tmp_path, read):
    with (tmp_path / "big.html").open("wb") as file:
        file.truncate(PAGE_BYTES + 1)
    (tmp_path / "small.html").write_bytes(b"<p>x")
    rows, bad = read(open_inputs([tmp_path])[0])
    assert [row["id"] for row in rows] == ["small.html"]
    assert [one.reason for one in bad] == [
        "big.html: the page has 67,108,865 bytes, but pages larger than 64 MiB are not read"
    ]


def test_whole_gives_bad_records_again(tmp_path):
    lines = [b'{"html": "<p>"}', b"{}", b'{"text": "\xff"}', b'{"text": "b"}']
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    source = open_inputs([tmp_path / "a.jsonl"])[0]
    assert list(source.whole_records([2, 0])) == [(0, 1, lines[0]), (2, 3, lines[2])]
    pq.write_table(pa.table({"html": [b"<p>\xff", b"<p>"], "n": [1, 2]}), tmp_path / "a.parquet")
    raw = [json.loads(raw) for _, _, raw in open_inputs([tmp_path / "a.parquet"])[0].whole_records([0, 1])]
    assert raw == [{"html": "base64:PHA+/w==", "n": 1}, {"html": "<p>", "n": 2}]
    assert open_inputs([tmp_path / "a.parquet"])[0].table_of(np.ones(2, bool)).num_rows == 2


@pytest.mark.parametrize("nothing", ["", "   ", "\n", None])
@pytest.mark.parametrize("form", ["dicts", "table", "jsonl", "csv", "parquet"])
def test_a_blank_text_gives_way_to_the_page_in_every_form(tmp_path, form, nothing):
    rows = [{"id": f"p{i}", "text": nothing, "html": page(i % 2).decode()} for i in range(4)]
    if form == "dicts":
        data = rows
    elif form == "table":
        data = pa.Table.from_pylist(rows)
    elif form == "parquet":
        data = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist(rows), data)
    elif form == "jsonl":
        data = tmp_path / "in.jsonl"
        data.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    else:
        data = tmp_path / "in.csv"
        cells = (f'{r["id"]},"{nothing or ""}","{r["html"].replace(chr(34), chr(34) * 2)}"\n' for r in rows)
        data.write_text("id,text,html\n" + "".join(cells), "utf-8")
    result = qc.dedup(data, recall_sample=0)
    assert result.counts["read"] == 4
    assert result.counts["removed"] == 2


def test_a_text_of_its_own_goes_before_the_page(tmp_path):
    rows = [
        {"id": str(i), "text": "　" if i else "自己的文字在这里，不看网页。", "html": page(i).decode()}
        for i in range(2)
    ]
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    documents = qc.dedup(path, recall_sample=0).documents
    assert documents["tokens"].to_pylist()[0] == len("自己的文字在这里不看网页")


def test_a_pipe_among_files_is_skipped_with_its_reason(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_bytes(page(1))
    os.mkfifo(folder / "z.html")
    result = qc.dedup(folder, recall_sample=0)
    assert result.counts["read"] == 1
    assert "not a regular file" in result.skipped[0]["reason"]
    os.mkfifo(folder / "y.jsonl")
    with pytest.raises(qc.errors.InputError):
        qc.dedup(folder)


def test_a_glob_of_folders_reads_them(tmp_path):
    for name in ("enc_a", "enc_b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.html").write_bytes(page(1))
    assert qc.dedup(f"{tmp_path}/enc_*", recall_sample=0).counts["read"] == 2
