"""Covers: what a power cut leaves of an index: a log cut or torn behind what was synced, files of a seal or merge that the catalogue
does not list; and a disk that is full.
"""

from __future__ import annotations

import random
import resource
import shutil
from contextlib import contextmanager

import pytest
from index_records import pairs_of_index, records

import quchong as qc
from quchong.engines.index import stored as stored_module
from quchong.engines.index.catalogue import Catalogue
from quchong.engines.index.stored import StoredIndex

SECTOR = 512
LOG = "g000001/catalogue.sqlite-wal"


@pytest.fixture(autouse=True)
def small_seals(monkeypatch):
    monkeypatch.setattr(stored_module, "SEAL_DOCUMENTS", 10**9)  # sealed where the test says


def state(index):
    return {id: index.text(id) for id in index.ids()}


class Synced:
    """Bytes of the log that were synced, as the index itself asks for it."""

    def __init__(self, folder, monkeypatch):
        self.path, self.bytes = folder / LOG, 0
        flush, self_ = Catalogue.flush, self

        def flushed(catalogue):
            flush(catalogue)
            self_.now()

        monkeypatch.setattr(Catalogue, "flush", flushed)

    def now(self):
        self.bytes = self.path.stat().st_size


def written(folder, draw, sync, synced, calls=25):
    """Work on an index; return it open, its states after each call, and the first state that must be there whatever is cut."""
    some = records(draw.randrange(100))
    index = qc.Index.create(folder, method="minhash", sync=sync)
    states, safe = [state(index)], 0
    for call in range(calls):
        before = synced.bytes
        what = draw.choice(["add", "add", "add", "many", "delete", "tidy"])
        if what in ("add", "many") and some:
            n = 1 if what == "add" else 5
            batch, some = some[:n], some[n:]
            index.add(batch)
        elif what == "delete" and len(index):
            index.delete(draw.choice(index.ids()))
        elif what == "tidy" and call < calls // 2:
            index._open.tidy()
        states.append(state(index))
        if sync == "each":
            synced.now()
        if synced.bytes != before:
            safe = len(states) - 1
    return index, states, safe


def torn(data, start, draw):
    """Bytes with some sectors from `start` on lost: zeros, or what a disk had there before."""
    out = bytearray(data)
    for at in range(start + (-start) % SECTOR, len(out), SECTOR):
        if draw.random() < 0.2:
            piece = len(out[at : at + SECTOR])
            out[at : at + piece] = draw.choice([bytes(piece), bytes(draw.randbytes(piece))])
    return bytes(out)


def cut_often(tmp_path, monkeypatch, sync, seed, times):
    """Cut and tear the log of an index in use; return the lengths of the prefixes of calls that were found."""
    draw = random.Random(seed)
    folder = tmp_path / "seen"
    synced = Synced(folder, monkeypatch)
    index, states, safe = written(folder, draw, sync, synced)
    shutil.copytree(folder, tmp_path / "cut")
    whole = (tmp_path / "cut" / LOG).read_bytes()
    safe_bytes = synced.bytes
    index.close()
    found = []
    for _ in range(times):
        trial = tmp_path / "trial"
        shutil.copytree(tmp_path / "cut", trial)
        if draw.random() < 0.5:
            (trial / LOG).with_name("catalogue.sqlite-shm").unlink()
        at = draw.choice(
            [
                safe_bytes,
                min(len(whole), safe_bytes + 32),
                *(draw.randint(safe_bytes, len(whole)) for _ in range(8)),
            ]
        )
        data = whole[:at] if draw.random() < 0.5 else torn(whole, at, draw)
        if sync == "each":
            data += draw.randbytes(draw.randrange(9000))
        (trial / LOG).write_bytes(data)
        before = [path.name for path in sorted(trial.rglob("*"))]
        assert qc.Index.verify_folder(trial) == []
        assert [path.name for path in sorted(trial.rglob("*"))] == before
        with qc.Index(trial) as index:
            now = state(index)
            assert index.verify() == []
            fits = [k for k, one in enumerate(states) if one == now]
            assert fits and fits[-1] >= safe, (fits, safe)
            assert all(index.query(text).matches for text in list(now.values())[:3] if len(text) > 20)
            index.add({"id": "after", "text": "写在断电之后的一句话，前面没有。"})
            assert "after" in index
        found.append(fits[-1])
        shutil.rmtree(trial)
    return found


@pytest.mark.parametrize(
    ("sync", "seed", "times"),
    [
        ("none", 1, 12), ("each", 2, 6),
        *(pytest.param(("none", "none", "each")[seed % 3], seed, 20, marks=pytest.mark.campaign) for seed in range(3, 13)),
    ],
)  # fmt: skip
def test_a_cut_log_leaves_the_calls_up_to_a_moment(tmp_path, monkeypatch, sync, seed, times):
    found = cut_often(tmp_path, monkeypatch, sync, seed, times)
    assert sync == "each" or len(set(found)) > 1  # something was cut


def test_files_of_a_seal_or_merge_that_is_not_listed_are_left_out_and_removed(tmp_path, monkeypatch):
    some = records(4)
    folder = tmp_path / "seen"

    def stopped(*_):
        raise KeyboardInterrupt

    for step in ("seal", "merge"):
        with qc.Index.create(folder, method="minhash") as index:
            index.add(some[:20])
            if step == "merge":
                index._open.tidy()
                index.add(some[20:22])
            monkeypatch.setattr(StoredIndex, "_list_segments", stopped)
            if step == "merge":
                monkeypatch.setattr(index._open.postings, "seal", lambda: None)
                index._open.postings.merge(index._open.postings.records)
            else:
                with pytest.raises(KeyboardInterrupt):
                    index._open.tidy()
            monkeypatch.undo()
            shutil.copytree(folder, tmp_path / "left")
        left = tmp_path / "left" / "g000001"
        unlisted = {path.name for path in left.glob("*.segment")}
        (left / ".00000000-00000099-0.segment.part").write_bytes(b"half")
        assert qc.Index.verify_folder(tmp_path / "left") == []
        with qc.Index(tmp_path / "left") as again:
            assert len(again) == 20 + 2 * (step == "merge")
            listed = {one.name for one in again._open.postings.records}
            assert unlisted - listed
            again.add(some[30:33])
            again._open.tidy()
            names = {path.name for path in left.iterdir()}
            assert not (unlisted - listed) & names - {one.name for one in again._open.postings.records}
            assert not any(name.endswith(".part") for name in names)
            with qc.Index.create(tmp_path / "fresh", method="minhash") as fresh:
                fresh.add([{"id": id, "text": text} for id, text in state(again).items()])
                assert pairs_of_index(fresh) == pairs_of_index(again)
        for name in ("left", "fresh", "seen"):
            shutil.rmtree(tmp_path / name)


@contextmanager
def full_disk(size):
    """No file can be written beyond so many bytes: as on a disk that is full."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


def test_a_full_disk_refuses_documents_and_answers_go_on(tmp_path):
    some = [one | {"text": one["text"] * 40 or "x"} for one in records(5)]
    with qc.Index.create(tmp_path / "seen", method="hybrid") as index:
        index.add(some[:20])
        before, asked = state(index), index.query(some[:20])
        log = (tmp_path / "seen" / LOG).stat().st_size
        with full_disk(log + 10_000):
            with pytest.raises(qc.OutputError, match="nothing was changed"):
                index.add(some[20:])
            assert state(index) == before
            assert all(one["id"] not in index for one in some[20:])
            assert index.query(some[:20]) == asked
            with pytest.raises(qc.OutputError):
                index.delete([one["id"] for one in some[:20]])
            with pytest.raises(qc.OutputError):
                index.compact()
            assert index.verify() == []
        assert state(index) == before
        index.add(some[20:])
        index.compact()
        assert index.ids() == [one["id"] for one in some]
        assert index.verify() == []
        with qc.Index.create(tmp_path / "fresh", method="hybrid") as fresh:
            fresh.add(some)
            assert pairs_of_index(index) == pairs_of_index(fresh)


def test_what_is_sealed_in_the_background_fails_without_the_document(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_module, "SEAL_DOCUMENTS", 5)
    some = records(6)
    with qc.Index.create(tmp_path / "seen", method="minhash") as index:

        def full(*_, **__):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as broken:
            broken.setattr(index._open.postings, "seal", full)
            for one in some[:20]:
                assert index.add(one).added
            index._open._tidying.result()
            assert index._open.postings.sealed == 0
        for one in some[20:30]:
            index.add(one)
        index._open._tidying.result()
        assert index._open.postings.sealed >= 20
        assert index.verify() == []


def test_a_failed_add_leaves_no_document_in_a_segment(tmp_path, monkeypatch):
    """A seal that began while documents were added that then could not be stored must not list them."""
    some = records(7)
    with qc.Index.create(tmp_path / "seen", method="minhash") as index:
        index.add(some[:10])
        stored = index._open
        older = stored.postings
        decide = stored.fates.decide

        def sealed_meanwhile(*arguments):
            older.seal()
            raise ValueError("stopped")

        object.__setattr__(stored.fates, "decide", sealed_meanwhile)
        with pytest.raises(qc.RunError):
            index.add(some[10:15])
        object.__setattr__(stored.fates, "decide", decide)
        stored._list_segments(older)
        index.add(some[15:20])
        index._open.tidy()
        assert index.verify() == []
    with qc.Index(tmp_path / "seen") as again:
        assert again.ids() == [one["id"] for one in some[:10] + some[15:20]]
        assert all(one["id"] in again for one in some[15:20])


def test_numbers_of_deleted_documents_are_not_given_again(tmp_path):
    some = records(8)
    for k in range(0, 12, 3):
        with qc.Index(tmp_path / "seen") if k else qc.Index.create(tmp_path / "seen", method="minhash") as index:
            index.add(some[k : k + 3])
            index.delete(some[k + 2]["id"])
            if k % 2:
                index._open.tidy()
    with qc.Index(tmp_path / "seen") as index:
        assert index.ids() == [one["id"] for k, one in enumerate(some[:12]) if k % 3 != 2]
        assert all(id in index for id in index.ids())
        assert index.verify() == []
