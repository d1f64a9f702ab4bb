"""What a run will take, reckoned before it begins from its first documents."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from quchong.engines.local.memory import Room, budget, may_exceed
from quchong.engines.local.run import run
from quchong.io.source import Bad, Source, Wanted
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work

SAMPLE = 20_000
"""Documents that are run through all stages, to see what one takes."""
WRITING = 1.3
"""What writing rows and tables adds: 13 to 25% of a run over zh_100k and zh_short_1m."""
A_DOCUMENT, TEXTS, BASE = 1000, 2.5, 200 << 20
"""Memory without files: bytes a document, times its text, and of the process."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take, about.

    Attributes:
        documents: how many there are; None where that cannot be told without reading all.
        sampled: how many of them were run.
        seconds: of the run; None where `documents` is.
        memory: bytes of the process's own memory at most; None where nothing bounds it and `documents` is None.
        given: bytes it may take; None where nobody knows.
        files: bytes that it puts into files meanwhile, 0 where all stays in memory; None where `documents` is.
        free: bytes free where these files lie.
    """

    documents: int | None
    sampled: int
    seconds: float | None
    memory: int | None
    given: int | None
    files: int | None
    free: int


class _Head:
    """The first documents of a source."""

    def __init__(self, source: Source, rows: int) -> None:
        self._source, self._rows = source, rows

    def __reduce__(self) -> tuple[type[_Head], tuple[Source, int]]:
        return _Head, (self._source, self._rows)  # what is kept of a run names its sources

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def documents(self, wanted: Wanted, bad: list[Bad]) -> Iterator[pa.RecordBatch]:
        """The batches of the source, until there are enough documents."""
        left = self._rows
        for batch in self._source.documents(wanted, bad):
            yield batch.slice(0, left)
            left -= len(batch)
            if left <= 0:
                return


def estimate(
    inputs: Sequence[Source], references: Sequence[Source], plan: Plan, room: Room, sample: int = SAMPLE
) -> Estimate:
    """Runs the first documents of each source through all stages and reckons what all of them will take.

    Copies that stand far from each other are not in the sample, so that seconds are rather too few where there are many.

    Args:
        inputs, references, plan: of the run.
        room: its memory; its work is where files would lie, `spill` otherwise.
        sample: documents, over all sources.

    Raises:
        UsageError, InputError: as of the run.

    Cost: a run over the sample, a second or two.
    """
    sources = (*references, *inputs)
    counts = [source.expected() for source in sources]
    documents = sum(n for n in counts if n is not None) if None not in counts else None
    plan = replace(plan, recall_sample=0)

    def taken(rows: int) -> tuple[int, int, int, float]:
        """Documents of a run over the first ones, their text, what it wrote, and its seconds."""
        each, stages = -(-rows // max(len(sources), 1)), Stages()
        heads = [cast("Source", _Head(source, each)) for source in sources]
        with tempfile.TemporaryDirectory(prefix="quchong-plan-") as folder:
            work = Work(Path(folder))
            outcome = run(heads[len(references) :], plan, heads[: len(references)], (), stages, room=Room(work=work))
            return (
                len(outcome.corpus),
                int(outcome.corpus.texts.bytes.sum()),
                work.written,
                sum(stages.seconds.values()),
            )

    _, _, _, begun = taken(sample // 10)  # what every run takes once, such as reading word lists, is in here
    few, _, _, again = taken(sample // 10)
    seen, text, written, seconds = taken(sample)
    rate = max(seconds - again, 0.0) / (seen - few) if seen > few else 0.0
    times = (documents or 0) / max(seen, 1)
    given, size = budget(room.memory), sum(file.stat().st_size for source in sources for file in source.files)
    needed = None if documents is None else int(BASE + A_DOCUMENT * documents + TEXTS * text * times)
    kept = room.work.kept or may_exceed(size, given)
    place = room.work.folder or room.spill or Path(tempfile.gettempdir())
    return Estimate(
        documents,
        seen,
        None if documents is None else begun + WRITING * rate * documents,
        given if needed is None else min(needed, given or needed),
        given,
        None if documents is None else int(times * written) if kept else 0,
        shutil.disk_usage(place).free,
    )
