"""Paths, folders, globs, standard input: which sources they stand for, and how they are called."""

from __future__ import annotations

import io
import os
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from quchong.errors import InputError, UsageError
from quchong.io import formats
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.columnar.parquet import ParquetFile
from quchong.io.folder import TextFolder
from quchong.io.open import open_inputs
from quchong.io.records.csv_file import CsvFile
from quchong.io.records.jsonl import JsonLines

LINE = b'{"id":"1","text":"a"}\n'


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ("one.jsonl", "a/x.jsonl", "a/b/x.jsonl", "a/b/y.ndjson", "a/.cache/z.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(LINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*paths, **options):
    return [source.name for source in open_inputs(paths, **options)]


@pytest.mark.parametrize(
    ("name", "kind", "suffix"),
    [
        ("a.jsonl", JsonLines, ".jsonl"), ("a.NDJSON.gz", JsonLines, ".ndjson.gz"), ("a.json", JsonLines, ".json"),
        ("a.jsonl.zst", JsonLines, ".jsonl.zst"), ("a.b.csv.bz2", CsvFile, ".csv.bz2"), ("a.tsv", CsvFile, ".tsv"),
        ("a.parquet", ParquetFile, ".parquet"), ("a.arrow", ArrowFile, ".arrow"), ("a.ipc", ArrowFile, ".ipc"),
        ("a.feather", ArrowFile, ".feather"), ("a.txt", TextFolder, ".txt"), ("a.md", TextFolder, ".txt"),
    ],
)  # fmt: skip
def test_formats_by_suffix(tmp_path, name, kind, suffix):
    (tmp_path / name).write_bytes(b"PAR1" if kind is ParquetFile else LINE)
    (source,) = open_inputs([tmp_path / name])
    assert (type(source), source.suffix, source.name) == (kind, suffix, name)


def test_unknown_suffixes(tmp_path, read):
    for name in ("a.log", "a", "a.parquet.gz", "a.gz", ".jsonl"):
        (tmp_path / name).write_bytes(LINE)
        with pytest.raises(InputError, match=r"unknown format; accepted are \.jsonl.*format='FORMAT'"):
            open_inputs([tmp_path / name])
        (source,) = open_inputs([tmp_path / name], format="jsonl")
        assert (read(source).ids, source.suffix) == (["1"], ".jsonl")
    with pytest.raises(UsageError, match=r"unknown format 'xml'.*jsonl"):
        open_inputs([tmp_path / "a"], format="xml")


def test_names(tree):
    assert names("one.jsonl") == ["one.jsonl"]
    assert names("a/x.jsonl", "a/b/x.jsonl") == ["x.jsonl", "b/x.jsonl"]
    assert names(tree / "one.jsonl", "a/b/x.jsonl") == ["one.jsonl", "a/b/x.jsonl"]
    assert names("a") == ["b/x.jsonl", "b/y.ndjson", "x.jsonl"]
    assert names("a", recursive=False) == ["x.jsonl"]
    assert names("one.jsonl", tree / "one.jsonl", "./a/../one.jsonl") == ["one.jsonl"]
    assert names("a/x.jsonl", "a") == ["x.jsonl", "b/x.jsonl", "b/y.ndjson"]


def test_globs(tree):
    assert names("a/*.jsonl") == ["x.jsonl"]
    assert names("**/*.jsonl") == ["a/b/x.jsonl", "a/x.jsonl", "one.jsonl"]
    assert names("a/*") == ["x.jsonl"]
    assert names(f"{tree}/a/b/?.*") == ["x.jsonl", "y.ndjson"]
    with pytest.raises(InputError, match=r"no file or folder matches \*\.csv"):
        open_inputs(["*.csv"])
    (tree / "odd[1].jsonl").write_bytes(LINE)
    assert names("odd[1].jsonl") == ["odd[1].jsonl"]


def test_text_files_named_one_by_one(tree, read):
    for name in ("a/2.txt", "a/b/1.md", "a/3.txt"):
        (tree / name).write_text(name)
    (source,) = open_inputs(["a/2.txt", "a/b/1.md", "a/2.txt"])
    assert (source.name, read(source).ids) == ("a", ["2.txt", "b/1.md"])
    assert names("one.jsonl", "a/2.txt", "a/*.txt") == ["one.jsonl", "a"]


def test_folders(tmp_path, tree):
    (tree / "a" / "readme.txt").write_text("x")
    with pytest.raises(InputError, match=r"contains both text files \(readme\.txt\) and data files"):
        open_inputs(["a"])
    (tree / "empty").mkdir()
    with pytest.raises(InputError, match="has no file that can be read"):
        open_inputs(["empty"])
    (tree / "dir.jsonl").mkdir()
    with pytest.raises(InputError, match=r"dir\.jsonl is a folder, not a \.jsonl file; give the files in it"):
        open_inputs(["dir.jsonl"])
    (tree / "logs").mkdir()
    (tree / "logs" / "day.log").write_bytes(LINE)
    assert names("logs", format="jsonl") == ["day.log"]


def test_missing_and_forbidden(tree, monkeypatch):
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file"):
        open_inputs(["gone.jsonl"])
    (tree / "link.jsonl").symlink_to("nowhere")
    with pytest.raises(InputError, match=r"link\.jsonl: no such file"):
        open_inputs(["link.jsonl"])
    with pytest.raises(UsageError):
        open_inputs([])
    if os.geteuid():
        (tree / "one.jsonl").chmod(0)
    else:  # root may read everything

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("io.FileIO", refuse)
    with pytest.raises(InputError, match=r"one\.jsonl: no permission to read it; change its mode"):
        open_inputs(["one.jsonl"])


def test_a_json_array_is_no_lines(tree):
    (tree / "array.json").write_bytes(b'\xef\xbb\xbf\n [{"text":"a"}]')
    assert [type(one).__name__ for one in open_inputs(["array.json"])] == ["JsonArray"]
    (tree / "lines.json").write_bytes(LINE)
    assert names("lines.json") == ["lines.json"]


@pytest.mark.parametrize(
    ("format", "raw", "spooled"), [(None, LINE, "stdin.jsonl"), ("csv", b"id,text\n1,a\n", "stdin.csv")]
)
def test_standard_input(tmp_path, read, monkeypatch, format, raw, spooled):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    (source,) = open_inputs(["-"], format=format, spool=tmp_path / "spool")
    assert source.name == "stdin"
    assert read(source).ids == ["1"]
    assert (tmp_path / "spool" / spooled).read_bytes() == raw
    source.split(np.zeros(1, np.uint8), tmp_path / "k", None)
    assert (tmp_path / "k").read_bytes() == raw
    with pytest.raises(UsageError, match="stdin can be read only once"):
        open_inputs(["-"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_with_a_name(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    thread = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(LINE,))
    thread.start()
    (source,) = open_inputs([tmp_path / "pipe"], spool=tmp_path / "spool")
    thread.join()
    assert (source.name, read(source).ids) == ("pipe", ["1"])


def test_suffixes():
    assert formats.suffix_for("jsonl.gz") == ".jsonl.gz" and formats.suffix_for(".CSV") == ".csv"
    assert all(
        formats.suffix_of(f"a{suffix}") for suffix in formats.LINES + formats.CELLS + formats.ARROW + formats.TEXTS
    )
