"""What reading found out batch by batch, kept in segments so that a run that is stopped while it reads goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.kept import give_back
from quchong.seam import Features
from quchong.text import Edit
from quchong.work import Damaged, Work

SEGMENT_BYTES = 64 << 20
"""Text of a segment: what a stop costs of reading, and what memory holds until it is written."""


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch of documents after reading.

    Attributes:
        texts: prepared, large_string.
        features: what the method knows them by.
        columns: row, id and the extra columns.
        edits: by place in the batch.
    """

    texts: pa.Array
    features: Features
    columns: pa.Table
    edits: dict[int, Edit]

    @property
    def nbytes(self) -> int:
        """Bytes of texts, features and columns."""
        features = self.features
        arrays = (features.tokens, features.singles, features.high, features.low, features.offsets, features.values)
        return int(self.texts.nbytes + self.columns.nbytes + sum(array.nbytes for array in arrays))


class Segments:
    """Batches in the order of the input: those of an earlier process, then new ones.

    Args:
        work: where segments are written; one that keeps nothing leaves batches as they are.
        bound: bytes of text of a segment.
    """

    def __init__(self, work: Work, bound: int = SEGMENT_BYTES) -> None:
        self.work, self._bound = work, bound
        self._batches: list[ReadBatch] = []
        self._open: list[ReadBatch] = []
        self._bytes = self._count = 0
        self._left: deque[ReadBatch] = deque()
        while (found := self._found()) is not None:
            self._left.extend(found)
            self._count += 1

    @property
    def left(self) -> int:
        """Batches of the earlier process that were not asked for yet."""
        return len(self._left)

    def next(self, rows: int) -> ReadBatch | None:
        """The batch of so many rows that comes next, if the earlier process had it."""
        if not self._left:
            return None
        if len(self._left[0].texts) != rows:  # not what was read then: all from here on is read anew
            self._left.clear()
            return None
        self._batches.append(self._left.popleft())
        return self._batches[-1]

    def add(self, batch: ReadBatch) -> None:
        """A batch that was read now."""
        self._open.append(batch)
        self._bytes += batch.texts.nbytes
        if self.work.kept and self._bytes >= self._bound:
            self._write()

    def finish(self) -> list[ReadBatch]:
        """All batches, as they are kept."""
        if self._open:
            self._write()
        return self._batches

    def _write(self) -> None:
        texts = self.work.share(f"texts-{self._count:05}", [batch.texts for batch in self._open])
        kept = [replace(batch, texts=text) for batch, text in zip(self._open, texts, strict=True)]
        if self.work.kept:
            kept = self.work.put(f"read-{self._count:05}", kept)
            give_back()
        self._batches += kept
        self._open, self._bytes, self._count = [], 0, self._count + 1

    def _found(self) -> Sequence[ReadBatch] | None:
        name = f"read-{self._count:05}"
        if name not in self.work.found:
            return None
        found = self.work.get(name, _check_batches)
        return None if found is None else list(found[0])


def _check_batches(found: Any) -> None:
    """Raise Damaged unless this is a list of batches."""
    if type(found) is not list or any(type(one) is not ReadBatch for one in found):
        raise Damaged("no batches of documents")


def read_in(work: Work) -> Iterator[ReadBatch]:
    """All batches of a run that kept its work, in their order, a segment at a time."""
    count = 0
    while (found := work.get(f"read-{count:05}", _check_batches)) is not None:
        yield from found[0]
        count += 1


def some_of(batch: ReadBatch, stays: np.ndarray, rows: np.ndarray) -> ReadBatch:
    """The documents of a batch that stay (mask), in memory, under other rows (int64, one a document that stays)."""
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
