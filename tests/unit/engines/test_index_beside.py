"""Covers: candidates that are found beside an addition, before the documents have numbers, and completed when they are added.

Compared against: lookups and additions without anything found beside.
"""

import gc
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_records import records

import quchong as qc
from quchong.candidates.postings import Represented, with_keys_of
from quchong.engines.index.beside import FoundBeside
from quchong.engines.index.collections import OBJECTS, rare_collections
from quchong.engines.index.segments import SegmentPostings
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import DocumentSizes
from quchong.outputs import OwnFolder


@pytest.fixture
def taken(monkeypatch):
    """Pairs that an addition takes from what was found beside."""
    some, real = [], FoundBeside.pair

    def noted(self, *args):
        some.append(args)
        return real(self, *args)

    monkeypatch.setattr(FoundBeside, "pair", noted)
    return some


def represented(sets):
    """Documents with these keys, each of weight 1."""
    lengths = [len(some) for some in sets]
    keys = np.array([key for some in sets for key in sorted(some)], np.uint64)
    sizes = DocumentSizes.from_columns(np.array(lengths, np.float64))
    return Represented(
        keys, np.ones(len(keys), np.uint32), prefix_sums(lengths), sizes, np.zeros((len(sets), 0), np.uint64)
    )


@pytest.fixture
def postings(tmp_path):
    return SegmentPostings(OwnFolder.made(tmp_path / "segments"))


SETS = st.lists(st.frozensets(st.integers(0, 12), max_size=6), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    batches=st.lists(SETS, min_size=1, max_size=4), later=st.lists(SETS, max_size=2), asked=SETS, keep=st.lists(st.booleans(), min_size=6, max_size=6),
    limits=st.sampled_from([(0, 0), (1, 0), (2, 5), (3, 100)]), sealed=st.booleans(),
)  # fmt: skip
def test_what_was_found_beside_and_since_is_what_a_lookup_finds(
    tmp_path_factory, batches, later, asked, keep, limits, sealed
):
    postings = SegmentPostings(OwnFolder.made(tmp_path_factory.mktemp("beside") / "segments"))
    for some in batches:
        postings.append(represented(some))
    end, known, (most, counted) = len(postings), represented(asked), limits
    moment = postings.below(end)
    looked = moment.lookup(known.keys, most=most, counted=counted)
    found = FoundBeside(postings, moment.deleted, end, known, {(most, counted): looked}, {}, {})
    for some in later:
        postings.append(represented(some))
    if sealed:
        postings.seal()
    some = with_keys_of(known, np.array(keep[: len(known)]))
    before = np.full(len(some.keys), len(postings), np.int64)
    mine = found.completed(postings, some).lookup(some.keys, most=most, counted=counted, before=before)
    truth = postings.lookup(some.keys, most=most, counted=counted, before=before)
    assert [column.tolist() for column in mine.lists] == [column.tolist() for column in truth.lists]
    assert mine.lengths.tolist() == truth.lengths.tolist()
    assert len(mine.sizes) == len(truth.sizes)


def test_documents_that_are_not_stored_yet_are_not_looked_at(postings):
    postings.append(represented([{1}, {1, 2}]))
    postings.append(represented([{1}]))
    assert postings.below(2).lookup(np.array([1], np.uint64)).lists.documents.tolist() == [0, 1]


def test_what_was_found_is_of_no_use_after_a_deletion(postings):
    postings.append(represented([{1}, {2}]))
    known, moment = represented([{1}]), postings.below(2)
    found = FoundBeside(postings, moment.deleted, 2, known, {}, {}, {})
    assert found.completed(postings, known) is not None
    assert found.completed(SimpleNamespace(), known) is None  # the postings were made anew
    postings.mark_gone(np.array([0]))
    assert found.completed(postings, known) is None


def test_what_was_found_long_ago_is_of_no_use(postings):
    postings.append(represented([{1}]))
    known, moment = represented([{1}]), postings.below(1)
    found = FoundBeside(postings, moment.deleted, 1, known, {}, {}, {})
    for _ in range(3):
        postings.append(represented([{1}]))
    assert found.completed(postings, known) is not None
    postings.append(represented([{1}]))
    assert found.completed(postings, known) is None


def test_keys_that_were_not_asked_for_are_looked_up_anew(postings):
    postings.append(represented([{1}]))
    moment, some = postings.below(1), represented([{1}, {1}])
    found = FoundBeside(postings, moment.deleted, 1, with_keys_of(some, np.array([True, False])), {}, {}, {})
    assert found.completed(postings, some) is None
    assert found.completed(postings, with_keys_of(some, np.array([True, False]))) is not None


@pytest.mark.parametrize("deleted", [False, True])
def test_pairs_compared_beside_are_taken_unless_documents_were_deleted(tmp_path, taken, deleted):
    given_records = [{"id": one["id"], "text": one["text"]} for one in records(7, families=3)]
    first, second = given_records[::2], given_records[1::2]
    answers = []
    for beside in (False, True):
        with qc.Index.create(tmp_path / str(beside)) as index:
            index.add(first)
            stored = index._open
            (batch,) = stored.reader.records(second, [])
            arrived = stored.searched(stored.prepared(batch))
            assert any(pair is not None for pair in arrived.beside.compared.values())
            if deleted:
                index.delete([first[0]["id"]])
            if beside:
                answers.append(stored.add(batch, arrived=arrived))
                assert bool(taken) != deleted
            else:
                answers.append(stored.add(batch, arrived=replace(arrived, beside=None)))
            assert [problem for problem in index.verify()] == []
    assert answers[0] == answers[1]


def test_a_long_addition_compares_candidates_in_the_thread_beside(tmp_path, monkeypatch, taken):
    monkeypatch.setattr("quchong.api.index.BATCH", 7)
    some = [{"id": one["id"], "text": one["text"]} for one in records(7, families=3)]
    with qc.Index.create(tmp_path / "seen") as index:
        index.add(pa.Table.from_pylist(some[:20]))
        connections = len(index._open.catalogue._opened)
        index.add(pa.Table.from_pylist(some[20:]))
        assert len(index._open.catalogue._opened) == connections  # that of the thread is closed
    assert taken


def test_garbage_is_collected_more_rarely_and_then_as_before():
    before = gc.get_threshold()
    with rare_collections():
        assert gc.get_threshold()[0] == OBJECTS
        with rare_collections():
            assert gc.get_threshold()[0] == OBJECTS
        assert gc.get_threshold()[0] == OBJECTS
    assert gc.get_threshold() == before


@pytest.mark.parametrize("own", [0, 2 * OBJECTS])
def test_a_collector_that_somebody_set_stays_as_it_is(own):
    before = gc.get_threshold()
    try:
        gc.set_threshold(own, *before[1:])
        with rare_collections():
            assert gc.get_threshold()[0] == own
        assert gc.get_threshold()[0] == own
    finally:
        gc.set_threshold(*before)
