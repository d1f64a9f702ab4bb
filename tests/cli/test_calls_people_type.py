"""Covers: calls of tests/wrong_calls, as users of each kind type them: the answer has the words of the remedy, in both languages.

The words were written before the answers were looked at. Each call says who types it and what is meant.
"""

import json
import re
import shlex
import shutil
import socket
from pathlib import Path

import pytest
from matrices import each_once

import quchong as qc
from quchong.errors import QuchongError

CALLS = Path(__file__).parents[1] / "wrong_calls"
COMMANDS, IN_PYTHON = (json.loads((CALLS / f"{name}.json").read_text("utf-8")) for name in ("commands", "python"))
NOT_FOR_PEOPLE = re.compile(r"Errno|Traceback|Usage:|Error:|valid float|magic bytes|zip file|Exception|NoneType|<class")


LANGUAGES = ("en", "zh")


def name_of(value):
    """The name of a language or a call in the ids of tests."""
    return value if isinstance(value, str) else value["call"]


MADE = []
"""The folder of the files, the run and the index, once it is made."""


@pytest.fixture
def places(tmp_path, tmp_path_factory, jsonl, article, command, monkeypatch):
    """Files, a run and an index that the calls name; the current folder has them, copied from where they were made once."""
    names = {"news": "news.jsonl", "csv": "监测.csv", "page": "page.html", "truth": "truth.jsonl", "empty": "empty", "doc": "文稿",
             "run": "run", "seen": "seen", "new": "new", "nothing": "nothing",
             "yaml": "options.yaml", "tables": "tables.toml", "names": "names.toml", "gbk": "gbk.csv"}  # fmt: skip
    if not MADE:
        made = tmp_path_factory.mktemp("places")
        monkeypatch.chdir(made)
        rows = [{"id": "a", "body": article(1)}, {"id": "b", "body": article(1)}, {"id": "c", "body": article(2)}]
        jsonl(made / names["news"], rows)
        text = "\n".join(["编号,摘录,发布于", *(f"{n},{article(n)},2020-01-0{n}" for n in (1, 2, 3))])
        Path("监测.csv").write_text(text, "utf-8")
        Path("page.html").write_text(f"<p>{article(1)}</p>", "utf-8")
        Path("truth.jsonl").write_text('{"left": "a", "right": "b", "relation": "exact"}\n')
        Path("empty").mkdir()
        Path("none.jsonl").touch()
        Path("options.yaml").write_text("method: minhash\n")
        Path("tables.toml").write_text('[dedup]\nmethod = "minhash"\n')
        Path("names.toml").write_text("similarity_threshold = 0.8\n")
        Path("gbk.csv").write_bytes("text\n今天天气很好\n明天下雨了\n".encode("gbk"))
        Path("my data").mkdir()
        Path("数据 目录").mkdir()
        for path in (Path("my data/news.jsonl"), Path("数据 目录/新闻.jsonl")):
            shutil.copy(names["news"], path)
        Path("wrapped.json").write_text('{"data": [{"text": "one"}, {"text": "two"}]}')
        Path("chat.jsonl").write_text('{"messages": [{"role": "user", "content": "hello"}]}\n' * 2)
        Path("python.jsonl").write_text("{'text': 'one'}\n")
        rows = [{"text": "one"}, {"text": "two"}]
        Path("array.jsonl").write_text(json.dumps(rows))
        Path("pretty.jsonl").write_text("\n".join(json.dumps(row, indent=2) for row in rows))
        Path("table.jsonl").write_text("编号\ttext\n1\tone\n2\ttwo\n", "utf-8")
        Path("content.csv").write_text("content\none\n")
        Path("ids.txt").write_text("a\n")
        Path("others.csv").write_text("left_id,right_id,label\nx1,x2,same\nx3,x4,different\n")
        Path("scores.csv").write_text("left_id,right_id,label\na,b,0.93\na,c,0.12\n")
        Path("words.csv").write_text("left_id,right_id,label\na,b,yep\na,c,nope\n")
        Path("none.csv").write_text("")
        Path("groups.csv").write_text("doc,group\na,1\nb,1\n")
        Path("文稿.docx").write_bytes(b"PK\x03\x04" + b"\0" * 40)
        Path("real.xlsx").write_bytes(b"PK\x03\x04" + b"\0" * 40)
        Path("文稿.pdf").write_bytes(b"%PDF-1.7\n")
        assert command("dedup", "news.jsonl", "--text-key", "body", "-o", "run", "-q").code == 0
        assert command("index", "create", "seen", "--text-key", "body", "-q").code == 0
        assert command("index", "add", "seen", "news.jsonl", "-q").code == 0
        MADE.append(made)
    shutil.copytree(MADE[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        yield names | {"busy": busy.getsockname()[1]}


def answer(command, places, call):
    """What a command line is answered, its exit code, and what is wrong with the answer."""
    ran = command(*(word.format(**places) for word in shlex.split(call["call"])))
    return ran.err, ran.code


def lacking(said, call, language, places):
    words = [word.format(**places) for word in (*call.get("words", ()), *call.get(language, ()))]
    return [word for word in words if word not in said] + NOT_FOR_PEOPLE.findall(said)


@pytest.mark.parametrize(("language", "call"), each_once(LANGUAGES, COMMANDS), ids=name_of)
def test_a_command_is_answered_with_what_to_do(places, command, monkeypatch, call, language):
    if call["call"].startswith("lab"):
        pytest.importorskip("quchong_lab", reason="needs the package of experiments: pip install ./packages/lab")
    monkeypatch.setenv("QUCHONG_LANG", language)
    said, code = answer(command, places, call)
    assert not lacking(said, call, language, places), said
    assert code == call["code"], said
    assert not Path("new").exists() and not Path("new.jsonl").exists()
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize(("language", "call"), each_once(LANGUAGES, IN_PYTHON), ids=name_of)
def test_a_call_in_python_is_answered_with_what_to_do(places, monkeypatch, call, language):
    import pandas as pd

    monkeypatch.setenv("QUCHONG_LANG", language)
    names = {
        "qc": qc,
        "pd": pd,
        "frame": pd.DataFrame({"body": ["a"]}),
        **{name: Path(str(place)) for name, place in places.items()},
    }
    with (
        Path("news.jsonl").open(encoding="utf-8") as opened,
        pytest.raises((QuchongError, AttributeError, TypeError, KeyError, ImportError)) as raised,
    ):
        eval(call["call"], names | {"opened": opened})
    assert not lacking(str(raised.value), call, language, places), str(raised.value)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("name", "words"), [("Deduplicator", "qc.dedup"), ("MinHash", "method='minhash'"), ("zzz", "dedup")]
)
def test_a_name_that_cannot_be_imported_leads_to_ours(monkeypatch, name, words, language):
    monkeypatch.setenv("QUCHONG_LANG", language)
    with pytest.raises(ImportError) as raised:
        exec(f"from quchong import {name}")
    assert words in str(raised.value) and name in str(raised.value) and "__init__" not in str(raised.value)
    assert not hasattr(qc, name)


def test_an_error_of_a_public_call_has_few_lines(places):
    for call in (
        lambda: qc.dedup("new.jsonl"),
        lambda: qc.dedup("news.jsonl", threshold="x"),
        lambda: qc.load("nowhere"),
    ):
        with pytest.raises(QuchongError) as raised:
            call()
        own = [one for one in raised.traceback if "quchong" in str(one.path.parent)]
        assert len(own) <= 3 and raised.value.__cause__ is None
