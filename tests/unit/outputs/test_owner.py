"""Covers: who owns what is staged (`quchong.outputs`): processes that live, ended, or run elsewhere; with locks and without."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from quchong.errors import OutputError
from quchong.languages import Message
from quchong.outputs import Staging, only_one, owner, settle, staged_file
from quchong.outputs.owner import Mark
from quchong.outputs.staging import OWNER

HOLD = """
import sys, time
from pathlib import Path
from quchong.outputs import Staging
staging = Staging.begin(Path(sys.argv[1]))
staging.new.mkdir()
print(staging.folder, flush=True)
time.sleep(600)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that is writing `run`, and the folder it stages in."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path / "run"], stdout=subprocess.PIPE, text=True)
    yield process, Path(process.stdout.readline().strip())
    process.kill()
    process.communicate()


@pytest.fixture
def no_locks(monkeypatch):
    monkeypatch.setattr("quchong.outputs.staging.lock", lambda descriptor: None)
    monkeypatch.setattr(owner, "lock", lambda descriptor: None)


@pytest.fixture(params=["locks", "marks alone"])
def either(request):
    if request.param != "locks":
        request.getfixturevalue("no_locks")


def test_a_second_process_is_told_and_a_killed_one_lets_go(tmp_path, other, either):
    process, folder = other
    with pytest.raises(OutputError, match=rf"another run \(process {process.pid}\) is writing .*run: wait"):
        Staging.begin(tmp_path / "run")
    assert (folder / "new").exists()
    process.kill()
    process.wait()
    settle(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def mark(folder, **changes):
    """A staging folder whose mark says something else of its process."""
    folder.mkdir()
    (folder / "new").mkdir()
    token = folder.name.rpartition("-")[2]
    (folder / OWNER).write_text(replace(Mark.for_this_process(token, "run"), **changes).text())


def test_a_number_used_again_is_another_process(tmp_path, no_locks):
    if owner.started(os.getpid()) is None:
        pytest.skip("this machine does not tell when a process began")
    mark(tmp_path / ".run.quchong-00000000", start="another:1")
    settle(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_process_on_another_machine(tmp_path, monkeypatch):
    """With locks the lock tells; without them nobody can."""
    mark(tmp_path / ".run.quchong-00000000", host="elsewhere")
    settle(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("quchong.outputs.staging.lock", lambda descriptor: None)
    mark(tmp_path / ".run.quchong-00000000", host="elsewhere")
    with pytest.raises(OutputError, match=r"process \d+ on elsewhere was writing .* delete .*00000000"):
        settle(tmp_path / "run")
    assert (tmp_path / ".run.quchong-00000000" / "new").exists()


@pytest.mark.parametrize(
    "change",
    [{"token": "11111111"}, {"place": "other"}],
    ids=str,
)
def test_a_mark_of_something_else_is_no_mark(tmp_path, change):
    mark(tmp_path / ".run.quchong-00000000", **change)
    settle(tmp_path / "run")
    assert (tmp_path / ".run.quchong-00000000" / "new").exists()


@pytest.mark.parametrize("text", [None, "", '{"token": "0000', "[]", json.dumps({"token": 1})])
def test_a_mark_that_was_cut_off(tmp_path, text):
    """Nothing but the mark is there yet: it goes. With anything beside it, it is not ours."""
    folder = tmp_path / ".run.quchong-00000000"
    for beside in (False, True):
        folder.mkdir()
        if text is not None:
            (folder / OWNER).write_text(text)
        if beside:
            (folder / "mine").touch()
        settle(tmp_path / "run")
        assert folder.exists() == beside


def test_a_half_made_swap_whose_place_was_taken_is_kept(tmp_path):
    folder = tmp_path / ".run.quchong-00000000"
    mark(folder)
    (folder / "old").mkdir()
    (tmp_path / "run").mkdir()
    settle(tmp_path / "run")
    assert {p.name for p in folder.iterdir()} == {"new", "old", OWNER}


def used_by(owner, _place):
    return Message("used by {}", owner)


def test_one_at_a_time_in_one_process_too(tmp_path):
    with only_one(tmp_path / "x", used_by):
        with (
            pytest.raises(OutputError, match=f"used by process {os.getpid()}"),
            only_one(tmp_path / "x", used_by),
        ):
            pass
        with staged_file(tmp_path / "x") as new:  # the file itself may be replaced meanwhile
            new.write_text("1")
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_many_at_once_one_wins(tmp_path):
    """However they meet, at most one has the place, and at least one gets it."""
    won, barrier = [], threading.Barrier(8)

    def begin():
        barrier.wait()
        with contextlib.suppress(OutputError):
            won.append(Staging.begin(tmp_path / "run"))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    won[0].drop()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_somebody_else_has_locked_is_no_hindrance(tmp_path, monkeypatch):
    """flock(1) on the folder around this very command would wait for ever."""
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(owner, "_PAUSE", 0)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with staged_file(tmp_path / "x") as new:
        new.write_text("1")
    os.close(descriptor)
    assert (tmp_path / "x").read_text() == "1"


def test_names_as_long_as_they_may_be(tmp_path):
    for name in ("长" * 85, "x" * 255):
        with staged_file(tmp_path / name) as new:
            new.write_text("1")
        assert (tmp_path / name).read_text() == "1"
