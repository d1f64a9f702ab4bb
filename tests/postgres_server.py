"""PostgreSQL server for tests: in a folder of its own, on a socket there, by a user that may run it, ended with this process.

The server refuses to run as root; tests that do start it as the user `postgres` or `nobody`. Where no server is installed, its tests are
skipped: Debian's package is postgresql.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WHERE = (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/local/pgsql/bin"))
QUICK = "-c fsync=off -c full_page_writes=off -c max_connections=50 -c shared_buffers=32MB -c autovacuum=off"
"""Settings of a server whose machine never loses power: what its processes have acknowledged is there after they were killed."""


def programs():
    """The folder of the server's programs; None if it is not installed."""
    found = shutil.which("pg_ctl")
    some = [Path(found).resolve().parent] if found else []
    return next((folder for folder in (*WHERE, *some) if (folder / "initdb").exists()), None)


def lacking():
    """Why tests of an index in PostgreSQL cannot run here; None if they can."""
    if programs() is None:
        return "no PostgreSQL server is installed (Debian: apt-get install postgresql)"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed (the extra postgres)"
    return None


def _user():
    """User and group to run the server as; None for those of this process."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            known = pwd.getpwnam(name)
        except KeyError:
            continue
        return known.pw_uid, known.pw_gid
    raise RuntimeError("neither postgres nor nobody is a user")


class Server:
    """A running server with one database; `address("seen")` is that of an index in it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="quchong-pg-"))
        self._as = _user()
        if self._as is not None:
            os.chown(self.folder, *self._as)
            self.folder.chmod(0o755)
        self._owner = os.getpid()
        atexit.register(self.end)
        self._run("initdb", "-D", self._data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.control("start")

    @property
    def _data(self):
        return str(self.folder / "data")

    def _run(self, program, *arguments):
        user, group = self._as or (None, None)
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                [programs() / program, *arguments], check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, user=user, group=group, extra_groups=None if user is None else [],
            )  # fmt: skip

    def control(self, *what):
        """Start, stop or restart the server, and wait for that."""
        options = f"{QUICK} -c listen_addresses='' -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", str(self.folder / "server.log"), "-o", options, *what)

    def address(self, index):
        return f"postgresql://tester@/postgres?host={self.folder}&index={index}"

    def end(self):
        if os.getpid() == self._owner and self.folder.exists():
            try:
                self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")
            except subprocess.CalledProcessError:
                print(f"no server was running in {self.folder}", file=sys.stderr)
            shutil.rmtree(self.folder, ignore_errors=True)
