"""What a run will take, reckoned before it begins from its first documents."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Generator, Iterator, MutableSequence, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from quchong.engines.local.memory import Room, budget, may_exceed, unbounded
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.run import run
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.errors import QuchongError
from quchong.io.source import Bad, Source, Wanted
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work

SAMPLE = 20_000
"""Documents that are run through all stages, to see what one takes."""
SHARE, FEWEST = 200, 200
"""Of how many documents one is looked at before an ordinary run, which runs it about twice; and how many at least."""
MANY = 2_000_000
"""Documents for which the shortest texts take about a minute."""
WRITING = 1.3
"""What writing rows and tables adds: 13 to 25% of a run over zh_100k and zh_short_1m."""
WORK_RATE = 3e8
"""Bytes of work written in a second."""
A_DOCUMENT, TEXTS, BASE = 1000, 2.5, 200 << 20
"""Memory without files: bytes a document, times its text, and of the process."""
A_ROW = 40
"""Bytes of tables for each document of the input, beside the rows themselves: 15 to 29 over 1,000,000 posts."""


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
        output: bytes of the run folder; None where `documents` is.
        short: folder of these files or of the output whose disk has less room than is reckoned for it; None where both fit.
        beyond: why the run may hold more memory than it may take; None where its method keeps to it.
    """

    documents: int | None
    sampled: int
    seconds: float | None
    memory: int | None
    given: int | None
    files: int | None
    free: int
    output: int | None
    short: str | None
    beyond: str | None = None


class _Beginning:
    """The first documents of a source, read once.

    Attributes:
        seconds, read: what reading took, and how many documents came with it.
    """

    def __init__(self, source: Source, rows: int) -> None:
        self.source, self._rows = source, rows
        self.seconds, self.read = 0.0, 0
        self._kept: dict[Wanted, tuple[list[pa.RecordBatch], list[Bad]]] = {}

    def batches(self, wanted: Wanted) -> tuple[list[pa.RecordBatch], list[Bad]]:
        """Batches of the source until there are enough documents, and what was bad among them."""
        if wanted not in self._kept:
            start, left, found, bad = time.perf_counter(), self._rows, [], list[Bad]()
            with closing(cast("Generator[pa.RecordBatch]", self.source.documents(wanted, bad))) as batches:
                for batch in batches:
                    self.read += len(batch)
                    found.append(
                        batch.take(pa.array(np.arange(min(left, len(batch)))))
                    )  # apart from the rest of the batch
                    left -= len(batch)
                    if left <= 0:
                        break
            self.seconds += time.perf_counter() - start
            self._kept[wanted] = found, bad
        return self._kept[wanted]


class _Head:
    """A source with only so many documents, the first ones."""

    def __init__(self, source: Source, rows: int, beginning: _Beginning | None = None) -> None:
        self._source, self._rows, self._beginning = source, rows, beginning

    def __reduce__(self) -> tuple[type[_Head], tuple[Source, int]]:
        return _Head, (self._source, self._rows)  # what is kept of a run names its sources

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def documents(self, wanted: Wanted, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """The batches of the source, until there are enough documents."""
        batches, skipped = (self._beginning or _Beginning(self._source, self._rows)).batches(wanted)
        bad.extend(skipped)
        left = self._rows
        for batch in batches:
            yield batch.slice(0, left)
            left -= len(batch)
            if left <= 0:
                return


def estimate(
    inputs: Sequence[Source],
    references: Sequence[Source],
    plan: Plan,
    room: Room,
    sample: int = SAMPLE,
    out: Path | None = None,
    within: Path | None = None,
) -> Estimate:
    """Runs the first documents of each source through all stages and reckons what all of them will take.

    Copies that stand far from each other are not in the sample, so that seconds are too few where there are many.

    Args:
        inputs, references, plan: of the run.
        room: its memory; its work is where files would lie, `spill` otherwise.
        sample: documents, over all sources.
        out: a folder on the disk the run folder goes to; None where none is written.
        within: folder for what the sample needs meanwhile; None for the system's.

    Raises:
        UsageError, InputError: as of the run.

    Cost: a run over the sample, half a second for 20,000 short texts.
    """
    sources = (*references, *inputs)
    counts = [source.expected() for source in sources]
    documents = sum(n for n in counts if n is not None) if None not in counts else None
    plan = replace(plan, recall_sample=0)
    beginnings = [_Beginning(source, -(-sample // max(len(sources), 1))) for source in sources]

    def taken(rows: int, work: Work) -> tuple[Outcome, float]:
        """The outcome of a run over the first documents, and its seconds without those of their reading."""
        each, stages, before = -(-rows // max(len(sources), 1)), Stages(), sum(one.seconds for one in beginnings)
        heads = [cast("Source", _Head(one.source, each, one)) for one in beginnings]
        outcome = run(heads[len(references) :], plan, heads[: len(references)], (), stages, room=Room(work=work))
        return outcome, sum(stages.seconds.values()) - (sum(one.seconds for one in beginnings) - before)

    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.opened(Path(folder)), kinds=RUN_KINDS)
        first, begun = taken(sample, work)  # what every run takes once, such as reading word lists, is in here
        seen, text = len(first.corpus), int(first.corpus.texts.bytes.sum())
        del first
    fewer, little = taken(
        sample // 10, Work()
    )  # without files: their names take longer than what goes into so small ones
    _, more = taken(sample, Work())
    rate = max(more - little, 0.0) / max(seen - len(fewer.corpus), 1)
    rate += sum(one.seconds for one in beginnings) / max(sum(one.read for one in beginnings), 1)
    times = (documents or 0) / max(seen, 1)
    given, size = budget(room.memory), bytes_of(sources)
    needed = None if documents is None else int(BASE + A_DOCUMENT * documents + TEXTS * text * times)
    kept = room.work.kept or may_exceed(size, given)
    place = room.work.folder or room.spill or Path(tempfile.gettempdir())
    files = None if documents is None else int(times * work.written) if kept else 0
    output = None if documents is None else bytes_of(inputs) + A_ROW * documents
    return Estimate(
        documents,
        seen,
        None if documents is None else max(begun - more, 0.0) + WRITING * rate * documents + (files or 0) / WORK_RATE,
        given if needed is None else min(needed, given or needed),
        given,
        files,
        shutil.disk_usage(place).free,
        output,
        _short(place, files, out, output),
        unbounded(plan.method, size, given),
    )


def estimate_before(
    inputs: Sequence[Source], references: Sequence[Source], plan: Plan, room: Room, within: Path
) -> Estimate | None:
    """What a run will take that is about to begin, if it is large: one that may need more memory than it is given, or with so many
    documents that it takes about a minute. None of any other, and where files cannot be read: the run itself says so.

    Args:
        within: the folder the run writes, on the disk of its output; empty again afterwards.

    Cost: a look at each file; of a large run a hundredth of it, at most half a second for short texts.
    """
    sources = (*references, *inputs)
    with suppress(QuchongError, OSError):
        counts = [source.expected() for source in sources]
        if None in counts:
            return None
        documents = sum(n for n in counts if n is not None)
        if documents >= MANY or may_exceed(bytes_of(sources), budget(room.memory)):
            sample = min(SAMPLE, max(documents // SHARE, FEWEST))
            return estimate(inputs, references, plan, room, sample, within, within)
    return None


def bytes_of(sources: Sequence[Source]) -> int:
    """Return the bytes of all files of some sources; those that cannot be read count as 0, and whoever reads them says so."""
    size = 0
    for file in (file for source in sources for file in source.files):
        with suppress(OSError):
            size += file.stat().st_size
    return size


def _short(work: Path, files: int | None, out: Path | None, output: int | None) -> str | None:
    """The folder whose disk has less room than is reckoned for it: of the work, of the output, or of both on one disk."""
    wanted: dict[int, tuple[Path, int]] = {}
    for place, size in ((work, files), (out, output)):
        if place is not None and size:
            first, before = wanted.get(place.stat().st_dev, (place, 0))
            wanted[place.stat().st_dev] = first, before + size
    return next((str(place) for place, size in wanted.values() if size > shutil.disk_usage(place).free), None)
