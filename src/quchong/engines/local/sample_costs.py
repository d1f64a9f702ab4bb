"""Costs of a run, measured on its first documents: what one of them takes, and how many candidate pairs it has."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from quchong.decision.classes import find_classes, parted
from quchong.engines.local.beginnings import Beginnings
from quchong.engines.local.candidates import find_candidates
from quchong.engines.local.corpus import load
from quchong.engines.local.first_stage import first_stage
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import find_pairs
from quchong.engines.local.memory import Room
from quchong.engines.local.run import protect, run
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.scores import equal_texts
from quchong.io.source import Bad
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import KeyJoin
from quchong.work import Work

MANY_PAIRS = 8
"""Candidate pairs a document from which on fewer documents are run: they are of large families, whose pairs cost more than all else."""
PAIRS = 6_000
"""Approximate maximum of the pairs that such a run compares, because each may take 0.1 ms."""


@dataclass(frozen=True, slots=True)
class SampleCosts:
    """Costs of the first documents of a run.

    Attributes:
        documents: number of documents that were looked at.
        text: bytes of their texts.
        pairs: number of their candidate pairs.
        fixed: seconds that a run takes whatever its size.
        rate: seconds a document.
        written: bytes of work that they write.
    """

    documents: int
    text: int
    pairs: int
    fixed: float
    rate: float
    written: float


def measured_costs(inputs: RunInputs, plan: Plan, sample: int, within: Path | None) -> SampleCosts:
    """Measure the costs of a run on its first documents.

    They are run through all stages, with and without files. Documents with MANY_PAIRS are not: only their candidates are counted, and the
    cost of a pair is measured on the first few of them.

    Args:
        inputs, plan: of the run.
        sample: number of documents, over all sources.
        within: folder for temporary files; None for the system's.

    Cost: a run over the sample three times, or over the documents of PAIRS pairs; half a second for 20,000 short texts.
    """
    head = Beginnings(inputs, sample)
    few = _counted(head, plan, sample // 10)
    if few.pairs > MANY_PAIRS * few.documents:
        return _of_families(head, plan, sample, few, within)
    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.open_path(Path(folder)), kinds=RUN_KINDS)
        first = _run(head, plan, sample, work)  # what every run takes once, such as reading word lists, is in here
    # The tenth is run without files: their names take longer than what goes into so small ones.
    tenth, more = _run(head, plan, sample // 10), _run(head, plan, sample)
    rate = max(more.seconds - tenth.seconds, 0.0) / max(first.documents - tenth.documents, 1)
    return SampleCosts(
        first.documents,
        first.text,
        first.pairs,
        max(first.seconds - more.seconds, 0.0),
        rate + head.seconds / max(head.read, 1),
        work.written,
    )


def _of_families(head: Beginnings, plan: Plan, sample: int, few: _Seen, within: Path | None) -> SampleCosts:
    """Measure the costs where documents have many pairs: count the candidates of all, and run so few documents that they have few.

    Args:
        few: what was counted of a part of them.
    """
    whole = _counted(head, plan, sample)
    rows = few.documents
    while few.pairs > PAIRS and rows > 16:
        rows = max(rows // 2, 16)
        few = _counted(head, plan, rows)
    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.open_path(Path(folder)), kinds=RUN_KINDS)
        first = _run(head, plan, rows, work)
    less, more = _run(head, plan, rows // 4), _run(head, plan, rows)
    a_pair = max(more.seconds - less.seconds, 0.0) / max(more.pairs - less.pairs, 1)
    times = whole.pairs / max(more.pairs, 1)
    return SampleCosts(
        whole.documents,
        whole.text,
        whole.pairs,
        max(first.seconds - more.seconds, 0.0),
        (whole.seconds + a_pair * whole.pairs) / max(whole.documents, 1) + head.seconds / max(head.read, 1),
        whole.text + times * work.written,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen of some documents: their number, bytes of text, candidate pairs, and the seconds it took without reading files."""

    documents: int
    text: int
    pairs: int
    seconds: float


def _run(head: Beginnings, plan: Plan, rows: int, work: Work | None = None) -> _Seen:
    """Run the first `rows` documents through all stages."""
    stages, before = Stages(), head.seconds
    outcome = run(head.inputs(rows), plan, stages, room=Room(work=work or Work()))
    spent = sum(stages.seconds.values()) - (head.seconds - before)
    corpus = outcome.corpus
    return _Seen(len(corpus), int(corpus.texts.bytes.sum()), outcome.counts["candidates"], spent)


def _counted(head: Beginnings, plan: Plan, rows: int) -> _Seen:
    """Count the candidate pairs of the first `rows` documents, without comparing any."""
    stages, start, before = Stages(), time.perf_counter(), head.seconds
    bad: list[Bad] = []
    corpus, keys = load(head.inputs(rows), plan, bad, stages)
    corpus = corpus.under(plan, protect(corpus, ()))
    documents, join = corpus.documents, plan.method.candidates
    classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
    classes, _ = first_stage(corpus, plan, classes, stages)
    if isinstance(join, KeyJoin) and keys is not None:
        candidates = find_candidates(documents, plan, keys, join.limits, classes, stages)
    else:
        parts = parted(documents, corpus.columns, classes, plan.method.traits.needs)
        _, candidates = find_pairs(corpus, plan, classes, parts, stages)
    spent = time.perf_counter() - start - (head.seconds - before)
    return _Seen(len(corpus), int(corpus.texts.bytes.sum()), len(candidates.left), spent)
