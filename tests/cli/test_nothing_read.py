"""Covers: a run that reads no document replaces no earlier run, whatever the command; the earlier one is as it was, byte for byte. Every
command that reads a stream ends with 3 if the stream has no record that can be read, and keeps what it had.
"""

import re

import pytest

import quchong as qc
from quchong.errors import InputError

COMMANDS = {
    "dedup": ("dedup",),
    "lines": ("dedup", "--unit", "line"),
    "passages": ("passages",),
    "decontaminate": ("decontaminate", "--against", "tests.jsonl"),
}
BAD = b"no json\n" * 20


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "feed.jsonl has no record: check the program that wrote it"),
        (BAD, "20 of 20 records cannot be read|no record can be read"),
    ],
    ids=["empty", "bad"],
)
def test_an_empty_or_bad_input_replaces_no_run(command, jsonl, article, tmp_path, monkeypatch, words, content, reason):
    monkeypatch.chdir(tmp_path)
    jsonl("news.jsonl", [{"text": article(1)}, {"text": article(1)}, {"text": article(2)}])
    jsonl("tests.jsonl", [{"text": article(2)}])
    assert command(*words, "news.jsonl", "-o", "run", "-q").code == 0
    before = files_of(tmp_path / "run")
    (tmp_path / "feed.jsonl").write_bytes(content)
    ran = command(*words, "feed.jsonl", "-o", "run", "--overwrite", "-q")
    assert ran.code == 3
    assert ran.line.startswith("quchong: nothing was read: ") and re.search(reason, ran.line)
    assert ran.line.endswith("; the earlier run in run was not replaced")
    assert files_of(tmp_path / "run") == before and {path.name for path in tmp_path.iterdir()} == {
        "news.jsonl",
        "tests.jsonl",
        "feed.jsonl",
        "run",
    }
    assert command(*words, "news.jsonl", "-o", "run", "--overwrite", "-q").code == 0


def test_an_empty_input_writes_no_run_and_a_bad_one_does(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.jsonl").write_bytes(b"")
    ran = command("dedup", "feed.jsonl", "-o", "run")
    reason = "nothing was read: feed.jsonl has no record: check the program that wrote it"
    assert (ran.code, ran.out, ran.line) == (3, "", f"quchong: {reason}; nothing was written")
    assert [path.name for path in tmp_path.iterdir()] == ["feed.jsonl"]
    (tmp_path / "feed.jsonl").write_bytes(BAD)
    for more in ((), ("--overwrite",)):  # the list of bad records is in the run, which its like may replace
        assert command("dedup", "feed.jsonl", "-o", "run", "-q", *more).code == 3
        assert (tmp_path / "run" / "skipped.jsonl").stat().st_size


def test_an_empty_input_is_an_empty_run_in_python(tmp_path):
    (tmp_path / "feed.jsonl").write_bytes(b"")
    assert qc.dedup(tmp_path / "feed.jsonl", out=tmp_path / "run").counts["read"] == 0
    assert (tmp_path / "run" / "run.json").exists()


def test_python_says_so_too(article, tmp_path):
    qc.dedup([article(1), article(1)], out=tmp_path / "run")
    before = files_of(tmp_path / "run")
    with pytest.raises(InputError, match=r"nothing was read.*was not replaced"):
        qc.dedup([], out=tmp_path / "run", overwrite=True)
    with pytest.raises(InputError, match="was not replaced"):
        qc.dedup([]).save(tmp_path / "run", overwrite=True)
    assert files_of(tmp_path / "run") == before


STREAMS = {
    "filter": ("filter", "--state", "seen"),
    "filter-lines": ("filter", "--lines", "--state", "seen"),
    "add": ("index", "add", "known"),
    "query": ("index", "query", "known"),
    "dedup": ("dedup", "--dry-run"),
    "lines": ("dedup", "--unit", "line", "--dry-run"),
    "passages": ("passages",),
    "decontaminate": ("decontaminate", "--against", "tests.jsonl"),
}


@pytest.mark.parametrize("more", [("-q",), ()], ids=["quiet", "told"])
@pytest.mark.parametrize("where", ["file", "stdin"])
@pytest.mark.parametrize("words", STREAMS.values(), ids=STREAMS)
def test_a_stream_without_a_record_ends_with_3(command, jsonl, article, tmp_path, monkeypatch, words, where, more):
    monkeypatch.chdir(tmp_path)
    jsonl("tests.jsonl", [{"text": article(2)}])
    (tmp_path / "feed.jsonl").write_bytes(b"")
    command("index", "create", "known", "-q")
    command("index", "add", "known", "tests.jsonl", "-q")
    with (tmp_path / "feed.jsonl").open(encoding="utf-8") as given:
        monkeypatch.setattr("sys.stdin", given)
        ran = command(*words, "-" if where == "stdin" else "feed.jsonl", *more)
    assert ran.code == 3
    said = ran.err.splitlines()[-1]
    assert re.fullmatch(
        "quchong: nothing was read: (the input|standard input|feed.jsonl) has no record(: check the program that wrote it)?",
        said,
    )
    assert command("index", "query", "known", "tests.jsonl", "-q").code == 0


@pytest.mark.parametrize("words", [STREAMS["filter"], STREAMS["add"], STREAMS["query"], ("dedup", "--plan")])
def test_a_stream_of_bad_records_ends_with_3(command, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.jsonl").write_bytes(BAD)
    command("index", "create", "known", "-q")
    ran = command(*words, "feed.jsonl")
    assert ran.code == 3 and re.search(
        "all 20 records are bad|no record can be read|cannot be read", ran.err.splitlines()[-1]
    )


def test_a_plan_of_nothing_ends_with_3(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.jsonl").write_bytes(b"")
    assert command("dedup", "feed.jsonl", "--plan").line == "quchong: nothing was read: the input has no record"


def test_a_filter_that_read_nothing_keeps_what_it_knew(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"text": "新的一条"}\n', "utf-8")
    (tmp_path / "b.jsonl").write_bytes(b"")
    assert command("filter", "a.jsonl", "--state", "seen", "-q").code == 0
    assert command("filter", "b.jsonl", "--state", "seen", "-q").code == 3
    again = command("filter", "a.jsonl", "--state", "seen", "-q")
    assert (again.code, again.out) == (0, "")
