"""Counts document frequencies over inputs, for methods with IDF weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quchong import kernels
from quchong.io import Source, Wanted
from quchong.io.source import Bad
from quchong.methods.two_stage import TwoStage, statistics_form
from quchong.progress import Stages
from quchong.sketches import FeatureStatistics
from quchong.text import Preparer, form


def fit_statistics(
    inputs: Sequence[Source],
    wanted: Wanted,
    method: TwoStage,
    preparer: Preparer,
    workers: int | None,
    stages: Stages,
) -> tuple[FeatureStatistics, int]:
    """Counts every document of the inputs once, prepared as a run of the method would; also how many were bad.

    `wanted` names the text, and nothing else is needed of a record.

    Exact copies count as often as they stand there: fit on a corpus without them (the kept rows of a run) where that
    matters. Order, files and workers do not matter.
    """
    bad: list[Bad] = []
    counts = [s.expected() for s in inputs]
    total = sum(n for n in counts if n is not None) if None not in counts else None

    def batches() -> Iterator[kernels.arrays.Ragged]:
        with stages.stage("count shingles", total) as progress:
            for source in inputs:
                for batch in source.documents(wanted, bad):
                    prepared = preparer.prepare(batch.column("text"), workers)
                    yield kernels.text.tokenise(
                        form(method.normalise, method.tokens), prepared.texts, workers=workers
                    ).docs
                    progress.advance(len(batch))

    how = statistics_form(method.normalise, method.tokens)
    return FeatureStatistics.fit(batches(), method.ngram_size, how, workers), len(bad)
