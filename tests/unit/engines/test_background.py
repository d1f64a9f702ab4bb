"""Covers: work beside a run: its result, its errors, and that an error of the run ends it."""

import signal
import threading

import numpy as np
import pyarrow as pa
import pytest

from quchong import kernels
from quchong.engines.local.background import Background
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
