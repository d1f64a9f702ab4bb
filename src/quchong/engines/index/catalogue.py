"""Catalogue of an index: its documents, their relations and the list of segments, in one SQLite file.

The commit of a transaction is the acknowledgement: what is committed is there after the end of the process at any moment, and nothing is
there by half. Postings are made of what the catalogue has (`keys` for the newest documents, sealed segments for the others).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from quchong.errors import OutputError, RunError, reason_of

CATALOGUE = "catalogue.sqlite"
SCHEMA = (
    "CREATE TABLE documents (number INTEGER PRIMARY KEY, id ANY, high INTEGER NOT NULL, low INTEGER NOT NULL, scope INTEGER NOT NULL, "
    "same INTEGER NOT NULL, part INTEGER NOT NULL, tokens INTEGER NOT NULL, singles INTEGER NOT NULL, marks INTEGER NOT NULL, "
    "time REAL, added REAL NOT NULL, state INTEGER NOT NULL, survivor INTEGER, relation INTEGER, rule TEXT, columns TEXT NOT NULL, "
    "size INTEGER NOT NULL, text BLOB) STRICT",
    "CREATE INDEX by_same ON documents (same) WHERE same != number",
    "CREATE INDEX by_part ON documents (part) WHERE part != number",
    "CREATE INDEX kept_of_same ON documents (same) WHERE same != number AND state = 0",
    "CREATE INDEX kept_of_part ON documents (part) WHERE part != number AND state = 0",
    "CREATE INDEX by_survivor ON documents (survivor) WHERE survivor IS NOT NULL",
    "CREATE TABLE pairs (later INTEGER NOT NULL, earlier INTEGER NOT NULL, turned INTEGER NOT NULL, relation INTEGER NOT NULL, "
    "rule TEXT NOT NULL, measures BLOB NOT NULL, differences TEXT, PRIMARY KEY (later, earlier)) STRICT, WITHOUT ROWID",
    "CREATE INDEX by_earlier ON pairs (earlier)",
    "CREATE TABLE keys (number INTEGER PRIMARY KEY, represented BLOB NOT NULL) STRICT",
    "CREATE INDEX by_age ON documents (coalesce(time, added))",
    "CREATE TABLE gone (number INTEGER PRIMARY KEY) STRICT",
    "CREATE TABLE segments (place INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT",
    "CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
"""Statements that make the tables. A file with other tables, or with any trigger or view, is refused.

Documents have no index by id or digest: in a B-tree each value of chance costs a page, so that adding would slow down as the index grows
(docs/decisions/0187). They are found by keys of their own among the postings (`quchong.engines.index.finder`).
"""
KEPT, REMOVED, GHOST = 0, 1, 2
"""States of a document; a ghost was deleted, and its text stays because equal documents are found by it."""
FORWARD, EDITED, COMPRESSED, UNSCORED = 1, 2, 4, 8
"""Marks of a document: it quotes another one; preparation changed its text; its stored text is compressed; it is not compared."""
CACHE_KILOBYTES, PAGE = 16 << 10, 16 << 10
_AT_ONCE = (1, 4, 16, 64, 256)
"""Numbers of documents that one statement asks for."""


class Row(NamedTuple):
    """Document in the catalogue; the fields are the columns of its table."""

    number: int
    id: str | int | None
    high: int
    low: int
    scope: int
    same: int
    part: int
    tokens: int
    singles: int
    marks: int
    time: float | None
    added: float
    state: int
    survivor: int | None
    relation: int | None
    rule: str | None
    columns: str
    size: int
    text: bytes | None


class StoredPair(NamedTuple):
    """Pair of documents with a relation, of which the left one has the smaller id."""

    left: int
    right: int
    relation: int
    rule: str
    measures: bytes
    differences: str | None

    @staticmethod
    def of_row(row: tuple[Any, ...]) -> StoredPair:
        """Return the pair of a row of its table, in which the later document comes first, and `turned` says that it is the left one."""
        later, earlier, turned, *rest = row
        return StoredPair(later, earlier, *rest) if turned else StoredPair(earlier, later, *rest)

    def row(self) -> tuple[Any, ...]:
        """Return the row of its table."""
        return (max(self[:2]), min(self[:2]), int(self.left > self.right), *self[2:])


class Catalogue:
    """Catalogue of an index, opened for reading by any thread, and for writing by one at a time.

    Args:
        folder: folder of the file.
        writable: open it for writing too; then nobody else may write.
        durable: flush every transaction to the disk before it is acknowledged; otherwise a power cut may take the newest ones, whole.
        make: make the file.

    Raises:
        RunError: the file is missing, damaged, or has other tables than an index.
    """

    def __init__(self, folder: Path, *, writable: bool, durable: bool = True, make: bool = False) -> None:
        self.path = folder / CATALOGUE
        self._lost: weakref.finalize | None = None  # type: ignore[type-arg]
        self._mode = "ro"
        if not writable:
            self._prepare_reading()
        self._local, self._opened = threading.local(), list[sqlite3.Connection]()
        self._writer: sqlite3.Connection | None = None
        with self._errors():
            if writable:
                self._writer = self._connect("rwc" if make else "rw")
                if make:
                    self._writer.execute(f"PRAGMA page_size={PAGE}")
                    self._writer.execute("PRAGMA auto_vacuum=INCREMENTAL")
                self._writer.execute("PRAGMA journal_mode=WAL")
                self._writer.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
                if make:
                    with self.transaction() as writer:
                        for statement in SCHEMA:
                            writer.execute(statement)
            self._check()

    def _prepare_reading(self) -> None:
        """Choose how the file is read without anything being written beside it: as it is; or as a copy, if its last writer was stopped."""
        log, shared = (self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))
        if not log.exists() or not log.stat().st_size:
            self._mode = "ro&immutable=1"
        elif not shared.exists():
            copies = Path(tempfile.mkdtemp(prefix="quchong-"))
            self._lost = weakref.finalize(self, shutil.rmtree, copies, ignore_errors=True)
            for one in (self.path, log):
                shutil.copyfile(one, copies / one.name, follow_symlinks=False)
            self.path = copies / CATALOGUE

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        made = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=60)
        made.execute("PRAGMA trusted_schema=OFF")
        made.execute("PRAGMA cell_size_check=ON")
        made.execute("PRAGMA mmap_size=0")
        made.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
        self._opened.append(made)
        return made

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors of SQLite as those of a damaged file, or of a disk that is full."""
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "") or ""
            if name.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")):
                raise OutputError("{} cannot be written: {}; nothing was added", self.path, reason_of(error)) from error
            raise RunError("{} cannot be read: {}; see quchong index verify", self.path, reason_of(error)) from error

    def _check(self) -> None:
        """Raise RunError if the file has other tables than those of an index."""
        found = self.reader.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
        if [sql for (sql,) in found] != list(SCHEMA):
            raise RunError("{} has other tables than an index, and is not read", self.path)

    @property
    def reader(self) -> sqlite3.Connection:
        """Connection of this thread for reading."""
        known: sqlite3.Connection | None = getattr(self._local, "reader", None)
        if known is None:
            known = self._local.reader = self._connect(self._mode)
        return known

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Return the connection for writing; all that is written in the block is committed at its end, or nothing after an error."""
        assert self._writer is not None
        writer = self._writer
        with self._errors():
            writer.execute("BEGIN IMMEDIATE")
            before = getattr(self._local, "reader", None)
            self._local.reader = writer  # what this thread reads meanwhile includes what it has written
            try:
                yield writer
                writer.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    writer.execute("ROLLBACK")
                raise
            finally:
                self._local.reader = before

    def flush(self) -> None:
        """Flush the log of the newest transactions to the disk."""
        log = self.path.with_name(self.path.name + "-wal")
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(log, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def select(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query, read by the connection of this thread."""
        with self._errors():
            return self.reader.execute(sql, values).fetchall()

    def select_in(self, sql: str, numbers: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with `{}` in place of the list of `numbers`; the order of rows is undefined."""
        out: list[tuple[Any, ...]] = []
        start = 0
        while start < len(numbers):
            size = next((size for size in _AT_ONCE if size >= len(numbers) - start), _AT_ONCE[-1])
            some = list(numbers[start : start + size])
            some += [some[-1]] * (size - len(some))
            out += self.select(sql.format(",".join("?" * size)), *some)
            start += size
        return out

    def rows(self, numbers: Sequence[int]) -> dict[int, Row]:
        """Return the documents with these numbers, by number; those that are not there are left out."""
        return {row[0]: Row(*row) for row in self.select_in("SELECT * FROM documents WHERE number IN ({})", numbers)}

    def pairs_of(self, numbers: Sequence[int]) -> list[StoredPair]:
        """Return the pairs with any of these documents on either side, each once."""
        found = {
            row[:2]: StoredPair.of_row(row)
            for side in ("later", "earlier")
            for row in self.select_in(f"SELECT * FROM pairs WHERE {side} IN ({{}})", numbers)
        }
        return list(found.values())

    def count(self, sql: str, *values: Any) -> int:
        """Return the one number that a query gives, 0 if it gives none."""
        found = self.select(sql, *values)
        return int(found[0][0] or 0) if found else 0

    def note(self, name: str) -> str | None:
        """Return a note by its name; None if there is none."""
        found = self.select("SELECT value FROM notes WHERE name = ?", name)
        return found[0][0] if found else None

    def shrink(self) -> None:
        """Give the place of deleted rows back to the system, and move the log into the file."""
        assert self._writer is not None
        with self._errors():
            self._writer.execute("PRAGMA incremental_vacuum").fetchall()
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close all connections; a writer moves its log into the file before."""
        if self._writer is not None:
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for connection in reversed(self._opened):
            connection.close()
        self._opened.clear()
        if self._lost is not None:
            self._lost()
