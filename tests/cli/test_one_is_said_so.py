"""Covers: commands over one document, with one bad record and one removal, count each in the singular; empty arguments are told as such."""

import json
import re
from pathlib import Path

import pytest

from quchong.languages.singular import NOUNS

ROW = json.dumps({"id": "a", "text": "今天天气很好，适合到公园散步，也适合在家里读书。"}, ensure_ascii=False)


@pytest.mark.parametrize(
    "call",
    [
        "dedup ONE -o OUT", "dedup ONE --unit line -o OUT", "dedup ONE --unit line", "passages ONE", "decontaminate ONE --against TESTS",
        "dedup ONE --plan", "dedup ONE -o OUT --against TWO", "dedup ONE --unit line --against ONE -o OUT", "dedup TWO -o OUT",
        "passages ONE --against TWO", "dedup TWO -q -o OUT",
    ],
)  # fmt: skip
def test_no_command_says_1_documents(tmp_path, command, monkeypatch, call):
    """Covers: one document in, one record bad, one removed."""
    files = {
        "ONE": [ROW], "TWO": [ROW, ROW.replace('"a"', '"b"'), "{bad"],
        "TESTS": [json.dumps({"question": "今天天气很好，适合到公园散步，也适合在家里读书。"}, ensure_ascii=False)],
    }  # fmt: skip
    named = {"OUT": str(tmp_path / "out")}
    for name, lines in files.items():
        named[name] = str(tmp_path / f"{name.lower()}.jsonl")
        Path(named[name]).write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setenv("QUCHONG_LANG", "en")
    ran = command(*(named.get(word, word) for word in call.split()))
    assert ran.code in (0, 1), ran.err
    plurals = "|".join(NOUNS)
    assert not re.findall(rf"(?<![\w.,/])1 (?:{plurals})\b", ran.out + ran.err), ran.out + ran.err


@pytest.mark.parametrize(
    "call", [["compare", "", "x"], ["compare", "x", ""], ["compare", "", ""], ["passages", "", "x"], ["inspect", ""]]
)
def test_an_empty_argument_is_told_as_such(command, call):
    """Covers: it was taken for the current folder ("." is a folder: name two files)."""
    ran = command(*call)
    assert ran.code == 2 and "an argument is empty" in ran.err and "folder" not in ran.err
    assert ("--text" in ran.err) == (call[0] == "compare")


def test_an_empty_text_is_compared_where_it_is_said_to_be_a_text(command):
    assert command("compare", "--text", "", "x").code == 0
