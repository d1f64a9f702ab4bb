"""Covers: `quchong resume` goes on with the run of that output, made of checked values of its work.json, and with nothing else."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from answer_corpus import small_corpus

from quchong.cli.main import main
from quchong.runs.manifest import TIMED
from quchong.work import Work, about_work, work_folder


class Stopped(BaseException):
    """The process ended here."""


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    rows = small_corpus(1)
    for k in range(2):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows[k::2]]
        (tmp_path / "in" / f"{k}.jsonl").write_text("\n".join([*lines, "no record"]) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(monkeypatch, capsys, *words):
    """Exit code and what was printed."""
    monkeypatch.setattr(sys, "argv", ["quchong", *words])
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def stopped(monkeypatch, number, *words):
    """The command ends when it has written so many values of its work."""
    count, put = [0], Work.store

    def counted(self, name, value):
        kept = put(self, name, value)
        count[0] += 1
        if count[0] > number:
            raise Stopped
        return kept

    with monkeypatch.context() as patched:
        patched.setattr(Work, "store", counted)
        patched.setattr(sys, "argv", ["quchong", *words])
        with pytest.raises(Stopped):
            main()


def content(run):
    out = {path.relative_to(run).as_posix(): path.read_bytes() for path in run.rglob("*") if path.is_file()}
    about = json.loads(out.pop("run.json"))
    about["counts"].pop("peak_memory_bytes", None)
    return out, {name: value for name, value in about.items() if name not in (*TIMED, "command")}


def told_of(printed):
    """What a run prints, but for time, memory and the name of its folder."""
    return [
        line
        for line in printed.splitlines()
        if not any(word in line for word in ("memory", " CPU", " s ", "seconds", "written to", "explain"))
    ]


def changed(begun, **values):
    """Puts other values into work.json."""
    path = begun / "work.json"
    about = json.loads(path.read_text("utf-8"))
    request = about["request"]
    for name, value in values.items():
        if name in ("inputs", "out", "options"):
            request[name] = value
        else:
            about[name] = value
    path.write_text(json.dumps(about, ensure_ascii=False), "utf-8")


ASKED = (
    ("--method", "hybrid", "--threshold", "0.7", "--mode", "annotate", "-q"),
    ("--method", "minhash", "--set", "num_perm=64", "--recall-sample", "20", "--keep", "shortest", "--relations", "exact,duplicate", "-q"),
    ("--method", "ccdet", "--verify", "exact", "--json", "--id-key", "id", "-q"),
)  # fmt: skip


@pytest.mark.parametrize("options", ASKED, ids=["annotated", "settings", "method option"])
def test_it_ends_as_the_command_would_have(corpus, monkeypatch, capsys, options):
    words = ("dedup", "in/0.jsonl", "in/1.jsonl", *options, "--work", "w", "-o")
    code, printed, _ = called(monkeypatch, capsys, *words, "plain")
    assert code == 0
    stopped(monkeypatch, 3, *words, "out")
    place = work_folder(Path("out"), Path("w"))
    assert about_work(place)["request"]["inputs"] == ["in/0.jsonl", "in/1.jsonl"]
    (corpus / "elsewhere").mkdir()
    monkeypatch.chdir(corpus / "elsewhere")
    code, again, told = called(monkeypatch, capsys, "resume", "../out", "--work", "../w", "-q")
    assert code == 0 and "resuming: quchong dedup" in told, told
    assert content(corpus / "out") == content(corpus / "plain")
    if "--json" not in options:
        assert told_of(again) == told_of(printed)
    assert not list((corpus / "w").iterdir())


def test_the_command_that_run_json_names_asks_for_the_same(corpus, monkeypatch, capsys):
    (corpus / "options.json").write_text(json.dumps({"keep": "first"}))
    words = ("dedup", "in/0.jsonl", "--threshold", "0.7", "--config", "options.json", "-q", "--work", "w", "-o", "out")
    stopped(monkeypatch, 3, *words)
    assert called(monkeypatch, capsys, "resume", "out", "--work", "w", "-q")[0] == 0
    about = json.loads((corpus / "out" / "run.json").read_text("utf-8"))
    assert about["command"][0] == "dedup" and about["config"]["keep"] == "first"
    again = [word.replace("out", "again") if word == "out" else word for word in about["command"]]
    assert called(monkeypatch, capsys, *again)[0] == 0
    assert content(corpus / "again") == content(corpus / "out")


@pytest.fixture
def begun(corpus, monkeypatch):
    """A run to `out` that was stopped, and its work."""
    stopped(monkeypatch, 3, "dedup", "in", "-q", "--work", "w", "-o", "out")
    return work_folder(corpus / "out", corpus / "w")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"out": "elsewhere"}, "belongs to another output"),
        ({"out": "../outside"}, "belongs to another output"),
        ({"out": 3}, "belongs to another output"),
        ({"command": ["lab"], "options": {"profile": "flame.svg"}}, "a run that can be resumed has no such option"),
        ({"options": {"out": "elsewhere"}}, "a run that can be resumed has no such option"),
        ({"options": {"engine": "spark"}}, "a run that can be resumed has no such option"),
        ({"options": {"master": "spark://x"}}, "a run that can be resumed has no such option"),
        ({"options": {"work": "/tmp/elsewhere"}}, "a run that can be resumed has no such option"),
        ({"options": {"unheard_of": 1}}, "a run that can be resumed has no such option"),
        ({"options": {"mode": "destroy"}}, "has a wrong value for"),
        ({"options": {"overwrite": "yes"}}, "has a wrong value for"),
        ({"options": {"workers": {"a": 1}}}, "has a wrong value for"),
        ({"options": {"against": "one"}}, "has a wrong value for"),
        ({"options": {"keep": "a\0b"}}, "has a wrong value for"),
        ({"options": ["--overwrite"]}, "does not contain the options of its command"),
        ({"inputs": []}, "does not contain the options of its command"),
        ({"inputs": "in"}, "does not contain the options of its command"),
        ({"inputs": ["a\0b"]}, "does not contain the options of its command"),
        ({"folder": "in"}, "does not contain the options of its command"),
        ({"folder": "/no/such/folder"}, "belongs to another output|cannot be entered"),
        ({"inputs": ["in/0.jsonl"]}, "may belong to somebody else"),
        ({"options": {"threshold": 0.9}}, "may belong to somebody else"),
        ({"options": {"method": "minhash"}}, "may belong to somebody else"),
        ({"options": {"method": "os.system"}}, "os.system"),
        ({"key": "another"}, "may belong to somebody else"),
        ({"options": {"protect": "/etc/passwd"}}, "may belong to somebody else"),
        ({"seal": "0" * 64}, "may belong to somebody else"),
        ({"request": None}, "does not contain the options of its command"),
    ],
)  # fmt: skip
def test_values_of_a_work_json_that_is_not_that_of_the_run_are_refused(
    begun, corpus, monkeypatch, capsys, values, told
):
    changed(begun, **values)
    before = sorted(path.name for path in corpus.iterdir())
    code, out, err = called(monkeypatch, capsys, "resume", "out", "--work", "w", "-q")
    assert code in (2, 5) and not out
    import re

    assert re.search(told, err), err
    assert "Traceback" not in err and sorted(path.name for path in corpus.iterdir()) == before


def test_what_is_read_has_changed(begun, corpus, monkeypatch, capsys):
    with (corpus / "in" / "0.jsonl").open("a") as file:
        file.write('{"id": "new", "text": "新的一行文字在这里"}\n')
    code, _, err = called(monkeypatch, capsys, "resume", "out", "--work", "w", "-q")
    assert code == 5 and "cannot be resumed" in err and not (corpus / "out").exists()
    assert called(monkeypatch, capsys, "dedup", "in", "-q", "--work", "w", "-o", "out")[0] == 0  # begins anew


@pytest.mark.skipif(os.name != "posix", reason="folders of other users")
@pytest.mark.parametrize("planted", ["written by all", "link", "another user's"])
def test_work_that_another_could_have_planted_is_refused_with_its_name(begun, corpus, monkeypatch, capsys, planted):
    if planted == "written by all":
        begun.chmod(0o777)
    elif planted == "link":
        begun.rename(corpus / "real")
        begun.symlink_to(corpus / "real", target_is_directory=True)
    else:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(begun, 12345, -1)
    for words in (("resume", "out"), ("dedup", "in", "-o", "out")):
        code, _, err = called(monkeypatch, capsys, *words, "--work", "w", "-q")
        assert code == 4 and begun.name in err and not (corpus / "out").exists(), err


def test_a_finished_run_and_no_run(corpus, monkeypatch, capsys):
    assert called(monkeypatch, capsys, "resume", "out")[0] == 5
    assert called(monkeypatch, capsys, "dedup", "in", "-q", "-o", "out")[0] == 0
    code, _, err = called(monkeypatch, capsys, "resume", "out")
    assert code == 5 and "finished run" in err


def test_work_of_another_user_is_shown_and_not_gone_on_with(begun, corpus, monkeypatch, capsys):
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(corpus / "state"))
        code, out, err = called(other, capsys, "resume", "out", "--work", "w", "-q")
    assert code == 5 and not out and not (corpus / "out").exists() and not (corpus / "state").exists()
    assert f"in {corpus} to continue the work: quchong dedup" in err and "--output out" in err
    assert called(monkeypatch, capsys, "resume", "out", "--work", "w", "-q")[0] == 0


def test_a_run_without_a_key_goes_on_by_its_own_command(corpus, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    words = ("dedup", "in", "-q", "--work", "w", "-o", "out")
    stopped(monkeypatch, 3, *words)
    assert "may belong to somebody else" in called(monkeypatch, capsys, "resume", "out", "--work", "w", "-q")[2]
    assert "seal" not in about_work(work_folder(corpus / "out", corpus / "w"))
    assert called(monkeypatch, capsys, *words)[0] == 0
