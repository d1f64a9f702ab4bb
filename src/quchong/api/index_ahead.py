"""Preparation of the documents of a long addition: the next ones are prepared while those before them are added."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import pyarrow as pa

from quchong.api.index_location import OpenIndex
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.collections import rare_collections


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
    """Yield the documents of a batch by at most `most`."""
    for start in range(0, len(batch), most):
        yield Piece(batch.slice(start, most))


def prepared_pieces(batch: pa.RecordBatch, most: int, stored: OpenIndex) -> Generator[Piece]:
    """Yield the documents of a batch that are added, by at most `most`; of several pieces the next are prepared by two threads.

    While a piece is added, one thread looks for candidates of the next one among the documents that are there already and compares them
    (decision 0313), and one prepares the piece after that. An index that was opened for one worker prepares its documents itself.

    Cost: the keys and packed texts of three pieces are in memory at a time, and the candidates of two.
    """
    pieces = list(pieces_of(batch, most))
    if len(pieces) < 2 or stored.reader.workers == 1:
        yield from pieces
        return

    def search(job: Future[Arrived]) -> Arrived:
        return stored.searched(job.result())

    with rare_collections(), ThreadPoolExecutor(2, "quchong-prepare") as threads:
        jobs = deque([threads.submit(stored.prepared, pieces[0].batch)])
        found = threads.submit(search, jobs[0])
        jobs.append(threads.submit(stored.prepared, pieces[1].batch))
        for k, piece in enumerate(pieces):
            arrived = found.result()
            jobs.popleft()
            if jobs:
                found = threads.submit(search, jobs[0])
            if k + 2 < len(pieces):
                jobs.append(threads.submit(stored.prepared, pieces[k + 2].batch))
            yield Piece(piece.batch, stored, arrived)
