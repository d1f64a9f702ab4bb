"""Costs of a run, measured on its first documents: what a document and what a copy takes, and how many of them there are in all."""

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
from quchong.engines.local.protected import protect
from quchong.engines.local.run import run
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.scores import equal_texts
from quchong.io.source import Bad
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import CROWD, KeyJoin
from quchong.work import Work

MANY_PAIRS = 8
"""Candidate pairs a document from which on fewer documents are run: they are of large families, whose pairs cost more than all else."""
PAIRS, IN_A_CROWD = 6_000, 40_000
"""Approximate maximum of the pairs that such a run compares, because each may take 0.1 ms; IN_A_CROWD if its documents are in a crowd,
because all pairs of a crowd are examined, and those of a smaller family are not."""
OF_PAIRS = ("verify", "templates", "headers", "choose survivors", "passages", "write tables")
"""Stages whose time grows with the followers; that of all others grows with the documents."""
FEW, A_FOLLOWER = 100, 5e-4
"""A sample of fewer followers does not tell what one costs: then it is A_FOLLOWER seconds."""
CROWDED = 5 * CROWD // 4
"""Documents that are run to measure the pairs of a crowd."""
FEW_PAIRS, A_PAIR = 200, 1e-4
"""A sample of fewer pairs does not tell what a pair costs: then it is A_PAIR seconds."""


A_ROW_OF_WORK = 400
"""Bytes of work that a document has beside its text: keys, ids, numbers."""


def followers(documents: int, pairs: int) -> float:
    """Return about how many documents have an earlier one among their candidates, if the families of copies are equally large.

    Their pairs are examined only where they decide, so that the time of a family grows with its documents, not with its pairs.
    """
    each = 2 * pairs / max(documents, 1)
    return documents * each / (each + 1)


@dataclass(frozen=True, slots=True)
class SampleCosts:
    """Costs of the first documents of a run, and how they grow.

    Attributes:
        documents: number of documents that were looked at.
        text: bytes of their texts.
        half, pairs: numbers of candidate pairs of half of them, and of all.
        listed: pairs in the table of pairs, for each candidate pair.
        most: maximum number of candidates that a document has; 0 for no limit.
        fixed: seconds that a run takes whatever its size.
        a_document, a_follower: seconds.
        written, for_followers: bytes of work for each document, and for each follower.
    """

    documents: int
    text: int
    half: int
    pairs: int
    listed: float
    most: int
    fixed: float
    a_document: float
    a_follower: float
    written: float
    for_followers: float

    def pairs_of(self, documents: int) -> int:
        """Return the number of candidate pairs that so many documents are expected to have.

        Copies that lie next to each other make pairs in proportion to the documents, copies that lie anywhere to their square. The shares
        of both follow from the pairs of half of the sample and of all. `most` bounds them.
        """
        n = max(self.documents, 1)
        if documents <= n:
            return round(self.pairs * documents / n)
        anywhere = min(
            max(2 * (self.pairs - 2 * self.half), 0), self.pairs
        )  # the part of them that grows with the square
        times = documents / n
        found = (self.pairs - anywhere) * times + anywhere * times**2
        return round(min(found, documents * self.most) if self.most else found)

    def seconds(self, documents: int) -> float:
        """Return the seconds that a run over so many documents takes, without writing rows and work."""
        return self.a_document * documents + self.a_follower * followers(documents, self.pairs_of(documents))

    def bytes_written(self, documents: int) -> int:
        """Return the bytes of work that a run over so many documents writes."""
        return int(self.written * documents + self.for_followers * followers(documents, self.pairs_of(documents)))


def measured_costs(inputs: RunInputs, plan: Plan, sample: int, within: Path | None) -> SampleCosts:
    """Measure the costs of a run on its first documents.

    They are run through all stages, with and without files. Of documents with MANY_PAIRS only so few are run that they have PAIRS or, in a
    crowd, IN_A_CROWD; of the others the candidates are counted.

    Args:
        inputs, plan: of the run.
        sample: number of documents, over all sources.
        within: folder for temporary files; None for the system's.

    Cost: a run over the sample twice, or over the documents of some thousand pairs; half a second for 20,000 short texts.
    """
    head = Beginnings(inputs, sample)
    half, few = _counted(head, plan, sample // 2), _counted(head, plan, sample // 10)
    whole, rows = None, sample
    if few.pairs > MANY_PAIRS * few.documents:
        whole = _counted(head, plan, sample)
        rows = _run_of(head, plan, few, whole)
    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.open_path(Path(folder)), kinds=RUN_KINDS)
        first = _run(head, plan, rows, work)  # what every run takes once, such as reading word lists, is in here
    more = _run(head, plan, rows)  # without files
    following = followers(more.documents, more.pairs)
    a_follower = more.of_pairs / max(following, 1.0) if following >= FEW or whole is not None else A_FOLLOWER
    if whole is not None:  # the few that were run do not show what a document costs
        a_document = whole.of_documents / max(whole.documents, 1)
    else:  # a part without files, as the names of files take longer than what goes into small ones
        less = _run(head, plan, rows // 10)
        a_document = max(more.of_documents - less.of_documents, 0.0) / max(more.documents - less.documents, 1)
        whole = more
    for_texts = min(work.written, first.text + A_ROW_OF_WORK * first.documents)
    return SampleCosts(
        whole.documents,
        whole.text,
        half.pairs,
        whole.pairs,
        more.listed / max(more.pairs, 1),
        join.limits.most if isinstance(join := plan.method.candidates, KeyJoin) else 0,
        max(first.seconds - more.seconds, 0.0),
        a_document + head.seconds / max(head.read, 1),
        a_follower,
        for_texts / max(first.documents, 1),
        (work.written - for_texts) / max(following, 1.0),
    )


def _run_of(head: Beginnings, plan: Plan, few: _Seen, whole: _Seen) -> int:
    """Return how many documents of large families are run: so few that they have few pairs."""
    if whole.crowded and whole.documents >= CROWDED:
        crowd = _counted(head, plan, CROWDED)
        if crowd.crowded and crowd.pairs <= IN_A_CROWD:
            return CROWDED
    rows = few.documents
    while few.pairs > PAIRS and rows > 16:
        rows = max(rows // 2, 16)
        few = _counted(head, plan, rows)
    return rows


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen of some documents.

    Attributes:
        documents, text: their number, and bytes of text.
        pairs, listed: candidate pairs, and pairs in the table of pairs.
        of_documents, of_pairs: seconds of the stages that grow with the documents (without reading files) and with the pairs.
        crowded: True if a document is in a crowd.
    """

    documents: int
    text: int
    pairs: int
    listed: int
    of_documents: float
    of_pairs: float = 0.0
    crowded: bool = False

    @property
    def seconds(self) -> float:
        """Seconds of all stages."""
        return self.of_documents + self.of_pairs


def _run(head: Beginnings, plan: Plan, rows: int, work: Work | None = None) -> _Seen:
    """Run the first `rows` documents through all stages."""
    stages, before = Stages(), head.seconds
    outcome = run(head.inputs(rows), plan, stages, room=Room(work=work or Work()))
    of_pairs = sum(seconds for name, seconds in stages.seconds.items() if name in OF_PAIRS)
    others = sum(stages.seconds.values()) - of_pairs - (head.seconds - before)
    corpus, counts = outcome.corpus, outcome.counts
    text = int(corpus.texts.bytes.sum())
    return _Seen(len(corpus), text, counts["candidates"], counts["pairs"], others, of_pairs)


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
    pairs, text = len(candidates.left), int(corpus.texts.bytes.sum())
    return _Seen(len(corpus), text, pairs, pairs, spent, crowded=len(candidates.crowded) > 0)
