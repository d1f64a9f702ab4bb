"""Covers: the folder of a run as input, or as the corpus compared against: run.json names its columns."""

import json
from pathlib import Path

import pytest

import quchong as qc

TEXTS = [f"第{word}篇文章讲的是{thing}，与别的文章都不相同，也没有人抄过这一篇。" for word, thing in
         zip("一二三四五六", ("种田", "打铁", "织布", "行船", "烧窑", "养蚕"), strict=True)]  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [
        ["dedup", "RUN", "-o", "OUT"],
        ["passages", "RUN", "-o", "OUT"],
        ["decontaminate", "RUN", "--against", "TESTS", "-o", "OUT"],
        ["dedup", "PLAIN", "--against", "RUN", "-o", "OUT"],
    ],
)
@pytest.mark.parametrize("kind", ["dedup", "decontaminate"])
def test_the_folder_of_a_run_is_read_by_the_columns_of_that_run(tmp_path, command, jsonl, call, kind):
    """Covers: whoever gives a run folder need not name its columns again."""
    rows, run = (
        jsonl(tmp_path / "nested.jsonl", [{"id": f"n{k}", "content": {"text": text}} for k, text in enumerate(TEXTS)]),
        tmp_path / "run",
    )
    tests = jsonl(tmp_path / "tests.jsonl", [{"question": TEXTS[5]}])
    plain = jsonl(tmp_path / "plain.jsonl", [{"id": "p", "text": TEXTS[0]}])
    if kind == "dedup":
        qc.dedup(rows, text="content.text", out=run)
    else:
        if "PLAIN" in call:
            pytest.skip("such a folder is no reference run")
        qc.decontaminate(
            rows, [{"question": "没有人问过的一个很长很长的问题是什么？"}], text="content.text", mode="remove", out=run
        )
    names = {"RUN": str(run), "OUT": str(tmp_path / "out"), "TESTS": str(tests), "PLAIN": str(plain)}
    ran = command(*(names.get(word, word) for word in call))
    assert ran.code == 0, ran.err
    counts = json.loads(Path(tmp_path, "out", "run.json").read_text("utf-8"))["counts"]
    assert counts["read"] == (1 if "PLAIN" in call else len(TEXTS)) and not counts["skipped"]
    if call[0] == "decontaminate":
        assert counts["leaking"] == 1
    if "PLAIN" in call:
        assert counts["removed"] == 1


@pytest.mark.parametrize("words", [("NEWS", "run"), ("run", "NEWS"), ("NEWS", "NEWS")])
def test_a_run_behind_the_inputs_may_be_the_output(tmp_path, command, jsonl, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "news.jsonl", [{"id": f"n{k}", "text": text} for k, text in enumerate(TEXTS)])
    assert command("dedup", "news.jsonl", "-o", "run", "-q").code == 0
    ran = command("dedup", *("news.jsonl" if word == "NEWS" else word for word in words))
    assert ran.code == 0
    line = "if it is the output, run:  quchong dedup news.jsonl -o run --overwrite"
    assert (line in ran.err) == (words == ("NEWS", "run"))
