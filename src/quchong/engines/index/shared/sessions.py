"""Connections to PostgreSQL, kept open for the next caller; errors of the database as errors of quchong."""

from __future__ import annotations

import contextlib
import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from quchong.engines.index.shared.address import StoreAddress
from quchong.errors import OutputError, RunError, UsageError, index_call, install, reason_of

if TYPE_CHECKING:
    from psycopg import Connection

PATIENCE, PAUSE = 30.0, 0.1
"""Seconds for which a server that went is waited for, and between two attempts."""
SESSION = (
    # One plan for each statement, by its index: tables grow after a plan was made, and a cached plan must not read a whole one.
    "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET jit = off; SET default_transaction_isolation = 'read committed'; SET client_min_messages = error; "
    # A writer whose machine went keeps others waiting for so long at most.
    "SET idle_in_transaction_session_timeout = '10min'; SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10; "
    "SET tcp_keepalives_count = 3"
)
_ENDED = ("08", "57P")
"""First characters of the codes of errors after which a connection is of no use, or the server is being stopped or started."""


class ConnectionLostError(RunError):
    """Error: the connection was lost before the server acknowledged anything."""


@contextmanager
def store_errors(address: StoreAddress) -> Iterator[None]:
    """Raise driver errors in the block as ConnectionLostError (connection lost) or OutputError (cannot write)."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        code = error.sqlstate or ""
        reason = error.diag.message_primary or reason_of(error)
        if code.startswith(_ENDED) or (
            not code and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        ):
            raise ConnectionLostError(
                "{}: the connection was lost: {}; nothing was changed", address, reason
            ) from error
        if code in ("42P01", "3F000"):
            raise RunError("{} is not an index: to make one, use {}", address, index_call(address)) from error
        if code == "42P06":
            raise OutputError("{} already exists: give the new index another name", address) from error
        if code.startswith(("53", "25", "42501", "54")):
            raise OutputError("{} cannot be written: {}; nothing was changed", address, reason) from error
        raise RunError("{} cannot be read: {}", address, reason) from error


class Sessions:
    """Connections to the schema of one index. Any thread may take one.

    Args:
        address: of the index.
        synchronous: False to let the server acknowledge before it has written.

    Raises:
        UsageError: the extra `postgres` is not installed.
    """

    def __init__(self, address: StoreAddress, *, synchronous: bool = True) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise UsageError(
                "an index in PostgreSQL needs the package psycopg, which is not installed: {}", install("postgres")
            ) from error
        self.address, self.synchronous = address, synchronous
        self.lost: Callable[[], None] = lambda: None
        """Called when a server went: what was read of it before may be of transactions that it has lost."""
        self._reached = False
        self._free: list[Connection[Any]] = []
        self._changing = threading.Lock()

    def connect(self) -> Connection[Any]:
        """Return a new connection.

        Raises:
            ConnectionLostError: the server cannot be reached, or refuses.
        """
        import psycopg

        from quchong.engines.index.shared.binary import register

        try:
            made = psycopg.connect(
                self.address.server, autocommit=True, prepare_threshold=0, connect_timeout=10, fallback_application_name="quchong"
            )  # fmt: skip
            self._reached = True
        except psycopg.Error as error:
            raise ConnectionLostError("{} cannot be reached: {}", self.address, reason_of(error)) from error
        with store_errors(self.address):
            register(made)
            made.execute(SESSION, prepare=False)
            made.execute("SELECT set_config('search_path', %s, false)", (f"{self.address.schema}, pg_temp",))
            if not self.synchronous:
                made.execute("SET synchronous_commit = off")
        return made

    def connect_again(self) -> Connection[Any]:
        """Return a new connection after the server went away, waiting until it is back; older connections are closed.

        A server that never answered is not waited for: it did not go, and its address may be wrong.

        Raises:
            ConnectionLostError: it was not back in time, or never there.
        """
        self.close()
        self.lost()
        end = clock.monotonic() + (PATIENCE if self._reached else 0)
        while True:
            try:
                return self.connect()
            except ConnectionLostError:
                if clock.monotonic() >= end:
                    raise
            clock.sleep(PAUSE)

    def take(self) -> Connection[Any]:
        """Return a connection that nobody else uses until it is given back."""
        with self._changing:
            if self._free:
                return self._free.pop()
        return self.connect()

    def give_back(self, connection: Connection[Any]) -> None:
        """Give a connection back to the pool: an open transaction is rolled back, and a broken connection closed."""
        import psycopg
        from psycopg.pq import TransactionStatus

        with contextlib.suppress(psycopg.Error):
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
            if not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE:
                with self._changing:
                    self._free.append(connection)
                return
        with contextlib.suppress(psycopg.Error):
            connection.close()

    def close(self) -> None:
        """Close the connections of the pool that nobody uses."""
        with self._changing:
            some, self._free = self._free, []
        for one in some:
            one.close()
