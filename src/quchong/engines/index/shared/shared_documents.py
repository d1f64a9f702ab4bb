"""Documents of an index in PostgreSQL: snapshots for readers, and transactions of one writer after the other, whatever their processes."""

from __future__ import annotations

import functools
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from quchong.engines.index.document_store import DocumentStore, StoredPair
from quchong.engines.index.shared.address import StoreAddress
from quchong.engines.index.shared.schema import TYPES
from quchong.engines.index.shared.sessions import PATIENCE, PAUSE, ConnectionLostError, Sessions, store_errors
from quchong.errors import OutputError
from quchong.patterns import lazy_pattern

_ROWS_OF = lazy_pattern(r"INSERT INTO (\w+) VALUES \([?,]+\)")
Found = TypeVar("Found")


_READING = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
    "SELECT next, weighted, (SELECT json_object_agg(name, value) FROM notes) FROM arrivals"
)
_WRITING = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT next, weighted, pg_current_xact_id()::text FROM arrivals FOR UPDATE"
)
"""Statements that begin a block, with what is read first in each, in one round trip. A writer reads nothing else before it has the lock."""
FEW = 16
"""Rows up to which an insertion takes one round trip, and copying three."""


class Arrivals(NamedTuple):
    """Next arrival number, and True if any posting has a weight other than 1."""

    next: int
    weighted: bool


@dataclass
class _Turn:
    """State of one thread's block: a snapshot or a transaction.

    Attributes:
        connection: the connection, used by nobody else. arrivals: as this block sees them.
        notes: as this block sees them; None if they must be read.
        own: True in a transaction. first: next number when it began.
        transaction: number of the transaction, by which the server knows what became of it.
    """

    connection: Any
    arrivals: Arrivals
    notes: dict[str, str] | None
    own: bool = False
    first: int = 0
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
    def _block(self, begin: str) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """Take a connection and begin a snapshot or transaction; yield it with the row read first, and roll back what is left open."""
        connection = self.sessions.take()
        try:
            with store_errors(self.address):
                cursor = connection.execute(begin, prepare=False)
                cursor.nextset()
                row = cursor.fetchone()
            if row is None:
                raise ValueError("no row of arrivals")
            yield connection, row
        finally:
            self._local.turn = None
            self.sessions.give_back(connection)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state of the tables in the block, by this thread; in a transaction of its own what that has written."""
        if self._turn is not None:
            yield
            return
        with self._block(_READING) as (connection, (next, weighted, notes)):
            self._local.turn = _Turn(connection, Arrivals(next, weighted), notes or {})
            yield
            with store_errors(self.address):
                connection.execute("COMMIT")  # after a ROLLBACK the driver would prepare its statements anew

    @contextmanager
    def transaction(self) -> Iterator[RowWriter]:
        """Open a transaction for writing as soon as no other process writes; commit it at the end of the outermost block.

        Raises:
            ConnectionLostError: the connection went and nothing was committed.
            OutputError: nothing can be written; or the connection went while it was committed, and it cannot be known whether it was.
        """
        turn = self._turn
        if turn is not None:
            if not turn.own:
                raise RuntimeError("a snapshot is not written to")
            yield RowWriter(self)
            return
        with self._block(_WRITING) as (connection, (next, weighted, transaction)):
            turn = _Turn(connection, Arrivals(next, weighted), None, True, next, transaction)
            self._local.turn = turn
            try:
                yield RowWriter(self)
                self._commit(turn)
            except BaseException:
                self.settled(turn.first, turn.arrivals.next, False)
                raise
            self.settled(turn.first, turn.arrivals.next, True)

    def _commit(self, turn: _Turn) -> None:
        try:
            with store_errors(self.address):
                turn.connection.execute("COMMIT")
        except ConnectionLostError:
            if not self._was_committed(turn.transaction):
                raise

    def _was_committed(self, transaction: str) -> bool:
        """Return True if a transaction was committed although its connection was lost.

        Raises:
            OutputError: the server is not back in time.
        """
        from psycopg.errors import InvalidParameterValue

        end = clock.monotonic() + PATIENCE
        try:
            connection = self.sessions.connect_again()
            try:
                while clock.monotonic() < end:
                    with store_errors(self.address):
                        try:
                            row = connection.execute("SELECT pg_xact_status(%s::xid8)", (transaction,)).fetchone()
                        except (
                            InvalidParameterValue
                        ):  # a server that ended at once forgot that it had given the number away
                            return False
                    told = None if row is None else row[0]
                    if told != "in progress":
                        return bool(told == "committed")
                    clock.sleep(PAUSE)
            finally:
                self.sessions.give_back(connection)
        except ConnectionLostError as error:
            reason: BaseException | None = error
        else:
            reason = None
        raise OutputError(
            "{}: the connection was lost while documents were being stored, and some may not be stored: add all "
            "of them again; stored ones are skipped", self.address,
        ) from reason  # fmt: skip

    def once_more(self, call: Callable[[], Found]) -> Found:
        """Call a function and return its value; repeat it once if the connection is lost before anything is acknowledged."""
        try:
            return call()
        except ConnectionLostError:
            if self._turn is not None:
                raise
            self.sessions.give_back(self.sessions.connect_again())
            return call()

    def arrivals(self) -> Arrivals:
        """Return the arrival counters as this thread's transaction or snapshot sees them, else the current ones."""
        turn = self._turn
        return Arrivals(*self.select("SELECT next, weighted FROM arrivals")[0]) if turn is None else turn.arrivals

    def append_arrived(self, sql: str, values: Sequence[Any], arrivals: Arrivals) -> None:
        """Execute a statement that stores arrived documents, and store the arrival counters, in this thread's transaction."""
        turn = self._turn
        assert turn is not None
        self.execute(f"{sql} UPDATE arrivals SET next = ?, weighted = ?", *values, *arrivals)
        turn.arrivals = arrivals

    def note(self, name: str) -> str | None:
        """Return a note by its name; None if there is none."""
        turn = self._turn
        if turn is None:
            return super().note(name)
        if turn.notes is None:
            turn.notes = dict(self.select("SELECT name, value FROM notes"))
        return turn.notes.get(name)

    def execute(self, sql: str, *values: Any) -> None:
        """Execute a statement in this thread's transaction."""
        turn = self._turn
        assert turn is not None
        turn.notes = None if "notes" in sql else turn.notes
        with store_errors(self.address):
            turn.connection.execute(_with_markers(sql), values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute a statement for each row of values in this thread's transaction; rows that are all values are copied in."""
        some = list(rows)
        if not some:
            return
        assert self._turn is not None
        table = _ROWS_OF.fullmatch(sql)
        with store_errors(self.address), self._turn.connection.cursor() as cursor:
            if table is None or table[1] not in TYPES or len(some) <= FEW:
                kinds = TYPES.get(table[1], ()) if table else ()
                cursor.executemany(_with_markers(sql), [as_values(row, kinds) for row in some])
                return
            with cursor.copy(f"COPY {table[1]} FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(TYPES[table[1]])
                for row in some:
                    copy.write_row(row)

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
        if not len(numbers):
            return []
        from quchong.engines.index.shared.binary import Bigints

        return self.select(sql.replace("IN ({})", "= ANY(?)"), Bigints(np.array(numbers, np.int64)))

    def pairs_of(self, numbers: Sequence[int], *, differences: bool = True) -> list[StoredPair]:
        """Return the pairs with any of these documents on either side, each once, in the order in which a file of SQLite gives them.

        Args:
            differences: read their differences too; otherwise they are None.
        """
        if not len(numbers):
            return []
        from quchong.engines.index.shared.binary import Bigints

        columns = "*" if differences else "later, earlier, turned, relation, rule, measures, NULL, 0"
        asked, known = Bigints(np.array(numbers, np.int64)), set(numbers)
        rows = self.select(f"SELECT {columns} FROM pairs WHERE later = ANY(?) OR earlier = ANY(?)", asked, asked)
        rows.sort(key=lambda row: (0, row[0], row[1]) if row[0] in known else (1, row[1], row[0]))
        return [
            StoredPair(later, earlier, *rest) if turned else StoredPair(earlier, later, *rest)
            for later, earlier, turned, *rest, _ in rows
        ]

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


def as_values(row: Sequence[Any], kinds: Sequence[str]) -> Sequence[Any]:
    """Return a row as statement values, with JSON values wrapped by the column types `kinds`."""
    from psycopg.types.json import Json

    if "json" not in kinds:
        return row
    return [Json(one) if kind == "json" and one is not None else one for one, kind in zip(row, kinds, strict=True)]


@functools.lru_cache(256)
def _with_markers(sql: str) -> str:
    """Return a statement with `?` replaced by the driver's marker."""
    return sql.replace("%", "%%").replace("?", "%s")
