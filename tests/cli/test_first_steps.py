"""Covers: `quchong` alone shows commands that work where they are typed; `quchong dedup FILE` shows what it would do, and how to keep it."""

import re
import shlex
import subprocess
import sys

import pytest

from quchong.cli import preview


def shown_commands(out):
    return [line.strip() for line in out.splitlines() if line.startswith("  ")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_commands_of_the_first_page_work_in_an_empty_folder(command, tmp_path, monkeypatch, language):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command()
    assert ran.code == 0 and not ran.err
    lines = shown_commands(ran.out)
    assert len(lines) == 3 and all(
        f"quchong {word}" in ran.out for word in ("--help", "dedup --help", "methods", "doctor")
    )
    quchong = f'quchong() {{ {shlex.quote(sys.executable)} -m quchong "$@"; }}\n'
    done = subprocess.run(["bash", "-ec", quchong + "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "run.json").is_file() and (tmp_path / "run.html").is_file()
    assert re.search(r"(removed|删除) +1 \(33", done.stdout), done.stdout
    assert command().out.count("quchong report run") == 1  # of the run that is there now
    assert "quchong dedup - -o run2/" in command().out


def test_the_first_page_names_what_lies_there(command, tmp_path, monkeypatch, jsonl):
    monkeypatch.chdir(tmp_path)
    jsonl("b c.jsonl", [{"text": "x"}])
    (tmp_path / "a.csv").write_text("text\nx\n")
    (tmp_path / "-x.jsonl").write_text("")
    dedup, report, _ = shown_commands(command().out)
    assert (dedup, report) == ("quchong dedup 'b c.jsonl' -o run/", "quchong report run/")
    assert command(*shlex.split(dedup)[1:], "-q").code == 0
    assert shown_commands(command().out)[:2] == ["quchong dedup 'b c.jsonl' -o run2/", "quchong report run"]


@pytest.fixture
def news(jsonl, article, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return jsonl("news.jsonl", [{"text": article(1)}, {"text": article(1)}, {"text": article(2)}]).name


def test_without_an_output_the_summary_and_the_command_that_keeps_it(command, news, tmp_path, monkeypatch):
    ran = command("dedup", news, "--keep", "first")
    assert ran.code == 0 and "removed" in ran.out and "written to" not in ran.out
    assert (
        ran.err.strip() == f"nothing was written; to write the result, run:  quchong dedup {news} --keep first -o run/"
    )
    assert {p.name for p in tmp_path.iterdir()} == {news}
    assert (
        command(*shlex.split(ran.err.split("quchong ")[1]), "-q").code == 0 and (tmp_path / "run" / "run.json").exists()
    )
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    assert "没有写出任何文件。要保存结果，请运行：  quchong dedup news.jsonl -o run2/" in command("dedup", news).err


def test_the_name_of_the_output_is_not_within_an_input(command, news, tmp_path, monkeypatch):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "x.jsonl").write_bytes((tmp_path / news).read_bytes())
    monkeypatch.chdir(inner)
    line = command("dedup", ".").err.split("quchong ")[1].strip()
    assert line == "dedup . -o ../run/"
    assert command(*shlex.split(line), "-q").code == 0 and (tmp_path / "run" / "run.json").exists()


def test_units_are_previewed_too(command, news, tmp_path):
    ran = command("dedup", news, "--unit", "line")
    assert ran.code == 0 and f"quchong dedup {news} --unit line -o run/" in ran.err
    assert {p.name for p in tmp_path.iterdir()} == {news}


SCRIPTS = ("-q", "--json", "--overwrite", "--summary short", "--fail-on bad", "--unit line -q", "--unit line --json", "--ids-only",
           "--mode remove")  # fmt: skip


@pytest.mark.parametrize("options", SCRIPTS)
def test_scripts_are_told_that_the_output_is_missing(command, news, options):
    ran = command("dedup", news, *options.split())
    assert ran.code == 2 and "no output folder: give one with -o" in ran.line


def test_the_mistake_is_told_and_not_the_missing_output(command, news):
    assert "did you mean latest?" in command("dedup", news, "--keep", "newest").line
    assert "other keys are 'text'" in command("dedup", news, "--text-key", "txt").line


def test_a_long_run_is_estimated_and_not_carried_out(command, news, monkeypatch):
    monkeypatch.setattr(preview, "LARGE", 1)
    monkeypatch.setattr(preview, "LONG", -1)
    ran = command("dedup", news)
    assert ran.code == 0 and "estimated from a run over 3 documents; nothing was written" in ran.out
    assert "to write the result, run:  quchong dedup news.jsonl -o run/" in ran.err


def test_standard_input_is_named(command, news, monkeypatch, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "quchong", "dedup", "-"],
        input=(tmp_path / news).read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0 and b"with the same standard input:  quchong dedup - -o run/" in done.stderr


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_an_empty_input_is_told_alone(command, tmp_path, words):
    """A summary of nothing says nothing."""
    (tmp_path / "empty.jsonl").touch()
    ran = command("dedup", tmp_path / "empty.jsonl", *words)
    assert (
        ran.line.startswith("quchong: nothing was read: ") and "empty.jsonl has no record" in ran.line and ran.code == 3
    )


def test_a_name_that_only_ends_like_it_is_not_suggested(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h2.jsonl").touch()
    ran = command("dedup", "没有.jsonl", "-o", "new")
    assert "h2.jsonl" not in ran.line and ran.code == 3
