"""What the tests of the command line share: running a command in this process, and texts that resemble nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.cli.main import main

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    """An index of the sample; who changes it takes a copy."""
    folder = tmp_path_factory.mktemp("index") / "news"
    with qc.Index.create(folder) as made:
        made.add(NEWS)
    return folder


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def line(self):
        """The one line an error is told in."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1 and lines[0].startswith(("quchong: ", "quchong：")) and not self.out, (
            self.out,
            self.err,
        )
        return lines[0]


class Run:
    """A run folder as plain data."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.counts = self.manifest["counts"]
        self.ledger, self.pairs, self.clusters, self.documents = (
            pq.read_table(self.folder / f"{name}.parquet").to_pylist()
            for name in ("ledger", "pairs", "clusters", "documents")
        )
        self.skipped = lines(self.folder / "skipped.jsonl")
        self.removed = {row["id"]: row["survivor_id"] for row in self.ledger}
        self.kept = [row["id"] for row in self.documents if not row["removed"] and not row["reference"]]
        self.relations = {row["id"]: row["relation"] for row in self.ledger}
        self.alarms = {alarm["kind"]: alarm["message"] for alarm in self.manifest["alarms"]}

    def found(self):
        """What the run decided, wherever the rows stood."""
        ledger = [{k: v for k, v in row.items() if k not in ("row", "source")} for row in self.ledger]
        return ledger, self.pairs, self.clusters, self.kept


def lines(path):
    return [json.loads(line) for line in Path(path).read_bytes().split(b"\n") if line.strip()]


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs a command line as `quchong` would, in this process."""
    before = signal.getsignal(signal.SIGTERM)

    def command(*argv):
        monkeypatch.setattr(sys, "argv", ["quchong", *map(str, argv)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    yield command
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def opened():
    """Opens a run folder as plain data."""
    return Run


@pytest.fixture
def dedup(command, tmp_path):
    """Runs `quchong dedup` well, into a new folder, and reads it back."""
    count = 0

    def dedup(*argv):
        nonlocal count
        count += 1
        ran = command("dedup", *argv, "-o", tmp_path / f"run{count}", "-q", "--recall-sample", 0)
        assert ran.code == 0, ran.err
        return Run(tmp_path / f"run{count}")

    return dedup


@pytest.fixture
def article():
    def article(seed, size=150):
        rng = random.Random(seed)
        return "".join(rng.choices(HAN, k=size))

    return article


@pytest.fixture
def rows(article):
    """Four texts, an exact copy, a longer version, a piece, English ones; ids in mixed order."""
    english = "the quick ferry left a quiet harbour while seven tired sailors counted ropes and barrels on deck "
    return [
        {"id": "b", "text": article(1), "n": 1},
        {"id": "copy", "text": "。".join([article(1)[:70], article(1)[70:]]), "n": 2},
        {"id": "c", "text": article(2), "n": 3},
        {"id": "longer", "text": article(2) + "又过了三天", "n": 4},
        {"id": "piece", "text": article(3)[20:90], "n": 5},
        {"id": "whole", "text": article(3), "n": 6},
        {"id": "alone", "text": article(4), "n": 7},
        {"id": "en", "text": english * 3, "n": 8},
        {"id": "en2", "text": (english * 3).upper(), "n": 9},
        {"id": "mixed", "text": "Quchong 0.1 版" + article(5), "n": 10},
    ]


@pytest.fixture
def small_disk(tmp_path):
    """Makes a disk of some size, or with `keep` gives it another size; it is gone after the test. No process may still map a file there:
    what maps files runs in a process of its own.
    """
    place = tmp_path / "disk"
    place.mkdir()

    def small_disk(size, keep=False):
        argv = ["mount", "-t", "tmpfs", "-o", f"{'remount,' if keep else ''}size={size}", "tmpfs", place]
        if not keep:
            subprocess.run(["umount", place], capture_output=True, check=False)
        if os.getuid() or subprocess.run(argv, capture_output=True, check=False).returncode:
            pytest.skip("cannot mount here")
        return place

    yield small_disk
    subprocess.run(["umount", place], capture_output=True, check=False)
    assert not place.is_mount()


GONE = {"copy": "b", "c": "longer", "piece": "whole", "en2": "en"}
"""What goes of `rows`, and for whose sake."""


@pytest.fixture
def gone():
    return dict(GONE)


@pytest.fixture
def jsonl(tmp_path):
    """Writes rows (dicts, or lines as they are) as JSON lines."""

    def jsonl(name, rows):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = [r if isinstance(r, bytes) else json.dumps(r, ensure_ascii=False).encode() for r in rows]
        path.write_bytes(b"".join(line + b"\n" for line in raw))
        return path

    return jsonl
