"""Commands of quchong in processes of their own, forked off one that has imported everything: each would import for a second.

`forked.run(argv)` is a command from beginning to end; `forked.Command(argv)` is one to send signals to. What a process does at its start, and
the environment, are not tested by these: tests of that start an interpreter.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

IMPORTED = (
    "quchong.cli.main",
    "quchong.cli.dedup",
    "quchong.api.deduplication",
    "quchong.methods.verified.hybrid",
    "rjieba",
)


class Ran(NamedTuple):
    """As `subprocess.run` tells it."""

    returncode: int
    stdout: str
    stderr: str


@cache
def server():
    """The process that forks, started when it is first asked for."""
    known = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
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
                 "cwd": os.fspath(cwd or Path.cwd()), "out": str(self.out), "err": os.fspath(stderr or self.err)}  # fmt: skip
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


def serve():
    """Forks off a command for each line that comes: its number, then how it ended."""
    for name in IMPORTED:
        __import__(name)
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            be(asked)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
