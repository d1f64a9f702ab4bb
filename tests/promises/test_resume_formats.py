"""Covers: a run over any format keeps its work, and goes on with it after a stop. Compared against: the run that keeps none."""

import csv
import gzip
import html
import json

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from answer_corpus import small_corpus
from stopped_work import Stopped, stop_at
from test_resume import content

import quchong as qc

ROWS = [{"id": str(row["id"]), "text": row["text"]} for row in small_corpus(1)[:60]]
PAGE = "<html><head><title>新闻</title></head><body><h1>新闻</h1><p>{}</p></body></html>"


def lines(path, packed=False):
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)


def array(path):
    path.write_text(json.dumps(ROWS, ensure_ascii=False, indent=1), encoding="utf-8")


def cells(path, encoding="utf-8"):
    with path.open("w", encoding=encoding, errors="ignore", newline="") as file:
        writer = csv.DictWriter(file, ["id", "text"])
        writer.writeheader()
        writer.writerows(ROWS)


def folder(path, suffix):
    path.mkdir()
    for k, row in enumerate(ROWS):
        text = row["text"] if suffix == ".txt" else PAGE.format(html.escape(row["text"]))
        (path / f"{k:03}{suffix}").write_text(text, encoding="utf-8")


def warc(path, packed):
    out = b""
    for k, row in enumerate(ROWS):
        page = (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            + PAGE.format(html.escape(row["text"])).encode()
        )
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{k}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        head += f"WARC-Record-ID: <urn:uuid:{k}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(page)}\r\n\r\n"
        record = head.encode() + page + b"\r\n\r\n"
        out += gzip.compress(record, mtime=0) if packed else record
    path.write_bytes(out)


FORMATS = {
    "a.jsonl": lines, "a.jsonl.gz": lambda path: lines(path, True), "a.json": array, "a.csv": cells, "gbk.csv": lambda path: cells(path, "gbk"),
    "a.parquet": lambda path: pq.write_table(pa.Table.from_pylist(ROWS), path),
    "a.arrow": lambda path: feather.write_feather(pa.Table.from_pylist(ROWS), str(path)), "texts": lambda path: folder(path, ".txt"),
    "pages": lambda path: folder(path, ".html"), "a.warc": lambda path: warc(path, False), "a.warc.gz": lambda path: warc(path, True),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_stopped_over_any_format_it_ends_with_the_same_bytes(tmp_path, monkeypatch, name):
    FORMATS[name](tmp_path / name)
    usual = {"recall_sample": 20} | (
        {} if name == "a.jsonl" else {"method": "minhash"}
    )  # rows are read alike whatever decides
    plain = qc.dedup(tmp_path / name, out=tmp_path / "plain", **usual)
    assert plain.counts["read"] == len(ROWS)
    calls = {"out": tmp_path / "out", "work": tmp_path / "work"} | usual
    for number in (0, 4):
        with monkeypatch.context() as patched:
            stop_at(patched, number)
            with pytest.raises(Stopped):
                qc.dedup(tmp_path / name, **calls)
    assert content(qc.dedup(tmp_path / name, **calls).folder) == content(plain.folder)


@pytest.mark.parametrize("name", FORMATS)
def test_a_plan_is_told_of_any_format(tmp_path, name):
    FORMATS[name](tmp_path / name)
    assert abs(qc.estimate(tmp_path / name).documents - len(ROWS)) <= 1
