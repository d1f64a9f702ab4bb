"""Covers: texts that memory has no room for. Compared against: the same texts in memory, and runs that hold all of them."""

import errno
import os

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quchong as qc
from quchong.engines.local import held, memory
from quchong.engines.local.held import TextKeeper
from quchong.engines.local.memory import memory_given
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


def test_the_file_has_no_name(tmp_path):
    with TextKeeper(tmp_path, 0) as keeper:
        kept = keeper.keep(pa.array(["春江潮水连海平"] * 3, pa.large_string()))
    assert kept.to_pylist() == ["春江潮水连海平"] * 3 and list(tmp_path.iterdir()) == []


def test_a_disk_without_room_is_named(tmp_path, monkeypatch):
    def full(*_args, **_kinds):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(held.tempfile, "TemporaryFile", full)
    with pytest.raises(OutputError, match=r"no room for the texts of this run, .*TMPDIR") as told:
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
    assert "MB in a file" in spilled.summary() and "in a file" not in plain.summary()
    assert spilled.pairs.equals(plain.pairs) and spilled.ledger.equals(plain.ledger)
    names = sorted(p.name for p in (tmp_path / there).iterdir())
    assert names == sorted(p.name for p in (tmp_path / "a").iterdir())
