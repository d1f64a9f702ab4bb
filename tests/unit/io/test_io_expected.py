"""Covers: how many records a source expects, for progress and plans. Compared against: how many there are."""

import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.io import WantedColumns, from_object, open_inputs
from quchong.io.files.streams import Output


def expected(path):
    return open_inputs([path])[0].expected()


def test_expected_records_are_told_where_they_are_cheap(tmp_path):
    line = b'{"id": 1, "text": "abc"}\n'
    (tmp_path / "a.jsonl").write_bytes(line * 100_000)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line, mtime=0))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    pq.write_table(pa.table({"text": ["a"] * 7}), tmp_path / "c.parquet")
    (tmp_path / "d.parquet").write_bytes(b"PAR1 no parquet")
    got = [expected(tmp_path / n) for n in ("a.jsonl", "b.jsonl.gz", "empty.jsonl", "c.parquet", "d.parquet")]
    assert abs(got[0] - 100_000) <= 10
    assert got[1:] == [1, 0, 7, None]
    assert from_object(["x", "y"], WantedColumns()).expected() == 2


@pytest.mark.parametrize(("suffix", "packing"), [("gz", "gzip"), ("zst", "zstd"), ("bz2", "bz2")])
def test_lines_of_packed_files_are_reckoned_from_their_beginning(tmp_path, suffix, packing):
    rng = random.Random(1)
    lines = [f'{{"id": {k}, "text": "{rng.randbytes(200).hex()}"}}\n'.encode() for k in range(12_000)]
    path = tmp_path / f"a.jsonl.{suffix}"
    output = Output(path, packing)
    output.write(b"".join(lines))
    output.close()
    assert path.stat().st_size > 2 << 20
    assert abs(expected(path) - len(lines)) < (0.1 if packing != "bz2" else 0.3) * len(lines)  # its blocks are large
    few = tmp_path / f"b.jsonl.{suffix}"
    output = Output(few, packing)
    output.write(b"".join(lines[:50]))
    output.close()
    assert expected(few) == 50


def test_a_damaged_packed_file_expects_nothing(tmp_path):
    whole = gzip.compress(b'{"text": "abc"}\n' * 1000, mtime=0)
    (tmp_path / "a.jsonl.gz").write_bytes(whole[:20] + bytes(20) + whole[40:])
    assert expected(tmp_path / "a.jsonl.gz") is None


def test_a_folder_of_texts_expects_one_a_file(tmp_path):
    for k in range(3):
        (tmp_path / f"{k}.txt").write_text("一则新闻", encoding="utf-8")
    assert expected(tmp_path) == 3


def record(k: int) -> bytes:
    page = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{random.Random(k).randbytes(150).hex()}</p>".encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{k}\r\nWARC-Record-ID: <urn:uuid:{k}>\r\n"
    head += f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(page)}\r\n\r\n"
    return head.encode() + page + b"\r\n\r\n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("pages", [5, 900])
def test_pages_of_a_warc_are_reckoned_from_its_beginning(tmp_path, packed, pages):
    path: Path = tmp_path / ("a.warc.gz" if packed else "a.warc")
    path.write_bytes(b"".join(gzip.compress(record(k), mtime=0) if packed else record(k) for k in range(pages)))
    read = sum(len(batch) for batch in open_inputs([path])[0].documents(WantedColumns(instead="html"), []))
    assert read == pages
    assert abs(expected(path) - pages) <= 0.05 * pages


@pytest.mark.parametrize("values", [3, 20_000])
@pytest.mark.parametrize("indent", [None, 2])
def test_values_of_an_array_are_reckoned_from_its_beginning(tmp_path, values, indent):
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps([{"id": k, "text": "一则新闻" * 30} for k in range(values)], ensure_ascii=False, indent=indent),
        encoding="utf-8",
    )
    assert abs(expected(path) - values) <= 0.1 * values
