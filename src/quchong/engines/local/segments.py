"""Segments of read batches, stored so that a run interrupted while reading resumes after the last segment."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.background import wait_for
from quchong.engines.local.stage_store import give_back
from quchong.seam import Features
from quchong.text import Edit
from quchong.work import Damaged, Work

SEGMENT_BYTES = 64 << 20
"""Bytes of text in a segment: what is read again after an interruption, and what is in memory until it is written."""


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch of documents after reading.

    Attributes:
        texts: prepared, large_string.
        features: features of the documents by the method.
        columns: row, id and the extra columns.
        edits: edits of the texts that preparing changed, by index in the batch.
    """

    texts: pa.Array
    features: Features
    columns: pa.Table
    edits: dict[int, Edit]

    @property
    def nbytes(self) -> int:
        """Bytes of texts, features and columns together."""
        features = self.features
        arrays = (features.tokens, features.singles, features.high, features.low, features.offsets, features.values)
        return int(self.texts.nbytes + self.columns.nbytes + sum(array.nbytes for array in arrays))


class Segments:
    """Batches in the order of the input: first those stored by an interrupted process, then new ones.

    Use as a context manager, left when all batches are added.

    Args:
        work: storage of the segments; if it stores nothing, batches stay in memory.
        bound: bytes of text in a segment.
        beside: True to write a segment on a thread of its own while the next one is gathered: two are in memory then.
    """

    def __init__(self, work: Work, bound: int = SEGMENT_BYTES, *, beside: bool = False) -> None:
        self.work, self._bound = work, bound
        self._pool = ThreadPoolExecutor(1, "quchong-segments") if beside and work.stores_values else None
        self._written: Future[list[ReadBatch]] | None = None
        self._batches: list[ReadBatch] = []
        self._open: list[ReadBatch] = []
        self._bytes = self._count = 0
        self._left: deque[ReadBatch] = deque()
        while (found := self._stored_batches()) is not None:
            self._left.extend(found)
            self._count += 1

    def __enter__(self) -> Segments:
        return self

    def __exit__(self, *_of_error: object) -> None:
        if self._written is not None:
            wait([self._written])
        if self._pool is not None:
            self._pool.shutdown(wait=False)

    @property
    def left(self) -> int:
        """Number of stored batches of the earlier process that `next` has not returned yet."""
        return len(self._left)

    def next(self, rows: int) -> ReadBatch | None:
        """Return the next stored batch if it has `rows` rows; otherwise None, and all stored batches from there on are dropped."""
        if not self._left:
            return None
        if len(self._left[0].texts) != rows:  # not what was read then: all from here on is read anew
            self._left.clear()
            return None
        self._batches.append(self._left.popleft())
        return self._batches[-1]

    def add(self, batch: ReadBatch) -> None:
        """Add a newly read batch; a segment is written as soon as `bound` bytes of text are collected."""
        self._open.append(batch)
        self._bytes += batch.texts.nbytes
        if self.work.stores_values and self._bytes >= self._bound:
            self._write()

    def finish(self) -> list[ReadBatch]:
        """Write the last segment, and return all batches as they are stored."""
        if self._open:
            self._write()
        self._take_written()
        return self._batches

    def _write(self) -> None:
        """Write the open segment; if a thread writes, once it has written the one before."""
        some, number = self._open, self._count
        self._open, self._bytes, self._count = [], 0, self._count + 1
        if self._pool is None:
            self._batches += self._stored(some, number)
            return
        self._take_written()
        self._written = self._pool.submit(copy_context().run, self._stored, some, number)

    def _take_written(self) -> None:
        """Wait for the segment that is being written, if any, and take its batches; an error of writing is raised here."""
        if self._written is not None:
            written, self._written = self._written, None
            batches = wait_for(written)
            self._batches += batches

    def _stored(self, some: list[ReadBatch], number: int) -> list[ReadBatch]:
        """Store a segment; return its batches as they are stored."""
        texts = self.work.share(f"texts-{number:05}", [batch.texts for batch in some])
        kept = [replace(batch, texts=text) for batch, text in zip(some, texts, strict=True)]
        if self.work.stores_values:
            kept = self.work.store(f"read-{number:05}", kept)
            give_back()
        return kept

    def _stored_batches(self) -> Sequence[ReadBatch] | None:
        name = f"read-{self._count:05}"
        if name not in self.work.found:
            return None
        found = self.work.get(name, _check_batches)
        return None if found is None else list(found[0])


def _check_batches(found: Any) -> None:
    """Raise Damaged unless `found` is a list of read batches."""
    if type(found) is not list or any(type(one) is not ReadBatch for one in found):
        raise Damaged("no batches of documents")


def read_in(work: Work) -> Iterator[ReadBatch]:
    """Yield all stored batches of a run in order, loading one segment at a time."""
    count = 0
    while (found := work.get(f"read-{count:05}", _check_batches)) is not None:
        yield from found[0]
        count += 1


def some_of(batch: ReadBatch, stays: np.ndarray, rows: np.ndarray) -> ReadBatch:
    """Return the documents of a batch that the mask `stays` selects, with the new row numbers `rows` (int64)."""
    features, which = batch.features, np.flatnonzero(stays)
    starts, ends = features.offsets[:-1][which], features.offsets[1:][which]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends - starts)])
    places = np.repeat(starts - offsets[:-1], ends - starts) + np.arange(offsets[-1])
    taken = Features(
        features.tokens[which], features.singles[which], features.high[which], features.low[which], offsets, features.values[places]
    )  # fmt: skip
    columns = batch.columns.filter(pa.array(stays)).combine_chunks()
    columns = columns.set_column(columns.schema.get_field_index("row"), columns.schema.field("row"), pa.array(rows))
    new = np.cumsum(stays) - 1
    edits = {int(new[i]): edit for i, edit in batch.edits.items() if stays[i]}
    return ReadBatch(batch.texts.filter(pa.array(stays)), taken, columns, edits)
