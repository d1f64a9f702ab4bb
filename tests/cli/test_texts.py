"""Covers: what stands on the command line in the place of a file (`quchong.cli.texts`), and names too long for one."""

import json
from pathlib import Path

import pytest

import quchong as qc
from quchong.cli.texts import file_or_text
from quchong.errors import InputError, OutputError, RunError, UsageError


@pytest.mark.parametrize("size", [100, 30_000])
def test_what_no_file_can_be_called_is_a_text(command, article, tmp_path, size):
    text = article(1, size)
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    for given in ((text, text), (text, path), (path, text)):
        assert json.loads(command("compare", *given, "--json").out)["relation"] == "exact"
        (found,) = json.loads(command("passages", *given, "--json").out)["passages"]
        assert (found["left_start"], found["left_end"]) == (0, size)
    said = command("compare", text, path).out
    assert (
        said.startswith(f"relation of the first text to {path}: exact")
        and "100.0% of a.txt is in the first text" in said
    )
    assert f"the first text and {path}" not in said and "--- the first text" in said
    assert "exact: the first text 0-" in command("passages", text, text).out


def test_a_line_break_makes_a_text_of_what_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in ("one\ntwo", "a/../b\n", "x.html" * 100, "nul\0"):
        assert file_or_text(text) == text and isinstance(file_or_text(text), str)
    for name in ("missing", "missing.html", "a/b/missing", "今天", "-"):
        assert file_or_text(name) == Path(name)
    (tmp_path / "odd\nname").touch()
    assert file_or_text("odd\nname") == Path("odd\nname")


def test_two_texts_are_compared_where_neither_is_a_file(command):
    ran = command("compare", "你好世界", "你好，世界")
    assert ran.code == 0 and "relation of the first text to the second text: exact" in ran.out
    assert "both arguments are read as texts, because neither is the name of a file" in ran.err
    said = command("compare", "--text", "今天.txt", "今天.txt")
    assert said.code == 0 and said.err == "" and "exact" in said.out


def test_texts_that_are_names_of_files_are_compared_where_this_is_asked(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("one text", "b.txt"):
        Path(name).write_text("one text", "utf-8")
    assert "exact" in command("compare", "--text", "one text", "one text").out
    assert "exact" in command("passages", "b.txt", "b.txt").out  # their text is the name of the other file


def test_a_short_argument_is_the_name_of_a_file(command):
    assert command("compare", "今天.txt", "明天.txt").line == "quchong: 今天.txt: no such file; check the spelling"
    assert command("compare", __file__, "今天").line == "quchong: 今天: no such file; check the spelling"
    assert "今天.txt: no such file; check the spelling" in command("passages", "今天.txt", "明天.txt").line
    ran = command("passages", "今天天气很好，我们出去走走，好不好", "今天天气很好，我们出去走走，行不行")
    assert ran.code == 0 and "neither is the name of a file" in ran.err


def test_names_too_long_for_a_file_are_told_as_errors(command, article, jsonl, tmp_path):
    long = article(1, 20_000)
    source = jsonl("in.jsonl", [{"id": 1, "text": long}, {"id": 2, "text": long}])
    run = tmp_path / "run"
    assert command("dedup", source, "-o", run, "-q").code == 0
    for code, argv in [
        (2, ["explain", run, long]), (5, ["explain", long, "1"]), (2, ["restore", run, long]), (5, ["restore", long, "1"]),
        (3, ["dedup", long, "-o", tmp_path / "new"]), (4, ["dedup", source, "-o", tmp_path / long]), (3, ["filter", long]),
        (3, ["dedup", source, "-o", tmp_path / "new", "--against", long]),
        (3, ["dedup", source, "-o", tmp_path / "new", "--protect", long]), (3, ["passages", long]),
        (4, ["filter", source, "--state", tmp_path / long]), (4, ["filter", source, "--removed", tmp_path / long]),
        (3, ["statistics", long, "-o", tmp_path / "idf"]), (4, ["statistics", source, "-o", tmp_path / long]),
    ]:  # fmt: skip
        ran = command(*argv)
        words = [str(word)[:40] for word in argv]
        assert ran.code == code and long[:20] in ran.err and "Traceback" not in ran.err, (
            words,
            ran.code,
            ran.err[:500],
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "run"]


def test_python_takes_a_long_str_for_a_text_and_a_long_path_for_an_error(article, tmp_path):
    long = article(1, 20_000)
    assert qc.compare(long, long).relation == "exact" and len(qc.align(long, long)) == 1
    found = qc.dedup([long, long], recall_sample=0)
    for kind, call in [
        (InputError, lambda: qc.compare(Path(long), long)), (InputError, lambda: qc.dedup([Path(long)])),
        (InputError, lambda: qc.passages(Path(long))), (RunError, lambda: qc.load(long)),
        (UsageError, lambda: qc.load(found.save(tmp_path / "run")).explain(long)), (OutputError, lambda: found.save(tmp_path / long)),
        (OutputError, lambda: qc.passages([long, long]).save(tmp_path / long)),
        (OutputError, lambda: qc.api.fit_statistics([long]).save(tmp_path / long)),
    ]:  # fmt: skip
        with pytest.raises(kind):
            call()


@pytest.mark.parametrize("ending", ["jsonl", "csv", "jsonl.gz", "parquet", "xlsx"])
@pytest.mark.parametrize("called", [("compare",), ("inspect",), ("passages",)])
@pytest.mark.parametrize(("language", "said"), [("en", "contain records"), ("zh", "存的是记录")])
def test_two_files_of_records_are_no_two_texts(command, monkeypatch, tmp_path, ending, called, language, said):
    """Their raw bytes were compared in silence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUCHONG_LANG", language)
    for name in ("news", "posts"):
        Path(f"{name}.{ending}").write_text('{"text": "one"}\n')
    ran = command(*called, f"news.{ending}", f"posts.{ending}")
    assert said in ran.line and ran.code == 2
    line = "quchong passages --corpus" if called == ("passages",) else "quchong dedup"
    assert f"{line} news.{ending} posts.{ending}" in ran.line
    assert ("--text" in ran.line) == (called == ("compare",))


def test_a_file_of_records_beside_a_text_is_no_text(command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("line.jsonl").write_text("The ferry leaves at nine.")
    Path("line.txt").write_text("The ferry leaves at nine.")
    for pair in (("line.jsonl", "line.txt"), ("line.txt", "line.jsonl")):
        ran = command("compare", *pair)
        assert ran.code == 2 and "line.jsonl contains records, but this command needs two texts" in ran.line
        assert f"quchong dedup {' '.join(pair)}" in ran.line and "add --text" in ran.line


@pytest.mark.parametrize("turned", [False, True])
def test_a_corpus_and_a_test_set_are_answered_with_decontaminate(command, monkeypatch, tmp_path, turned):
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text(json.dumps({"id": "a", "text": "The council meets."}) + "\n", "utf-8")
    Path("exam.jsonl").write_text(
        json.dumps({"id": 1, "question": "Who meets?", "answer": "the council"}) + "\n", "utf-8"
    )
    files = ["corpus.jsonl", "exam.jsonl"]
    ran = command("compare", *(files[::-1] if turned else files))
    assert ran.code == 2 and "quchong decontaminate corpus.jsonl --against exam.jsonl" in ran.line
    assert "quchong dedup" not in ran.line
