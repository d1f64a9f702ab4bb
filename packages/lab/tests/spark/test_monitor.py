"""Covers: commands measured from outside: their memory with all they start, their time, and how they end."""

import os
import subprocess
import sys
import time

import psutil
import pytest

from quchong_lab.spark import monitor
from quchong_lab.spark.monitor import RunFailed, members, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sessions of processes are POSIX")

HOG = "import time; x = b'a' * 300_000_000; time.sleep({})"


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(monitor, "EVERY", 0.1)


def starts(code):
    """A program that starts another, and waits for it."""
    return [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"]


def test_a_command_is_ended_for_too_much_memory_with_all_it_started(tmp_path, monkeypatch):
    sessions = []
    real = subprocess.Popen

    def opened(*args, **settings):
        sessions.append(real(*args, **settings))
        return sessions[-1]

    monkeypatch.setattr(subprocess, "Popen", opened)
    with pytest.raises(RunFailed, match=r"0\.2 GB"):
        run(starts(HOG.format(60)), tmp_path / "log", 200_000_000, 50)
    for process in members(sessions[0].pid):  # killed, but perhaps not yet gone
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)


def test_a_command_is_ended_for_too_much_time(tmp_path):
    with pytest.raises(RunFailed, match="time"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "log", 10**9, 0.3)


def test_the_end_of_the_log_says_why_a_command_failed(tmp_path):
    with pytest.raises(RunFailed, match=r"code 3: what it said"):
        run([sys.executable, "-c", "print('what it said'); raise SystemExit(3)"], tmp_path / "log", 10**9, 50)


def test_memory_is_that_of_all_processes(tmp_path):
    ended = run(starts(HOG.format(1.5)), tmp_path / "log", 10**9, 50)
    assert ended.peak_bytes > 300_000_000 and ended.seconds > 1.5
