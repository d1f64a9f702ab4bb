"""Commands of quchong in processes of their own, forked off one that has imported everything: each would import for a second.

`forked.run(argv)` is a command from beginning to end; `forked.Command(argv)` is one to send signals to. They have the environment of this
moment, and end as the command does: its `run` is called, and the interpreter ends if that does not end it. What an interpreter does at its
start is not tested by these, nor what libraries read in the environment when they are imported: tests of that start one.

Each command has a line (a pair of sockets) of its own to the process that forks, so that nothing one of them leaves unread is read by another.
Up it goes what is asked, then a byte for each signal to send; down come `pid`, `sent`, `late` and `ended` with a number. Whoever lets go of its
end, were it by dying, has the command killed; so has one that takes too long. Signals are sent by the process that forks alone, and to none that it
has waited for.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from typing import NamedTuple

IMPORTED = ("api", "chains", "cli", "decision", "methods.verified", "report", "results", "runs", "views")
"""Rooms of quchong of which every module is imported."""

ALONE = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""No library starts a thread in the process that forks: a fork taken while one of them holds a lock would wait for it for ever."""
TEXT = (
    "本报讯（记者李大海）云河地铁4号线将于3月28日开通初期运营，全线设站21座，设计时速80公里，首班车6时发出。市长王小明表示，"
    "这条线路将把城东和城西连在一起，沿线居民出行更加方便，票价从两元起步，估计每天运送乘客30万人次。"
)
WARM = (TEXT, TEXT.replace("28日", "29日").replace("21座", "22座").replace("王小明", "陈建国"))
"""What is compared before the first command: dictionaries and tables are read, expressions compiled."""
LONGEST = 300
"""Seconds within which a command ends, however busy the machine is."""
STOPPING = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


class Ran(NamedTuple):
    """As `subprocess.run` tells it."""

    returncode: int
    stdout: str
    stderr: str


class Server:
    """The process that forks, started when it is first asked for, and again should it have ended."""

    now: Server | None = None
    how = ("warm",)

    def __init__(self):
        known = os.environ | ALONE | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.asks, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, __file__, *self.how], stdin=theirs, stdout=subprocess.DEVNULL, env=known
            )
        atexit.register(self.end)

    def end(self):
        self.asks.close()
        self.process.wait()

    @classmethod
    def line(cls):
        """A new line to it."""
        if cls.now is None or cls.now.process.poll() is not None:
            cls.now = cls()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(cls.now.asks, [b"+"], [theirs.fileno()])
        return ours


def let_go(line, folder, owner):
    """Has the command killed if it has not ended, and waits for that."""
    if os.getpid() == owner:  # no process that a test has forked
        with line, contextlib.suppress(OSError):
            line.settimeout(LONGEST)
            line.shutdown(socket.SHUT_WR)
            while line.recv(4096):
                pass
        folder.cleanup()


class Command:
    """A running command; killed, if it has not ended, at the end of a `with` or when nobody refers to it.

    Args:
        argv: of `quchong`.
        before: Python that is run in the process before the command.
        stdin: what it reads there, a file or a pipe with a name; nothing.
        stdout: what it writes there; a file of its own.
        stderr: likewise.
        seconds: it is killed after so many.
    """

    def __init__(self, *argv, before="", cwd=None, stdin=os.devnull, stdout=None, stderr=None, seconds=LONGEST):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.out, self.err = (Path(folder.name, name) for name in ("out", "err"))
        self.argv = [os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in argv]
        asked = {"argv": self.argv, "before": before, "seconds": seconds, "env": dict(os.environ), "cwd": os.fspath(cwd or Path.cwd()),
                 "files": [os.fspath(one) for one in (stdin, stdout or self.out, stderr or self.err)]}  # fmt: skip
        self.line, self.known, self.rest = Server.line(), {}, b""
        self.seconds = seconds
        self.close = weakref.finalize(self, let_go, self.line, folder, os.getpid())
        self.line.settimeout(seconds + LONGEST)
        self.line.sendall(json.dumps(asked).encode() + b"\n")
        self.pid = self.told("pid")
        assert self.pid > 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def told(self, word):
        """The number that comes with this word; others that come before are kept."""
        while word not in self.known:
            more = self.line.recv(4096)
            if not more:
                raise RuntimeError("the process that forks commands has ended")
            *lines, self.rest = (self.rest + more).split(b"\n")
            self.known |= {name.decode(): int(number) for name, number in map(bytes.split, lines)}
        return self.known[word]

    def send(self, number):
        """Sends it a signal; False if it has ended."""
        self.known.pop("sent", None)
        self.line.sendall(bytes([number]))
        return bool(self.told("sent"))

    def running(self):
        return self.send(0)

    def wait(self):
        """Exit code, or minus the number of the signal that ended it, and what it said.

        Raises:
            AssertionError: it took too long, and was killed.
        """
        with self:
            code = self.told("ended")
            said = [path.read_text("utf-8") if path.exists() else "" for path in (self.out, self.err)]
        late = f"quchong {' '.join(self.argv)}: not ended after {self.seconds} s, and killed. It said: {''.join(said)}"
        assert "late" not in self.known, late
        return Ran(code, *said)


def run(*argv, **how):
    return Command(*argv, **how).wait()


def stream_of(number, old, unbuffered):
    """A stream as the interpreter makes it at its start, with encoding and errors of another: a file is written in blocks."""
    mode = "w" if number else "r"
    bare = os.fdopen(number, f"{mode}b", 0 if unbuffered and number else -1, closefd=False)
    getattr(bare, "raw", bare).name = old.name
    lines = number == 2 and not unbuffered
    stream = io.TextIOWrapper(bare, old.encoding, old.errors, "\n", lines, write_through=unbuffered)
    stream.mode = mode
    return stream


def become(asked):
    """Makes a forked process that of a command which has just been started."""
    for number, path in enumerate(asked["files"]):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY
        opened = os.open(path, flags, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = stream_of(number, getattr(sys, name), bool(asked["env"].get("PYTHONUNBUFFERED")))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    tempfile.tempdir = None  # the environment may name another one
    sys.argv = ["quchong", *asked["argv"]]
    for number in STOPPING:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)


def warm_up():
    """Imports and reads what commands use, in a process that will fork; it has no other thread then."""
    import pyarrow.acero
    import pyarrow.dataset
    import pyarrow.parquet  # noqa: F401

    import quchong

    for room in IMPORTED:
        folder = importlib.import_module(f"quchong.{room}")
        for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
            importlib.import_module(module.name)
    for (
        name
    ) in quchong.methods.__all__:  # else each command that takes the parameters of all would import them, for 0.2 s
        getattr(quchong.methods, name)
    quchong.compare(*WARM)
    threads = sum(1 for _ in Path("/proc/self/task").iterdir()) if sys.platform.startswith("linux") else 1
    assert threads == 1, f"{threads} threads: a fork would not be safe"
    gc.collect()
    assert not weakref.finalize._registry, "each forked process would do at its end what is left for that of this one"
    gc.freeze()  # a collection in a forked process would write to, and so copy, all that was imported


class Held:
    """A command, as the process that forks has it: `pid` is 0 when it has been waited for, and may then be the number of another."""

    def __init__(self, line, pid, seconds):
        self.line, self.pid, self.ends = line, pid, time.monotonic() + seconds
        self.say("pid", pid)

    def say(self, word, number):
        with contextlib.suppress(OSError):  # nobody listens any more
            self.line.sendall(f"{word} {number}\n".encode())

    def look(self, how=os.WNOHANG):
        """Waits for it if it has ended, and kills it if it has not when it should have."""
        if self.pid:
            if self.left() == 0:
                self.say("late", 1)
                os.kill(self.pid, signal.SIGKILL)
                how = 0
            pid, status = os.waitpid(self.pid, how)
            if pid:  # its number may be another process's from now on
                self.pid = 0
                self.say("ended", os.waitstatus_to_exitcode(status))

    def left(self):
        """Seconds that it may still take."""
        return max(0.0, self.ends - time.monotonic())

    def send(self, number):
        """Sends a signal, if it still runs."""
        self.look()
        if self.pid:
            os.kill(self.pid, number)
        return bool(self.pid)

    def end(self):
        self.send(signal.SIGKILL)
        self.look(0)
        self.line.close()

    def hear(self):
        """Does what its line asks for; False at the end of that."""
        try:
            numbers = self.line.recv(1)
        except OSError:
            numbers = b""
        for number in numbers:
            self.say("sent", int(self.send(number)))
        return bool(numbers)


def serve():
    """Forks off commands for as long as somebody holds the other end of standard input; returns in each of them what is asked of it."""
    for number in (signal.SIGCHLD, signal.SIGINT):  # children wake it; Ctrl-C is for those who hold the lines
        signal.signal(number, lambda *_: None)
    if "warm" in sys.argv:
        warm_up()
    asks = socket.socket(fileno=0)
    woken, waking = socket.socketpair()
    for one in (woken, waking):
        one.setblocking(False)
    signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    held: dict[socket.socket, Held] = {}
    while True:
        first = min((one.left() for one in held.values() if one.pid), default=None)
        ready, _, _ = select.select([asks, woken, *held], [], [], first)
        if woken in ready:
            woken.recv(4096)
        for one in held.values():
            one.look()
        for line in held.keys() & set(ready):
            if not held[line].hear():
                held.pop(line).end()
        if asks not in ready:
            continue
        given, descriptors, *_ = socket.recv_fds(asks, 1, 1)
        if not given:
            break
        line = socket.socket(fileno=descriptors[0])
        with line.makefile("rb") as file:
            asked = file.readline()
        if not asked.endswith(b"\n"):
            line.close()
            continue
        asked = json.loads(asked)
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # none is lost before the command would hear it
        pid = os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            asks.detach()
            for one in (woken, waking, line, *held):
                one.close()
            return asked
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        held[line] = Held(line, pid, asked["seconds"])
    for one in held.values():
        one.end()
    return None


if __name__ == "__main__" and (asked := serve()):
    become(asked)
    exec(asked["before"], {})
    from quchong.cli.main import run as command

    command()
