"""Covers: work beside a run: its result, its errors, and that an error of the run ends it."""

import signal
import threading

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.engines.local.background import Background, in_order
from quchong.text.normalise import tables


def test_result_and_error():
    with Background(lambda stop: 6 * 7) as beside:
        assert beside.result() == 42

    def fail(stop):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Background(fail) as beside:
        beside.result()


def test_an_error_of_the_run_stops_the_work_and_waits_for_it():
    ended = []

    def work(stop):
        while not stop.is_set():
            threading.Event().wait(0.001)
        ended.append(True)

    with pytest.raises(KeyboardInterrupt), Background(work):
        raise KeyboardInterrupt
    assert ended == [True]


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_answers_come_in_the_order_of_the_items_and_no_more_are_begun_than_was_said(at_once):
    begun, most, lock, first = 0, 0, threading.Lock(), threading.Event()

    def work(item):
        nonlocal begun, most
        with lock:
            begun += 1
            most = max(most, begun)
        if item == 0 and at_once > 1:
            first.wait()  # the first ends last of those begun with it
        elif item == 1:
            first.set()
        with lock:
            begun -= 1
        return item * item

    assert list(in_order(work, range(20), at_once)) == [i * i for i in range(20)]
    assert most <= at_once and list(in_order(work, [], at_once)) == []


def test_one_slow_item_keeps_no_thread_waiting():
    begun = threading.Event()

    def work(item):
        if item == 0:
            assert begun.wait(60)  # the fourth is begun while the first is not done
        elif item == 3:
            begun.set()
        return item

    assert list(in_order(work, range(6), 2)) == [*range(6)]


@pytest.mark.parametrize("at_once", [1, 2])
def test_an_error_begins_no_other_item_and_leaves_no_work_running(at_once):
    asked, ended = [], []

    def work(item):
        asked.append(item)
        if item == 1:
            raise ValueError("no")
        threading.Event().wait(0.01)
        ended.append(item)

    with pytest.raises(ValueError, match="no"):
        list(in_order(work, range(50), at_once))
    assert len(asked) <= 1 + 2 * at_once and sorted([1, *ended]) == sorted(asked)
    left = in_order(work, range(2, 50), at_once)
    next(left)
    left.close()  # the caller stops early
    assert sorted([1, *ended]) == sorted(asked) and len(asked) <= 3 + 4 * at_once


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals of POSIX")
def test_ctrl_c_while_the_result_is_waited_for_waits_for_the_work():
    """Once the thread was taken for ended, and ran on while the interpreter went away."""
    ended, main, asked = [], threading.main_thread().ident, threading.Event()

    def work(stop):
        asked.wait()
        signal.pthread_kill(main, signal.SIGINT)
        while not stop.is_set():
            threading.Event().wait(0.001)
        threading.Event().wait(0.05)
        ended.append(True)

    with pytest.raises(KeyboardInterrupt), Background(work) as beside:
        asked.set()
        beside.result()
    assert ended == [True]


def test_a_kernel_that_is_told_to_stop_does_no_work():
    form = kernels.text.Form(tables())
    texts = pa.array(["今天天气很好我们去公园散步"] * 200, pa.large_string())
    docs = kernels.text.tokenise(form, texts.slice(0, 3)).docs
    given = {"w_short": 3, "w_long": 5, "long_tokens": 200, "least": 0.5}
    stop = kernels.machine.Stop()
    text, *_ = kernels.pairs.sample_overlaps(form, texts, docs, np.zeros(3, np.uint8), **given, stop=stop)
    assert len(text) == 600
    stop.set()
    text, *_ = kernels.pairs.sample_overlaps(form, texts, docs, np.zeros(3, np.uint8), **given, stop=stop)
    assert len(text) == 0
