"""Index in PostgreSQL that any number of processes read and write at once, with the answers of one process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any

import pyarrow as pa

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.answers import Answer, BadDocument, Id, IndexStatistics
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.comparing import Comparer
from quchong.engines.index.contents import Contents
from quchong.engines.index.deleting import delete_documents, ids_before
from quchong.engines.index.drift import measured_drift
from quchong.engines.index.finder import Finder
from quchong.engines.index.first_stage import FirstStage
from quchong.engines.index.frame_teller import FrameTeller
from quchong.engines.index.settings import SETTINGS, Settings, checked_settings
from quchong.engines.index.shared.address import StoreAddress
from quchong.engines.index.shared.frozen_values import packed_values, unpacked_values
from quchong.engines.index.shared.schema import LAYOUT, SCHEMA
from quchong.engines.index.shared.sessions import Sessions, store_errors
from quchong.engines.index.shared.shared_documents import SharedDocuments
from quchong.engines.index.stored import signature_words
from quchong.errors import RunError, UsageError


def check_shared(settings: Settings) -> None:
    """Raise UsageError for settings that an index in a database cannot have."""
    if settings.shadow:
        raise UsageError("an index in PostgreSQL cannot have a shadow: create a separate index for the second method")
    if FirstStage.needed(settings.plan):
        raise UsageError(
            "method {} stores a filter in a file, which several processes cannot share: use confirm, or an index "
            "in a folder",
            settings.plan.method.name,
        )
    if settings.sync not in ("each", "none"):
        raise UsageError(
            "for an index in PostgreSQL, sync must be each or none, not {!r}: the server does not accept a time",
            settings.sync,
        )


def make_shared_index(
    address: StoreAddress, settings: Settings, statistics: FrozenStatistics, templates: FrameModels | None = None
) -> None:
    """Make the schema of an empty index, in one transaction.

    Raises:
        OutputError: it exists, or may not be made.
    """
    check_shared(settings)
    sessions = Sessions(address)
    connection = sessions.connect()
    try:
        with store_errors(address), connection.transaction():
            connection.execute(f"CREATE SCHEMA {address.schema}")
            for statement in SCHEMA:
                connection.execute(statement)
            with connection.cursor() as cursor:
                cursor.executemany(
                    "INSERT INTO frozen VALUES (%s, %s)", list(packed_values(settings, statistics, templates).items())
                )
    finally:
        connection.close()


def drop_shared_index(address: StoreAddress) -> None:
    """Remove the schema of an index with all its documents, in one transaction.

    Raises:
        QuchongError: it may not be removed, or the server cannot be reached.
    """
    connection = Sessions(address).connect()
    try:
        with store_errors(address), connection.transaction():
            connection.execute(f"DROP SCHEMA {address.schema} CASCADE")
    finally:
        connection.close()


class SharedIndex(Contents):
    """Index in a database that is open.

    Args:
        address: of the index.
        writable: False to refuse what would write.
        workers: threads.

    Raises:
        RunError: there is no such index, or no connection to the server.
    """

    has_tail = False
    catalogue: SharedDocuments

    def __init__(self, address: StoreAddress, *, writable: bool, workers: int | None = None) -> None:
        from quchong.engines.index.shared.shared_postings import SharedPostings

        self.address, self.writable, self.workers = address, writable, workers
        documents = SharedDocuments(address)
        try:
            stored = dict(documents.select("SELECT name, value FROM frozen"))
            if documents.note("layout") != LAYOUT or SETTINGS not in stored:
                raise RunError(
                    "{} was made by another version of quchong: export it with that version, and create it again",
                    address,
                )
            settings = checked_settings(json.loads(stored[SETTINGS]), address)
            statistics, templates = unpacked_values(stored)
            self.uncounted, self.statistics, self.templates = settings.plan.method, statistics, templates
            method = statistics.applied(settings.plan.method)
            settings = replace(settings, plan=replace(settings.plan, method=method, workers=workers))
            documents.sessions.synchronous = settings.sync != "none"
            documents.close()
            plan = settings.plan
            postings = SharedPostings(documents, signature_words(plan))
            teller = None if templates is None else FrameTeller(plan, templates, workers)
            comparer = Comparer(plan, statistics.headers, workers, settings.store == "text", teller)
            super().__init__(
                settings, documents, Finder(plan, documents, postings, comparer, workers, settings.store), workers
            )
        except BaseException:
            documents.close()
            raise
        self.lock = _Turns(self)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let this process write in the block, after all earlier commits and before all later ones."""
        with self.catalogue.transaction():
            yield

    @property
    def next(self) -> int:
        """Next arrival number: as the thread's transaction or snapshot sees it, else the current one."""
        return self.catalogue.arrivals().next

    @next.setter
    def next(self, number: int) -> None:
        """Do nothing: the number is written with what is appended to the postings."""

    def query(self, batch: pa.RecordBatch, *, passages: bool = False, first: int = 0) -> list[Answer]:
        """Return the answers about documents that are not added, all of one moment; they are not compared with each other."""
        return self.catalogue.once_more(lambda: Contents.query(self, batch, passages=passages, first=first))

    def matches(self, id: Id, *, passages: bool = False) -> Answer:
        """Return the relations of a document of the index to all others, as they are now, and its fate."""
        return self.catalogue.once_more(lambda: Contents.matches(self, id, passages=passages))

    def add_new(
        self, batch: pa.RecordBatch, *, passages: bool = False, arrived: Arrived | None = None
    ) -> tuple[pa.RecordBatch, list[Answer], list[BadDocument]]:
        """Add the documents of a batch whose ids the index lacks, in one transaction, see `Contents.add_new`.

        Texts are read and represented before other writers are kept waiting.
        """
        some = self.reader.arrived(batch) if arrived is None else arrived
        return self.catalogue.once_more(lambda: self._added(batch, some, passages))

    def _added(
        self, batch: pa.RecordBatch, arrived: Arrived, passages: bool
    ) -> tuple[pa.RecordBatch, list[Answer], list[BadDocument]]:
        with self.lock:
            fresh, known = self.without_known_ids(batch)
            if not len(fresh):
                return fresh, [], known
            some = arrived if len(fresh) == len(batch) else self.reader.arrived(fresh)
            if not self.next:
                self._check_columns(some)
            return fresh, self.add_arrived(some, passages=passages), known

    def delete(self, ids: Iterable[Id]) -> int:
        """Delete documents by id, in one transaction; return how many were there."""
        asked = list(ids)

        def deleted() -> int:
            with self.lock:
                return delete_documents(self, asked)[0]

        return self.catalogue.once_more(deleted)

    def expire(self, before: float) -> int:
        """Delete the documents whose time, or arrival if they have none, is before a moment; return how many there were."""
        count = 0
        while some := ids_before(self, before):
            count += self.delete(some)
        return count

    def compact(self) -> None:
        """Delete the postings of deleted documents; the server frees the space (autovacuum)."""
        with self.lock, self.catalogue.transaction() as writer:
            for table in ("postings", "sizes"):
                writer.execute(f"DELETE FROM {table} USING gone WHERE {table}.number = gone.number")
            freed = self.catalogue.count("SELECT count(*) FROM gone")
            writer.execute("DELETE FROM notes WHERE name = 'freed'")
            writer.execute("INSERT INTO notes VALUES ('freed', ?)", (str(freed),))

    def reload(self) -> None:
        """Do nothing: what a transaction has appended that failed is rolled back with it."""

    def figures(self) -> IndexStatistics:
        """Return the figures of the index."""
        with self.catalogue.snapshot():
            catalogue = self.catalogue
            drift = measured_drift(self, self.uncounted, self.statistics)
            parts = {"texts and catalogue": 0, "postings": 0, "statistics": 0}
            sizes = (
                "SELECT relname, pg_table_size(oid) + pg_indexes_size(oid) FROM pg_class "
                "WHERE relkind = 'r' AND relnamespace = ?::regnamespace"
            )
            for name, size in catalogue.select(sizes, self.address.schema):
                part = (
                    "statistics" if name == "frozen"
                    else "postings" if name.startswith(("postings", "sizes"))
                    else "texts and catalogue"
                )  # fmt: skip
                parts[part] += int(size)
            return IndexStatistics(
                documents=self.count(), kept=catalogue.count("SELECT count(*) FROM documents WHERE state = 0 AND id IS NOT NULL"),
                deleted=catalogue.count("SELECT count(*) FROM gone") - int(catalogue.note("freed") or 0),
                pairs=catalogue.count("SELECT count(*) FROM pairs"), bytes=parts, segments=0, unsealed=0, drift=drift.share,
                since=drift.since, settings=self.settings.describe(),
            )  # fmt: skip

    def close(self) -> None:
        """Close all connections."""
        self.catalogue.close()


class _Turns:
    """Lock of an index in a database, by threads and processes: each block is a transaction, or part of the one around it."""

    def __init__(self, index: SharedIndex) -> None:
        self._index, self._local = index, threading.local()

    def __enter__(self) -> None:
        turn = self._index.turn()
        turn.__enter__()
        self._local.open = [*getattr(self._local, "open", ()), turn]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Any:
        *self._local.open, turn = self._local.open
        return turn.__exit__(kind, error, trace)
