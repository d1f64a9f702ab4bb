"""The garbage collector while documents are added or asked about."""

import gc

import pytest

import quchong as qc
from quchong.garbage import THRESHOLDS, rare_collections

OBJECTS = THRESHOLDS[0]


def test_garbage_is_collected_more_rarely_and_then_as_before():
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)  # whatever the run of tests has set
        with rare_collections():
            assert gc.get_threshold()[0] == OBJECTS
            with rare_collections():
                assert gc.get_threshold()[0] == OBJECTS
            assert gc.get_threshold()[0] == OBJECTS
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*before)


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


@pytest.mark.parametrize("call", ["add", "query"])
def test_calls_of_an_index_collect_rarely(tmp_path, monkeypatch, call):
    before, seen = gc.get_threshold(), []
    with qc.Index.create(tmp_path / "seen") as index:
        real = type(index._open.reader).arrived

        def noting(self, batch):
            seen.append(gc.get_threshold()[0])
            return real(self, batch)

        monkeypatch.setattr(type(index._open.reader), "arrived", noting)
        try:
            gc.set_threshold(700, 10, 10)
            getattr(index, call)("今天天气很好，我们去公园看花。")
            assert gc.get_threshold() == (700, 10, 10)
        finally:
            gc.set_threshold(*before)
    assert seen == [OBJECTS]
