"""Covers: columns of an index: several columns of text are exported, reported on, compared against, refitted; columns with usual names such
as 正文 are found at the first documents, at create in a corpus to fit on, and stay; documents without an id are numbered through the input.
Compared against: `quchong.dedup`, which finds the same columns.
Run: pytest tests/promises/test_index_columns.py.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest
from index_records import EN, ZH

import quchong as qc
from quchong.errors import InputError

TWO = [
    {"id": "a", "title": "地铁四号线明年通车", "body": ZH},
    {"id": "b", "title": "地铁四号线明年通车", "body": ZH},
    {"id": "c", "title": "Tram", "body": EN},
]
USUAL = [
    {"编号": "a", "标题": "通车", "正文": ZH, "发布时间": "2026-03-02 08:00", "来源": "甲报"},
    {"编号": "b", "标题": "通车", "正文": ZH, "发布时间": "2026-03-01 08:00", "来源": "乙报"},
    {"编号": "c", "标题": "Tram", "正文": EN, "发布时间": "2026-03-01 09:00", "来源": "丙报"},
]


def quchong(*words, given=""):
    done = subprocess.run(
        [sys.executable, "-m", "quchong", *map(str, words)], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def of_two_columns(tmp_path):
    with qc.Index.create(tmp_path / "seen", text=["title", "body"]) as index:
        index.add(TWO)
    return tmp_path / "seen"


def test_an_index_of_two_columns_of_text_is_exported_with_what_it_compares(of_two_columns, tmp_path):
    with qc.Index(of_two_columns) as index:
        run = qc.load(index.export(tmp_path / "run"))
    assert run.kept.column("id").to_pylist() == ["a", "c"]
    assert [text.split("\n")[::2] for text in run.kept.column("text").to_pylist()] == [
        [one["title"], one["body"]] for one in (TWO[0], TWO[2])
    ]


def test_a_corpus_is_compared_with_an_index_of_two_columns_of_text(of_two_columns):
    new = [{**TWO[0], "id": "new"}, {"id": "other", "title": "好", "body": ZH[::-1]}]
    result = qc.dedup(new, text=["title", "body"], against=of_two_columns)
    assert result.kept.column("id").to_pylist() == ["other"]


def test_an_index_of_two_columns_of_text_is_refitted_and_reported_on(of_two_columns, tmp_path):
    quchong("index", "compact", of_two_columns, "--refit")
    with qc.Index(of_two_columns, read_only=True) as index:
        assert index.query({"id": "d", **{k: TWO[1][k] for k in ("title", "body")}}).matches[0].relation == "exact"
    quchong("report", of_two_columns, "-o", tmp_path / "seen.html")
    assert ZH[:20] in (tmp_path / "seen.html").read_text(encoding="utf-8")


def test_usual_names_are_found_at_the_first_documents_and_stay(tmp_path):
    with qc.Index.create(tmp_path / "seen", keep="earliest", shadow={"threshold": 0.7}) as index:
        assert index.query(USUAL[0]).new
        assert index.add(USUAL[0]).id == "a"
        told = index.add(USUAL[1])
        assert (told.replaces, told.shadow.replaces) == (("a",), ("a",))
    with qc.Index(tmp_path / "seen") as index:
        settings = index.stats().settings
        assert [settings[name] for name in ("text", "id", "time_key", "source_key")] == [
            ["正文"],
            "编号",
            "发布时间",
            "来源",
        ]
        assert index.query({"正文": ZH}).survivor_id == "b"
        with pytest.raises(InputError, match="正文"):
            index.add({"text": "a text under another name"})
        assert index.verify() == []


def test_a_process_that_only_asks_takes_the_columns_that_another_one_found(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index, qc.Index(tmp_path / "seen", read_only=True) as asking:
        assert asking.query(USUAL[0]).new
        index.add(USUAL[0])
        assert asking.query({"正文": ZH}).survivor_id == "a"


def test_two_columns_that_may_be_the_text_are_refused(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        with pytest.raises(InputError):
            index.add({"正文": ZH, "内容": EN})
        assert len(index) == 0
        assert index.add({"text": ZH}).new


def test_names_that_were_given_are_not_replaced(tmp_path):
    with qc.Index.create(tmp_path / "seen", text="标题", id="编号") as index:
        index.add(USUAL)
        assert [index.text(id) for id in index.ids()] == ["通车", "通车", "Tram"]
        assert index.stats().settings["text"] == ["标题"]


@pytest.mark.parametrize("way", ["stdin", "jsonl", "csv", "fit"])
def test_commands_tell_the_columns_they_found(tmp_path, way):
    (tmp_path / "new.jsonl").write_text(lines(USUAL), encoding="utf-8")
    with (tmp_path / "new.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(USUAL[0]))
        out.writeheader()
        out.writerows(USUAL)
    fit = ("--fit", tmp_path / "new.csv") if way == "fit" else ()
    created = quchong("index", "create", tmp_path / "seen", *fit)
    name = "-" if way in ("stdin", "fit") else tmp_path / f"new.{way}"
    added = quchong("index", "add", tmp_path / "seen", name, given=lines(USUAL))
    told = "the column 正文 is read as the text, the column 编号 is read as the id, the column 发布时间 is read as the time, the column 来源 is read as the source\n"
    assert (created if way == "fit" else added).stderr == told
    assert added.stdout.startswith("b is an exact copy of a; kept, and replaces a\n")
    assert quchong("index", "query", tmp_path / "seen", "-", given=lines(USUAL)).stderr == ""
    result = qc.dedup(tmp_path / "new.jsonl", against=tmp_path / "seen")
    assert result.kept.num_rows == 0


def test_documents_without_an_id_are_numbered_through_the_whole_input(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add({"id": "a", "text": ZH})
        batches = [index.query([{"text": ZH}, {"text": EN}], first=first) for first in (0, 2)]
    assert [one.id for answers in batches for one in answers] == ["#0", "#1", "#2", "#3"]
    given = lines([{"text": ZH}, {"none": 1}, *[{"text": EN}] * 2_500, {"text": ZH}])
    told = quchong("index", "query", tmp_path / "seen", "-", "-q", "--json", "--only-known", given=given).stdout
    assert [json.loads(line)["id"] for line in told.splitlines()] == ["#0", "#2501"]
