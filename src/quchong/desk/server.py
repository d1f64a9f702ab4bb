"""Web server of a desk, on this machine only."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from pathlib import Path
from types import TracebackType

from quchong.desk.desk import Clock, Desk, now
from quchong.desk.doorway import Doorway
from quchong.errors import OutputError, Param, UsageError, install, reason_of
from quchong.results.saved import SavedRun
from quchong.views.words import Language, default_language

HOST = "127.0.0.1"
_PATIENCE = 20.0


class OpenDesk:
    """Open review desk: a web server in a thread of this process, until `close`.

    Attributes:
        url: its full address. Whoever has it can read the texts of the run and decide; it contains a token that is new each time.
        decisions: the file to which labels and decisions are appended.

    >>> import quchong as qc, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = qc.dedup(["今天天气很好。", "今天天氣很好！"], out=folder + "/run")
    >>> with qc.load(folder + "/run").review() as desk:
    ...     desk.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self, saved: SavedRun, decisions: Path, *, port: int = 0, language: Language | None = None, seed: int = 0, clock: Clock = now,
    ) -> None:  # fmt: skip
        """Open the desk and wait until it answers.

        Raises:
            UsageError: the extra `serve` is not installed.
            InputError, OutputError: the decisions file cannot be used, or the port is taken.
        """
        try:
            import uvicorn

            from quchong.desk.app import app
            from quchong.desk.connections import BoundedConnection
        except ImportError as error:
            raise UsageError("the review desk needs Starlette and Uvicorn: {}", install("serve")) from error
        self._doorway: Doorway | None = None
        self.desk, self.decisions = Desk(saved, decisions, seed, clock), decisions
        self._socket = _listening(port)
        self.port = int(self._socket.getsockname()[1])
        token = secrets.token_urlsafe(24)
        self.url = f"http://{HOST}:{self.port}/{token}/"
        config = uvicorn.Config(
            app(self.desk, token, self.port, language or default_language()), loop="asyncio", http=BoundedConnection, ws="none",
            lifespan="off", log_level="error", access_log=False, server_header=False, date_header=False, proxy_headers=False,
            limit_concurrency=100, timeout_keep_alive=30, timeout_graceful_shutdown=3,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="quchong-desk", daemon=True
        )
        self._thread.start()
        end = time.monotonic() + _PATIENCE
        while not self._server.started and self._thread.is_alive() and time.monotonic() < end:
            time.sleep(0.01)
        if not self._server.started:
            self.close()
            raise OutputError("the desk could not use port {}: choose another with {}", self.port, Param("port"))

    @property
    def acts(self) -> int:
        """Number of acts in the decisions file."""
        return len(self.desk.book.acts)

    def open_browser(self) -> bool:
        """Open the desk in the user's browser; return False if no browser can be opened.

        The browser is given a file that only this user can read instead of the address, because other users can list
        the arguments of processes. The file is removed when the desk is closed.

        Raises:
            OutputError: no temporary file can be written.
        """
        try:
            self._doorway = self._doorway or Doorway(self.url)
        except OSError as error:
            raise OutputError("no temporary file can be written: {}", reason_of(error)) from error
        return self._doorway.open()

    def wait(self) -> None:
        """Wait until the desk is closed, or for Ctrl-C."""
        while self._thread.is_alive():
            self._thread.join(0.5)

    def close(self) -> None:
        """Close the desk; acts that were acknowledged are on the disk already."""
        if self._doorway is not None:
            self._doorway.close()
        self._server.should_exit = True
        self._thread.join(_PATIENCE)
        self._socket.close()

    def __enter__(self) -> OpenDesk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<quchong review desk: {self.url}>"


def _listening(port: int) -> socket.socket:
    """Return a socket bound to the port on the loopback address, and listening there."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise OutputError(
            "{} cannot be used: {}; choose another port, or 0 for any free one", Param("port", port), error.strerror
        ) from error
    return made
