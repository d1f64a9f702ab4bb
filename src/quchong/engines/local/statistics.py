"""Document frequencies of features over inputs, for methods that weight features by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from quchong.features.statistics import FeatureStatistics, ShingleCount
from quchong.io import Source, WantedColumns
from quchong.io.bad_records import BadRecords
from quchong.progress import Stages
from quchong.text import Preparer


def fit_statistics(
    inputs: Sequence[Source],
    wanted: WantedColumns,
    counting: ShingleCount,
    preparer: Preparer,
    workers: int | None,
    stages: Stages,
) -> tuple[FeatureStatistics, int]:
    """Count document frequencies over all documents of the inputs; return the statistics and the number of bad records.

    Documents are prepared as in a run. `wanted` names the text column; no other column is needed.

    Each exact copy is counted. If that matters, use a corpus without copies, such as the kept rows of a run. The result does not
    depend on order, files or workers.
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
