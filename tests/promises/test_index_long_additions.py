"""Covers: additions of many documents: prepared piece by piece beside those before them, the rest of what is known read once.

Compared against: the same documents added in calls of one piece each.
"""

import threading

import pyarrow as pa
import pytest
from index_records import records, told

import quchong as qc
from quchong.engines.index.contents import Contents
from quchong.engines.index.document_store import DocumentStore

PIECE = 7
"""Documents of a piece in these tests."""


def documents():
    """Records with copies of all kinds, exact copies of some of them under other ids, and ids that come again."""
    some = [{"id": one["id"], "text": one["text"]} for one in records(7, families=3)]
    again = [{"id": f"again-{k}", "text": one["text"]} for k, one in enumerate(some[::3])]
    return [*some, *again, *some[5:9], *({"id": f"last-{k}", "text": one["text"]} for k, one in enumerate(some[::4]))]


@pytest.fixture
def pieces(monkeypatch):
    monkeypatch.setattr("quchong.api.index.BATCH", PIECE)
    prepared = []
    real = Contents.prepared

    def noted(self, batch):
        prepared.append((len(batch), threading.current_thread().name.split("_")[0]))
        return real(self, batch)

    monkeypatch.setattr(Contents, "prepared", noted)
    return prepared


def state_of(index):
    return {id: told(index.matches(id)) for id in index.ids()}


@pytest.mark.parametrize("options", [{}, {"store": "features"}, {"method": "simhash"}, {"keep": "longest"}], ids=str)
def test_a_long_addition_answers_as_its_pieces(tmp_path, pieces, options):
    given = documents()
    with (
        qc.Index.create(tmp_path / "pieces", **options) as one,
        qc.Index.create(tmp_path / "whole", **options) as whole,
    ):
        found, bad = [], []
        for start in range(0, len(given), PIECE):
            answers = one.add(given[start : start + PIECE])
            found += map(told, answers.found)
            bad += [(start + each.place, str(each.reason)) for each in answers.bad]
        assert pieces == []
        answers = whole.add(pa.Table.from_pylist(given))
        assert list(map(told, answers.found)) == found
        assert [(each.place, str(each.reason)) for each in answers.bad] == bad != []
        assert state_of(whole) == state_of(one)
        assert [problem for problem in whole.verify()] == []
    assert {thread for _, thread in pieces} == {"quchong-prepare"}
    assert sum(count for count, _ in pieces) == len(given)


def test_an_index_for_one_worker_has_no_thread_beside(tmp_path, pieces):
    with qc.Index.create(tmp_path / "seen", workers=1) as index:
        index.add(documents())
        assert pieces == []


def test_what_cannot_be_prepared_ends_the_addition_after_the_pieces_before_it(tmp_path, pieces, monkeypatch):
    given = documents()[: 3 * PIECE]
    real = Contents.prepared

    def failing(self, batch):
        if given[2 * PIECE]["id"] in batch.column("id").to_pylist():
            raise MemoryError("no room for these")
        return real(self, batch)

    monkeypatch.setattr(Contents, "prepared", failing)
    with qc.Index.create(tmp_path / "seen") as index:
        with pytest.raises(MemoryError, match="no room for these"):
            index.add(given)
        assert index.ids() == [one["id"] for one in given[: 2 * PIECE]]
        monkeypatch.setattr(Contents, "prepared", real)
        assert [each.again for each in index.add(given).bad] == [True] * (2 * PIECE)
        assert index.ids() == [one["id"] for one in given]


def test_a_document_is_read_from_the_tables_once_in_an_addition(tmp_path, monkeypatch):
    read = []
    real = DocumentStore.rows

    def noted(self, numbers, *, texts=True):
        found = real(self, numbers, texts=texts)
        read.extend(found)
        return found

    given = documents()
    given = [one for k, one in enumerate(given) if one["id"] not in {other["id"] for other in given[:k]}]
    with qc.Index.create(tmp_path / "seen") as index:
        index.add(given[:20])
        monkeypatch.setattr(DocumentStore, "rows", noted)
        answers = index.add(given[20:])
    assert any(one.removed for one in answers.found) and any(one.replaces or one.matches for one in answers.found)
    assert read
    assert max(read) < 20
    assert len(read) == len(set(read))
