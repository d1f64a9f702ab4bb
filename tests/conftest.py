"""What every test stands on: Hypothesis without chance, files dealt out to workers, and a counter of work where a clock would
tell of the machine."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from quchong.garbage import collect_rarely

sys.dont_write_bytecode = (
    False  # assertions of 400 files are rewritten once, for both workers' next run, whatever the environment says
)
_STATE = tempfile.TemporaryDirectory(prefix="quchong-tests-")
os.environ["XDG_STATE_HOME"] = _STATE.name  # tests leave no key in anybody's home
os.environ["QUCHONG_LANG"] = "en"  # whatever the locale of who runs them; processes of tests inherit it

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True, max_examples=25)
settings.register_profile("all", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1000)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)
SHARE, LEAST = 4, 25
"""In the suite a property is tried with a fourth of its examples, but no fewer than 25 if it has so many; a campaign tries all."""

collect_rarely()  # collecting tests makes many objects and few circles, as starting a command does


def synced(descriptor):
    """As `os.fsync` says of a file that is open, without its wait of some milliseconds for the disk: ten of them in each run that is
    written. What is on a disk when the power fails is no matter of a test; processes that tests start do wait.
    """
    os.fstat(descriptor)


os.fsync = synced

_TIMED = json.loads((Path(__file__).parent / "seconds.json").read_text("utf-8"))
SECONDS = _TIMED["files"]
"""Seconds of files of tests, by `python tools/quick.py --times`: the longest begin first, so that no worker is left alone with one."""
LONG = set(_TIMED["long"])
"""Tests that took a fifth of a second or more then, and files of little else: `make test` leaves them to `make check`."""
BY_TEST = (
    "tests/quality/test_quality.py", "tests/quality/test_comparison_systems.py", "tests/quality/test_systems_page.py",
)  # fmt: skip
"""Long files whose tests share nothing dear: they are dealt out one by one."""


def pytest_configure():
    """Signals work as at a terminal, here and in the processes tests start: a job in the background, or under nohup, has them
    ignored, and a test that sends itself Ctrl-C would wait for ever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)  # before pytest selects by markers
def pytest_collection_modifyitems(items):
    """Tests that took long get the marker `long`. What uses Spark begins first, as one worker has it all; then what takes longest. A
    file stays together.
    """
    for item in items:
        if item.nodeid in LONG or file_of(item.nodeid) in LONG:
            item.add_marker(pytest.mark.long)
    if PROFILE == "ci":
        for function in {item.obj for item in items if "hypothesis" in item.keywords}:
            fewer_examples(function)
    items.sort(key=lambda item: -SECONDS.get(file := file_of(item.nodeid), 0.0) - 1e6 * on_spark(file))


def fewer_examples(function):
    """Hypothesis keeps what `@settings` says of a test beside its function."""
    asked = getattr(function, "_hypothesis_internal_use_settings", None)
    if asked is not None:
        few = min(asked.max_examples, max(LEAST, asked.max_examples // SHARE))
        function._hypothesis_internal_use_settings = settings(asked, max_examples=few)


def file_of(nodeid):
    return nodeid.partition("::")[0]


def on_spark(file):
    return "conformance" in file.split("/")


def pytest_collection_finish():
    """Leave the collected tests out of every later garbage collection.

    They are some 400,000 objects that live as long as the process. A run collects garbage after each value it stores, and each
    time that took 340 ms for pytest's own objects.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With pytest-xdist (--dist loadscope) a file goes to one worker, and all that use Spark to one: there is one session. Long
    files of tests that share little are dealt out by test.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = file_of(nodeid)
            return "spark" if on_spark(file) else nodeid if file in BY_TEST else file

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


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server, see tests/postgres_server.py."""
    import postgres_server

    if reason := postgres_server.lacking():
        pytest.skip(reason)
    server = postgres_server.Server()
    yield server
    server.end()
