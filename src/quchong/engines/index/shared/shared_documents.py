"""Documents of an index in PostgreSQL: snapshots for readers, and transactions of one writer after the other, whatever their processes."""

from __future__ import annotations

import functools
import re
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from quchong.engines.index.document_store import DocumentStore
from quchong.engines.index.shared.address import StoreAddress
from quchong.engines.index.shared.schema import TYPES
from quchong.engines.index.shared.sessions import PATIENCE, PAUSE, Sessions, StoreLost, store_errors
from quchong.errors import OutputError

_ROWS_OF = re.compile(r"INSERT INTO (\w+) VALUES \([?,]+\)")
Found = TypeVar("Found")


class Arrivals(NamedTuple):
    """Next number of arrival, and True if any posting has another weight than 1."""

    next: int
    weighted: bool


@dataclass
class _Turn:
    """Block of a thread: its connection, and what it has of the order of writers; a snapshot has none of that.

    Attributes:
        connection: the connection, used by nobody else. own: True in a transaction.
        first: next number when it began; None in a snapshot before it was asked. arrivals: as they are by now.
        transaction: number of the transaction, by which the server knows what became of it.
    """

    connection: Any
    own: bool = False
    first: int = 0
    arrivals: Arrivals | None = None
    transaction: str = ""


class SharedDocuments(DocumentStore):
    """Tables of one index, read and written by any thread of any process.

    A snapshot is a transaction that only reads, at REPEATABLE READ: all that is read in it is of one moment. A transaction locks the
    row of arrivals first, so that writers come one after the other and each sees all that those before it have committed.

    Args:
        address: of the index. synchronous: see `Sessions`.
    """

    def __init__(self, address: StoreAddress, *, synchronous: bool = True) -> None:
        self.address = address
        self.sessions = Sessions(address, synchronous=synchronous)
        self._local = threading.local()
        self.settled: Callable[[int, int, bool], None] = lambda first, end, committed: None
        """Called when a transaction has ended: with its first number, the number after its last one, and True if it was committed."""

    @property
    def _turn(self) -> _Turn | None:
        found: _Turn | None = getattr(self._local, "turn", None)
        return found

    @property
    def in_transaction(self) -> bool:
        """True if this thread is in a transaction of its own, which may be rolled back yet."""
        turn = self._turn
        return turn is not None and turn.own

    @contextmanager
    def _taken(self, begin: str) -> Iterator[_Turn]:
        """Take a connection for the block and begin a transaction in it; what is not committed by the block is rolled back."""
        connection = self.sessions.take()
        self._local.turn = turn = _Turn(connection)
        try:
            with store_errors(self.address):
                connection.execute(begin)
            yield turn
        finally:
            self._local.turn = None
            self.sessions.give_back(connection)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state of the tables in the block, by this thread; in a transaction of its own what that has written."""
        if self._turn is not None:
            yield
            return
        with self._taken("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            yield

    @contextmanager
    def transaction(self) -> Iterator[RowWriter]:
        """Return what writes, once no other process writes; all is committed at the end of the outermost block, or nothing after an error.

        Raises:
            StoreLost: the connection went and nothing was committed.
            OutputError: nothing can be written; or the connection went while it was committed, and it cannot be known whether it was.
        """
        turn = self._turn
        if turn is not None:
            if not turn.own:
                raise RuntimeError("a snapshot is not written to")
            yield RowWriter(self)
            return
        with self._taken("BEGIN ISOLATION LEVEL READ COMMITTED") as turn:
            turn.own = True
            with store_errors(self.address):
                row = turn.connection.execute(
                    "SELECT next, weighted, pg_current_xact_id()::text FROM arrivals FOR UPDATE"
                ).fetchone()
            turn.first, turn.arrivals, turn.transaction = row[0], Arrivals(*row[:2]), row[2]
            try:
                yield RowWriter(self)
                self._commit(turn)
            except BaseException:
                self.settled(turn.first, self.arrivals().next, False)
                raise
            self.settled(turn.first, self.arrivals().next, True)

    def _commit(self, turn: _Turn) -> None:
        try:
            with store_errors(self.address):
                turn.connection.execute("COMMIT")
        except StoreLost:
            if not self._was_committed(turn.transaction):
                raise

    def _was_committed(self, transaction: str) -> bool:
        """Return True if a transaction was committed whose connection went meanwhile.

        Raises:
            OutputError: the server is not back in time.
        """
        end = clock.monotonic() + PATIENCE
        try:
            connection = self.sessions.connect_again()
            try:
                while clock.monotonic() < end:
                    with store_errors(self.address):
                        row = connection.execute("SELECT pg_xact_status(%s::xid8)", (transaction,)).fetchone()
                    told = None if row is None else row[0]
                    if told != "in progress":
                        return bool(told == "committed")
                    clock.sleep(PAUSE)
            finally:
                self.sessions.give_back(connection)
        except StoreLost as error:
            reason: BaseException | None = error
        else:
            reason = None
        raise OutputError(
            "{}: the connection was lost while documents were stored: whether they are there is not known; add them again, and those "
            "that are there are left out", self.address,
        ) from reason  # fmt: skip

    def once_more(self, call: Callable[[], Found]) -> Found:
        """Return what a call returns; if the connection goes before anything is acknowledged, wait for the server and call once more."""
        try:
            return call()
        except StoreLost:
            if self._turn is not None:
                raise
            self.sessions.give_back(self.sessions.connect_again())
            return call()

    def arrivals(self) -> Arrivals:
        """Return the state of arrivals in this thread's transaction or snapshot."""
        turn = self._turn
        if turn is None or turn.arrivals is None:
            found = Arrivals(*self.select("SELECT next, weighted FROM arrivals")[0])
            if turn is None:
                return found
            turn.arrivals = found
        return turn.arrivals

    def set_arrivals(self, arrivals: Arrivals) -> None:
        """Write the state of arrivals, in a transaction."""
        turn = self._turn
        assert turn is not None
        self.execute("UPDATE arrivals SET next = ?, weighted = ?", *arrivals)
        turn.arrivals = arrivals

    def execute(self, sql: str, *values: Any) -> None:
        """Execute a statement in this thread's transaction."""
        assert self._turn is not None
        with store_errors(self.address):
            self._turn.connection.execute(_with_markers(sql), values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute a statement for each row of values in this thread's transaction; rows that are all values are copied in."""
        some = list(rows)
        if not some:
            return
        assert self._turn is not None
        table = _ROWS_OF.fullmatch(sql)
        with store_errors(self.address), self._turn.connection.cursor() as cursor:
            if table is None or table[1] not in TYPES:
                cursor.executemany(_with_markers(sql), some)
                return
            with cursor.copy(f"COPY {table[1]} FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(TYPES[table[1]])
                for row in some:
                    copy.write_row(row)

    def copy_in(self, table: str, rows: bytes) -> None:
        """Copy rows in binary format into a table, in this thread's transaction."""
        assert self._turn is not None
        with (
            store_errors(self.address),
            self._turn.connection.cursor() as cursor,
            cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy,
        ):
            copy.write(rows)

    def select(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        turn = self._turn
        if turn is None:
            return self.once_more(lambda: self._select_alone(sql, values))
        with store_errors(self.address):
            found: list[tuple[Any, ...]] = turn.connection.execute(_with_markers(sql), values, binary=True).fetchall()
        return found

    def _select_alone(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        connection = self.sessions.take()
        try:
            with store_errors(self.address):
                found: list[tuple[Any, ...]] = connection.execute(_with_markers(sql), values, binary=True).fetchall()
        finally:
            self.sessions.give_back(connection)
        return found

    def select_in(self, sql: str, numbers: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with `IN ({})` for the list of `numbers`; the order of rows is undefined."""
        from quchong.engines.index.shared.binary import Bigints

        if not len(numbers):
            return []
        return self.select(sql.replace("IN ({})", "= ANY(?)"), Bigints(np.array(numbers, np.int64)))

    def text_ids(self) -> int:
        """Return how many ids are texts; the others are whole numbers."""
        return self.count("SELECT count(*) FROM documents WHERE json_typeof(id) = 'string'")

    def close(self) -> None:
        """Close all connections."""
        self.sessions.close()


class RowWriter:
    """Writer of the transaction of this thread, see `quchong.engines.index.document_store.Writer`."""

    def __init__(self, documents: SharedDocuments) -> None:
        self._documents = documents

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> None:
        """Execute a statement with a value for each `?`."""
        self._documents.execute(sql, *values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Execute a statement once for each row of values."""
        self._documents.execute_many(sql, rows)


@functools.lru_cache(256)
def _with_markers(sql: str) -> str:
    """Return a statement with the markers of the driver for `?`."""
    return sql.replace("%", "%%").replace("?", "%s")
