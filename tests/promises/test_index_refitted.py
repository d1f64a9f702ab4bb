"""Covers: statistics of an index recounted (`Index.compact(refit=True)`): documents have the pairs of a run over them, whatever was
frozen before, with ids, moments of arrival and fates; an end at any moment leaves the old contents whole.
Compared against: `quchong.dedup`, and an index made anew.
Run: pytest tests/promises/test_index_refitted.py.
"""

from __future__ import annotations

import errno
import random
import signal
import subprocess
import sys

import pytest
from index_records import records
from test_index_and_run_agree import fill, pairs_of_index, pairs_of_run, parameters_for

import quchong as qc
from quchong.engines.index import refitting
from quchong.errors import OutputError, UsageError

COUNTING = ("ccdet", "ppjoin", "shingling", "hybrid", "imatch", "scam")


KILLED = """
import os, signal, sys
import quchong as qc
from quchong.engines.index import refitting

folder, moment, call = sys.argv[1:]
step, calls = getattr(refitting, moment), []

def killed(*given):
    calls.append(given)
    if moment != "remove_others" or len(calls) <= int(call):
        step(*given)
    if len(calls) > int(call):
        os.kill(os.getpid(), signal.SIGKILL)

setattr(refitting, moment, killed)
qc.Index(folder).compact(refit=True)
"""
"""A process that counts an index anew and is killed after a step, or instead of its second call."""


def state(index):
    """What a user sees of each document, and when it was added."""
    return [
        (one.id, one.removed, one.survivor_id, one.relation, index._open.row(one.id).added, index.text(one.id))
        for one in map(index.matches, index.ids())
    ]


@pytest.mark.parametrize("name", COUNTING)
def test_an_index_counted_anew_has_the_pairs_of_a_run(tmp_path, name):
    draw = random.Random(name)
    some = records(draw.randrange(1000))
    with qc.Index.create(
        tmp_path / "seen", method=name, fit=some[:5], templates="remove", **parameters_for(name)
    ) as index:
        left = fill([index], some, draw)
        before = [row[:1] + row[4:] for row in state(index)]
        index.compact(refit=True)
        found, frozen = pairs_of_index(index), index._open.plan.method
        assert [row[:1] + row[4:] for row in state(index)] == before
        assert index.delete(left[0]["id"]) == 1
        index.add(left[0])
        assert pairs_of_index(index) == found
    counted = qc.dedup(
        left, method=name, templates="remove", differences="all", recall_sample=0, **parameters_for(name)
    )
    assert found == pairs_of_run(qc.dedup(left, method=frozen, differences="all", templates="remove", recall_sample=0))
    assert found == pairs_of_run(counted)
    with qc.Index(tmp_path / "seen", read_only=True) as again:
        assert pairs_of_index(again) == found
    assert [one.name for one in (tmp_path / "seen").iterdir() if one.is_dir()] == ["g000002"]


def test_documents_without_ids_are_numbered_on(tmp_path):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add([f"text number {k} about things" for k in range(6)])
        assert index.delete(["#1", "#4"]) == 2
        index.compact(refit=True)
        assert index.add("one more text about other things").id == "#6"
        index.compact(refit=True)
        assert index.add("and a last one").id == "#7"
        assert index.ids() == ["#0", "#2", "#3", "#5", "#6", "#7"]


@pytest.mark.parametrize("moment", ["make_generation", "_add_again", "flush_generation", "_switch"])
def test_an_end_before_the_switch_leaves_the_old_contents(tmp_path, moment, monkeypatch):
    some = records(7)
    with qc.Index.create(tmp_path / "seen", fit=some[:5]) as index:
        index.add(some)
        before = state(index)

        def end(*_given):
            raise KeyboardInterrupt

        with monkeypatch.context() as changed:
            changed.setattr(refitting, moment, end)
            with pytest.raises(KeyboardInterrupt):
                index.compact(refit=True)
        assert state(index) == before
        index.add({"id": "more", "text": some[0]["text"] + " and more"})
        after = state(index)
    with qc.Index(tmp_path / "seen") as again:
        assert state(again) == after
        assert [one.name for one in (tmp_path / "seen").iterdir() if one.is_dir()] == ["g000001"]
        again.compact(refit=True)
        assert state(again) == after


@pytest.mark.parametrize(
    ("moment", "call"), [("make_generation", 0), ("_add_again", 0), ("_switch", 0), ("remove_others", 1)]
)
def test_a_kill_leaves_one_whole_generation(tmp_path, moment, call):
    """A process is killed at a moment of its own, after the call of a step: before the switch the old contents are there, else the new."""
    some = records(8)
    with qc.Index.create(tmp_path / "seen", fit=some[:5]) as index:
        index.add(some)
        before = state(index)
    child = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "seen", moment, str(call)], check=False)
    assert child.returncode == -signal.SIGKILL
    switched = moment in ("_switch", "remove_others")
    with qc.Index(tmp_path / "seen", read_only=True) as index:
        assert state(index) == before
    with qc.Index(tmp_path / "seen") as index:
        assert state(index) == before
        index.add({"id": "more", "text": some[0]["text"] + " and more"})
        assert [one.name for one in (tmp_path / "seen").iterdir() if one.is_dir()] == [f"g00000{1 + switched}"]


LEFTOVERS = {
    "nothing": (),
    "begun": ("statistics.part",),
    "counted": ("statistics", "statistics-copy", "catalogue.sqlite-journal"),
}


@pytest.mark.parametrize("left", LEFTOVERS)
@pytest.mark.parametrize("step", ["opened", "refit", "repair"])
def test_what_a_stopped_step_left_is_in_nobodys_way(tmp_path, left, step):
    """However little of a generation was made before the process ended, or of the folder of a repair."""
    folder, some = tmp_path / "seen", records(9)
    with qc.Index.create(folder, fit=some) as index:
        index.add(some)
        before = state(index)
    if step == "repair":
        (folder / "g000001" / "statistics-copy").unlink()
    for name in ("g000002", ".repaired-0123abcd"):
        (folder / name).mkdir()
        for one in LEFTOVERS[left]:
            (folder / name / one).write_bytes(b"half")
    (folder / ".repaired-0123abcd" / "g000002").mkdir()
    if step == "repair":
        assert qc.Index.repair_folder(folder)
    with qc.Index(folder) as index:
        if step == "refit":
            index.compact(refit=True)
        assert state(index) == before
    named = {"opened": {"g000001"}, "refit": {"g000002"}, "repair": {"g000001", "g000003"}}[step]
    there = {one.name for one in folder.iterdir() if one.is_dir()}
    assert there - {"g000003"} == named - {"g000003"} and len(there) == len(named)


def test_a_folder_with_files_of_others_is_passed_over(tmp_path):
    folder, some = tmp_path / "seen", records(9)
    with qc.Index.create(folder, fit=some) as index:
        index.add(some)
        before = state(index)
        (folder / "g000002").mkdir()
        (folder / "g000002" / "mine.txt").write_text("mine")
        index.compact(refit=True)
        assert state(index) == before
    assert sorted(one.name for one in folder.iterdir()) == ["g000002", "g000003", "index.json"]
    assert (folder / "g000002" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("moment", ["make_generation", "_add_again", "flush_generation", "_switch"])
def test_an_error_gives_the_room_back_and_names_the_index(tmp_path, moment, monkeypatch):
    some = records(7)
    with qc.Index.create(tmp_path / "seen", fit=some[:5]) as index:
        index.add(some)
        before, step = state(index), getattr(refitting, moment)

        def full(*given):
            if moment != "_switch":
                step(*given)
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as changed:
            changed.setattr(refitting, moment, full)
            with pytest.raises(OutputError) as told:
                index.compact(refit=True)
        assert str(told.value) == f"{tmp_path / 'seen'} cannot be read or written: No space left on device"
        assert [one.name for one in (tmp_path / "seen").iterdir() if one.is_dir()] == ["g000001"]
        assert state(index) == before
        index.compact(refit=True)
        assert state(index) == before


def test_a_temporary_folder_without_room_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def full(*_given, **_named):
        raise OSError(errno.ENOSPC, "No space left on device")

    with qc.Index.create(tmp_path / "seen") as index:
        index.add(records(7))
        monkeypatch.setattr("pyarrow.parquet.ParquetWriter", full)
        for call in (lambda: index.compact(refit=True), lambda: index.export(tmp_path / "run")):
            with pytest.raises(OutputError, match=f"{tmp_path}/quchong-.* name another temporary folder in TMPDIR"):
                call()
        with pytest.raises(OutputError, match="name another temporary folder in TMPDIR"):
            qc.dedup(records(7), against=tmp_path / "seen")


def test_an_index_without_texts_is_not_counted_anew(tmp_path):
    with qc.Index.create(tmp_path / "seen", method="exact", store="none") as index:
        with pytest.raises(UsageError, match="stores no texts"):
            index.compact(refit=True)
        assert not index._replaced
