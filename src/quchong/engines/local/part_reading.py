"""Reading of one part of a run: its share of the inputs is read and fingerprinted into a folder of work, for `read_parts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.engines.local.columns import check_texts
from quchong.engines.local.fingerprinting import fingerprint_batch, page_reader
from quchong.engines.local.inputs import RunInputs, bytes_of
from quchong.engines.local.part_checks import DONE, check_part
from quchong.engines.local.part_shares import PartNumber, Shares
from quchong.engines.local.segments import Segments
from quchong.engines.local.stored_source import KnownSource
from quchong.io.bad_records import BadRecords
from quchong.io.documents import numbered
from quchong.io.found_properties import found_by, pieces_of
from quchong.io.page_documents import Pages
from quchong.io.prefetch import read_ahead
from quchong.io.shared_source import SharedSource
from quchong.io.source import Chosen, Source
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work


@explains_arguments
@dataclass(frozen=True, slots=True)
class PartRead(SuggestsNames):
    """Numbers of what one part of a run has read and verified.

    Attributes:
        documents: number of documents that it has read.
        bad: number of records that it could not read.
        inputs: number of inputs of which it has read documents.
        pairs: number of candidate pairs of the whole run, of which it has verified its share; None for the step "read".
    """

    documents: int
    bad: int
    inputs: int
    pairs: int | None = None


def shares_of(sources: Sequence[Source], count: int) -> Shares:
    """Return the division of sources between parts; those of which an earlier run stored the features belong to no part."""
    return Shares([0 if isinstance(one, KnownSource) else bytes_of([one]) for one in sources], count)


def read_part(inputs: RunInputs, plan: Plan, part: PartNumber, work: Work, stages: Stages) -> PartRead:
    """Read and fingerprint a part of the inputs into the work; what an interrupted process stored there is not done again.

    Raises:
        InputError: an input cannot be read.
        OutputError: there is no room.
        Unencodable: the reason of a bad record cannot be stored.
    """
    if (stored := work.get(DONE, check_part)) is not None:
        return _summary(stored[0])
    chosen = shares_of(inputs.all_sources, part.count).blocks_of_part(part.number - 1)
    mine = {
        s: source for s, source in enumerate(inputs.all_sources) if s in chosen and not isinstance(source, KnownSource)
    }
    check_texts(list(mine.values()), plan)
    with stages.watching():
        entries = _read(mine, chosen, plan, work, stages)
        if entries is None:  # stored batches have other edges: they are of no use
            for name in ("read-", "texts-"):
                work.forget(name)
            entries = _read(mine, chosen, plan, work, stages)
    assert entries is not None
    work.store(DONE, entries)
    return _summary(entries)


def _read(
    mine: Mapping[int, Source], chosen: Mapping[int, Chosen], plan: Plan, work: Work, stages: Stages
) -> list[dict[str, Any]] | None:
    """Read the chosen blocks of sources; return for each its batch sizes, bad records and more, or None if stored batches no longer fit."""
    reader, entries = page_reader(plan), list[dict[str, Any]]()
    with stages.stage("read and fingerprint") as progress, Segments(work) as segments:
        for s, source in mine.items():
            bad, numbers = BadRecords(), True
            reader.met.discard(source.name)
            shared = SharedSource(source, chosen[s])
            counts: list[int] = []
            for batch in read_ahead(Pages(shared, reader).documents(plan.wanted_columns, bad)):
                if not len(batch) and counts:
                    continue
                numbers = numbers and (not len(batch) or numbered(batch))
                stored = segments.left
                if segments.next(len(batch)) is None:
                    if stored:
                        return None
                    segments.add(fingerprint_batch(plan, batch)[0])
                counts.append(len(batch))
                progress.advance(len(batch))
            bad.finish()
            entries.append(
                {"source": s, "counts": np.array(counts, np.int64), "bad": bad, "bad_rows": shared.bad_rows, "numbers": numbers,
                 "first": chosen[s](0), "found": found_by(source), "pieces": pieces_of(source),
                 "pages": source.name in reader.met}
            )  # fmt: skip
        if segments.left:
            return None
        segments.finish()
    return entries


def _summary(entries: Sequence[dict[str, Any]]) -> PartRead:
    documents = sum(int(one["counts"].sum()) for one in entries)
    return PartRead(
        documents, sum(len(one["bad"]) for one in entries), sum(bool(one["counts"].any()) for one in entries)
    )
