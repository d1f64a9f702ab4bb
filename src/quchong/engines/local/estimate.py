"""Estimate of a run's time, memory and disk space, made before the run from its first documents."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Generator, Iterator, MutableSequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from quchong.engines.local.inputs import RunInputs, bytes_of
from quchong.engines.local.memory import Room, budget, may_exceed, unbounded
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.run import run
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.errors import QuchongError
from quchong.io.source import Bad, Source, WantedColumns
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work

SAMPLE = 20_000
"""Documents that are run through all stages, to measure the cost of one document."""
SHARE, FEWEST = 200, 200
"""Before an ordinary run one document in SHARE is sampled, at least FEWEST; each sampled document is run about twice."""
MANY = 2_000_000
"""Number of documents from which on a run over the shortest texts takes about a minute."""
WRITING = 1.3
"""Factor for writing rows and tables, which adds 13 to 25% to a run over zh_100k and zh_short_1m."""
WORK_RATE = 3e8
"""Bytes of work written in a second."""
A_DOCUMENT, TEXTS, BASE = 1000, 2.5, 200 << 20
"""Memory without files: bytes a document, times its text, and of the process."""
A_ROW = 40
"""Bytes of tables for each document of the input, without the rows themselves: 15 to 29 over 1,000,000 posts."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Approximate time, memory and disk space of a run.

    Attributes:
        documents: number of documents; None if it is unknown without reading all.
        sampled: number of documents in the sample run.
        seconds: of the run; None if `documents` is None.
        memory: upper bound of the process's own memory in bytes; None if there is no limit and `documents` is None.
        given: memory limit in bytes; None if unknown.
        files: bytes of temporary files, 0 if all is held in memory; None if `documents` is None.
        free: free bytes on the disk of these files.
        output: bytes of the run folder; None if `documents` is None.
        short: folder of the temporary files or of the output whose disk has too little space; None if both fit.
        beyond: reason why the run may exceed its memory limit; None if its method keeps to the limit.
        alarms: earlier runs compared with whose kept rows are not as many as they kept, as dictionaries (`Result.alarms`).
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
    alarms: tuple[dict[str, Any], ...] = ()


class _Beginning:
    """Cached first documents of a source, read once.

    Attributes:
        seconds, read: time of reading, and number of documents that were read (whole batches, so maybe more than asked for).
    """

    def __init__(self, source: Source, rows: int) -> None:
        self.source, self._rows = source, rows
        self.seconds, self.read = 0.0, 0
        self._kept: dict[WantedColumns, tuple[list[pa.RecordBatch], list[Bad]]] = {}

    def batches(self, wanted: WantedColumns) -> tuple[list[pa.RecordBatch], list[Bad]]:
        """Return batches with the first documents of the source, and the bad records among them."""
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
    """Source that yields only the first `rows` documents of another source."""

    def __init__(self, source: Source, rows: int, beginning: _Beginning | None = None) -> None:
        self._source, self._rows, self._beginning = source, rows, beginning

    def __reduce__(self) -> tuple[type[_Head], tuple[Source, int]]:
        return _Head, (self._source, self._rows)  # what is kept of a run names its sources

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """Yield batches of the source, cut after the first `rows` documents; all bad records that were read go to `bad`."""
        batches, skipped = (self._beginning or _Beginning(self._source, self._rows)).batches(wanted)
        bad.extend(skipped)
        left = self._rows
        for batch in batches:
            yield batch.slice(0, left)
            left -= len(batch)
            if left <= 0:
                return


def estimate(
    inputs: RunInputs,
    plan: Plan,
    room: Room,
    sample: int = SAMPLE,
    out: Path | None = None,
    within: Path | None = None,
) -> Estimate:
    """Run the first documents of each source through all stages, and estimate the cost of a run over all documents.

    Copies that are far from each other in the input are not in the sample, so that the time of inputs with many of them is
    underestimated.

    Args:
        inputs, plan: of the run.
        room: memory limit of the run, and the folder of its temporary files (that of `work`, else `spill`).
        sample: number of documents, over all sources.
        out: a folder on the disk of the run folder; None if no run folder is written.
        within: folder for temporary files of the sample run; None for the system's.

    Raises:
        UsageError, InputError: as of the run.

    Cost: a run over the sample, half a second for 20,000 short texts.
    """
    sources, documents = inputs.all_sources, inputs.documents()
    plan = replace(plan, recall_sample=0)
    beginnings = [_Beginning(source, -(-sample // max(len(sources), 1))) for source in sources]

    def run_sample(rows: int, work: Work) -> tuple[Outcome, float]:
        """Run the first `rows` documents; return the outcome, and the seconds without the time of reading."""
        each, stages, before = -(-rows // max(len(sources), 1)), Stages(), sum(one.seconds for one in beginnings)
        heads = [cast("Source", _Head(one.source, each, one)) for one in beginnings]
        references = len(inputs.references)
        outcome = run(RunInputs(heads[references:], heads[:references]), plan, stages, room=Room(work=work))
        return outcome, sum(stages.seconds.values()) - (sum(one.seconds for one in beginnings) - before)

    # Run the sample with temporary files, a tenth of it without, and the sample without: from the differences follow the time of
    # one document and the fixed time of a run.
    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.open_path(Path(folder)), kinds=RUN_KINDS)
        first, begun = run_sample(sample, work)  # what every run takes once, such as reading word lists, is in here
        seen, text = len(first.corpus), int(first.corpus.texts.bytes.sum())
        del first
    fewer, little = run_sample(
        sample // 10, Work()
    )  # without files: their names take longer than what goes into so small ones
    _, more = run_sample(sample, Work())
    rate = max(more - little, 0.0) / max(seen - len(fewer.corpus), 1)
    rate += sum(one.seconds for one in beginnings) / max(sum(one.read for one in beginnings), 1)
    # Scale the sample to all documents.
    times = (documents or 0) / max(seen, 1)
    given, size = budget(room.memory), bytes_of(sources)
    needed = None if documents is None else int(BASE + A_DOCUMENT * documents + TEXTS * text * times)
    kept = room.work.stores_values or may_exceed(size, given)
    place = room.work.folder or room.spill or Path(tempfile.gettempdir())
    files = None if documents is None else int(times * work.written) if kept else 0
    output = None if documents is None else bytes_of(inputs.sources) + A_ROW * documents
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


def estimate_before(inputs: RunInputs, plan: Plan, room: Room, within: Path) -> Estimate | None:
    """Return the estimate of a large run that is about to begin; None for a run that is not large or whose files cannot be read.

    A run is large if it may need more memory than it is given, or has MANY documents or more. Errors of files are left to the run
    itself, which raises them.

    Args:
        within: the folder that the run writes, on the disk of its output; empty again afterwards.

    Cost: opening each file; for a large run a hundredth of its time, at most half a second for short texts.
    """
    with suppress(QuchongError, OSError):
        documents = inputs.documents()
        if documents is None:
            return None
        if documents >= MANY or may_exceed(bytes_of(inputs.all_sources), budget(room.memory)):
            sample = min(SAMPLE, max(documents // SHARE, FEWEST))
            return estimate(inputs, plan, room, sample, within, within)
    return None


def _short(work: Path, files: int | None, out: Path | None, output: int | None) -> str | None:
    """Return the first folder whose disk has less free space than needed, None if both fit.

    Args:
        work, files: folder of the temporary files, and the bytes that they need.
        out, output: folder of the output, and the bytes that it needs; needs on one disk are added.
    """
    wanted: dict[int, tuple[Path, int]] = {}
    for place, size in ((work, files), (out, output)):
        if place is not None and size:
            first, before = wanted.get(place.stat().st_dev, (place, 0))
            wanted[place.stat().st_dev] = first, before + size
    return next((str(place) for place, size in wanted.values() if size > shutil.disk_usage(place).free), None)
