"""Counts document frequencies over inputs, for methods that weigh by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from quchong.io import Source, Wanted
from quchong.io.bad_records import BadRecords
from quchong.progress import Stages
from quchong.sketches import FeatureStatistics, ShingleCount
from quchong.text import Preparer


def fit_statistics(
    inputs: Sequence[Source],
    wanted: Wanted,
    counting: ShingleCount,
    preparer: Preparer,
    workers: int | None,
    stages: Stages,
) -> tuple[FeatureStatistics, int]:
    """Counts every document of the inputs once, prepared as a run would; also how many were bad.

    `wanted` names the text, and nothing else is needed of a record.

    Exact copies count as often as they stand there: fit on a corpus without them (the kept rows of a run) where that
    matters. Order, files and workers do not matter.
    """
    bad = BadRecords()
    counts = [s.expected() for s in inputs]
    total = sum(n for n in counts if n is not None) if None not in counts else None

    def batches() -> Iterator[pa.Array]:
        with stages.stage("count shingles", total) as progress:
            for source in inputs:
                for batch in source.documents(wanted, bad):
                    yield preparer.prepare(batch.column("text"), workers).texts
                    progress.advance(len(batch))

    return counting.count(batches(), workers), len(bad)
