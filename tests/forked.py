"""Commands of quchong in processes of their own, forked off one that has imported everything: each would import for a second.

`forked.run(argv)` is a command from beginning to end; `forked.Command(argv)` is one to send signals to. They have the environment of this
moment. What an interpreter does at its start is not tested by these: tests of that start one.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
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


class Ran(NamedTuple):
    """As `subprocess.run` tells it."""

    returncode: int
    stdout: str
    stderr: str


@cache
def server():
    """The process that forks, started when it is first asked for."""
    known = os.environ | ALONE | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    started = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=known, text=True
    )
    atexit.register(started.communicate)
    return started


class Command:
    """A running command; one at a time.

    Args:
        argv: of `quchong`.
        before: Python that is run in the process before the command.
        stderr: what it writes there, a file or a pipe with a name; a file of its own.
    """

    def __init__(self, *argv, before="", cwd=None, stderr=None):
        self.folder = tempfile.TemporaryDirectory()
        self.out, self.err = (Path(self.folder.name, name) for name in ("out", "err"))
        asked = {"argv": [os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in argv], "before": before,
                 "env": dict(os.environ), "cwd": os.fspath(cwd or Path.cwd()), "out": str(self.out), "err": os.fspath(stderr or self.err)}  # fmt: skip
        server().stdin.write(json.dumps(asked) + "\n")
        server().stdin.flush()
        self.pid = int(server().stdout.readline())

    def wait(self):
        """Exit code, or minus the number of the signal that ended it, and what it said."""
        code = int(server().stdout.readline())
        with self.folder:
            said = (path.read_text("utf-8") if path.exists() else "" for path in (self.out, self.err))
            return Ran(code, *said)


def run(*argv, **how):
    return Command(*argv, **how).wait()


def be(asked):
    """The forked process: never returns."""
    code = 1
    try:
        for number, path in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
            os.dup2(os.open(path, flags, 0o644), number)
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", encoding="utf-8", closefd=False, buffering=1) for number in (1, 2)
        )
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(asked["env"])
        os.chdir(asked["cwd"])
        sys.argv = ["quchong", *asked["argv"]]
        exec(asked["before"], {})
        from quchong.cli.main import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


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
    quchong.compare(*WARM)
    threads = sum(1 for _ in Path("/proc/self/task").iterdir()) if sys.platform.startswith("linux") else 1
    assert threads == 1, f"{threads} threads: a fork would not be safe"
    gc.collect()
    gc.freeze()  # a collection in a forked process would write to, and so copy, all that was imported


def serve():
    """Forks off a command for each line that comes: its number, then how it ended."""
    warm_up()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            be(asked)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
