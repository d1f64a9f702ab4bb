"""Covers: texts that memory has no room for. Compared against: the same texts in memory, and runs that hold all of them."""

import errno
import os

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quchong as qc
from quchong.engines.local import memory
from quchong.engines.local import text_store as held
from quchong.engines.local.memory import memory_given
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.errors import OutputError

BATCHES = st.lists(st.lists(st.text(max_size=30), max_size=6), max_size=5)


@given(BATCHES, st.integers(0, 200), st.integers(0, 3))
def test_texts_come_back_as_they_were(batches, bound, cut):
    given_ = [pa.array(batch, pa.large_string()).slice(cut) for batch in batches]
    with TextKeeper(bound=bound) as keeper:
        kept = [keeper.keep(batch) for batch in given_]
    for mine, there in zip(given_, kept, strict=True):
        there.validate(full=True)
        assert there.equals(mine) and there.type == pa.large_string()
    assert (keeper.written > 0) == any(there is not mine for mine, there in zip(given_, kept, strict=True))
    held_here = sum(mine.nbytes for mine, there in zip(given_, kept, strict=True) if there is mine)
    assert held_here <= bound or not keeper.written


@given(
    st.lists(st.tuples(st.text(max_size=20), st.integers(-5, 5)), max_size=20), st.integers(0, 400), st.integers(0, 3)
)
def test_what_a_run_found_comes_back_as_it_was(rows, bound, cut):
    table = pa.table(
        {"word": pa.array([w for w, _ in rows], pa.large_string()), "n": pa.array([n for _, n in rows], pa.int32())}
    ).slice(cut)
    arrays = [np.array([n for _, n in rows], np.int32), np.zeros((0, 4), np.int64), np.arange(12).reshape(3, 4)]
    with FoundKeeper(bound=bound) as keeper:
        tables, found = [keeper.table(table) for _ in range(3)], [keeper.arrays(arrays) for _ in range(3)]
    assert all(one.equals(table) and one.schema == table.schema for one in tables)
    for mine in found:
        assert all(
            a.dtype == b.dtype and a.shape == b.shape and (a == b).all() for a, b in zip(mine, arrays, strict=True)
        )
    assert sum(one.nbytes for one in tables if one is table) <= bound


def test_without_a_bound_all_that_is_found_stays_in_memory():
    keeper, table = FoundKeeper(), pa.table({"a": [1, 2]})
    assert keeper.table(table) is table and not keeper.written and not keeper.bounded


def test_the_file_has_no_name(tmp_path):
    with TextKeeper(tmp_path, 0) as keeper:
        kept = keeper.keep(pa.array(["春江潮水连海平"] * 3, pa.large_string()))
    assert kept.to_pylist() == ["春江潮水连海平"] * 3 and list(tmp_path.iterdir()) == []


def test_a_disk_without_room_is_named(tmp_path, monkeypatch):
    def full(*_args, **_kinds):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(held.tempfile, "TemporaryFile", full)
    with pytest.raises(OutputError, match=r"no room for the texts of this run .*TMPDIR") as told:
        TextKeeper(tmp_path, 0).keep(pa.array(["a"], pa.large_string()))
    assert str(tmp_path) in str(told.value)


def test_memory_is_a_number():
    assert memory_given() > 1 << 20


def test_a_run_gives_the_same_whether_its_texts_are_in_memory_or_not(tmp_path, monkeypatch):
    rows = [
        {"id": f"{k}", "text": f"第{k % 7}段：" + "春江潮水连海平，海上明月共潮生。滟滟随波千万里" * 3 + "尾" * (k % 3)}
        for k in range(60)
    ]
    plain, there = qc.dedup(rows, out=tmp_path / "a", recall_sample=10), "b"
    monkeypatch.setattr(memory, "memory_given", lambda: 8000)
    spilled = qc.dedup(rows, out=tmp_path / there, recall_sample=10)
    assert spilled.manifest["spilled_bytes"]["read and fingerprint"] > 0 and plain.manifest["spilled_bytes"] == {}
    assert "MB spilled to a file" in spilled.summary() and "to a file" not in plain.summary()
    assert spilled.pairs.equals(plain.pairs) and spilled.ledger.equals(plain.ledger)
    names = sorted(p.name for p in (tmp_path / there).iterdir())
    assert names == sorted(p.name for p in (tmp_path / "a").iterdir())
