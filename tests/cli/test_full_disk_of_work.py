"""Covers: a run whose disk fills while it keeps its work ends cleanly, and goes on when there is room.

Compared against: the same run with room enough.
"""

import json
import os

import forked
import pytest

from quchong.runs.manifest import TIMED

REMEDIES = "make room", "free some space"
KEEPING = "from quchong.engines.local import memory; memory.HELD = 1 << 40"
"""By this runs keep their work, however small they are."""


def command(*argv):
    """Runs it in a process of its own: one that mapped files of a disk would hold on to it."""
    return forked.run(*argv, before=KEEPING)


@pytest.fixture
def corpus(tmp_path):
    half = [os.urandom(300).hex() for _ in range(800)]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f'{{"id":"{k}","text":"{text}"}}\n' for k, text in enumerate(half + half)))
    return path


def content(run):
    """All files of a run folder; run.json without what tells of time and memory."""
    found = {path.name: path.read_bytes() for path in run.iterdir()}
    about = json.loads(found.pop("run.json"))
    about["counts"].pop("peak_memory_bytes", None)
    return found, {name: value for name, value in about.items() if name not in (*TIMED, "command")}


@pytest.mark.parametrize("beside", [False, True], ids=["elsewhere", "beside the output"])
def test_it_ends_cleanly_and_goes_on_where_there_is_room(tmp_path, corpus, small_disk, beside):
    assert command("dedup", corpus, "-o", tmp_path / "plain", "-q").returncode == 0
    plain, whole, went_on = content(tmp_path / "plain"), 0, 0
    for size in (8, 1100, 1600, 2400, 3000):
        disk = small_disk(f"{size}k")
        run = (disk if beside else tmp_path) / "run"
        argv = ["dedup", corpus, "-o", run, *([] if beside else ["--work", disk])]
        ran = command(*argv, "-q")
        if ran.returncode == 0:
            whole += 1
        else:
            lines = ran.stderr.strip().splitlines()
            assert ran.returncode == 4 and any(remedy in ran.stderr for remedy in REMEDIES), (size, lines)
            assert not run.exists()
            left = [path.name for path in disk.iterdir()]
            assert len(left) <= 1 and all(name.endswith(".quchong-work") for name in left), (size, left)
            assert not list(disk.rglob("*.part"))
            small_disk("64m", keep=True)
            ran = command(*argv)
            assert ran.returncode == 0, ran.stderr
            went_on += "resuming the stopped run" in ran.stderr
        assert content(run) == plain, size
        assert [path.name for path in disk.iterdir()] == (["run"] if beside else [])
        for path in (*run.iterdir(), run):
            path.unlink() if path.is_file() else path.rmdir()
    assert whole < 4 and went_on >= 2
