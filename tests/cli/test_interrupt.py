"""Covers: Ctrl-C where the main thread is in a call that does not come back. Run: pytest tests/cli/test_interrupt.py."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")

RUN = """
import ctypes, os, signal, sys, threading
import quchong.cli.interrupt as module
signal.signal(signal.SIGINT, signal.default_int_handler)
module.PATIENCE = float(sys.argv[2])
number = int(sys.argv[1])
if sys.argv[3] == "timer":
    threading.Timer(0.2, lambda: os.kill(os.getpid(), number)).start()
with module.interruptible():
    try:
        %s
    except KeyboardInterrupt:
        print("noticed", flush=True)
        sys.exit(7)
"""
HANGS = "libc = ctypes.CDLL(None); lock = ctypes.create_string_buffer(128); libc.pthread_mutex_lock(lock); libc.pthread_mutex_lock(lock)"
WAITS = "threading.Event().wait(60)"


def run(what, number, patience=1.0, sender="timer"):
    argv = [sys.executable, "-c", RUN % what, str(int(number)), str(patience), sender]
    return subprocess.run(argv, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_call_that_does_not_come_back_does_not_keep_the_process(number):
    done = run(HANGS, number)
    assert done.returncode == 130 and "did not return" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_is_noticed_ends_the_command_in_its_own_way(number):
    done = run(WAITS, number)
    assert (done.returncode, done.stdout, done.stderr) == (7, "noticed\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_did_not_reach_the_main_threads_call_ends_it(number):
    """It came just before the call, or to another thread: the call waits on, as if there had been no signal."""
    to_itself = "threading.Timer(0.3, lambda: signal.pthread_kill(threading.get_ident(), number)).start()"
    done = run(f"{to_itself}; os.read(os.pipe()[0], 1)", number, patience=120.0, sender="thread")
    assert (done.returncode, done.stdout, done.stderr) == (7, "noticed\n", "")


def test_a_second_signal_ends_a_command_whose_clearing_up_hangs():
    again = f"""{WAITS}
    except KeyboardInterrupt:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), number)).start()
        try:
            {HANGS}
        except KeyboardInterrupt:  # it came before the call
            libc.pthread_mutex_lock(lock)
    try:
        pass"""
    done = run("module.CLEARING = 0.01; " + again, signal.SIGINT)
    assert done.returncode == 130 and not done.stdout
    assert done.stderr.index("still cleaning up") < done.stderr.index("did not return")
