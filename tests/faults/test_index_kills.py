"""Covers: an index whose writer is killed at any moment: what was acknowledged is there, what was not is there wholly or not at all,
nothing is damaged, and relations are those of an index built of the same documents.

Run: pytest tests/faults/test_index_kills.py, and -m campaign for 500 kills.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from forked import ALONE
from index_records import pairs_of_index

import quchong as qc

HERE = Path(__file__).parent
METHODS = ("hybrid", "minhash", "simhash")


class Writer:
    """Process that forks writers."""

    def __init__(self):
        path = os.pathsep.join([str(HERE.parent), *filter(None, sys.path)])
        self.process = subprocess.Popen(
            [sys.executable, HERE / "index_writer.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | ALONE | {"PYTHONPATH": path},
        )  # fmt: skip

    def killed(self, draw, **asked):
        """Have an index written, and the writer killed at a moment of chance; return the lines that it said."""
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        lines, pid, left = [], 0, draw.randrange(1, 60)
        spins = draw.choice([0, draw.randrange(400_000)])
        while True:
            told = json.loads(self.process.stdout.readline())
            assert "error" not in told, told
            if "end" in told:
                return lines
            if "pid" in told:
                pid = told["pid"]
            else:
                lines.append(told)
            if pid and len(lines) >= left:
                for _ in range(spins):
                    pass
                os.kill(pid, signal.SIGKILL)
                pid = 0
                left = 1 << 30

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def apply(there, told):
    """The documents after a call."""
    if told["do"] == "add":
        return there | {one["id"]: one for one in told["some"]}
    return {id: one for id, one in there.items() if told["do"] != "delete" or id not in told["some"]}


def kill_often(folder, kills, seed):
    draw, writer = random.Random(seed), Writer()
    struck, there, create = 0, {}, {}
    try:
        for k in range(kills):
            if not (folder / "index.json").exists() or draw.random() < 0.3:
                shutil.rmtree(folder, ignore_errors=True)
                there = {}
                create = {"method": METHODS[k % 3], "sync": draw.choice(["each", "20ms", "none", "none", "none"])}
                lines = writer.killed(draw, folder=str(folder), seed=seed * 10_000 + k, ids={}, create=create)
            else:
                lines = writer.killed(draw, folder=str(folder), seed=seed * 10_000 + k, ids=there, create={})
            for told, done in zip(lines[::2], lines[1::2], strict=False):
                assert "do" in told and "done" in done
                there = apply(there, told)
            pending = lines[-1] if len(lines) % 2 else None
            struck += pending is not None
            if not (folder / "index.json").exists():
                assert not lines, "an index that was made is there"
                continue
            there = check(folder, there, pending, draw.random() < 0.5)
    finally:
        writer.close()
    return struck


def check(folder, there, pending, first_by_reading):
    """Assert that the index has these documents, with a pending call or without it; return those that it has."""
    if first_by_reading:
        before = listing(folder)
        with qc.Index(folder, read_only=True) as index:
            read = set(index.ids())
        assert qc.Index.verify_folder(folder) == []
        assert listing(folder) == before
    with qc.Index(folder) as index:
        found = set(index.ids())
        assert not first_by_reading or read == found
        assert index.verify() == []
        after = there if pending is None else apply(there, pending)
        assert found in (set(there), set(after)), (pending, sorted(found ^ set(there)))
        there = there if found == set(there) else after
        assert all(id in index and index.text(id) == one["text"] for id, one in there.items())
        plan = index._open.plan
        some = [there[id] for id in index.ids()]
        fresh = folder.with_name("fresh")
        with qc.Index.create(fresh, method=plan.method.name) as other:
            other.add(some)
            assert pairs_of_index(index) == pairs_of_index(other)
            assert [one.new for one in index.query(some[-5:])] == [one.new for one in other.query(some[-5:])]
        shutil.rmtree(fresh)
        index.add({"id": "after", "text": "一个新的句子，写在中断之后。"})
        assert index.delete("after") == 1
    return there


def listing(folder):
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))}


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize(
    ("kills", "seed"), [(15, 1), *(pytest.param(100, seed, marks=pytest.mark.campaign) for seed in range(2, 7))]
)
def test_a_writer_that_is_killed_loses_nothing(tmp_path, kills, seed):
    struck = kill_often(tmp_path / "seen", kills, seed)
    print(f"{kills} kills, {struck} within a call")
    assert struck
