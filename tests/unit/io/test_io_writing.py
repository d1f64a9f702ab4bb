"""Outputs that cannot be written, and the list of bad records."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputError, OutputError
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.columnar.parquet import ParquetFile
from quchong.io.folder import TextFolder
from quchong.io.memory_source import from_object
from quchong.io.open import open_inputs
from quchong.io.records.csv_file import CsvFile
from quchong.io.records.jsonl import JsonLines
from quchong.io.skipped_file import read_skipped, write_skipped
from quchong.io.source import Bad, WantedColumns

FULL = Path("/dev/full")


@pytest.fixture(params=["jsonl", "gz", "zst", "bz2", "csv", "parquet", "arrow", "txt", "memory"])
def source(request, tmp_path):
    kind, path = request.param, tmp_path / f"in.{request.param}"
    table = pa.table({"text": [os.urandom(300).hex() for _ in range(500)]})
    if kind in ("parquet", "arrow"):
        if kind == "parquet":
            pq.write_table(table, path)
        else:
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
        return ParquetFile(path, "in", ".parquet") if kind == "parquet" else ArrowFile(path, "in", ".arrow")
    if kind == "memory":
        return from_object(table, WantedColumns())
    lines = [f'{{"text":"{text}"}}\n' for text in table.column("text").to_pylist()]
    codec = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}.get(kind)
    if kind == "txt":
        path.mkdir()
        for name in "ab":
            (path / name).write_text(name)
        return TextFolder(path, [path / "a", path / "b"], "in")
    if kind == "csv":
        path.write_text("text\n" + "".join(line.replace('"', "") for line in lines))
        return CsvFile(path, "in", ".csv")
    with pa.output_stream(str(path), compression=codec) as file:
        file.write("".join(lines).encode())
    return JsonLines(path, "in", f".{kind}", codec)


def fates(source):
    bad = []
    rows = sum(batch.num_rows for batch in source.documents(WantedColumns(), bad))
    return np.arange(rows, dtype=np.uint8) % 2


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk(tmp_path, source):
    fate = fates(source)
    for act in (
        lambda: source.split(fate, FULL, None),
        lambda: source.split(fate, tmp_path / "k", FULL),
        lambda: source.annotate(pa.table({"n": ["x" * 500] * len(fate)}), FULL),
    ):
        with pytest.raises(OutputError, match=r"/dev/full: No space left on device; free some space"):
            act()


def test_places_that_cannot_be(tmp_path, source):
    (tmp_path / "file").write_text("")
    fate = fates(source)
    with pytest.raises(OutputError, match=r"cannot write .*file/k.*choose another place"):
        source.split(fate, tmp_path / "file" / "k", None)
    with pytest.raises(OutputError, match="cannot write"):
        source.split(fate, tmp_path, None)
    with pytest.raises(OutputError, match="cannot write"):
        source.annotate(pa.table({"n": ["x"] * len(fate)}), tmp_path)


def test_a_spool_that_cannot_be(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"{}")))
    with pytest.raises(OutputError, match="cannot write"):
        open_inputs(["-"], spool=tmp_path / "file")


def test_skipped_there_and_back(tmp_path):
    bad = [
        Bad("a/b.jsonl", 3, 7, "broken JSON: 原因", '{"文":'.encode()),
        Bad("b", 0, None, "invalid UTF-8", b"\xc4\xe3\0"),
        Bad("c", 1, 1, "x", "line\u2028end\x85".encode()),
    ]
    write_skipped(bad, tmp_path / "deep" / "skipped.jsonl")
    assert read_skipped(tmp_path / "deep" / "skipped.jsonl") == bad
    lines = (tmp_path / "deep" / "skipped.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines[0] == '{"source":"a/b.jsonl","row":3,"line":7,"reason":"broken JSON: 原因","raw":"{\\"文\\":"}'
    assert '"raw_base64":"xOMA"' in lines[1]
    write_skipped([], tmp_path / "none.jsonl")
    assert read_skipped(tmp_path / "none.jsonl") == []


def test_skipped_that_are_not(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_skipped(tmp_path / "gone.jsonl")
    for raw in (b"{", b"[]", b'{"source":1}'):
        (tmp_path / "x.jsonl").write_bytes(raw)
        with pytest.raises(InputError, match="line 1: not a skipped record"):
            read_skipped(tmp_path / "x.jsonl")
    with pytest.raises(OutputError):
        write_skipped([], tmp_path)
