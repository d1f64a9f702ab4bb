"""Catalogue of an index: its documents, their relations and the list of segments, in one SQLite file.

The commit of a transaction is the acknowledgement: what is committed is there after the end of the process at any moment, and nothing is
there by half. Postings are made of what the catalogue has (`keys` for the newest documents, sealed segments for the others).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import tempfile
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from quchong.engines.index.document_store import (
    TEXT,
    WITHOUT_DIFFERENCES,
    DocumentStore,
    Fate,
    Row,
    StoredPair,
    Writer,
    fate_sum,
    pairs_of_rows,
)
from quchong.errors import OutputError, RunError, reason_of
from quchong.languages import Message
from quchong.outputs import is_hollow

CATALOGUE = "catalogue.sqlite"
SCHEMA = (
    "CREATE TABLE documents (number INTEGER PRIMARY KEY, id ANY, high INTEGER NOT NULL, low INTEGER NOT NULL, scope INTEGER NOT NULL, "
    "same INTEGER NOT NULL, part INTEGER NOT NULL, tokens INTEGER NOT NULL, singles INTEGER NOT NULL, marks INTEGER NOT NULL, "
    "time REAL, added REAL NOT NULL, state INTEGER NOT NULL, survivor INTEGER, relation INTEGER, rule TEXT, columns TEXT NOT NULL, "
    "size INTEGER NOT NULL, text BLOB, own_sum INTEGER NOT NULL, fate_sum INTEGER NOT NULL) STRICT",
    "CREATE INDEX by_same ON documents (same) WHERE same != number",
    "CREATE INDEX by_part ON documents (part) WHERE part != number",
    "CREATE INDEX kept_of_same ON documents (same) WHERE same != number AND state = 0",
    "CREATE INDEX kept_of_part ON documents (part) WHERE part != number AND state = 0",
    "CREATE INDEX by_survivor ON documents (survivor) WHERE survivor IS NOT NULL",
    "CREATE TABLE pairs (later INTEGER NOT NULL, earlier INTEGER NOT NULL, turned INTEGER NOT NULL, relation INTEGER NOT NULL, "
    "rule TEXT NOT NULL, measures BLOB NOT NULL, differences BLOB, own_sum INTEGER NOT NULL, PRIMARY KEY (later, earlier)) "
    "STRICT, WITHOUT ROWID",
    "CREATE INDEX by_earlier ON pairs (earlier)",
    "CREATE TABLE keys (number INTEGER PRIMARY KEY, represented BLOB NOT NULL, own_sum INTEGER NOT NULL) STRICT",
    "CREATE INDEX by_age ON documents (coalesce(time, added))",
    "CREATE TABLE gone (number INTEGER PRIMARY KEY) STRICT",
    "CREATE TABLE segments (place INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT",
    "CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
"""Statements that make the tables. A file with other tables, or with any trigger or view, is refused.

Documents have no index by id or digest: in a B-tree each value of chance costs a page, so that adding would slow down as the index grows
(docs/decisions/0187). They are found by keys of their own among the postings (`quchong.engines.index.finder`).
"""
CACHE_KILOBYTES, PAGE = 16 << 10, 16 << 10
_REOPENINGS = 3
_AT_ONCE = (1, 4, 16, 64, 256)
"""Numbers of documents that one statement asks for."""


MOST_REMEMBERED = 4_096
"""Most documents that a snapshot remembers as they were read."""
MOST_WHILE_ADDED = 32_768
"""Most documents that are remembered while a batch is added: its own, and those that they meet."""


class UnreadableCatalogue(RunError):
    """Error: the file of a catalogue cannot be read.

    Args:
        path: of the file.
        reason: why, without the place.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(Message("{} cannot be read: {}; see quchong index verify", path, reason))
        self.path, self.reason = path, reason

    def __reduce__(self) -> tuple[type[UnreadableCatalogue], tuple[Path, str]]:
        return UnreadableCatalogue, (self.path, self.reason)


@lru_cache(256)
def _listing_sql(sql: str, count: int) -> str:
    """Return a query in which `{0}` or `{}` is replaced by a list of `count` parameter markers."""
    return sql.format(",".join(f"?{k}" for k in range(1, count + 1)))


def _padded(numbers: Sequence[Any]) -> list[Any]:
    """Return the numbers padded with the last one, so that their count is one for which a prepared statement exists."""
    size = next(size for size in _AT_ONCE if size >= len(numbers))
    return [*numbers, *([numbers[-1]] * (size - len(numbers)))]


class Catalogue(DocumentStore):
    """Catalogue of an index, opened for reading by any thread, and for writing by one at a time.

    Args:
        folder: folder of the file.
        writable: open it for writing too; then nobody else may write.
        durable: flush every transaction to the disk before it is acknowledged; otherwise a power cut may take the newest ones, whole.
        make: make the file.
        check: refuse a file with other tables than those of an index.
        is_written: returns True if a process has the index open for writing, or may have.

    Raises:
        RunError: the file is missing, damaged, or has other tables than an index.
    """

    def __init__(
        self, folder: Path, *, writable: bool, durable: bool = True, make: bool = False, check: bool = True,
        is_written: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self.path = self._file = folder / CATALOGUE
        self._log = self._file.with_name(f"{CATALOGUE}-wal")
        self.is_written = is_written
        self._lost: weakref.finalize | None = None  # type: ignore[type-arg]
        self._mode, self._copied, self._seen = "ro", False, (0, 0)
        self._local, self._opened, self._opening = threading.local(), list[sqlite3.Connection](), threading.Lock()
        self._epoch = 0
        self._writer: sqlite3.Connection | None = None
        if not make:
            self._check_files()
        if not writable:
            self._prepare_reading()
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
            if check:
                self._check()

    def _check_files(self) -> None:
        """Raise RunError if the file is missing, or it or a file beside it is a link or no regular file."""
        for end in ("", "-wal", "-shm"):
            path = self._file.with_name(CATALOGUE + end)
            try:
                about = path.lstat()
            except OSError as error:
                if end and isinstance(error, FileNotFoundError):
                    continue
                raise UnreadableCatalogue(path, reason_of(error)) from error
            if not stat.S_ISREG(about.st_mode) or is_hollow(about):
                raise RunError("{} is not read, because it is a link, or not a file of an index", path)

    def _prepare_reading(self) -> None:
        """Choose how the file is read so that SQLite writes no file next to it.

        As it is, as long as nobody writes. Together with its log and the table of the log, as any reader of SQLite, if a process writes.
        With its log alone, if the last writer was stopped; as a copy, if the table of the log is missing then.
        """
        self._seen = self._signature()
        log, shared = (self._file.with_name(CATALOGUE + end) for end in ("-wal", "-shm"))
        if shared.exists() and log.exists() and self.is_written():
            self._mode = "ro"
        elif not self._seen[1]:
            self._mode = "ro&immutable=1"
        elif shared.exists() and self._is_readable("ro&readonly_shm=1"):
            self._mode = "ro&readonly_shm=1"
        else:
            copies = Path(tempfile.mkdtemp(prefix="quchong-"))
            self._lost = weakref.finalize(self, shutil.rmtree, copies, ignore_errors=True)
            for one in (self._file, log):
                shutil.copyfile(one, copies / one.name, follow_symlinks=False)
            self.path, self._mode, self._copied = copies / CATALOGUE, "ro", True

    def _is_readable(self, mode: str) -> bool:
        """Return True if SQLite can read the file in `mode`; it cannot if the log has no complete transaction."""
        with contextlib.closing(sqlite3.connect(f"{self._file.absolute().as_uri()}?mode={mode}", uri=True)) as tried:
            try:
                tried.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            except sqlite3.Error:
                return False
        return True

    def _signature(self) -> tuple[int, int]:
        """Return the modification time of the catalogue file and the size of its log."""
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError:
            changed = 0
        try:
            return changed, self._log.stat().st_size
        except OSError:
            return changed, 0

    def is_changed(self) -> bool:
        """Return True if another process began to write after this catalogue was opened as a file that nobody writes."""
        return self._mode not in ("ro", "rw") and self._signature() != self._seen

    def version(self) -> Hashable:
        """Return a value that differs from that of an earlier call by this thread if another connection has committed something between.

        Equal values of one thread mean that it would read what it could read then. It costs less than any query.
        """
        with self._errors():
            if self.is_changed():
                self._reopen()
            (seen,) = self.reader.execute("PRAGMA data_version").fetchone()
        return self._epoch, self._seen, seen

    @property
    def in_transaction(self) -> bool:
        """True if this thread is in a transaction of its own, which may be rolled back yet."""
        return self._writer is not None and getattr(self._local, "reader", None) is self._writer

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let this thread read one unchanging state of the catalogue in the block; inside its own transaction it sees its own writes."""
        if getattr(self._local, "fixed", False) or self.in_transaction:
            yield
            return
        with self._errors():
            if self.is_changed():
                self._reopen()
            reader = self.reader
            reader.execute("BEGIN")
        self._local.fixed, self._local.read = True, ({}, {})
        try:
            yield
        finally:
            self._local.fixed, self._local.read = False, None
            with contextlib.suppress(sqlite3.Error):
                reader.execute("COMMIT")

    def _reopen(self) -> None:
        """Open the catalogue file again; connections of other threads are replaced at their next use."""
        with self._opening:
            self._prepare_reading()
            self._epoch += 1

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        made = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=60)
        made.execute("PRAGMA trusted_schema=OFF")
        made.execute("PRAGMA cell_size_check=ON")
        made.execute("PRAGMA mmap_size=0")
        made.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
        with self._opening:
            self._opened.append(made)
        return made

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors of SQLite in the block as our errors: damaged file, or full disk."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._raised(error) from error

    def _raised(self, error: sqlite3.Error) -> OutputError | RunError:
        """Return our error for an error of SQLite: OutputError for a full disk, RunError for a damaged file."""
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith("SQLITE_READONLY"):
            return OutputError(
                "{} cannot be written: {}; nothing was changed. To change the index, you need permission to "
                "write there; without it, you can still query the index",
                self.path,
                reason_of(error),
            )
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            return OutputError(
                "{} cannot be written: {}; nothing was changed. If the disk is full, make room on it; "
                "meanwhile, you can still query the index",
                self.path,
                reason_of(error),
            )
        return UnreadableCatalogue(self.path, reason_of(error))

    def _check(self) -> None:
        """Raise RunError if the file has other tables than those of an index."""
        found = self.reader.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql").fetchall()
        if [sql for (sql,) in found] != sorted(SCHEMA):
            raise RunError("{} is not read, because it does not have the tables of an index", self.path)

    @property
    def reader(self) -> sqlite3.Connection:
        """Connection of this thread for reading."""
        known: sqlite3.Connection | None = getattr(self._local, "reader", None)
        if known is None or getattr(self._local, "epoch", 0) != self._epoch:
            self._local.epoch = self._epoch
            known = self._local.reader = self._connect(self._mode)
        return known

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for writing; the block is committed at its end, or rolled back after an error."""
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
        if self._mode == "ro" or self._writer is not None or getattr(self._local, "fixed", False):
            try:  # as `_errors` does, in a third of its time: a question has ten statements
                return self.reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise self._raised(error) from error
        with self._errors():
            for _ in range(_REOPENINGS):
                try:
                    found = self.reader.execute(sql, values).fetchall()
                except sqlite3.Error:
                    if not self.is_changed():
                        raise
                else:
                    if not self.is_changed():
                        return found
                self._reopen()
            return self.reader.execute(sql, values).fetchall()

    def select_in(self, sql: str, numbers: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with `{0}` in place of the list of `numbers`; the order of rows is undefined.

        A query that has it twice gets at most 256 numbers, as both lists are the same part of them.
        """
        out: list[tuple[Any, ...]] = []
        start = 0
        while start < len(numbers):
            some = _padded(numbers[start : start + _AT_ONCE[-1]])
            size = len(some)
            out += self.select(_listing_sql(sql, size), *some)
            start += size
        return out

    def rows(self, numbers: Sequence[int], *, texts: bool = True) -> dict[int, Row]:
        """See `DocumentStore.rows`; a document is read once in a snapshot, and has its text from then on if it was asked for.

        The documents of one question are asked for again and again: as equals, as candidates, as matches, as those that decide.
        """
        read: tuple[dict[int, Row], dict[int, Row]] | None = getattr(self._local, "read", None)
        adding = getattr(self._local, "adding", False)
        if read is None or (self.in_transaction and not adding):
            return super().rows(numbers, texts=texts)
        most = MOST_WHILE_ADDED if adding else MOST_REMEMBERED
        whole, bare = read
        missing = [number for number in numbers if number not in whole and (texts or number not in bare)]
        if len(missing) > most:
            return super().rows(numbers, texts=texts)
        if missing:
            if len(whole) + len(bare) + len(missing) > most:
                whole.clear()
                bare.clear()
                missing = list(numbers)
            (whole if texts else bare).update(super().rows(missing, texts=texts))
        found: dict[int, Row] = {}
        for number in numbers:
            row = whole.get(number)
            if row is None and not texts:
                row = bare.get(number)
            if row is not None:
                found[number] = row
        return found

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """Cache documents inside the block, see `DocumentStore.remembering`."""
        self._local.read, self._local.adding = ({}, {}), True
        try:
            yield
        finally:
            self._local.read, self._local.adding = None, False

    def add_rows(self, writer: Writer, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert rows, see `DocumentStore.add_rows`; they are cached without their texts."""
        super().add_rows(writer, rows)
        if getattr(self._local, "adding", False):
            bare = self._local.read[1]
            for row in rows:
                bare[row[0]] = Row._make((*row[:TEXT], None, *row[TEXT + 1 :]))

    def write_fates(self, writer: Writer, changes: Sequence[Fate]) -> None:
        """Write fates, see `DocumentStore.write_fates`; cached documents are updated."""
        super().write_fates(writer, changes)
        for known in self._local.read if getattr(self._local, "adding", False) else ():
            for state, survivor, relation, rule, number in changes:
                if (row := known.get(number)) is not None:
                    decided = fate_sum(number, state, survivor, relation, rule)
                    known[number] = row._replace(
                        state=state, survivor=survivor, relation=relation, rule=rule, fate_sum=decided
                    )

    def _pair_rows(
        self, columns: str, numbers: Sequence[int], most: int | None = None
    ) -> tuple[list[tuple[Any, ...]], bool]:
        """Return the rows of pairs, see `DocumentStore._pair_rows`; a pair of two asked documents is read once.

        Nearly all pairs of the documents of a family are such.
        """
        if not 0 < len(numbers) <= _AT_ONCE[-1]:
            return super()._pair_rows(columns, numbers, most)
        some = _padded(numbers)
        limit = -1 if most is None else most + 1  # a value of its own, so that the statement is the same one
        found: list[tuple[Any, ...]] = []
        for side in ("later IN ({0})", "earlier IN ({0}) AND +later NOT IN ({0})"):
            rows = self.select(
                _listing_sql(f"SELECT {columns} FROM pairs WHERE {side} LIMIT ?", len(some)), *some, limit
            )
            found += rows
            if len(rows) == limit:
                return found, False
        return found, True

    def pairs_among(self, numbers: Sequence[int]) -> list[StoredPair]:
        """Return the pairs among documents, see `DocumentStore.pairs_among`; for few documents only those pairs are read."""
        if len(numbers) > _AT_ONCE[-1]:
            return super().pairs_among(numbers)
        sql = f"SELECT {WITHOUT_DIFFERENCES} FROM pairs WHERE later IN ({{0}}) AND +earlier IN ({{0}})"
        return pairs_of_rows(self.select_in(sql, numbers))

    def text_ids(self) -> int:
        """Return how many ids are texts; the others are whole numbers."""
        return self.count("SELECT count(*) FROM documents WHERE typeof(id) = 'text'")

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
