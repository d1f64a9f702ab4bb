"""Stops a command at any of its file operations, by kill -9 or a full disk.

A server process imports quchong once; each command runs in a fork of it. `python stops.py` serves: one JSON request a line.
"""

from __future__ import annotations

import errno
import faulthandler
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
from forked import ALONE, warm_up

CHANGES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.truncate", "os.link"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class Ran:
    code: int
    """Exit code; negative: the signal."""
    reached: bool
    """Did it come as far as the operation it was to be stopped at?"""
    err: str


class Server:
    """Runs command lines, each in a process of its own, in the folder `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._child = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | ALONE
        )

    def run(self, *argv: object, at: int = 0, how: str = "kill") -> Ran:
        """Runs `quchong argv`, and stops it at file operation number `at` (from 1; 0: never) below the root."""
        asked = {"argv": [str(a) for a in argv], "at": at, "how": how, "root": str(self.root)}
        self._child.stdin.write(json.dumps(asked) + "\n")
        self._child.stdin.flush()
        return Ran(**json.loads(self._child.stdout.readline()))

    def close(self) -> None:
        self._child.stdin.close()
        self._child.wait()
        self._child.stdout.close()


class Stopper:
    """Counts file operations and stops at one: before it, or in the middle of a write."""

    def __init__(self, at: int, how: str, root: str, told: int) -> None:
        self.left, self.how, self.root, self.told = at, how, root, told

    def step(self, half=None) -> None:
        self.left -= 1
        if self.left == 0:
            if half is not None:
                half()
            os.pwritev(self.told, [b"1"], 0)
            if self.how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def hear(self, event: str, args: tuple) -> None:
        """The audit hook."""
        if self.left <= 0 or event not in CHANGES:
            return
        if event == "open" and not (isinstance(args[2], int) and args[2] & WRITES):
            return
        path = args[0]
        inside = isinstance(path, str | bytes) and os.fsdecode(path).startswith(self.root)
        by_folder = event in ("os.remove", "os.rmdir", "os.mkdir", "os.rename") and args[-1] not in (None, -1)
        by_folder = by_folder or (event == "open" and isinstance(path, str) and not path.startswith("/"))
        if inside or by_folder:
            self.step()

    def install(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from quchong.io.files.streams import Output

        write, sync, text, table, output = os.write, os.fsync, Path.write_text, pq.write_table, Output.write

        def half_table(rows, where, **options):
            def half():
                if not isinstance(where, str | Path):  # an open file
                    whole = pa.BufferOutputStream()
                    table(rows, whole, **options)
                    data = whole.getvalue().to_pybytes()
                    where.write(data[: len(data) // 2])
                    return
                table(rows, where, **options)
                os.truncate(where, Path(where).stat().st_size // 2)

            self.step(half)
            return table(rows, where, **options)

        def one(real, cut):
            def wrapped(*args, **options):
                self.step(lambda: real(*cut(args), **options))
                return real(*args, **options)

            return wrapped

        os.write = one(write, lambda args: (args[0], args[1][: len(args[1]) // 2]))
        os.fsync = lambda descriptor: (self.step(), sync(descriptor))[1]
        Path.write_text = one(text, lambda args: (args[0], args[1][: len(args[1]) // 2]))
        Output.write = one(output, lambda args: (args[0], bytes(args[1])[: len(args[1]) // 2]))
        pq.write_table = half_table
        sys.addaudithook(self.hear)


def _child(asked: dict, told: int, err: int) -> None:
    os.dup2(err, 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    faulthandler.dump_traceback_later(600, exit=True)  # one that hangs says where, and does not keep the tests
    sys.argv = ["quchong", *asked["argv"]]
    from quchong.cli.main import main

    code = 0
    if asked["at"]:
        Stopper(asked["at"], asked["how"], asked["root"], told).install()
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 99
    sys.stderr.flush()
    os._exit(code)


def serve() -> None:
    warm_up()
    for line in sys.stdin:
        with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                _child(json.loads(line), told.fileno(), err.fileno())
            _, status = os.waitpid(child, 0)
            err.seek(0)
            ran = Ran(os.waitstatus_to_exitcode(status), bool(told.read()), err.read().decode(errors="replace"))
        print(json.dumps(ran.__dict__), flush=True)


if __name__ == "__main__":
    serve()
