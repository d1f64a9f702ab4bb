"""Covers: `quchong dedup --profile FILE.svg`: a flame graph of the run, taken by py-spy; where that is missing or may not look, nothing
begins.

Programs that stand in for py-spy answer as it does; where it is installed, it takes one picture itself.
"""

import json
import shutil
import sys
import sysconfig
import time
from xml.etree import ElementTree

import pytest

from quchong.cli import profile
from quchong.engines.local import run as local_run

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="programs that stand in for py-spy are scripts of a shell"
)
PY_SPY = shutil.which("py-spy", path=sysconfig.get_path("scripts")) or shutil.which("py-spy")
STANDS_IN = """#!/bin/sh
while [ "$1" != --output ]; do shift; done; shift
trap 'printf "<svg>\\001</svg>" > "$1.part"; mv "$1.part" "$1"; exit 0' INT
echo "py-spy> Sampling process 100 times a second. Press Control-C to exit."
while true; do sleep 0.01; done
"""


@pytest.fixture
def corpus(tmp_path, article):
    path = tmp_path / "in" / "in.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps({"id": i, "text": article(i)}) + "\n" for i in range(40)), "utf-8")
    return path


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts a script in py-spy's place; None leaves that empty."""
    folder = tmp_path.parent / f"{tmp_path.name}-programs"

    def program(text=STANDS_IN):
        folder.mkdir(exist_ok=True)
        monkeypatch.setattr(profile.sysconfig, "get_path", lambda name: str(folder))
        if text is None:
            monkeypatch.setenv("PATH", str(folder))
        else:
            (folder / "py-spy").write_text(text)
            (folder / "py-spy").chmod(0o755)

    return program


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_where_the_profiler_is_missing_nothing_begins(tmp_path, command, corpus, program):
    program(None)
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--profile", tmp_path / "p.svg")
    assert ran.code == 2 and "pip install" in ran.line and ("py-spy" in ran.line and "profile" in ran.line), ran
    assert names(tmp_path) == ["in"]


@pytest.mark.skipif(PY_SPY is None, reason="py-spy is not installed")
def test_a_flame_graph_of_a_run(tmp_path, command, corpus, monkeypatch):
    def at_work():
        """A second of the processor, so that a sampler that looks now and then sees it however fast a run is."""
        end = time.thread_time() + 1
        while time.thread_time() < end:
            pass

    find = local_run.find_classes
    monkeypatch.setattr(local_run, "find_classes", lambda *args: (at_work(), find(*args))[1])
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--profile", tmp_path / "p.svg", "-q")
    if "cannot read this process" in ran.err:
        pytest.skip("py-spy may not look at processes here")
    assert ran.code == 0, ran.err
    assert names(tmp_path) == ["in", "p.svg", "run"] and (tmp_path / "p.svg").read_bytes().endswith(profile.MARK)
    shown = "".join(ElementTree.parse(tmp_path / "p.svg").getroot().itertext())
    assert (
        "MainThread" in shown and "at_work" in shown and "dedup" in shown and f"--output {tmp_path / 'p.svg'}" in shown
    )


def test_only_a_flame_graph_of_ours_is_replaced_and_only_when_asked_to(tmp_path, command, corpus, program):
    program()
    picture = tmp_path / "p.svg"

    def run(*options):
        return command("dedup", corpus, "--dry-run", "-q", "--profile", picture, *options)

    assert run().code == 0 and picture.read_bytes() == b"<svg>?</svg>" + profile.MARK
    again = run()
    assert again.code == 4 and "--overwrite" in again.line
    assert run("--overwrite").code == 0
    picture.write_text("<svg>drawn by hand</svg>")
    for options in ((), ("--overwrite",)):
        assert run(*options).code == 4
    assert picture.read_text() == "<svg>drawn by hand</svg>" and names(tmp_path) == ["in", "p.svg"]


def test_it_stands_apart_from_all_that_is_read_and_written(tmp_path, command, corpus, program):
    program()
    run = tmp_path / "run"
    link = tmp_path / "link.svg"
    link.symlink_to(corpus)
    for place, said in (
        (corpus.parent / "p.svg", "choose another output"),
        (link, "choose another output"),
        (run / "p.svg", "is inside"),
        (tmp_path / "nowhere" / "p.svg", "no folder"),
        (tmp_path / "p.png", ".svg"),
    ):
        ran = command("dedup", corpus.parent, "-o", run, "--profile", place, "-q", "--overwrite")
        assert ran.code in (2, 4) and said in ran.line, (place, ran)
    both = tmp_path / "both.svg"
    assert "are the same" in command("dedup", corpus, "-o", both, "--profile", both).line
    assert names(tmp_path) == ["in", "link.svg"] and names(corpus.parent) == ["in.jsonl"]


def test_a_profiler_that_may_not_look_is_told_with_its_words(tmp_path, command, corpus, program):
    program("#!/bin/sh\necho 'Error: Permission Denied: Try running again with sudo' >&2; exit 1\n")
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--profile", tmp_path / "p.svg")
    assert ran.code == 2 and "Permission Denied" in ran.line and "SYS_PTRACE" in ran.line
    assert names(tmp_path) == ["in"]


def test_a_profiler_that_fails_at_the_end_takes_nothing_from_the_run(tmp_path, command, corpus, program):
    program(STANDS_IN.replace("exit 0", "exit 1"))
    ran = command("dedup", corpus, "-o", tmp_path / "run", "--profile", tmp_path / "p.svg", "-q")
    assert ran.code == 4 and "all other files are complete" in ran.line
    assert names(tmp_path) == ["in", "run"] and (tmp_path / "run" / "run.json").exists()


def test_a_run_that_fails_leaves_no_flame_graph(tmp_path, command, program):
    program()
    ran = command("dedup", tmp_path / "nothere.jsonl", "-o", tmp_path / "run", "--profile", tmp_path / "p.svg", "-q")
    assert ran.code == 3 and names(tmp_path) == []


def test_what_goes_without_it(tmp_path, command, corpus):
    for options in (("--plan",), ("-o", tmp_path / "run", "--engine", "spark")):
        ran = command("dedup", corpus, "--profile", tmp_path / "p.svg", *options)
        assert ran.code == 2 and "--profile" in ran.line
    assert names(tmp_path) == ["in"] and names(corpus.parent) == ["in.jsonl"]
