"""Covers: what an independent reviewer broke or found misleading in reading pages, one test each.

Run: pytest tests/pages.
"""

import gzip
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from page_files import page

import quchong as qc
from quchong.pages import canonical

pytest.importorskip("resiliparse", reason="the extra html is not installed")


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
    assert "no regular file" in result.skipped[0]["reason"]
    os.mkfifo(folder / "y.jsonl")
    with pytest.raises(qc.errors.InputError):
        qc.dedup(folder)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (gzip.compress(b"WARC/1.0\r\n", mtime=0), "--format warc"),
        (b"WARC/1.0\r\n", "--format warc"),
        (b"PAR1", "--format parquet"),
    ],
    ids=["packed WARC", "WARC", "Parquet"],
)
def test_packed_data_under_a_wrong_name_is_told(tmp_path, command, raw, said):
    path = tmp_path / "in.jsonl"
    path.write_bytes(raw)
    assert said in command("dedup", path, "--dry-run", code=3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://例子.cn/a", "http://xn--fsqu00a.cn/a"),
        ("http://a.cn/x/../b/./c", "http://a.cn/b/c"),
        ("http://a.cn/../b", "http://a.cn/b"),
    ],
)
def test_addresses_that_are_one(one, other):
    assert canonical(one) == canonical(other) != ""


def test_notes_on_a_folder_are_a_csv_by_name_too(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for i in range(3):
        (folder / f"{i}.html").write_bytes(page(i % 2))
    run = qc.dedup(folder, recall_sample=0).save(tmp_path / "run", mode="annotate")
    assert (run / "annotated.csv").read_text("utf-8").startswith('"path"')


def test_a_glob_of_folders_reads_them(tmp_path):
    for name in ("enc_a", "enc_b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.html").write_bytes(page(1))
    assert qc.dedup(f"{tmp_path}/enc_*", recall_sample=0).counts["read"] == 2
