"""Estimate of a run's time, memory and disk space, made before the run from its first documents."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from quchong.engines.local.inputs import RunInputs, bytes_of
from quchong.engines.local.memory import Room, budget, may_exceed, unbounded
from quchong.engines.local.sample_costs import measured_costs
from quchong.errors import QuchongError
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.plan import Plan
from quchong.seam import active_differences

SAMPLE = 20_000
"""Documents that are run through all stages, to measure the cost of one document."""
SHARE, FEWEST = 200, 200
"""Before an ordinary run one document in SHARE is sampled, at least FEWEST; each sampled document is run about twice."""
MANY = 2_000_000
"""Number of documents at or above which a run over the shortest texts takes about a minute."""
WRITING = 1.3
"""Factor for writing rows and tables, which adds 13 to 25% to a run over zh_100k and zh_short_1m."""
WORK_RATE = 3e8
"""Bytes of work written in a second."""
BASE, A_DOCUMENT, TEXTS, A_PAIR, LEXICONS = 120 << 20, 230, 2.1, 280, 110 << 20
"""Memory without files: bytes of the process, for each document, for each byte of its text, for each pair in the table
of pairs, and of word lists and what is made of texts by them, where pairs are examined."""
WITH_DIFFERENCES, PLAIN_PAIR = 30, 7
"""Memory of the differences of pairs: bytes for each byte by which a packed row of the table of pairs exceeds one without differences."""
BOUNDED, BUFFERS = 0.55, 65 << 20
"""Part of its limit that a run takes which keeps data in files, but never less than the process, its word lists and the bytes of a stage's
buffers; pages of these files are not counted. What would exceed it is mapped to files."""


@explains_arguments
@dataclass(frozen=True, slots=True)
class Estimate(SuggestsNames):
    """Approximate time, memory and disk space of a run.

    Attributes:
        documents: number of documents; None if it is unknown without reading all.
        sampled: number of documents that were looked at.
        seconds: of the run; None if `documents` is None.
        cpu_seconds: seconds of the processor, those of all threads added up; None if `documents` is None.
        least_seconds, least_files: the same if copies lie near each other in the input, as in files in order of time; `seconds` and `files`
            are for copies anywhere. The sample does not tell which is true. None if `documents` is None.
        memory: the process's own memory in bytes; None if there is no limit and `documents` is None.
        given: memory limit in bytes; None if unknown.
        files: bytes of temporary files, 0 if all is held in memory; None if `documents` is None.
        free: free bytes on the disk of these files.
        output: bytes of the run folder; None if `documents` is None.
        short: folder of the temporary files or of the output whose disk has too little space; None if both fit.
        beyond: reason why the run may exceed its memory limit; None if its method keeps to the limit.
        alarms: earlier runs compared with whose kept rows are not as many as they kept, as dictionaries (`Result.alarms`).
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "seconds": "time duration minutes hours runtime elapsed",
            "memory": "ram mem peak memory_bytes",
            "output": "disk size bytes",
            "documents": "count docs n rows",
        }
    )

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
    cpu_seconds: float | None = None
    least_seconds: float | None = None
    least_files: int | None = None


def estimate(
    inputs: RunInputs,
    plan: Plan,
    room: Room,
    sample: int = SAMPLE,
    out: Path | None = None,
    within: Path | None = None,
) -> Estimate:
    """Run the first documents of each source through all stages, and estimate the cost of a run over all documents.

    Pairs are extrapolated by how they grow within the sample. Of documents in large families only a few are run, and pairs counted
    (`measured_costs`).

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
    costs = measured_costs(inputs, replace(plan, recall_sample=0), sample, within)
    # Scale the sample to all documents, and its pairs as they grow.
    count = documents or 0
    times, pairs = count / max(costs.documents, 1), costs.pairs_of(count)
    given, size = budget(room.memory), bytes_of(sources)
    lexicons = LEXICONS if costs.examined and active_differences(plan.method) is not None else 0
    of_pair = A_PAIR + WITH_DIFFERENCES * max(costs.tables.pairs - PLAIN_PAIR, 0)
    kept = room.work.stores_values or may_exceed(size, given)
    place = room.work.folder or room.spill or Path(tempfile.gettempdir())
    # What a limit does not let into memory is mapped to files, beside the work.
    bound = given if given is None else max(int(BOUNDED * given), BASE + lexicons + BUFFERS)

    def held_with(number: int) -> float:
        listed = costs.listed * number
        return BASE + A_DOCUMENT * count + TEXTS * costs.text * times + of_pair * listed + lexicons

    def written_with(number: int) -> int:
        mapped = max(int(held_with(number)) - bound, 0) if bound is not None else 0
        return costs.bytes_written(count, number) + mapped if kept else 0

    def seconds_with(number: int) -> list[float]:
        spent: list[float] = (
            costs.fixed + WRITING * costs.seconds(count, number) + written_with(number) / WORK_RATE
        ).tolist()
        return spent

    needed = None if documents is None else int(held_with(pairs))
    files = None if documents is None else written_with(pairs)
    output = None if documents is None else bytes_of(inputs.sources) + costs.bytes_of_tables(count, pairs)
    seconds, processor = seconds_with(pairs)
    fewest = min(costs.pairs_nearby(count), pairs)
    most = given if needed is None else min(needed, bound or needed)
    return Estimate(
        documents,
        costs.documents,
        None if documents is None else seconds,
        most,
        given,
        files,
        shutil.disk_usage(place).free,
        output,
        _short(place, files, out, output),
        unbounded(plan.method, size, given),
        cpu_seconds=None if documents is None else processor,
        least_seconds=None if documents is None else seconds_with(fewest)[0],
        least_files=None if documents is None else written_with(fewest),
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
    """Return the first folder of the two whose disk lacks free space for the estimated bytes, None if both have enough.

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
