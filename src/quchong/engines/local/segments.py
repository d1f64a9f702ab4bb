"""What reading found out batch by batch, kept in segments so that a run that is stopped while it reads goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

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


class Segments:
    """Batches in the order of the input: those of an earlier process, then new ones.

    Args:
        work: where segments are written; one that keeps nothing leaves batches as they are.
        bound: bytes of text of a segment.
    """

    def __init__(self, work: Work, bound: int = SEGMENT_BYTES) -> None:
        self._work, self._bound = work, bound
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
        if self._work.kept and self._bytes >= self._bound:
            self._write()

    def finish(self) -> list[ReadBatch]:
        """All batches, as they are kept."""
        if self._open:
            self._write()
        return self._batches

    def _write(self) -> None:
        texts = self._work.share(f"texts-{self._count:05}", [batch.texts for batch in self._open])
        kept = [replace(batch, texts=text) for batch, text in zip(self._open, texts, strict=True)]
        if self._work.kept:
            kept = self._work.put(f"read-{self._count:05}", kept)
            give_back()
        self._batches += kept
        self._open, self._bytes, self._count = [], 0, self._count + 1

    def _found(self) -> Sequence[ReadBatch] | None:
        name = f"read-{self._count:05}"
        if name not in self._work.found:
            return None
        try:
            found = self._work.get(name)
        except Damaged:
            return None
        return None if found is None else list(found[0])
