"""Covers: wrong calls of quchong.Index: each raises an error of quchong that says what is wrong and what to do, in English and Chinese, and
changes nothing; how an index shows itself.
Run: pytest tests/promises/test_index_wrong_calls_of_python.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from index_records import EN, ZH

import quchong as qc
from quchong.errors import QuchongError

CALLS = {
    "expire None": (lambda index, _: index.expire(None), "older_than=None is not a time span: write a number and s, m, h, d or w"),
    "expire a word": (lambda index, _: index.expire("x"), "older_than='x' is not a time span"),
    "expire a number": (lambda index, _: index.expire(30), "older_than=30 is not a time span"),
    "delete None": (lambda index, _: index.delete(None), "an id must be a text or a whole number, not None"),
    "delete nothing": (lambda index, _: index.delete(""), "an id is empty: give the id of a document"),
    "delete bytes": (lambda index, _: index.delete(b"a"), "not bytes"),
    "delete a record": (lambda index, _: index.delete({"id": "a"}), "not dict"),
    "delete several None": (lambda index, _: index.delete([None]), "not None"),
    "text of None": (lambda index, _: index.text(None), "not None"),
    "text of nobody": (lambda index, _: index.text("nobody"), "no document of the index has the id 'nobody'"),
    "matches of a list": (lambda index, _: index.matches(["a"]), "not list"),
    "add None": (lambda index, _: index.add(None), "'documents' must be a text, a dict, a list of these, a table or a pathlib.Path, not None"),
    "add a number": (lambda index, _: index.add(5), "not int"),
    "add bytes": (lambda index, _: index.add(b"text"), "not bytes"),
    "add an empty id": (lambda index, _: index.add({"id": "", "text": ZH}), "the id is empty: give one, or leave out the key"),
    "add without a text": (lambda index, _: index.add({"id": "x"}), "has no column 'text'"),
    "add a text that is a number": (lambda index, _: index.add({"id": "x", "text": 5}), "text is int, not a str"),
    "add an id again": (lambda index, _: index.add({"id": "a", "text": EN}), "delete that document first"),
    "add a path as a text": (lambda index, folder: index.add(str(folder / "file")), "but a str is read as a text"),
    "add no file": (lambda index, _: index.add(Path("nowhere.jsonl")), "no such file; check the spelling"),
    "query bytes": (lambda index, _: index.query(b"text"), "not bytes"),
    "query from a word on": (lambda index, _: index.query(ZH, first="a"), "first='a': use a whole number of 0 or more"),
    "open twice": (lambda _, folder: qc.Index(folder / "seen"), "close that Index first"),
    "open None": (lambda *_: qc.Index(None), "folder must be a path, got None"),
    "open with workers that are none": (lambda _, folder: qc.Index(folder / "seen", workers="x"), "workers"),
    "sync a number": (lambda _, folder: qc.Index.create(folder / "new", sync=5), "sync=5 must be each, none, or a time"),
    "shadow a text": (lambda _, folder: qc.Index.create(folder / "new", shadow="x"), "shadow='x': use a dict of parameters"),
    "store nowhere": (lambda _, folder: qc.Index.create(folder / "new", store=None), "store=None: use text, features, none"),
    "back up into itself": (lambda index, folder: index.backup(folder / "seen" / "copy"), "name another place"),
}  # fmt: skip
CLOSED = {
    "add": lambda index: index.add(ZH), "query": lambda index: index.query(ZH), "len": len, "in": lambda index: "a" in index,
    "delete": lambda index: index.delete("a"), "with": lambda index: index.__enter__(), "stats": lambda index: index.stats(),
    "verify": lambda index: index.verify(), "compact": lambda index: index.compact(), "repair": lambda index: index.repair(),
}  # fmt: skip


@pytest.fixture
def index(tmp_path):
    (tmp_path / "file").write_text(ZH, encoding="utf-8")
    with qc.Index.create(tmp_path / "seen") as made:
        made.add({"id": "a", "text": ZH})
        yield made
        assert made.ids() == ["a"]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_says_what_is_wrong_and_what_to_do(index, tmp_path, name):
    call, said = CALLS[name]
    with pytest.raises(QuchongError, match=re.escape(said)):
        call(index, tmp_path)


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_told_in_chinese(index, tmp_path, name):
    qc.set_language("zh")
    try:
        with pytest.raises(QuchongError, match=r"[\u4e00-\u9fff]"):
            CALLS[name][0](index, tmp_path)
    finally:
        qc.set_language(None)


@pytest.mark.parametrize("name", CLOSED)
def test_an_index_that_was_closed_says_how_to_open_it_again(tmp_path, name):
    with qc.Index.create(tmp_path / "seen") as index:
        pass
    with pytest.raises(QuchongError, match="this index has been closed: open it again with quchong"):
        CLOSED[name](index)


def test_an_index_shows_itself(tmp_path):
    folder = tmp_path / "seen"
    with qc.Index.create(folder) as index:
        index.add({"id": "a", "text": ZH})
        assert repr(index) == f"<quchong.Index: {str(folder)!r}, 1 document>"
        index.add({"id": "b", "text": EN})
        with qc.Index(folder, read_only=True) as asking:
            assert repr(asking) == f"<quchong.Index: {str(folder)!r}, 2 documents, read-only>"
    assert repr(index) == f"<quchong.Index: {str(folder)!r}, closed>"
