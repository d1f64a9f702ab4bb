"""Folder of an index: made, opened by one process for writing or by any for reading, kept in order, and closed."""

from __future__ import annotations

import contextlib
import json
import threading
import time as clock
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from quchong.candidates.arrivals import can_arrive
from quchong.candidates.postings import Represented
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.answers import Answer, Id, IndexStatistics
from quchong.engines.index.catalogue import CATALOGUE, GHOST, Catalogue, Row
from quchong.engines.index.comparing import Comparer
from quchong.engines.index.contents import Contents
from quchong.engines.index.finder import Finder, Placed
from quchong.engines.index.kept_keys import pack_keys, unpack_keys
from quchong.engines.index.segment_file import SegmentRecord
from quchong.engines.index.segments import SegmentPostings
from quchong.engines.index.settings import SETTINGS, Settings, read_settings
from quchong.errors import OutputError, RunError, UsageError, reason_of
from quchong.outputs import OwnFolder
from quchong.outputs.owner import lock
from quchong.plan.plan import Plan
from quchong.seam import HammingJoin
from quchong.work import Damaged

STATISTICS = "statistics"
SEAL_DOCUMENTS = 1 << 14
"""Documents of the tail from which on it is sealed."""
_TRIES, _PAUSE = 40, 0.025


def make_index(folder: Path, settings: Settings, statistics: FrozenStatistics) -> None:
    """Make the folder of an empty index.

    Raises:
        OutputError: it exists, or cannot be made.
    """
    try:
        root = OwnFolder.made(folder)
    except FileExistsError:
        raise OutputError("{} exists already: an index is made in a new folder", folder) from None
    except OSError as error:
        raise OutputError("{} cannot be made: {}", folder, reason_of(error)) from error
    inner = OwnFolder.made(folder / settings.generation)
    statistics.save(inner, STATISTICS)
    made = Catalogue(inner.path, writable=True, make=True)
    made.close()
    settings.save(root)


class StoredIndex(Contents):
    """Index in a folder that is open.

    Args:
        folder: folder of the index.
        writable: open it for writing; one process may.
        workers: threads.

    Raises:
        RunError: the folder is no index, or is damaged.
        OutputError: another process writes to it.
    """

    def __init__(self, folder: Path, *, writable: bool, workers: int | None = None) -> None:
        self.folder, self.writable = folder, writable
        settings = read_settings(folder)
        self._lock_file = self._locked() if writable else None
        try:
            settings = read_settings(folder)
            inner = folder / settings.generation
            self._inner = OwnFolder.open_path(inner)
            statistics = FrozenStatistics.load(self._inner, STATISTICS)
            method = statistics.applied(settings.plan.method)
            settings = replace(settings, plan=replace(settings.plan, method=method, workers=workers))
            seconds = settings.sync_seconds
            catalogue = Catalogue(inner, writable=writable, durable=seconds == 0)
            self._words = signature_words(settings.plan)
            postings = self._opened_postings(catalogue)
        except (Damaged, OSError) as error:
            raise RunError("{} is damaged: {}; see quchong index verify", folder, reason_of(error)) from error
        finder = Finder(settings.plan, catalogue, postings, Comparer(settings.plan, statistics.headers, workers), workers)
        super().__init__(settings, catalogue, finder, workers)
        self._append_tail(postings)
        self._tidying: Future[None] | None = None
        self._threads = ThreadPoolExecutor(1, "quchong-index") if writable else None
        self._flushing = threading.Event()
        self._flusher = self._started_flusher(seconds) if writable and seconds else None

    @property
    def postings(self) -> SegmentPostings:
        """Postings of all documents."""
        found = self.finder.postings
        assert isinstance(found, SegmentPostings)
        return found

    def _locked(self) -> BinaryIO:
        """Return the file of settings, locked until it is closed.

        Raises:
            OutputError: another process has it.
        """
        file = (self.folder / SETTINGS).open("rb")
        for _ in range(_TRIES):
            if lock(file.fileno()) is not False:
                return file
            clock.sleep(_PAUSE)
        file.close()
        raise OutputError("{} is open for writing in another process: wait for it, or open it read-only", self.folder)

    def _opened_postings(self, catalogue: Catalogue) -> SegmentPostings:
        records = [SegmentRecord(*json.loads(told)) for (told,) in catalogue.select("SELECT record FROM segments ORDER BY place")]
        return SegmentPostings(self._inner, records, words=self._words, writable=self.writable)

    def _append_tail(self, postings: SegmentPostings) -> None:
        """Append the documents that no segment has yet, and mark those that were deleted."""
        start = postings.sealed
        while start < self.next:
            end = min(self.next, start + 4096)
            rows = [Row(*row) for row in self.catalogue.select("SELECT * FROM documents WHERE number >= ? AND number < ?", start, end)]
            postings.append(self._represented_again(rows, start, end))
            start = end
        gone = [number for (number,) in self.catalogue.select("SELECT number FROM gone WHERE number < ?", self.next)]
        if gone:
            postings.mark_gone(np.array(gone, np.int64))

    def _represented_again(self, rows: Sequence[Row], start: int, end: int) -> Represented:
        """Return stored documents as they were added to postings; numbers without a document have no keys."""
        if self.settings.store != "text":
            kept = dict(self.catalogue.select("SELECT number, represented FROM keys WHERE number >= ? AND number < ?", start, end))
            return unpack_keys([kept.get(number) for number in range(start, end)], self._words)
        arrived = self.reader.arrived(self._batch_of(rows))
        placed = Placed([row.number for row in rows], [row.same for row in rows], [row.part for row in rows])
        ids = [f"gone {row.number}" if row.id is None else row.id for row in rows]
        arrived = replace(arrived, ids=list(ids), scope=np.array([row.scope for row in rows], np.int64))
        known = self.finder.to_add(arrived, placed, self.finder.to_ask(arrived, placed))
        if len(rows) == end - start:
            return known
        blobs: list[bytes | None] = [None] * (end - start)
        for row, blob in zip(rows, pack_keys(known), strict=True):
            blobs[row.number - start] = blob
        return unpack_keys(blobs, self._words)

    def reload(self) -> None:
        """Make the postings anew from the catalogue, after documents that were appended to them could not be stored."""
        postings = self._opened_postings(self.catalogue)
        self._append_tail(postings)
        self.finder.postings = postings

    def add(self, batch: pa.RecordBatch, *, passages: bool = False) -> list[Answer]:
        """Add documents, see `Contents.add`; the tail is sealed in the background once it is long."""
        answers = super().add(batch, passages=passages)
        if len(self.postings) - self.postings.sealed >= SEAL_DOCUMENTS and (self._tidying is None or self._tidying.done()):
            if self._tidying is not None:
                self._tidying.result()
            assert self._threads is not None
            self._tidying = self._threads.submit(self.tidy)
        return answers

    def tidy(self) -> None:
        """Seal the tail and merge segments that are due; the catalogue lists a segment before the files that it replaces are removed."""
        postings = self.postings
        if postings.seal() is not None:
            self._list_segments(postings)
        while due := postings.merge_due():
            postings.merge(due)
            self._list_segments(postings)

    def _list_segments(self, postings: SegmentPostings) -> None:
        records = postings.records
        with self.lock, self.catalogue.transaction() as writer:
            writer.execute("DELETE FROM segments")
            writer.executemany("INSERT INTO segments VALUES (?, ?)", [(i, json.dumps(one)) for i, one in enumerate(records)])
            writer.execute("DELETE FROM keys WHERE number < ?", (postings.sealed,))
        for name in postings.unlisted():
            self._inner.remove(name)

    def _started_flusher(self, seconds: float | None) -> threading.Thread:
        def flush() -> None:
            while not self._flushing.wait(seconds):
                self.catalogue.flush()

        made = threading.Thread(target=flush, name="quchong-index-flush", daemon=True)
        made.start()
        return made

    def close(self) -> None:
        """Wait for what goes on in the background, flush, and close all files."""
        if self._threads is not None:
            self._threads.shutdown(wait=True)
        self._flushing.set()
        if self._flusher is not None:
            self._flusher.join()
        self.catalogue.close()
        self._inner.close()
        if self._lock_file is not None:
            self._lock_file.close()

    # Deleting.

    def delete(self, ids: Iterable[Id]) -> int:
        """Delete documents by id, in one transaction; return how many were there."""
        with self.lock:
            gone: list[int] = []
            followers: set[int] = set()
            count = 0
            asked = list(dict.fromkeys(ids))
            there = self.finder.numbers_of(asked)
            with self.catalogue.transaction() as writer:
                for id in asked:
                    number = there.get(id)
                    if number is None:
                        continue
                    count += 1
                    followers |= {n for (n,) in self.catalogue.select("SELECT number FROM documents WHERE survivor = ? LIMIT 2000", number)}
                    gone += self._delete_one(writer, self.catalogue.rows([number])[number])
                writer.executemany("INSERT OR IGNORE INTO gone VALUES (?)", [(number,) for number in gone])
                self.fates.decide(writer, sorted(followers.difference(gone)))
            if gone:
                self.postings.mark_gone(np.array(gone, np.int64))
            return count

    def _delete_one(self, writer: Any, row: Row) -> list[int]:
        """Delete a document; return the numbers that have no document any more."""
        copies = "SELECT 1 FROM documents WHERE ({0} = ? AND {0} != number) LIMIT 1"
        if any(self.catalogue.select(copies.format(column), row.number) for column in ("same", "part")):
            # Equal documents are found by its keys and compared by its text: it stays for them, without its id and columns.
            writer.execute(
                "UPDATE documents SET id = NULL, state = ?, survivor = NULL, relation = NULL, rule = NULL WHERE number = ?",
                (GHOST, row.number),
            )
            return []
        gone = [row.number]
        writer.execute("DELETE FROM documents WHERE number = ?", (row.number,))
        writer.execute("DELETE FROM pairs WHERE later = ? OR earlier = ?", (row.number, row.number))
        writer.execute("DELETE FROM keys WHERE number = ?", (row.number,))
        for first in {row.same, row.part} - {row.number}:
            known = self.catalogue.rows([first]).get(first)
            if known is not None and known.state == GHOST:
                gone += self._delete_one(writer, known)
        return gone

    def expire(self, before: float) -> int:
        """Delete the documents whose time, or arrival if they have none, is before a moment; return how many there were."""
        count = 0
        while some := [id for (id,) in self.catalogue.select(
            "SELECT id FROM documents WHERE coalesce(time, added) < ? AND id IS NOT NULL LIMIT 1000", before
        )]:  # fmt: skip
            count += self.delete(some)
        return count


    def compact(self) -> None:
        """Seal the tail, write all segments as one without deleted documents, and give the place of deleted rows back to the system."""
        if self._tidying is not None:
            self._tidying.result()
        postings = self.postings
        postings.seal()
        self._list_segments(postings)
        if postings.records:
            postings.merge(postings.records)
            self._list_segments(postings)
        with self.lock:
            self.catalogue.shrink()

    def figures(self) -> IndexStatistics:
        """Return the figures of the index."""
        sizes = {"texts and catalogue": 0, "postings": 0, "statistics": 0}
        for name in self._inner.names():
            part = "texts and catalogue" if name.startswith(CATALOGUE) else "statistics" if name == STATISTICS else "postings"
            with contextlib.suppress(OSError):
                sizes[part] += (self._inner.path / name).stat().st_size
        count, catalogue = self.count(), self.catalogue
        return IndexStatistics(
            documents=count, kept=catalogue.count("SELECT count(*) FROM documents WHERE state = 0 AND id IS NOT NULL"),
            deleted=catalogue.count("SELECT count(*) FROM gone"), pairs=catalogue.count("SELECT count(*) FROM pairs"), bytes=sizes,
            segments=len(self.postings.records), unsealed=len(self.postings) - self.postings.sealed, drift=0.0,
            settings=self.settings.describe(),
        )  # fmt: skip


def check_can_arrive(plan: Plan) -> None:
    """Raise UsageError if documents cannot join one at a time by the method of a plan."""
    if not can_arrive(plan.method.candidates):
        raise UsageError(
            "method {} searches in all documents at once, so an index cannot use it; docs/guide/index.md lists those that it can",
            plan.method.name,
        )


def signature_words(plan: Plan) -> int:
    """Return the number of words of a signature in the join of a plan; 0 for a join without signatures."""
    join = plan.method.candidates
    return -(-join.bits // 64) if isinstance(join, HammingJoin) else 0
