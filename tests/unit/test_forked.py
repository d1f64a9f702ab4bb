"""Covers: `tests/forked.py`: a command that nobody waited for is no matter of the next, one that hangs is killed, and each ends as a process
that was started would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import forked
import pytest

FULL = Path("/dev/full")
HANGS = "import threading; threading.Event().wait()"


def gone(pid):
    """Whether no process has this number, not even one that has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_command_left_alone_is_killed_and_no_matter_of_the_next():
    left, finished = forked.Command(before=HANGS), forked.Command("--version")
    pids = left.pid, finished.pid
    assert left.running() and len(set(pids)) == 2
    ran = forked.run("--version")
    assert (ran.returncode, ran.stderr) == (0, "") and ran.stdout.startswith("quchong")
    del left, finished
    assert all(map(gone, pids))
    assert forked.run("--version") == ran
    assert forked.run("nothing").returncode == 2


def test_a_block_that_fails_ends_its_command():
    with pytest.raises(ZeroDivisionError), forked.Command(before=HANGS) as left:
        assert left.running()
        _ = 1 / 0
    assert gone(left.pid)


def test_commands_at_a_time_answer_for_themselves():
    codes = [5, 0, 7]
    started = [forked.Command(before=f"raise SystemExit({code})") for code in codes]
    assert [one.wait().returncode for one in reversed(started)] == codes[::-1]


def test_one_that_hangs_is_killed_and_what_it_said_is_told():
    command = forked.Command("methods", before=HANGS, seconds=0.1)
    command.out.write_text("so far")
    with pytest.raises(AssertionError, match=r"quchong methods: not ended after 0.1 s, and killed. It said: so far"):
        command.wait()
    assert gone(command.pid)


def test_no_signal_goes_to_one_that_has_ended():
    command = forked.Command(before=HANGS)
    assert command.running() and command.send(signal.SIGTERM)
    assert command.told("ended") == -signal.SIGTERM
    assert gone(command.pid) and not command.running() and not command.send(signal.SIGKILL)
    assert command.wait() == forked.Ran(-signal.SIGTERM, "", "")


def test_the_process_that_forks_is_started_again(tmp_path, monkeypatch):
    monkeypatch.setattr(forked.Server, "how", ())  # it need not be warm for this
    monkeypatch.setattr(forked.Server, "now", None)
    ran = forked.run("--version")
    first = forked.Server.now
    first.process.kill()
    first.process.wait()
    assert forked.run("--version") == ran and ran.returncode == 0
    os.mkfifo(tmp_path / "pipe")
    lost = forked.Command("--version", stdin=tmp_path / "pipe")
    forked.Server.now.process.kill()
    with pytest.raises(RuntimeError, match="the process that forks commands has ended"):
        lost.wait()
    (tmp_path / "pipe").write_bytes(b"")  # nobody is left to kill it: it goes on from here, and ends
    for server in (first, forked.Server.now):
        server.end()


ENDS = {
    "well": "",
    "last words": "import atexit; atexit.register(print, 'the last words', end='')",
    "a thread that hangs": "import threading; threading.Thread(target=threading.Event().wait).start()",
    "an end that is interrupted": "import atexit, signal; atexit.register(lambda: signal.raise_signal(signal.SIGINT))",
    "a code": "import quchong.cli.main as m\ndef main(): raise SystemExit(7)\nm.main = main",
    "words for a code": "import quchong.cli.main as m\ndef main(): raise SystemExit('no')\nm.main = main",
    "an error": "import quchong.cli.main as m\ndef main(): 1 / 0\nm.main = main",
    "Ctrl-C": "import quchong.cli.main as m\ndef main(): raise KeyboardInterrupt\nm.main = main",
    "an end before it": "import atexit; atexit.register(print, 'the last words'); raise SystemExit('words')",
    "unprintable": "import sys; sys.stdout.write('\\ud800')",
}


def real(before, *argv, **more):
    """The same in a process that was started."""
    code = f"import sys; sys.argv[0] = 'quchong'\n{before}\nfrom quchong.cli.main import run; run()"
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | more
    return subprocess.run([sys.executable, "-c", code, *argv], text=True, check=False, timeout=300, **given)


@pytest.mark.parametrize(
    "full", [False, pytest.param(True, marks=pytest.mark.skipif(not FULL.exists(), reason="no /dev/full"))]
)
@pytest.mark.parametrize("before", ENDS.values(), ids=list(ENDS))
def test_it_ends_as_one_that_was_started(before, full, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    compared(before, full)


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_it_ends_as_one_that_was_started_unbuffered(monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    compared(ENDS["an end before it"], True)


def compared(before, full):
    with Path(FULL if full else os.devnull).open("w") as file:
        started = real(before, "--version", **({"stdout": file} if full else {}))
    done = forked.run("--version", before=before, stdout=FULL if full else None)
    assert done.returncode == started.returncode, (done.stderr, started.stderr)
    assert done.stdout == (started.stdout or "")
    assert last_line(done.stderr) == last_line(started.stderr)


def last_line(said):
    """Of a traceback, the error."""
    return said.strip().rpartition("\n")[2]


KEEPING = """
from quchong.plan.sources import Spool
made, all = Spool.__init__, []
def keep(self):
    made(self)
    all.append(self)
    print(self.folder)
Spool.__init__ = keep
"""
"""Keeps the folders to the very end, and says what they are."""


@pytest.mark.parametrize(("before", "there"), [("", False), (KEEPING, True)], ids=["let go", "kept to the end"])
def test_what_came_through_a_pipe_is_gone_at_the_end(tmp_path, monkeypatch, before, there):
    temporary, pipe = tmp_path / "temporary", tmp_path / "pipe"
    monkeypatch.setenv("TMPDIR", str(temporary))
    temporary.mkdir()
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_text, args=('{"text":"今天天气很好"}\n' * 2, "utf-8"))
    writing.start()
    ran = forked.run("statistics", "-", "-o", tmp_path / "terms", stdin=pipe, before=before)
    writing.join()
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "terms").exists()
    assert ran.stdout.startswith(f"{temporary}/quchong-") == there
    assert not list(temporary.iterdir())
