"""Covers: a file named as an index, and ids that no document has, and how many ids are read to advise on one.

Run: pytest tests/cli/test_index_named_wrongly.py.
"""

from __future__ import annotations

import json

import pytest

import quchong as qc
from quchong.api import index_ids
from quchong.cli.completing import ids_in_index
from quchong.engines.index import contents

ROWS = [{"id": f"d{k}", "text": f"第{k}号公告：云河市今天召开会议。" * (k + 1)} for k in range(3)]


@pytest.fixture
def seen(tmp_path):
    with qc.Index.create(tmp_path / "seen") as made:
        made.add(ROWS)
    return tmp_path / "seen"


@pytest.mark.parametrize(
    "words", [("query", "FILE"), ("add", "FILE"), ("stats",), ("delete", "d0"), ("verify",), ("repair",), ("migrate",)]
)
def test_a_file_is_no_index_and_no_place_for_one(command, tmp_path, words):
    file = tmp_path / "n.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    said = command("index", words[0], file, *(file if word == "FILE" else word for word in words[1:]))
    assert said.code == 5
    assert (
        said.line
        == f"quchong: {file} is a file, but an index is a folder: to make an index, use quchong index create seen/; then add the file with quchong index add seen/ {file}"
    )


def test_ids_that_no_document_has_are_named_and_fail_if_that_is_asked(command, seen):
    told = command("index", "delete", seen, "d0", "nope")
    assert (told.code, told.out) == (0, "deleted 1 document\n") and "has no document 'nope'" in told.err
    told = command("index", "delete", seen, "d1", "nope", "--fail-on", "missing")
    assert (told.code, told.out) == (6, "deleted 1 document\n")
    assert "--fail-on: 1 id belongs to no document; all other documents were deleted" in told.err
    assert command("index", "delete", seen, "d2", "--fail-on", "missing").code == 0
    assert command("index", "delete", seen, "nope").code == 2
    assert "use missing" in command("index", "delete", seen, "d2", "--fail-on", "bad").line


def test_the_first_missing_id_is_told_with_the_id_that_was_meant(command, seen):
    told = command("index", "delete", seen, "d01", "d0", "X")
    assert (told.code, told.out) == (0, "deleted 1 document\n")
    assert told.err.splitlines() == [
        f"quchong: {seen} has no document 'd01': did you mean d1?",
        f"quchong: {seen} has no document 'X'",
    ]
    with qc.Index(seen) as index:
        assert (index.delete(["X", "d1"]), index.delete("X"), index.ids()) == (1, 0, ["d2"])


def test_advice_about_an_id_reads_no_more_ids_than_are_looked_at(command, seen, monkeypatch):
    monkeypatch.setattr(contents, "LOOKED_AT", 2)
    monkeypatch.setattr(index_ids, "LOOKED_AT", 2)
    read = []
    ids = contents.Contents.ids

    def counted(self, most=None):
        read.append(most)
        return ids(self, most)

    monkeypatch.setattr(contents.Contents, "ids", counted)
    for words in (
        ("explain", seen, "nope"),
        ("inspect", "--index", seen, "nope.txt"),
        ("index", "delete", seen, "nope"),
    ):
        told = command(*words)
        assert told.code in (2, 3) and told.line.endswith("the ids are 'd0', 'd1'"), told.line
    with qc.Index(seen) as index, pytest.raises(qc.UsageError, match="the ids are 'd0', 'd1'"):
        index.text("nope")
    assert ids_in_index(seen, "d") == ["d0", "d1"]
    assert read == [2] * 5
