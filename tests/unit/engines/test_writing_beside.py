"""Covers: what a run writes while it goes on: rows beside the ledger, in its order where memory or workers forbid it, stops and errors.

Compared against: the same run without a thread beside.
"""

import json
import threading

import numpy as np
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.api.output import RunBeingWritten
from quchong.engines.local import pair_table
from quchong.engines.local import run as engine
from quchong.engines.local.background import Deferred, Tally
from quchong.engines.local.memory import BESIDE, Room
from quchong.errors import OutputError
from quchong.io import open_file
from quchong.io.row_copies import KEEP
from quchong.kernels.machine import Stop
from quchong.tables import variants
from quchong.work import Work

ROWS = [
    {"id": f"d{i}", "text": f"第{i % 7}篇：春江潮水连海平，海上明月共潮生，滟滟随波千万里，何处春江无月明。"}
    for i in range(40)
]
TIMEOUT = 60


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    return path


def watched(monkeypatch, ledger, rows):
    """Call `ledger` and `rows` as the run comes to them."""
    made, written = engine.ledger_of, RunBeingWritten.write_rows

    def explain(*args):
        ledger()
        return made(*args)

    def write(self, decided, table, advance, stop):
        rows(stop)
        return written(self, decided, table, advance, stop)

    monkeypatch.setattr(engine, "ledger_of", explain)
    monkeypatch.setattr(RunBeingWritten, "write_rows", write)


def test_rows_are_written_while_the_ledger_is_being_made(monkeypatch, tmp_path, file):
    begun, made = threading.Event(), threading.Event()
    seen = []

    def ledger():
        seen.append(begun.wait(TIMEOUT))  # would wait in vain if the rows came after it
        made.set()

    watched(monkeypatch, ledger, lambda _: (begun.set(), seen.append(made.wait(TIMEOUT))))
    result = qc.dedup(file, out=tmp_path / "run", workers=2, recall_sample=0)
    assert seen == [True, True] and result.manifest["files"]["in.jsonl"]["kept"] == "kept.jsonl"
    assert list(result.manifest["seconds"])[-3:] == ["write tables", "write", "measure recall"]


@pytest.mark.parametrize(
    "how", [{"workers": 1}, {"annotate": True, "workers": 2}, {"memory": "300M", "work": "w", "workers": 2}]
)
def test_rows_come_after_the_ledger_where_they_must(monkeypatch, tmp_path, file, how):
    order = []
    watched(monkeypatch, lambda: order.append("ledger"), lambda _: order.append("rows"))
    how = how | ({"work": tmp_path / "w"} if "work" in how else {})
    qc.dedup(file, out=tmp_path / "run", recall_sample=0, **how)
    assert order == ["ledger", "rows"]


@pytest.mark.parametrize("how", [{}, {"work": "w"}])
def test_files_do_not_depend_on_what_is_written_beside(tmp_path, file, how):
    found = {}
    for workers in (1, 2):
        out = tmp_path / str(workers)
        given = {"work": tmp_path / f"w{workers}"} if how else {}
        qc.dedup(file, out=out, workers=workers, recall_sample=0, memory="4G", **given)
        found[workers] = {p.name: p.read_bytes() for p in out.iterdir() if p.name != "run.json"}
    assert (
        found[1] == found[2]
        and {"kept.jsonl", "removed.jsonl", "pairs.parquet", "documents.parquet"} <= found[1].keys()
    )


def test_an_error_of_the_rows_ends_the_run_and_leaves_nothing(monkeypatch, tmp_path, file):
    def fail(_):
        raise OutputError("no room")

    watched(monkeypatch, lambda: None, fail)
    with pytest.raises(OutputError, match="no room"):
        qc.dedup(file, out=tmp_path / "run", workers=2, recall_sample=0)
    assert {one.name for one in tmp_path.iterdir()} == {"in.jsonl"}


def test_an_error_of_the_run_stops_the_rows(monkeypatch, tmp_path, file):
    begun, seen = threading.Event(), []

    def ledger():
        assert begun.wait(TIMEOUT)
        raise KeyboardInterrupt

    def rows(stop):
        begun.set()
        while not stop.is_set():
            threading.Event().wait(0.001)
        seen.append(True)

    watched(monkeypatch, ledger, rows)
    with pytest.raises(KeyboardInterrupt):
        qc.dedup(file, out=tmp_path / "run", workers=2, recall_sample=0)
    assert seen == [True] and {one.name for one in tmp_path.iterdir()} == {"in.jsonl"}


def test_a_stop_ends_the_copying_of_rows(tmp_path, file):
    source = open_file(file)
    stop = Stop()
    stop.set()
    source.split(np.full(len(ROWS), KEEP, np.uint8), tmp_path / "kept.jsonl", None, stop=stop)
    assert (tmp_path / "kept.jsonl").read_bytes() == b""
    source.split(np.full(len(ROWS), KEEP, np.uint8), tmp_path / "kept.jsonl", None, stop=Stop())
    assert (tmp_path / "kept.jsonl").read_bytes() == file.read_bytes()


def test_what_is_deferred_runs_when_it_is_asked_for():
    ran = []
    with Deferred(lambda stop: ran.append(stop.is_set()) or 42) as later:
        assert ran == []
        assert later.result() == 42 and ran == [False]
    with Deferred(lambda _: ran.append(True)):
        pass
    assert ran == [False]


def test_a_tally_is_handed_on_once():
    tally, told = Tally(), []
    tally.hand_on(told.append)
    for amount in (3, 4):
        tally.add(amount)
    tally.hand_on(told.append)
    tally.hand_on(told.append)
    tally.add(1)
    tally.hand_on(told.append)
    assert told == [7, 1]


def test_room_beside_takes_memory_and_workers(tmp_path):
    stored = Work.open(tmp_path / "work", "key", {})
    assert Room(memory=1 << 20).has_room_beside(2) and not Room().has_room_beside(1)
    assert Room(memory=8 * BESIDE, work=stored).has_room_beside(None)
    assert not Room(memory=8 * BESIDE - 1, work=stored).has_room_beside(2)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_table_of_pairs_and_its_variants_do_not_depend_on_how_many_parts_are_made_at_once(
    monkeypatch, tmp_path, workers
):
    monkeypatch.setattr(pair_table, "PAIR_GROUP", 4)
    text = "本报讯 昨日下午，城东一处工地发生事故，造成{}人受伤，伤者已被送往医院救治，目前没有生命危险。"
    rows = [{"id": f"d{i}", "text": text.format(2 + i % 5) + "记者从现场了解到，" * (i % 3)} for i in range(12)]
    result = qc.dedup(rows, out=tmp_path / "run", workers=workers, recall_sample=0)
    held = qc.dedup(rows, workers=workers, recall_sample=0)
    pairs, ledger = result.pairs, result.ledger
    told = result.manifest["counts"]["variants"]
    assert pq.ParquetFile(tmp_path / "run" / "pairs.parquet").num_row_groups > 2
    assert pairs.equals(held.pairs) and told["kept_pairs"] > 0
    assert told == variants(ledger, pairs) == held.manifest["counts"]["variants"]
