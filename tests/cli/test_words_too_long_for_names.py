"""Covers: a word of 300 letters in each place of a command line, where a folder, a file or an id is wanted: no file system has such a name, and
asking for it is an error of the system. It is answered as any other name that is not there.

Run: pytest tests/cli/test_words_too_long_for_names.py.
"""

import pytest

LONG = "A" * 300
COMMANDS = (
    "resume", "filter", "explain", "templates", "report", "chains", "eval", "tune", "verify", "restore", "compare", "inspect",
    "decontaminate", "passages", "statistics", "completion", "index add", "index query", "index delete", "index stats", "index create",
    "index import",
)  # fmt: skip
LINES = (
    "LONG", "run LONG", "LONG run", "news.jsonl LONG", "run n001 LONG", "run news.jsonl LONG", "seen LONG news.jsonl", "LONG/x.jsonl",
    "-o LONG news.jsonl", "news.jsonl -o LONG/x", "run -o LONG.html", "run --truth LONG",
)  # fmt: skip
OPTIONS = (
    "-o LONG", "-o LONG/x", "-o new1 --against LONG", "-o new2 --protect LONG", "-o new3 --boilerplate LONG", "-o new4 --reviewed LONG",
    "-o new5 --work LONG", "-o new6 --profile LONG.html", "-o new7 --log-file LONG",
)  # fmt: skip


@pytest.fixture
def here(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "news.jsonl").write_text('{"id": "n001", "text": "今天上午，市图书馆新馆开馆。"}\n', encoding="utf-8")
    assert command("dedup", "news.jsonl", "-o", "run").code == 0
    assert command("index", "create", "seen").code == 0
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_a_word_too_long_for_a_name_is_answered(here, name):
    for line in LINES:
        ran = here(*name.split(), *line.replace("LONG", LONG).split())
        assert ran.code != 1, (line, ran.err)


def test_an_option_of_a_run_whose_value_is_too_long_for_a_name_is_answered(here):
    for line in OPTIONS:
        ran = here("dedup", "news.jsonl", *line.replace("LONG", LONG).split())
        assert ran.code in (2, 3, 4, 5), (line, ran.code, ran.err)
        assert "[Errno" not in ran.err
