"""Durable postings: immutable segments in files, and a tail in memory for the newest documents."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from quchong.candidates.postings import Lookup, Represented, merge_runs, with_documents
from quchong.engines.index.block_checks import BlockChecks
from quchong.engines.index.columns import ColumnFiles
from quchong.engines.index.segment_file import (
    SUFFIX,
    Damage,
    Segment,
    SegmentRecord,
    damaged_blocks,
    open_segment,
    write_segment,
)
from quchong.kernels.postings import DocumentSizes
from quchong.kernels.segments import SortedPostings, lookup_segments, merge_segments, pack_segment
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.work.value_parts import Damaged

BITS = 40
"""Bits by which a segment tells keys apart. A key that no document has finds one of N keys with odds of N / 2**40: scoring drops it."""
RATIO = 4
"""A segment has at least so many times the documents of the next one, or both are due to be merged."""
MOST_DOCUMENTS = 2**32 - 1


class _State(NamedTuple):
    """Snapshot that readers see: immutable, and replaced in one assignment."""

    segments: tuple[Segment, ...]
    runs: tuple[SortedPostings, ...]
    sizes: DocumentSizes
    signatures: np.ndarray
    gone: np.ndarray
    weighted: bool

    @property
    def sealed(self) -> int:
        return self.segments[-1].record.end if self.segments else 0


class SegmentPostings:
    """Postings in a folder: see `quchong.candidates.postings.Postings`.

    Any number of threads may call `lookup` while one appends, one seals and one merges; each sees a consistent snapshot. Documents in
    the tail are in memory alone until `seal` has returned: whoever promised more has them in a log and appends them again.

    Memory: 16 bytes a posting of the tail and 28 bytes a document of it; what is sealed is mapped.

    Args:
        folder: folder of the files; it must belong to this user.
        records: segments, in the order of their documents, as `seal` and `merge` returned them.
        words: words of a signature, in a join of signatures.
        bits: bits by which new segments tell keys apart; all segments must have the same.
        writable: False for a reader beside the process that writes; `seal` and `merge` must not be called.

    Raises:
        Damaged: a file is missing, incomplete, of another format, or not that of its record.
        OSError: a file cannot be read.
    """

    def __init__(
        self, folder: OwnFolder, records: Sequence[SegmentRecord] = (), *, words: int = 0, bits: int = BITS,
        writable: bool = True,
    ) -> None:  # fmt: skip
        self._folder, self._bits = folder, bits
        segments = tuple(_open_listed(folder, record) for record in records)
        ends = [0, *(one.record.end for one in segments)]
        if [one.record.first for one in segments] != ends[:-1]:
            raise Damaged(Message("there are gaps or overlaps between the segments"))
        self._columns = ColumnFiles(folder, words, ends[-1], writable=writable)
        self._changing, self._sealing = threading.Lock(), threading.Lock()
        self._checks: dict[str, BlockChecks] = {}
        weighted = any(one.info.weighted for one in segments)
        self._state = _State(segments, (), *self._columns.rows(), np.zeros(0, np.uint8), weighted)

    def __len__(self) -> int:
        """Return the number of documents, those deleted included."""
        return len(self._state.sizes)

    @property
    def sealed(self) -> int:
        """Number of documents in sealed segments; later documents are in the tail in memory."""
        return self._state.sealed

    @property
    def records(self) -> tuple[SegmentRecord, ...]:
        """Records of the segments, in the order of their documents."""
        return tuple(one.record for one in self._state.segments)

    def append(self, documents: Represented) -> np.ndarray:
        """Append documents to the tail; return their numbers (int64)."""
        with self._changing:
            state = self._state
            first, end = len(state.sizes), len(state.sizes) + len(documents)
            if end > MOST_DOCUMENTS:
                raise ValueError(f"an index has {MOST_DOCUMENTS} documents at most")
            self._columns.add(documents.sizes, documents.signatures)
            sizes, signatures = self._columns.rows()
            self._state = state._replace(
                runs=with_documents(state.runs, documents, first), sizes=sizes, signatures=signatures,
                weighted=state.weighted or bool((documents.weights != 1).any()),
            )  # fmt: skip
        return np.arange(first, end)

    def mark_gone(self, numbers: np.ndarray) -> None:
        """Leave documents out of all lookups from now on. Cost: a copy of one bit per document.

        Raises:
            ValueError: a document does not exist.
        """
        some = np.asarray(numbers, np.int64)
        if not len(some):
            return
        with self._changing:
            state = self._state
            if not 0 <= int(some.min()) <= int(some.max()) < len(state.sizes):
                raise ValueError(f"documents are numbered 0 to {len(state.sizes) - 1}")
            bits = np.zeros(max(len(state.gone), -(-len(state.sizes) // 8)), np.uint8)
            bits[: len(state.gone)] = state.gone
            np.bitwise_or.at(bits, some >> 3, np.left_shift(1, some & 7).astype(np.uint8))
            self._state = state._replace(gone=bits)

    def lookup(self, keys: np.ndarray, *, most: int = 0, counted: int = 0, before: np.ndarray | None = None) -> Lookup:
        """Return the list of each key without deleted documents, and the sizes of all documents, see `Postings.lookup`.

        Raises:
            ValueError: a segment is damaged.
        """
        state = self._state
        lists, lengths = lookup_segments(
            [one.packed for one in state.segments], state.runs, keys, gone=state.gone, most=most, counted=counted,
            before=before,
        )  # fmt: skip
        return Lookup(lists, state.sizes, state.signatures, lengths, state.weighted)

    def check_keys(self, keys: np.ndarray) -> None:
        """Raise Damaged if the stored blocks needed to look up keys (uint64) do not match their checksums.

        Raises:
            Damaged: a block in which one of the keys would be is not as it was written.
        """
        segments = self._state.segments
        known = {one.record.name: self._checks.get(one.record.name) or BlockChecks(one) for one in segments}
        self._checks = known
        for one in segments:
            if not known[one.record.name].are_whole(keys):
                raise Damaged(_not_as_written(one.record))

    def seal(self, workers: int | None = 1) -> SegmentRecord | None:
        """Write the tail as a segment, durably; return its record, or None if there is no tail. Deleted documents have no postings in it.

        Lookups and `append` go on meanwhile. The segment counts once its record is in the catalogue; until then its documents must
        stay in the log.

        Raises:
            OSError: there is no room, or no permission; the tail stays as it is.
        """
        with self._sealing:
            state = self._state
            first, end = state.sealed, len(state.sizes)
            if first == end:
                return None
            tail = _without_deleted(_merge_all(state.runs), state.gone)
            packed = pack_segment(*tail, first=first, count=end - first, bits=self._bits, workers=workers)
            sums = self._columns.write(end, state.sizes, state.signatures)
            made = write_segment(self._folder, self._new_name(first, end), [packed], [sums])
            with self._changing:
                self._columns.seal(end)
                sizes, signatures = self._columns.rows()
                now = self._state
                rest = tuple(run for one in now.runs if len((run := _postings_from(one, end)).keys))
                self._state = now._replace(
                    segments=(*now.segments, made), runs=rest, sizes=sizes, signatures=signatures
                )
        return made.record

    def merge_due(self, busy: Collection[str] = ()) -> tuple[SegmentRecord, ...]:
        """Return the records of neighbouring segments that should be merged now; none if there are none.

        Each segment that is left has at least RATIO times the documents of the next one: 10 million documents, sealed by 4,096, are at most
        6 segments, 3.5 on average, and a posting is written 11 times until then.

        Args:
            busy: names of segments that are being merged: only later ones are returned.
        """
        records = self.records
        first = max((i + 1 for i, record in enumerate(records) if record.name in busy), default=0)
        records = records[first:]
        start, documents = len(records) - 1, records[-1].documents if records else 0
        while start > 0 and records[start - 1].documents < RATIO * documents:
            start -= 1
            documents += records[start].documents
        return records[start:] if start < len(records) - 1 else ()

    def merge(self, records: Sequence[SegmentRecord], workers: int | None = 1) -> SegmentRecord:
        """Write neighbouring segments as one, durably and without the postings of deleted documents; return its record.

        Lookups, `append` and `seal` go on meanwhile, and use it as soon as it is there. The older files stay: they are removed by the
        caller once the catalogue has the new record in their stead. One segment alone is written anew.

        Raises:
            ValueError: they are not neighbouring segments of these postings.
            Damaged: one is damaged: it would have right sums if it were written anew.
            OSError: there is no room, or no permission; nothing has changed.
        """
        state = self._state
        names = [record.name for record in records]
        some = [one for one in state.segments if one.record.name in names]
        if not some or not _follow(state.segments, names):
            raise ValueError("not neighbouring segments")
        for one in some:
            if damaged_blocks(self._folder, one.record):
                raise Damaged(_not_as_written(one.record))
        sums = [part for one in some for part in one.columns]
        pieces = merge_segments([one.packed for one in some], gone=state.gone, workers=workers)
        name = self._new_name(some[0].record.first, some[-1].record.end)
        made = write_segment(self._folder, name, pieces, sums)
        with self._changing:
            now = self._state
            at = [one.record.name for one in now.segments].index(names[0])
            self._state = now._replace(segments=(*now.segments[:at], made, *now.segments[at + len(some) :]))
        return made.record

    def verify(self) -> list[Damage]:
        """Return the damaged blocks of segments and the damaged columns, none if all sums agree. Cost: reads all files once."""
        state = self._state
        found = [damage for one in state.segments for damage in damaged_blocks(self._folder, one.record)]
        parts = [part for one in state.segments for part in one.columns]
        sizes = {name: self._size(name) for name in self._columns.damaged(parts)}
        return found + [Damage(name, 0, size) for name, size in sizes.items()]

    def unlisted(self) -> list[str]:
        """Return the names of segment files in the folder that no record lists, left by an interrupted or finished merge."""
        used = {record.name for record in self.records}
        return [
            name for name in self._folder.names()
            if name not in used and (name.endswith(SUFFIX) or name.endswith(f"{SUFFIX}.part"))
        ]  # fmt: skip

    def _size(self, name: str) -> int:
        with self._folder.open(name) as file:
            return file.seek(0, 2)

    def _new_name(self, first: int, end: int) -> str:
        """Return an unused file name made of the first document, the number after the last, and a serial number."""
        there = set(self._folder.names())
        serial = 0
        while (name := f"{first:08x}-{end:08x}-{serial}{SUFFIX}") in there:
            serial += 1
        return name


def _open_listed(folder: OwnFolder, record: SegmentRecord) -> Segment:
    try:
        return open_segment(folder, record)
    except FileNotFoundError:
        raise Damaged(Message("{} is missing", record.name)) from None


def _not_as_written(record: SegmentRecord) -> Message:
    return Message("{} differs from what was written", record.name)


def _follow(segments: Sequence[Segment], names: Sequence[str]) -> bool:
    """Return True if `names` are neighbouring segments, in order."""
    known = [one.record.name for one in segments]
    start = known.index(names[0]) if names[0] in known else 0
    return known[start : start + len(names)] == list(names)


def _merge_all(runs: Sequence[SortedPostings]) -> SortedPostings:
    """Merge sorted runs of postings into one; no runs give an empty one."""
    if not runs:
        return SortedPostings(np.zeros(0, np.uint64), np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    last = runs[-1]
    for earlier in reversed(runs[:-1]):
        last = merge_runs(earlier, last)
    return last


def _postings_from(run: SortedPostings, first: int) -> SortedPostings:
    """Return the postings of documents from `first` on."""
    return _select(run, run.documents >= first)


def _select(run: SortedPostings, mask: np.ndarray) -> SortedPostings:
    return SortedPostings(run.keys[mask], run.documents[mask], run.weights[mask])


def _without_deleted(run: SortedPostings, gone: np.ndarray) -> SortedPostings:
    """Return the postings of documents that are not deleted."""
    if not gone.any():
        return run
    at = run.documents >> 3
    bits = np.where(at < len(gone), gone[np.minimum(at, len(gone) - 1)], 0) >> (run.documents & 7)
    return _select(run, (bits & 1) == 0)
