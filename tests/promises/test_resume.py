"""Covers: a run that is stopped, wherever that is, goes on with what it had done and ends with the same bytes; a finished one leaves
nothing behind. For every method.

Compared against: the same run that keeps no work and is not stopped. Stops are at numbered writes, so no clock plays a part.
"""

import json
import signal
from pathlib import Path

import forked
import pytest
from answer_corpus import small_corpus
from method_kinds import of_each_kind
from stopped_work import Stopped, stop_at

import quchong as qc
from quchong.engines.local import scores, segments
from quchong.runs.manifest import TIMED
from quchong.work import about_work, work_folder


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Segments and groups of blocks so small that a stop falls between them."""
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1 << 12)
    monkeypatch.setattr(segments.Segments.__init__, "__defaults__", (1 << 12,))
    monkeypatch.setattr(scores, "KEPT_BLOCKS", 2)
    monkeypatch.setattr(scores, "BLOCK_PAIRS", 40)


def written(tmp_path, files=3):
    """The corpus in several files."""
    rows = small_corpus(1)
    folder = tmp_path / "in"
    folder.mkdir(exist_ok=True)
    for k in range(files):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows[k::files]]
        (folder / f"{k}.jsonl").write_text("\n".join([*lines, "no record"]) + "\n", "utf-8")
    return sorted(folder.glob("*.jsonl"))


def content(run):
    """All files of a run folder but the manifest, and of that what does not tell of time and memory."""
    out = {path.relative_to(run).as_posix(): path.read_bytes() for path in run.rglob("*") if path.is_file()}
    about = json.loads(out.pop("run.json"))
    timed = (*TIMED, "command")
    about["counts"].pop("peak_memory_bytes", None)
    return out, {name: value for name, value in about.items() if name not in timed}


@pytest.mark.parametrize("method", of_each_kind(also=("hybrid",)))
def test_a_run_with_work_is_the_run_without(tmp_path, method):
    files = written(tmp_path)
    plain = qc.dedup(files, out=tmp_path / "plain", method=method, recall_sample=20)
    kept = qc.dedup(files, out=tmp_path / "kept", method=method, recall_sample=20, work=tmp_path / "work", workers=1)
    assert content(plain.folder) == content(kept.folder)
    assert not list((tmp_path / "work").iterdir())


@pytest.mark.parametrize(
    ("method", "every"),
    [("hybrid", 1), ("ccdet", 3), ("two-stage", 3), *(pytest.param(one, 1, marks=pytest.mark.campaign) for one in ("ccdet", "two-stage"))],
)  # fmt: skip
def test_stopped_after_any_value_it_ends_with_the_same_bytes(tmp_path, method, every, monkeypatch):
    files, calls = written(tmp_path), {"method": method, "recall_sample": 20, "work": tmp_path / "work"}
    plain = content(qc.dedup(files, out=tmp_path / "plain", method=method, recall_sample=20).folder)
    with monkeypatch.context() as patched:
        count = stop_at(patched, 10**9)
        qc.dedup(files, out=tmp_path / "whole", **calls)
    assert count[0] >= 9
    for number in range(
        every - 1, count[0], every
    ):  # stages are the same for all methods: the default is stopped in each
        out = tmp_path / f"out{number}"
        with monkeypatch.context() as patched:
            stop_at(patched, number)
            with pytest.raises(Stopped):
                qc.dedup(files, out=out, workers=2, **calls)
        assert not out.exists() and about_work(work_folder(out, tmp_path / "work")) is not None
        assert content(qc.dedup(files, out=out, workers=1, **calls).folder) == plain, number
    assert not list((tmp_path / "work").iterdir())


def test_stopped_again_and_again(tmp_path, monkeypatch):
    files, stops = written(tmp_path), 0
    plain = content(qc.dedup(files, out=tmp_path / "plain").folder)
    while stops < 100:
        with monkeypatch.context() as patched:
            stop_at(patched, 1)  # a segment is two values
            try:
                qc.dedup(files, out=tmp_path / "out", work=tmp_path / "work")
            except Stopped:
                stops += 1
                continue
        break
    assert stops >= 5 and content(tmp_path / "out") == plain


KILLED = """
import os, signal, sys
import quchong as qc
from quchong.work import folder, values

count = [0]
def struck(path, *rest, write=values.write_value):
    count[0] += 1
    if count[0] == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    written = write(path, *rest)
    if count[0] == -int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return written
folder.write_value = struck
qc.dedup(sys.argv[1], out=sys.argv[2], recall_sample=0, work=sys.argv[2] + ".work")
"""
"""Strikes before or after a value is written."""


@pytest.mark.parametrize("strike", [1, -1, 4, -5])
def test_a_process_that_is_killed_leaves_what_the_next_one_needs(tmp_path, strike):
    written(tmp_path)
    inputs, out = tmp_path / "in", tmp_path / "out"
    plain = content(qc.dedup(inputs, out=tmp_path / "plain", recall_sample=0).folder)
    done = forked.run(inputs, out, strike, before=KILLED)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not out.exists()
    told = []

    class Listening:
        def stage(self, *_): ...
        def advance(self, *_): ...
        def resumed(self, done):
            told.extend(done)

    found = qc.dedup(inputs, out=out, recall_sample=0, work=f"{out}.work", progress=Listening())
    assert content(found.folder) == plain and bool(told) == (strike != 1)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["in", "out", "out.work", "plain"]
    assert not list(Path(f"{out}.work").iterdir())


def test_another_input_or_parameter_begins_anew(tmp_path, monkeypatch):
    files = written(tmp_path)
    for change in ("input", "parameter"):
        out = tmp_path / change
        with monkeypatch.context() as patched:
            stop_at(patched, 4)
            with pytest.raises(Stopped):
                qc.dedup(files, out=out, work=tmp_path / "work", threshold=0.7)
        if change == "input":
            rows = files[0].read_text("utf-8").splitlines(keepends=True)
            files[0].write_text("".join(rows[5:]), "utf-8")
        threshold = 0.9 if change == "parameter" else 0.7
        plain = qc.dedup(files, out=tmp_path / f"plain-{change}", threshold=threshold)
        assert content(qc.dedup(files, out=out, work=tmp_path / "work", threshold=threshold).folder) == content(
            plain.folder
        )


def test_texts_in_memory_keep_no_work(tmp_path):
    qc.dedup(["一二三四五六七八九十", "一二三四五六七八九十"], out=tmp_path / "out", work=tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_a_run_that_may_need_more_than_it_is_given_keeps_its_work(tmp_path, monkeypatch):
    from quchong.engines.local import memory

    monkeypatch.setattr(memory, "HELD", 1 << 20)
    files = written(tmp_path)
    stop_at(monkeypatch, 2)
    with pytest.raises(Stopped):
        qc.dedup(files, out=tmp_path / "out", memory="64M")
    assert (tmp_path / ".out.quchong-work").is_dir()
