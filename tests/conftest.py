"""What every test stands on: Hypothesis without chance, files dealt out to workers, and a counter of work where a clock would
tell of the machine."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager

import pytest
from hypothesis import settings

_STATE = tempfile.TemporaryDirectory(prefix="quchong-tests-")
os.environ["XDG_STATE_HOME"] = _STATE.name  # tests leave no key in anybody's home
os.environ["QUCHONG_LANG"] = "en"  # whatever the locale of who runs them; processes of tests inherit it

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

FIRST = ("conformance", "promises", "quality", "faults", "fuzz", "lab")
"""Folders whose files take longest: they begin first, so that no worker is left alone with one of them."""


def pytest_configure():
    """Signals work as at a terminal, here and in the processes tests start: a job in the background, or under nohup, has them
    ignored, and a test that sends itself Ctrl-C would wait for ever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items):
    """What takes longest begins first."""
    folders = {item: item.nodeid.partition("::")[0].split("/")[:-1] for item in items}
    items.sort(key=lambda item: next((i for i, name in enumerate(FIRST) if name in folders[item]), len(FIRST)))


def pytest_collection_finish():
    """Leave the collected tests out of every later garbage collection.

    They are some 400,000 objects that live as long as the process. A run collects garbage after each value it stores, and each
    time that took 340 ms for pytest's own objects.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With pytest-xdist (--dist loadscope) a file goes to one worker, and all that use Spark to one: there is one session."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return "spark" if "conformance" in file.split("/") else file

    return ByFile(config, log)


class Work:
    """Calls of Python and of C functions made in a block, threads it starts included: the same on any machine, at any load."""

    def __init__(self):
        self.calls = 0

    def __call__(self, _frame, event, _value):
        self.calls += event in ("call", "c_call")


@pytest.fixture
def work():
    """`with work() as done:` counts; `done.calls` is what was counted."""

    @contextmanager
    def counting():
        done = Work()
        before = sys.getprofile(), threading.getprofile()
        threading.setprofile(done)
        sys.setprofile(done)
        try:
            yield done
        finally:
            sys.setprofile(before[0])
            threading.setprofile(before[1])

    return counting
