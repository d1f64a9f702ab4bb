"""Covers: an answer to options that a command does not have shows the whole line as it works, and says all that is wrong in it."""

import json
import shlex
from pathlib import Path

import pytest


@pytest.fixture
def news(tmp_path, jsonl, article, command, monkeypatch):
    """A folder with a corpus, and the command that returns the last line on standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUCHONG_LANG", "en")
    jsonl(tmp_path / "news.jsonl", [{"id": f"n{n}", "title": "Title", "text": article(min(n, 2))} for n in (1, 2, 3)])

    def last_line(line):
        ran = command(*shlex.split(line))
        assert ran.code in (2, 3, 4), f"{line}: {ran.code} {ran.err}"
        return ran.err.strip().splitlines()[-1]

    return last_line


LINES = [
    ("dedup --data_files news.jsonl --column text --num_perm 256 --ngram 5 --output out",
     "no option --data_files, --ngram: did you mean "
     "quchong dedup news.jsonl --text-key text --num-perm 256 --ngram-size 5 --output out --method minhash?"),
    ("dedup news.jsonl --column text --num_perm 256 --ngram 5 -o out",
     "--ngram-size in quchong; write quchong dedup news.jsonl --text-key text --num-perm 256 --ngram-size 5 -o out --method minhash;"),
    ("dedup news.jsonl --threshhold 0.8 -o out", "did you mean quchong dedup news.jsonl --threshold 0.8 -o out?"),
    ("dedup --path json --data_files news.jsonl -o out", "did you mean quchong dedup news.jsonl -o out?"),
    ("dedup --input=news.jsonl --jaccard_threshold=0.8 -o out", "did you mean quchong dedup news.jsonl --threshold=0.8 -o out?"),
    ("compare one two --thresh 0.8", "write quchong compare one two --threshold 0.8;"),
    ("dedup news.jsonl --n_perm 128 --method minhash -q -o out",
     "write quchong dedup news.jsonl --num-perm 128 --method minhash -q -o out;"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), LINES, ids=[line for line, _ in LINES])
def test_the_whole_line_is_shown_with_our_options(news, line, said):
    assert said in news(line)


def test_a_line_that_is_shown_works(news, command):
    said = news("dedup --data_files news.jsonl --column text --num_perm 64 --ngram 5 --output out")
    line = said.partition("did you mean ")[2].partition("?")[0]
    assert command(*shlex.split(line)[1:]).code == 0
    method = json.loads(Path("out/run.json").read_text("utf-8"))["config"]["parameters"]
    assert (method["num_perm"], method["ngram_size"]) == (64, 5)


NO_LINE = [
    "dedup news.jsonl --ngram 5 --frobnicate",
    "dedup news.jsonl --ngram 5 -o out --force",
    "dedup news.jsonl --ngram five -o out",
    "dedup --ngram 5 -o out",
    "dedup news.jsonl --ngram 5 --batch_size 1000",
    "dedup https://user:secret@host/news.jsonl --ngram 5",
    "dedup news.jsonl --ngram 5 --method exact -o out",
]  # fmt: skip


@pytest.mark.parametrize("line", NO_LINE)
def test_no_line_is_shown_that_would_be_refused_or_has_a_password(news, line):
    said = news(line)
    assert (
        "--ngram" in said
        and "write quchong" not in said
        and "did you mean quchong" not in said
        and "secret" not in said
    )


def test_each_of_several_unknown_options_is_named(news):
    said = news("dedup news.jsonl --ngram_len 5 --yes_please --threshhold 0.8")
    assert all(f"no option {one}: " in said for one in ("--ngram_len", "--yes_please", "--threshhold"))


@pytest.mark.parametrize(
    ("option", "ours"), [("--column", "--text-key"), ("--id-field", "--id-key"), ("--num-proc", "--workers")]
)
def test_a_name_of_another_tool_is_noted(news, command, option, ours):
    value = {"--column": "text", "--id-field": "id", "--num-proc": "1"}[option]
    ran = command("dedup", "news.jsonl", option, value)
    assert ran.code == 0 and f"note: {option} is the name in" in ran.err and ours in ran.err
    assert "note:" not in command("dedup", "news.jsonl", ours, value, "-q", "--dry-run").err
    assert "is the name in" not in command("dedup", "news.jsonl", option, value, "-q", "--dry-run").err


def test_one_similar_option_in_chinese_is_one(news, command, monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    said = command("dedup", "--threshhold", "0.8").err
    assert "是不是想写 --threshold？" in said and "其中之一" not in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("index expire seen/ --days 30", "quchong index expire seen/ --older-than 30d"),
        ("dedup news.jsonl --within 3d days", "--within 3d is complete without this word"),
        ("dedup news.jsonl clean.csv", "if this is the output, give a folder: -o clean/"),
        ("dedup news.jsonl ./clean.csv", "if this is the output, give a folder: -o clean/"),
        (
            "explain n009",
            "no run folder is named before the id n009; see quchong explain --help, or try: quchong explain run/ n009",
        ),
        ("dedup feed.xml", "write its texts as JSON lines first"),
        ("filter page.jsonl", "the input is a web page"),
        ("filter photo.png", "a picture has no text"),
        ("compare a.txt news.jsonl", "news.jsonl contains records, but this command needs two texts"),
    ],
)
def test_what_strangers_typed(news, line, words):
    Path("feed.xml").write_text("<a/>")
    Path("photo.png").write_bytes(b"\x89PNG")
    Path("a.txt").write_text("text")
    Path("page.jsonl").write_text("<!DOCTYPE html><html>\n<body>\n")
    assert words in news(line)
