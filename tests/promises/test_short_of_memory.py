"""Covers: where memory is short, arrays lie in files and nothing else changes (`Room.spilling`, `kernels.machine.spilling`).

Compared against: the same run with all in memory. Bounds are bytes that are counted, so neither clock nor load plays a part.
"""

import errno
import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
from answer_corpus import small_corpus
from method_kinds import of_each_kind

import quchong as qc
from quchong import kernels
from quchong.engines.local import memory, pair_table, passages
from quchong.engines.local import stage_store as kept
from quchong.engines.local.memory import Room
from quchong.engines.local.text_store import FoundKeeper
from quchong.errors import OutputError
from quchong.kernels import machine
from quchong.progress import Stages
from quchong.results import folder, passage_cuts

SPILLS = sys.platform == "linux" and machine._quchong.can_spill()
pytestmark = pytest.mark.skipif(not SPILLS, reason="memory spills on Linux with glibc, outside of sanitizers")


def unlike(n):
    """Texts that have nothing in common."""
    letters = np.random.default_rng(3).integers(0x4E00, 0x9FA5, (n, 20))
    return [{"id": i, "text": "".join(map(chr, row))} for i, row in enumerate(letters.tolist())]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in small_corpus(1)), "utf-8")
    return path


@pytest.fixture
def short_of_memory(monkeypatch):
    """Every block of 64 KB or more goes to a file; tables come in pieces of a few rows."""
    plain = machine.spilling
    monkeypatch.setattr(memory.kernels.machine, "spilling", lambda folder, bound: plain(folder, 0, 1 << 16))
    monkeypatch.setattr(kept, "PIECE", 7)
    monkeypatch.setattr(pair_table, "PAIR_GROUP", 7)


@pytest.mark.parametrize("method", of_each_kind(also=("hybrid",)))
def test_a_run_short_of_memory_gives_the_same_tables(tmp_path, corpus, method, request):
    plain = qc.dedup(corpus, out=tmp_path / "plain", method=method, recall_sample=20)
    request.getfixturevalue("short_of_memory")
    short = qc.dedup(corpus, out=tmp_path / "short", method=method, recall_sample=20, work=tmp_path / "work")
    for name in ("pairs", "ledger", "clusters", "documents"):
        assert getattr(short, name).equals(getattr(plain, name)), name
    for side in ("kept", "removed"):
        assert (short.folder / f"{side}.jsonl").read_bytes() == (plain.folder / f"{side}.jsonl").read_bytes()
    assert not list((tmp_path / "work").iterdir())


@pytest.mark.parametrize("at", ["sentence", "exact"])
@pytest.mark.parametrize("cut", ["copies", "boilerplate"])
def test_passages_short_of_memory_are_the_same(tmp_path, cut, at, request, monkeypatch):
    rows = [row | {"id": f"{seed}-{row['id']}"} for seed in range(12) for row in small_corpus(seed)]
    corpus = tmp_path / "in.jsonl"
    corpus.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    options = {"min_chars": 12, "common": 3, "cut": cut, "cut_at": at, "strip": "editor"}
    plain = qc.passages(corpus, out=tmp_path / "plain", **options)
    request.getfixturevalue("short_of_memory")
    monkeypatch.setattr(passages, "PIECE", 1 << 12)
    monkeypatch.setattr(passage_cuts, "BATCH", 1 << 10)
    short = qc.passages(corpus, out=tmp_path / "short", memory="64M", **options)
    assert len(plain.table) > 20 and plain.manifest["cut"]["taken"]["documents"] > 2
    assert short.manifest["cut"] == plain.manifest["cut"] and short.manifest["alarms"] == plain.manifest["alarms"]
    assert sum(short.manifest["spilled_bytes"].values()) > 1 << 16
    for name in ("passages.parquet", "cut.jsonl"):
        assert (tmp_path / "short" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes()
    assert not [one for one in (tmp_path / "short").iterdir() if one.name.startswith(".")]


@pytest.mark.usefixtures("short_of_memory")
def test_what_spilled_is_told(tmp_path):
    result = qc.dedup(unlike(20_000), out=tmp_path / "run", recall_sample=0)
    assert sum(result.manifest["spilled_bytes"].values()) >= 20_000 * 8 * 10


def test_arrays_in_files_are_no_memory_of_the_process(tmp_path):
    code = """
import sys
from pathlib import Path
import numpy as np
from quchong import kernels
from quchong.progress import anonymous_memory
with kernels.machine.spilling(Path(sys.argv[1]), 0, 1 << 20) as spills:
    assert spills
    before = anonymous_memory()
    arrays = [np.arange(4_000_000) for _ in range(8)]
    arrays.append(np.zeros(4_000_000))
    arrays[-1] += 1
    label = kernels.graph.components(4_000_000, arrays[0], arrays[1])
    held = anonymous_memory() - before
    assert held < 16 << 20, held
    told = kernels.machine.spilled()
    assert told.mapped >= 9 * 32_000_000 and told.error == 0
    assert int(sum(a[-1] for a in arrays)) == 8 * 3_999_999 + 1
del arrays, label
assert kernels.machine.spilled().mapped == 0
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert not list(tmp_path.iterdir())


def test_an_array_that_grows_or_shrinks_keeps_its_values(tmp_path):
    with machine.spilling(tmp_path, 0, 1 << 16):
        array = np.arange(20_000)
        array.resize(60_000, refcheck=False)
        assert (array[:20_000] == np.arange(20_000)).all() and not array[20_000:].any()
        array.resize(9_000, refcheck=False)
        assert (array == np.arange(9_000)).all()
        whole = np.sort(np.concatenate([array[::-1], array]))
    assert (whole == np.repeat(np.arange(9_000), 2)).all()  # still there after the end
    later = np.zeros(1_000_000)
    assert machine.spilled().mapped <= whole.nbytes + array.nbytes + (1 << 17) and not later.any()


def test_one_run_of_a_process_spills(tmp_path):
    with machine.spilling(tmp_path, 0) as first, machine.spilling(tmp_path, 0) as second:
        assert first and not second
    with machine.spilling(tmp_path, 0) as again:
        assert again


def test_a_folder_that_takes_no_files_is_named(tmp_path):
    with pytest.raises(PermissionError, match="nowhere"), machine.spilling(tmp_path / "nowhere", 0):
        pass


FULL = """
import resource, signal, sys
import numpy as np
import quchong as qc
from quchong.engines.local import memory
from quchong.kernels import machine
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
plain = machine.spilling
memory.kernels.machine.spilling = lambda folder, bound: plain(folder, 0, 1 << 16)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, resource.RLIM_INFINITY))
letters = np.random.default_rng(3).integers(0x4E00, 0x9FA5, (40_000, 20)).tolist()
rows = [{"id": i, "text": "".join(map(chr, row))} for i, row in enumerate(letters)]
try:
    qc.dedup(rows, recall_sample=0)
except qc.errors.OutputError as error:
    assert "has no room" in str(error) and "work" in str(error), error
    sys.exit(7)
"""


def test_a_full_disk_ends_the_run_with_its_remedy():
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True)
    assert done.returncode == 7, done.stderr


def test_no_room_is_told_as_such_and_other_want_of_memory_is_not(tmp_path, monkeypatch):
    room = Room(1 << 30, tmp_path)
    with pytest.raises(MemoryError), room.spilling(Stages()):
        raise MemoryError
    monkeypatch.setattr(machine, "spilled", lambda: machine.Spilled(0, 0, 0, errno.ENOSPC))
    with pytest.raises(OutputError, match="No space left"), room.spilling(Stages()):
        raise MemoryError


def test_kernels_in_files_give_what_they_give_in_memory(tmp_path):
    rng = np.random.default_rng(5)
    keys, offsets = rng.integers(0, 3_000, 60_000).astype(np.uint64) << 40, np.arange(0, 60_001, 6)
    size = np.full(10_000, 6, np.uint32)
    how = {"size": size, "window": np.ones(10_000, np.uint32), "cap": 64, "min_shared": 1, "workers": 2}
    plain = kernels.join.join_keys(keys, offsets, np.arange(10_000), **how)
    with machine.spilling(tmp_path, 0, 1 << 16):
        short = kernels.join.join_keys(keys, offsets, np.arange(10_000), **how)
    assert len(plain.left) > 10_000
    assert all((getattr(plain, name) == getattr(short, name)).all() for name in ("left", "right"))


def family(n):
    """Near-equal posts of 60 characters: 1 to 4 characters of each are others."""
    rng = np.random.default_rng(5)
    base = rng.integers(0x4E00, 0x9FA5, 60)
    posts = np.tile(base, (n, 1))
    for post in posts:
        changed = rng.integers(0, 60, rng.integers(1, 5))
        post[changed] = rng.integers(0x4E00, 0x9FA5, len(changed))
    return [{"id": i, "text": "".join(map(chr, post))} for i, post in enumerate(posts.tolist())]


def test_differences_of_a_family_are_written_narrow_and_its_pairs_once(tmp_path, monkeypatch):
    """Bytes of the file of what was found, and of pairs.parquet, in times of the input."""
    path, held = tmp_path / "in.jsonl", []
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in family(200)), "utf-8")
    plain = qc.dedup(path, out=tmp_path / "plain")
    monkeypatch.setattr(memory.Room, "result_limit", property(lambda _room: 0))
    close = FoundKeeper.__exit__
    monkeypatch.setattr(FoundKeeper, "__exit__", lambda self, *error: (held.append(self.written), close(self, *error)))
    monkeypatch.setattr(pair_table, "PAIR_GROUP", 1 << 10)
    short = qc.dedup(path, out=tmp_path / "short")
    assert short.pairs.equals(plain.pairs)
    assert len(plain.pairs) > 10_000
    assert 0 < sum(held) < 20 * path.stat().st_size
    assert (short.folder / "pairs.parquet").stat().st_size < 15 * path.stat().st_size
    assert pq.read_metadata(short.folder / "pairs.parquet").num_row_groups == -(-len(plain.pairs) // 1_024)


def test_the_file_of_the_pairs_is_that_of_the_table(tmp_path, corpus, monkeypatch):
    monkeypatch.setattr(pair_table, "PAIR_GROUP", 8)
    monkeypatch.setattr(folder, "PAIR_GROUP", 8)
    written, held = qc.dedup(corpus, out=tmp_path / "written"), qc.dedup(corpus)
    held.save(tmp_path / "saved")
    one, other = ((tmp_path / name / "pairs.parquet").read_bytes() for name in ("written", "saved"))
    assert one == other
    assert len(held.pairs) > 8
    assert written.counts["variants"] == held.counts["variants"]
