"""Covers: every maker of an index (`create`, of a corpus, a run or an index, and `backup`) that is killed or fails at any step: nothing
has the name that was asked for, and the same call succeeds afterwards and leaves nothing else.

Run: pytest tests/promises/test_index_made_when_complete.py.
"""

from __future__ import annotations

import errno
import signal
import subprocess
import sys

import pytest
from index_records import records

import quchong as qc
from quchong.errors import OutputError

CALLS = {
    "create": "qc.Index.create(new, shadow={'threshold': 0.7})",
    "corpus": "qc.Index.create(new, method='scam', fit=qc.load(run).kept)",
    "run": "qc.Index.create(new, from_run=run)",
    "index": "qc.Index.create(new, from_run=seen)",
    "backup": "qc.Index(seen, read_only=True).backup(new)",
}
STEPS = {
    "create": (
        "generations.save_statistics",
        "generations.Catalogue",
        "stored.make_generation",
        "settings.Settings.save",
    ),
    "corpus": ("generations.save_statistics", "stored.StoredIndex.note_counted"),
    "run": ("contents.Contents.add_arrived", "generations.save_statistics"),
    "index": ("contents.Contents.add_again", "generations.save_statistics"),
    "backup": ("copying.copy_catalogue", "copying.copy_files", "copying.copy_one", "settings.Settings.save"),
}
CASES = [(call, step, 1) for call, steps in STEPS.items() for step in steps]
CASES += [
    ("backup", "copying.copy_one", 3),
    ("create", "settings.Settings.save", 3),
    ("backup", "settings.Settings.save", 2),
]
ENDING = """
import importlib, os, signal, sys
import quchong as qc

new, seen, run, call, step, number = sys.argv[1:]
module, _, name = step.partition(".")
owner = importlib.import_module("quchong.engines.index." + module)
kind, _, method = name.partition(".")
if method:
    owner, name = getattr(owner, kind), method
known, calls = getattr(owner, name), []

def killed(*given, **named):
    calls.append(1)
    if len(calls) == int(number):
        os.kill(os.getpid(), signal.SIGKILL)
    return known(*given, **named)

setattr(owner, name, killed)
eval(call)
"""
"""A process that is killed instead of one call of a step."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder, some = tmp_path_factory.mktemp("made"), records(5)
    qc.dedup(some, out=folder / "run", recall_sample=0)
    with qc.Index.create(folder / "seen") as index:
        index.add(some)
    return folder


@pytest.mark.parametrize(("call", "step", "number"), CASES)
def test_a_killed_maker_leaves_nothing_under_the_name(made, tmp_path, call, step, number):
    new, place = tmp_path / "new", (str(tmp_path / "new"), str(made / "seen"), str(made / "run"))
    child = subprocess.run([sys.executable, "-c", ENDING, *place, CALLS[call], step, str(number)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert not new.exists()
    eval(CALLS[call], {"qc": qc, "new": new, "seen": made / "seen", "run": made / "run"})
    assert [one.name for one in tmp_path.iterdir()] == ["new"]
    assert qc.Index.verify_folder(new) == []
    with qc.Index(new, read_only=True) as index:
        assert (len(index) == 0) == (call in ("create", "corpus"))


@pytest.mark.parametrize("call", CALLS)
def test_errors_name_the_path_that_was_asked_for(made, tmp_path, monkeypatch, call):
    new, seen, run = tmp_path / "new", made / "seen", made / "run"

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as changed:
        changed.setattr("os.fsync", full)
        with pytest.raises(OutputError) as told:
            eval(CALLS[call], {"qc": qc, "new": new, "seen": seen, "run": run})
    assert str(new) in str(told.value) and ".quchong-" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "new").mkdir()
    with pytest.raises(
        OutputError, match=f"{new} already exists: an index can be (made only in|copied only to) a new folder"
    ):
        eval(CALLS[call], {"qc": qc, "new": new, "seen": seen, "run": run})
    assert list(tmp_path.iterdir()) == [new] and list(new.iterdir()) == []
