"""Covers: `quchong.outputs.check_apart`, through every command and call that writes: no output in, over or around an input,
and none in the folder of a run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import forked
import pytest

import quchong as qc
from quchong.api import fit_statistics
from quchong.errors import OutputError
from quchong.filters import Bloom
from quchong.outputs import check_apart, local

TEXT = "一次很长的会议今天在北京举行，各方代表就共同关心的问题交换了意见并达成广泛共识。"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder `in` with a file, a copy of it beside, and a run of it, as the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    rows = [{"id": i, "text": TEXT + i[0] * 30} for i in ("a1", "a2", "b1")]
    raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    for name in ("in/a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(raw, encoding="utf-8")
    qc.dedup(tmp_path / "b.jsonl", recall_sample=0).save(tmp_path / "run")
    return tmp_path


@pytest.mark.parametrize(
    ("read", "written", "said"),
    [
        ("b.jsonl", "b.jsonl", "is the same as"),
        ("in", "in/new", "is inside"),
        ("in", "in/no/such/yet", "is inside"),
        ("run/kept.jsonl", "run", "contains"),
        ("in/../b.jsonl", "b.jsonl", "is the same as"),
        ("link/a.jsonl", "in", "contains"),
        ("in", "link/new", "is inside"),
        ("hard.jsonl", "b.jsonl", "is the same as"),
        ("link/../b.jsonl", "b.jsonl", "is the same as"),
        ("b.jsonl", "new", None),
        ("in", "in2", None),
        ("in/a.jsonl", "in/new", None),
        ("missing", "new", None),
    ],
)
def test_one_input_and_one_output(here, read, written, said):
    (here / "link").symlink_to("in")
    os.link(here / "b.jsonl", here / "hard.jsonl")
    if said is None:
        check_apart(local([read]), local([written]))
        return
    with pytest.raises(OutputError) as told:
        check_apart(local([read], "against"), local([written], "out"))
    said = f"the output out={written!r} {said} the input against={read!r}: choose another output"
    assert str(told.value) == said


def test_dots_lead_where_the_system_says(here):
    """`link/..` is the folder above what the link leads to."""
    (here / "deep" / "er").mkdir(parents=True)
    (here / "link").symlink_to("deep/er")
    check_apart(local(["link/../b.jsonl"]), local(["b.jsonl"]))
    with pytest.raises(OutputError, match="is inside"):
        check_apart(local(["link/.."]), local(["deep/new"]))


def test_two_outputs_are_two(here):
    with pytest.raises(
        OutputError, match=r"removed='\./x' and state='x' are the same: give each output a separate place"
    ):
        check_apart([], [*local(["x"], "state"), *local(["./x"], "removed")])


def state(here):
    return {p.relative_to(here).as_posix(): p.read_bytes() for p in here.rglob("*") if p.is_file()}


DEDUP = ["dedup", "-q", "--recall-sample", "0", "--overwrite"]
COMMANDS = {
    "input": [*DEDUP, "run/kept.jsonl", "-o", "run"],
    "glob": [*DEDUP, "**/kept.jsonl", "-o", "run"],
    "--against": [*DEDUP, "b.jsonl", "--against", "run/kept.jsonl", "-o", "run"],
    "--protect": [*DEDUP, "b.jsonl", "--protect", "run/ids", "-o", "run"],
    "--boilerplate": [*DEDUP, "b.jsonl", "--boilerplate", "run/ids", "-o", "run"],
    "in a folder": [*DEDUP, "in", "-o", "in/run"],
    "links in a folder": [*DEDUP, "linked", "-o", "run"],
    "passages": ["passages", "in", "-o", "in/run", "-q"],
    "decontaminate": ["decontaminate", "in", "--against", "b.jsonl", "-o", "in/run", "-q"],
    "decontaminate --against": ["decontaminate", "b.jsonl", "--against", "in", "-o", "in/run", "-q"],
    "statistics": ["statistics", "in", "-o", "in/terms", "-q"],
    "statistics over": ["statistics", "b.jsonl", "-o", "b.jsonl", "-q", "--overwrite"],
    "filter --removed": ["filter", "b.jsonl", "--removed", "b.jsonl"],
    "filter --state": ["filter", "b.jsonl", "--state", "b.jsonl"],
    "filter twice": ["filter", "b.jsonl", "--removed", "new", "--skipped", "new"],
    "lab": ["lab", "run", "web-news/ccdet-thresholds", "--texts", "in", "-o", "in"],
}


@pytest.mark.parametrize("argv", COMMANDS.values(), ids=list(COMMANDS))
def test_every_command_that_writes(here, argv):
    from quchong_lab import EXPERIMENTS

    if "run/ids" in argv:
        (here / "run" / "ids").write_text("b1\n")
    (here / "linked").mkdir()
    (here / "linked" / "x.jsonl").symlink_to("../run/kept.jsonl")
    argv = [next(iter(EXPERIMENTS)) if part == "web-news/ccdet-thresholds" else part for part in argv]
    before = state(here)
    ran = forked.run(*argv)
    assert ran.returncode == 4, (ran.stdout, ran.stderr)
    assert "choose another output" in ran.stderr or "are the same: give each output" in ran.stderr
    assert state(here) == before


def run(*argv, **options):
    command = [sys.executable, "-m", "quchong.cli.main", *argv]
    return subprocess.run(command, capture_output=True, check=False, timeout=300, **options)


def test_standard_input_that_is_a_file_of_the_output(here):
    before = state(here)
    with (here / "run" / "kept.jsonl").open("rb") as file:
        ran = run(*DEDUP, "-", "-o", "run", stdin=file)
    assert ran.returncode == 4 and b"-o run contains" in ran.stderr
    with (here / "b.jsonl").open("rb") as file, (here / "b.jsonl").open("ab") as out:
        command = [sys.executable, "-m", "quchong.cli.main", "filter"]
        ran = subprocess.run(command, stdin=file, stdout=out, stderr=subprocess.PIPE, check=False, timeout=300)
    assert ran.returncode == 4 and b"standard output is the same as" in ran.stderr
    assert state(here) == before


def test_results_in_python(here):
    (here / "linked").mkdir()
    (here / "linked" / "x.jsonl").symlink_to("../run/kept.jsonl")
    for read, out in [("run/kept.jsonl", "run"), ("in", "in/new"), ("linked", "run")]:
        before = state(here)
        for found in (
            qc.dedup(read, recall_sample=0),
            qc.dedup("b.jsonl", against=read, recall_sample=0),
            qc.passages(read),
        ):
            with pytest.raises(OutputError, match=r"(contains|is inside) .*: choose another output"):
                found.save(out, overwrite=True)
        again = qc.dedup(read, recall_sample=0).rethreshold(0.9)
        with pytest.raises(OutputError, match="choose another output"):
            again.save(out, overwrite=True)
        assert state(here) == before
    with pytest.raises(OutputError, match="has no statistics, so it is not replaced"):
        fit_statistics("b.jsonl").save("b.jsonl")


IN_A_RUN = {
    "dedup": ["dedup", "b.jsonl", "-o", "run/sub", "-q"],
    "dedup deep": ["dedup", "b.jsonl", "-o", "run/deep/er/sub", "-q", "--overwrite"],
    "dedup beside a link": ["dedup", "b.jsonl", "-o", "link/sub", "-q"],
    "in a run of passages": ["dedup", "b.jsonl", "-o", "found/sub", "-q"],
    "passages": ["passages", "b.jsonl", "-o", "run/sub", "-q"],
    "statistics": ["statistics", "b.jsonl", "-o", "run/terms", "-q"],
    "filter --removed": ["filter", "b.jsonl", "--removed", "run/gone"],
    "filter --skipped": ["filter", "b.jsonl", "--skipped", "run/bad"],
    "filter --state": ["filter", "b.jsonl", "--state", "run/seen"],
    "lab": ["lab", "run", "short-text/bloom-memory", "--scale", "quick", "-o", "run"],
}


@pytest.mark.parametrize("argv", IN_A_RUN.values(), ids=list(IN_A_RUN))
def test_no_output_in_the_folder_of_a_run(here, argv):
    (here / "link").symlink_to("run")
    qc.passages("b.jsonl").save("found")
    before = state(here)
    ran = forked.run(*argv)
    assert ran.returncode == 4, (ran.stdout, ran.stderr)
    assert "a run of quchong: choose a place outside it" in ran.stderr
    assert state(here) == before


def test_no_output_of_python_in_the_folder_of_a_run(here):
    filtered, found = Bloom(capacity=100), qc.dedup("b.jsonl", recall_sample=0)
    filtered.seen_before([TEXT])
    loaded = qc.load(found.save("other"))
    before = state(here)
    saves = (found, loaded, qc.passages("b.jsonl"), fit_statistics("b.jsonl"), filtered)
    for saved in saves:
        with pytest.raises(OutputError, match=r"run/sub is inside .*run, a run of quchong"):
            saved.save("run/sub")
    assert state(here) == before


@pytest.mark.parametrize("manifest", [b"", b"{}", b'{"name": "mine", "quchong": 1}', b"[" * 5000, b"\xff\x00"])
def test_a_run_json_of_somebody_else_is_no_hindrance(here, manifest):
    (here / "theirs").mkdir()
    (here / "theirs" / "run.json").write_bytes(manifest)
    check_apart(local(["b.jsonl"]), local(["theirs/new"]))


def test_a_pipe_named_as_a_manifest_is_not_waited_for(here):
    (here / "theirs").mkdir()
    os.mkfifo(here / "theirs" / "run.json")
    check_apart([], local(["theirs/new"]))


def test_a_separator_at_the_end_changes_nothing(here):
    """`save("run/")` is `save("run")`: a new folder, an empty one, an earlier run, and what is none."""
    (here / "empty").mkdir()
    (here / "mine").mkdir()
    (here / "mine" / "notes").touch()
    found = qc.dedup("b.jsonl", recall_sample=0)
    for saved in (found, qc.passages("b.jsonl"), qc.load("run")):
        for place in ("new", "empty"):
            assert saved.save(f"{place}/").name == place
            assert (here / place / "run.json").is_file()
            for again in (place, f"{place}/", f"{place}//", f"./{place}/."):
                with pytest.raises(OutputError, match=f"{place} exists: choose another folder"):
                    saved.save(again)
                saved.save(again, overwrite=True)
            shutil.rmtree(here / place)
        for again in ("mine", "mine/"):
            with pytest.raises(OutputError, match="mine is not a run folder of quchong"):
                saved.save(again, overwrite=True)
        assert sorted(p.name for p in (here / "mine").iterdir()) == ["notes"]
