"""Covers: tables loaded once by several threads."""

from __future__ import annotations

from threading import Event, Thread

from quchong.differences.loaded_once import loaded_once


def test_threads_that_ask_together_load_a_table_once():
    asked, again, loaded, got = Event(), Event(), [], []

    @loaded_once
    def table(name):
        loaded.append(name)
        if len(loaded) > 1:
            again.set()
        else:
            others[0].start()
            asked.wait()
            again.wait(0.1)  # a thread that did not wait for this one would be here meanwhile
        return [name]

    def ask():
        asked.set()
        got.append(table("a"))

    others = [Thread(target=ask)]
    got.append(table("a"))
    others[0].join()
    assert loaded == ["a"]
    assert got[0] is got[1]


def test_a_table_may_need_another_one():
    @loaded_once
    def inner():
        return 2

    @loaded_once
    def outer(times):
        return times * inner()

    assert (outer(3), outer(4), outer(3)) == (6, 8, 6)
