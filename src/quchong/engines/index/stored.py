"""Folder of an index: made, opened by one process for writing or by any for reading, kept in order, and closed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.candidates.arrivals import can_arrive
from quchong.candidates.postings import Represented
from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.answers import Answer, Id, IndexStatistics
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.catalogue import CATALOGUE, Catalogue
from quchong.engines.index.columns import SPARE
from quchong.engines.index.comparing import Comparer
from quchong.engines.index.contents import Contents
from quchong.engines.index.deleting import delete_documents, ids_before
from quchong.engines.index.document_store import Row, damaged_document, keys_sum
from quchong.engines.index.drift import measured_drift
from quchong.engines.index.finder import Finder, Placed
from quchong.engines.index.first_stage import FirstStage, is_mistake, set_apart
from quchong.engines.index.frame_teller import FrameTeller
from quchong.engines.index.generations import STATISTICS, STATISTICS_COPY, TEMPLATES, make_generation, remove_others
from quchong.engines.index.kept_keys import pack_keys, unpack_keys
from quchong.engines.index.opening import DAMAGE, damaged, listed_segments, lock_folder, opened_generation
from quchong.engines.index.placing import MADE
from quchong.engines.index.segments import SegmentPostings
from quchong.engines.index.settings import SETTINGS, Settings, read_settings
from quchong.engines.index.stored_texts import original_text
from quchong.errors import OutputError, Param, QuchongError, RunError, UsageError, reason_of
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.outputs.free_names import free_name
from quchong.outputs.owner import is_locked
from quchong.plan.plan import Plan
from quchong.seam import HammingJoin
from quchong.work import Damaged

SEAL_DOCUMENTS = 1 << 12
"""Documents of the tail at or above which it is sealed."""
_OPENINGS = 5
"""Attempts to open an index for reading beside a process that writes to it and may remove a segment meanwhile."""


def make_index(
    folder: Path, settings: Settings, statistics: FrozenStatistics, templates: FrameModels | None = None
) -> None:
    """Make the folder of an empty index.

    Raises:
        OutputError: it exists, or cannot be made; of what cannot be made nothing is left.
    """
    try:
        root = OwnFolder.made(folder)
    except FileExistsError:
        raise OutputError("{}", MADE.holding(folder, free_name("seen"))) from None
    except OSError as error:
        raise OutputError("{} cannot be made: {}", folder, reason_of(error)) from error
    try:
        make_generation(folder, settings, statistics, templates)
        settings.save(root)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        root.close()


class StoredIndex(Contents):
    """Index in a folder that is open.

    Args:
        folder: folder of the index.
        writable: open it for writing; one process may.
        workers: threads.
        beside: settings of a generation that the file of settings does not name yet, and that only this process knows; None for the one
            that it names.

    Raises:
        RunError: the folder is no index, or is damaged.
        OutputError: another process writes to it.
    """

    catalogue: Catalogue

    def __init__(
        self, folder: Path, *, writable: bool, workers: int | None = None, beside: Settings | None = None
    ) -> None:  # fmt: skip
        self.folder, self.writable, self.workers = folder, writable, workers
        self._settings_file = folder / SETTINGS
        self._settings_seen: tuple[int, int] | None = None
        self._followed: tuple[Any, ...] | None = None
        self._seen_by = threading.local()
        self._order = threading.RLock()
        settings = beside or read_settings(folder)
        self.lock_file = lock_folder(folder) if writable and beside is None else None
        catalogue: Catalogue | None = None
        try:
            if beside is None:
                settings = read_settings(folder)
                if writable:
                    remove_others(folder, settings.generation)
            self.uncounted = settings.plan.method
            self._inner = opened_generation(folder, settings, writable=writable)
            statistics = self.statistics = FrozenStatistics.load(self._inner, STATISTICS)
            method = statistics.applied(settings.plan.method)
            settings = replace(settings, plan=replace(settings.plan, method=method, workers=workers))
            seconds = settings.sync_seconds
            self._words = signature_words(settings.plan)
            catalogue = Catalogue(
                self._inner.path,
                writable=writable,
                durable=seconds == 0,
                is_written=lambda: is_locked(folder) is not False,
            )
            for left in reversed(range(1 if writable else _OPENINGS)):
                try:
                    with catalogue.snapshot():
                        self._read(settings, catalogue, statistics, workers)
                    break
                except (*DAMAGE, RunError):
                    if not left or not (catalogue.is_written() or catalogue.is_changed()):
                        raise
        except BaseException as error:
            if catalogue is not None:
                catalogue.close()
            if self.lock_file is not None:
                os.close(self.lock_file)
            if isinstance(error, DAMAGE):
                raise damaged(folder, error) from error
            raise
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

    def _read(
        self, settings: Settings, catalogue: Catalogue, statistics: FrozenStatistics, workers: int | None
    ) -> None:
        """Read the segments and columns that one state of the catalogue lists."""
        postings = self._opened_postings(catalogue)
        templates = FrameModels.load(self._inner, TEMPLATES) if TEMPLATES in self._inner.names() else None
        teller = None if templates is None else FrameTeller(settings.plan, templates, workers)
        comparer = Comparer(settings.plan, statistics.headers, workers, settings.store == "text", teller)
        finder = Finder(settings.plan, catalogue, postings, comparer, workers, settings.store)
        super().__init__(settings, catalogue, finder, workers)
        if self.next < postings.sealed:
            raise Damaged(
                Message("{} has {:,} documents, but its segments have {:,}", CATALOGUE, self.next, postings.sealed)
            )
        sealed = postings.sealed
        known = sum(
            catalogue.count(f"SELECT count(*) FROM {table} WHERE number >= ?", sealed)
            for table in ("documents", "gone")
        )
        if self.next - sealed > 4 * known + SPARE:  # each number has one or the other: a forged one takes no memory
            raise Damaged(Message("{} lacks documents {} to {}", CATALOGUE, sealed, self.next - 1))
        self._open_stage()
        self._append_tail(postings)

    def _opened_postings(self, catalogue: Catalogue) -> SegmentPostings:
        return SegmentPostings(self._inner, listed_segments(catalogue), words=self._words, writable=self.writable)

    def is_replaced(self) -> bool:
        """Return True if the settings now name another generation, or columns found since this index was opened."""
        now = self._settings_file.stat()
        known, self._settings_seen = self._settings_seen, (now.st_ino, now.st_mtime_ns)
        return known != self._settings_seen and read_settings(self.folder).describe() != self.settings.describe()

    def follow(self) -> bool:
        """Take over what another process has added and deleted since; return True if anything changed.

        Returns:
            False if it must be opened anew for that, because it keeps no texts from which postings are made.
        """
        version = self.catalogue.version()
        if version == getattr(self._seen_by, "version", None):
            return True
        with self.lock, self.catalogue.snapshot():
            state = self.catalogue.select("SELECT (SELECT max(number) FROM documents), (SELECT count(*) FROM gone)")[0]
            if state != self._followed:
                known, self._followed = self._followed, state
                if known is not None and self.settings.store != "text":
                    return False
                self.next = max(self.next, 0 if state[0] is None else state[0] + 1)
                self._append_tail(self.postings, len(self.postings))
        self._seen_by.version = version
        return True

    def _append_tail(self, postings: SegmentPostings, first: int | None = None) -> None:
        """Append the documents not yet in a segment, from `first` on, and mark the deleted ones."""
        start = postings.sealed if first is None else first
        while start < self.next:
            end = min(self.next, start + 4096)
            postings.append(self._represented_again(self.catalogue.numbered(start, end), start, end))
            start = end
            # No more of them in memory than need be.
            if self.writable and start - postings.sealed >= 4 * SEAL_DOCUMENTS:
                self._tidy(postings)
        gone = [number for (number,) in self.catalogue.select("SELECT number FROM gone WHERE number < ?", self.next)]
        if gone:
            postings.mark_gone(np.array(gone, np.int64))

    def _represented_again(self, rows: Sequence[Row], start: int, end: int) -> Represented:
        """Return the keys of stored documents as they were added; numbers without a document have no keys."""
        if self.settings.store != "text":
            sql = "SELECT number, represented, own_sum FROM keys WHERE number >= ? AND number < ?"
            kept: dict[int, bytes] = {}
            for number, represented, own_sum in self.catalogue.select(sql, start, end):
                if keys_sum(number, represented) != own_sum:
                    raise damaged_document(number)
                kept[number] = represented
            return unpack_keys([kept.get(number) for number in range(start, end)], self._words)
        arrived = self.reader.arrived(self.batch_of(rows))
        placed = Placed([row.number for row in rows], [row.same for row in rows], [row.part for row in rows])
        ids = [f"gone {row.number}" if row.id is None else row.id for row in rows]
        arrived = replace(arrived, ids=list(ids), scope=np.array([row.scope for row in rows], np.int64))
        arrived = set_apart(arrived, np.array([is_mistake(self.plan, row) for row in rows], bool))
        high, low = (
            np.array(some, np.int64).view(np.uint64) for some in ([row.high for row in rows], [row.low for row in rows])
        )
        features = replace(arrived.features, high=high, low=low)  # that of a blank text is made by chance
        arrived = replace(arrived, features=features)
        known = self.finder.to_add(arrived, placed, self.finder.to_ask(arrived, placed))
        if len(rows) == end - start:
            return known
        blobs: list[bytes | None] = [None] * (end - start)
        for row, blob in zip(rows, pack_keys(known), strict=True):
            blobs[row.number - start] = blob
        return unpack_keys(blobs, self._words)

    def _open_stage(self) -> None:
        """Open the persistent first stage of the method, if any, and pass the documents that its file lacks."""
        if FirstStage.needed(self.plan):
            self.stage = FirstStage(self._inner, self.plan, self.reader.workers)
            self.stage.catch_up(self.next, self._prepared_texts)

    def _prepared_texts(self, start: int, end: int) -> pa.Array:
        """Return the prepared texts of the documents from one number to another, "" for those that are not there any more."""
        texts = [""] * (end - start)
        for row in self.catalogue.numbered(start, end):
            texts[row.number - start] = original_text(row) or ""
        return self.plan.preparer.prepare(pa.array(texts, pa.large_string()), self.reader.workers).texts

    def reload(self) -> None:
        """Rebuild the postings from the catalogue, because documents were appended to them whose transaction failed."""
        postings = self._opened_postings(self.catalogue)
        self.finder.postings = postings
        self._open_stage()
        self._append_tail(postings)

    def add_arrived(
        self, arrived: Arrived, *, passages: bool = False, added: Sequence[float] | None = None, ids: Sequence[Id] | None = None
    ) -> list[Answer]:  # fmt: skip
        """Add documents, see `Contents.add_arrived`; the tail is sealed in the background once it is long."""
        answers = super().add_arrived(arrived, passages=passages, added=added, ids=ids)
        if len(self.postings) - self.postings.sealed >= SEAL_DOCUMENTS and (
            self._tidying is None or self._tidying.done()
        ):
            assert self._threads is not None
            self._tidying = self._threads.submit(self._tidy_if_possible)
        return answers

    def settle(self) -> None:
        """Wait until merges and flushes in the background have ended."""
        if self._tidying is not None:
            self._tidying.result()

    def _tidy_if_possible(self) -> None:
        """Seal and merge if the disk has room; else leave the tail as it is, so that its documents are still found."""
        with contextlib.suppress(*DAMAGE, QuchongError):  # of damage compact and verify tell
            self.tidy()

    def tidy(self) -> None:
        """Seal the tail and merge due segments; the catalogue lists a new segment before old files are removed.

        Raises:
            OSError, OutputError: there is no room, or no permission; nothing is lost.
        """
        with self._order:
            self._tidy(self.postings)

    def _tidy(self, postings: SegmentPostings) -> None:
        if postings.seal() is not None:
            self._list_segments(postings)
        while due := postings.merge_due():
            postings.merge(due)
            self._list_segments(postings)
        if self.stage is not None:
            self.stage.save()

    def _list_segments(self, postings: SegmentPostings) -> None:
        """List the segments of postings in the catalogue, and remove the files that it lists no more.

        Nothing is listed for postings that were made anew meanwhile: they may have documents of a transaction that failed.
        """
        with self.lock:
            if postings is not self.postings:
                return
            records, sealed = postings.records, postings.sealed
            with self.catalogue.transaction() as writer:
                writer.execute("DELETE FROM segments")
                writer.executemany(
                    "INSERT INTO segments VALUES (?, ?)", [(i, json.dumps(one)) for i, one in enumerate(records)]
                )
                writer.execute("DELETE FROM keys WHERE number < ?", (sealed,))
        self.catalogue.flush()  # whatever is synced of documents: a list that a power cut brings back must find its files
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
        """Wait for background work, flush, and close all files."""
        if self._threads is not None:
            self._threads.shutdown(wait=True)
            if len(self.postings) > self.postings.sealed:  # so that the next opening has no tail to represent again
                self._tidy_if_possible()
        self._flushing.set()
        if self._flusher is not None:
            self._flusher.join()
        if self.stage is not None and self.writable:
            with contextlib.suppress(OutputError):  # it is made again from the texts
                self.stage.save()
        self.catalogue.close()
        self._inner.close()
        if self.lock_file is not None:
            os.close(self.lock_file)
            self.lock_file = None

    # Deleting.

    def delete(self, ids: Iterable[Id]) -> int:
        """Delete documents by id, in one transaction; return how many were there."""
        with self.lock:
            asked = list(ids)
            if self.stage is not None and any(
                number >= self.stage.saved for number in self.finder.numbers_of(asked).values()
            ):
                self.stage.save()  # what the file has not, only the text could tell it
            count, gone = delete_documents(self, asked)
            if gone:
                self.postings.mark_gone(np.array(gone, np.int64))
            return count

    def expire(self, before: float) -> int:
        """Delete the documents whose time, or arrival if they have none, is before a moment; return how many there were."""
        count = 0
        while some := ids_before(self, before):
            count += self.delete(some)
        return count

    def compact(self) -> None:
        """Seal the tail, merge all segments into one without deleted documents, and free their disk space."""
        with self._order:
            postings = self.postings
            postings.seal()
            self._list_segments(postings)
            if postings.records:
                postings.merge(postings.records)
                self._list_segments(postings)
            with self.lock:
                if self.stage is not None:
                    self.stage.rebuild(self.next, self._prepared_texts)
                with self.catalogue.transaction() as writer:
                    freed = self.catalogue.count("SELECT count(*) FROM gone")
                    writer.execute("INSERT OR REPLACE INTO notes VALUES ('freed', ?)", (str(freed),))
                self.catalogue.shrink()

    @property
    def contents_folder(self) -> OwnFolder:
        """Folder with the catalogue, the segments and the statistics."""
        return self._inner

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Keep the files of segments as they are during the block; documents may be added and deleted meanwhile."""
        with self._order:
            yield

    def note_counted(self) -> None:
        """Record that statistics and templates were counted before the documents to come."""
        with self.lock, self.catalogue.transaction() as writer:
            writer.execute("INSERT OR REPLACE INTO notes VALUES ('counted', ?)", (str(self.next),))

    def figures(self) -> IndexStatistics:
        """Return the figures of the index."""
        sizes = {"texts and catalogue": 0, "postings": 0, "statistics": 0}
        for name in self._inner.names():
            frozen = name in (STATISTICS, STATISTICS_COPY, TEMPLATES, SETTINGS)
            part = "texts and catalogue" if name.startswith(CATALOGUE) else "statistics" if frozen else "postings"
            with contextlib.suppress(OSError):
                sizes[part] += (self._inner.path / name).stat().st_size
        count, catalogue = self.count(), self.catalogue
        drift = measured_drift(self, self.uncounted, self.statistics)
        return IndexStatistics(
            documents=count, kept=catalogue.count("SELECT count(*) FROM documents WHERE state = 0 AND id IS NOT NULL"),
            deleted=catalogue.count("SELECT count(*) FROM gone") - int(catalogue.note("freed") or 0),
            pairs=catalogue.count("SELECT count(*) FROM pairs"), bytes=sizes,
            segments=len(self.postings.records), unsealed=len(self.postings) - self.postings.sealed, drift=drift.share,
            since=drift.since, settings=self.settings.describe(),
        )  # fmt: skip


def check_can_arrive(plan: Plan) -> None:
    """Raise UsageError if documents cannot join one at a time by the method of a plan, or by what it asks of templates."""
    if plan.templates == "payload":
        raise UsageError(
            "{} compares records on different templates, for which an index would need all records at once: use "
            "keep or remove",
            Param("templates", "payload"),
        )
    if plan.keep_per_cluster > 1:
        raise UsageError(
            "{}: an index keeps one document of each cluster; leave out the option, or deduplicate the corpus with {}",
            Param("keep_per_cluster", plan.keep_per_cluster),
            "quchong dedup --keep-per-cluster",
        )
    if plan.mix is not None:
        raise UsageError(
            "{}: an index writes no rows, so weights have no effect; give them to {}", Param("mix"), "quchong dedup"
        )
    if plan.roundups == "cut":
        raise UsageError(
            "{}: an index stores no rows, so it cannot change their texts; use {}",
            Param("roundups", "cut"),
            Param("roundups", "remove"),
        )
    if not can_arrive(plan.method.candidates):
        raise UsageError(
            "method {} needs all documents at once, so an index cannot use it; docs/guide/index.md lists the "
            "methods for an index",
            plan.method.name,
        )


def signature_words(plan: Plan) -> int:
    """Return the number of words of a signature in the join of a plan; 0 for a join without signatures."""
    join = plan.method.candidates
    return -(-join.bits // 64) if isinstance(join, HammingJoin) else 0
