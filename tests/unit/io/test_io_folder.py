"""Folders of text files: what a document is, what is refused, and the lists that are written."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pytest

from quchong.errors import InputChanged
from quchong.io import folder
from quchong.io.open import open_inputs
from quchong.io.source import KEEP, REMOVE, WantedColumns


@pytest.fixture
def texts(tmp_path):
    root = tmp_path / "texts"
    (root / "b").mkdir(parents=True)
    (root / "b" / "二.txt").write_text("第二", encoding="utf-8")
    (root / "a.md").write_bytes(b"\xef\xbb\xbffirst\r\n")
    (root / "z.txt").write_bytes(b"")
    (root / "gbk.txt").write_bytes("中".encode("gbk"))
    (root / "image.txt").write_bytes(b"\x89PNG\0\0")
    (root / ".hidden.txt").write_text("no")
    (root / "notes.pdf").write_text("no")
    return root


def test_documents(texts, read):
    (source,) = open_inputs([texts])
    got = read(source, WantedColumns(extra=("n",)))
    assert (source.name, source.suffix) == ("texts", ".txt")
    assert (got.ids, got.rows) == (["a.md", "b/二.txt", "z.txt"], [0, 1, 4])
    assert got.texts == ["first\r\n", "第二", ""]
    assert [one.row for one in got.bad] == [2, 3]
    assert "gbk.txt: invalid UTF-8 at byte 1; if the file has another encoding, give that encoding" in got.bad[0].reason
    assert got.bad[0].raw == "中".encode("gbk")
    assert "image.txt: the file looks like binary data: there is a NUL at byte 5" in got.bad[1].reason
    assert got.table.column("n").to_pylist() == [None] * 3
    assert read(source, WantedColumns(id=None)).ids == [None] * 3


def test_not_below_the_first_level(texts, read):
    (source,) = open_inputs([texts], recursive=False)
    assert read(source).ids == ["a.md", "z.txt"]


def test_batches(texts, read, monkeypatch):
    (source,) = open_inputs([texts])
    whole = read(source)
    monkeypatch.setattr(folder, "TEXT_BYTES", 1)
    parts = read(source)
    assert parts.table.equals(whole.table) and parts.batches > whole.batches


def test_split_annotate_fetch(tmp_path, texts, read):
    (source,) = open_inputs([texts])
    read(source)
    source.split(np.array([0, 1, 2, 2, 0], np.uint8), tmp_path / "k" / "k.txt", tmp_path / "r.txt")
    assert (tmp_path / "k" / "k.txt").read_text() == "a.md\nz.txt\n"
    assert (tmp_path / "r.txt").read_text(encoding="utf-8") == "b/二.txt\n"
    source.annotate(pa.table({"of": ["x", None, None, None, 'y"'], "n": [1.5] * 5}), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines() == [
        '"path","of","n"', '"a.md","x",1.5', '"b/二.txt",,1.5', '"z.txt","y""",1.5',
    ]  # fmt: skip
    assert source.fetch([4, 0, 2, 0], WantedColumns()).column("id").to_pylist() == ["z.txt", "a.md", "a.md"]
    for act in (
        lambda: source.fetch([5], WantedColumns()),
        lambda: source.split(np.zeros(4, np.uint8), tmp_path / "k.txt", None),
        lambda: source.annotate(pa.table({"of": ["x"]}), tmp_path / "out.csv"),
    ):
        with pytest.raises(InputChanged):
            act()


def test_a_file_that_changed(tmp_path, texts, read):
    (source,) = open_inputs([texts])
    read(source)
    (texts / "z.txt").write_text("more")
    with pytest.raises(InputChanged, match=r"z\.txt"):
        source.split(np.zeros(5, np.uint8), tmp_path / "k.txt", None)
    assert source.fetch([0], WantedColumns()).num_rows == 1
    (texts / "a.md").unlink()
    with pytest.raises(InputChanged, match=r"a\.md"):
        source.fetch([0], WantedColumns())


def test_a_file_that_cannot_be_read(texts, read):
    (source,) = open_inputs([texts])
    (texts / "z.txt").unlink()
    got = read(source)
    assert got.reasons[-1] == "z.txt: cannot be read: No such file or directory"


def test_fingerprint_covers_names_and_contents(texts, read):
    (source,) = open_inputs([texts])
    unread = source.fingerprint()
    read(source)
    assert source.fingerprint() == unread
    assert unread["bytes"] == sum(file.stat().st_size for file in texts.rglob("[!.]*.[tm][xd]*"))
    (texts / "z.txt").rename(texts / "y.txt")
    (other,) = open_inputs([texts])
    assert other.fingerprint()["blake2b"] != unread["blake2b"]


def test_names_that_are_no_utf8(tmp_path, read):
    root = tmp_path / "odd"
    root.mkdir()
    try:
        (root / os.fsdecode(b"\xff.txt")).write_text("a")
        (root / "line\nend.txt").write_text("b")
    except OSError:
        pytest.skip("this file system wants UTF-8 names")
    (source,) = open_inputs([root])
    assert read(source).ids == ["line\\nend.txt", "\\xff.txt"]
    source.split(np.array([KEEP, REMOVE], np.uint8), tmp_path / "k.txt", None)
    assert (tmp_path / "k.txt").read_text() == "line\\nend.txt\n"


def test_one_file(texts, read):
    (source,) = open_inputs([texts / "b" / "二.txt"])
    assert (source.name, read(source).ids) == ("二.txt", ["二.txt"])
