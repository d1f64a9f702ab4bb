"""Preparation of the documents of a long addition: the next ones are prepared while those before them are added."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pyarrow as pa

from quchong.api.index_location import OpenIndex
from quchong.engines.index.arriving import Arrived


class Piece(NamedTuple):
    """Documents that are added or asked about in one call of an index.

    Attributes:
        batch: the documents.
        arrived: the same as the index `stored` prepared them; None if it has not.
    """

    batch: pa.RecordBatch
    stored: OpenIndex | None = None
    arrived: Arrived | None = None

    def prepared_by(self, stored: OpenIndex) -> Arrived | None:
        """Return the documents as an index has prepared them; None if it was replaced by another one since."""
        return self.arrived if self.stored is stored else None


def pieces_of(batch: pa.RecordBatch, most: int) -> Generator[Piece]:
    """Split a batch of documents into pieces of equal size, of about `most` documents each, and yield them in order."""
    size = -(-len(batch) // max(1, round(len(batch) / most)))
    for start in range(0, len(batch), size or 1):
        yield Piece(batch.slice(start, size))


def prepared_pieces(batch: pa.RecordBatch, most: int, stored: OpenIndex) -> Generator[Piece]:
    """Yield the documents of a batch that are added, by about `most`; of several pieces the next is prepared by a thread.

    An index that was opened for one worker prepares its documents itself.

    Cost: the keys and packed texts of two pieces are in memory at a time.
    """
    pieces = list(pieces_of(batch, most))
    if len(pieces) < 2 or stored.reader.workers == 1:
        yield from pieces
        return
    with ThreadPoolExecutor(1, "quchong-prepare") as thread:
        job = thread.submit(stored.prepared, pieces[0].batch)
        for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
            arrived = job.result()
            if following is not None:
                job = thread.submit(stored.prepared, following.batch)
            yield Piece(piece.batch, stored, arrived)
