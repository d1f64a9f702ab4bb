"""Covers: reading one step ahead, and that reading which hangs keeps nobody from stopping. Run: pytest tests/unit/reading."""

import threading

import pytest

from quchong.io import prefetch as module
from quchong.io.prefetch import read_ahead


def test_the_same_items_in_the_same_order():
    assert list(read_ahead(range(50))) == list(range(50))
    assert list(read_ahead([])) == []


def test_an_error_comes_where_its_item_would_have():
    def items():
        yield 1
        raise ValueError("here")

    got = read_ahead(items())
    assert next(got) == 1
    with pytest.raises(ValueError, match="here"):
        next(got)


def test_who_stops_early_waits_for_the_item_being_read_but_not_for_ever(monkeypatch):
    class Clock:
        readings = 0

        def monotonic(self):
            self.readings += 1
            return self.readings * module.PATIENCE / 4

    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    hanging = threading.Event()

    def items():
        yield 1
        hanging.wait(30)
        yield 2

    got = read_ahead(items())
    assert next(got) == 1
    got.close()
    assert clock.readings == 5  # by then PATIENCE has passed
    assert any(thread.name == "quchong-read" for thread in threading.enumerate())
    hanging.set()
    for thread in threading.enumerate():
        if thread.name == "quchong-read":
            thread.join(5)
            assert not thread.is_alive()


def test_who_stops_early_leaves_no_thread():
    got = read_ahead(iter(range(10**9)))
    assert next(got) == 0
    got.close()
    assert not any(t.name == "quchong-read" and t.is_alive() for t in threading.enumerate())
