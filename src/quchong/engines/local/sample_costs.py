"""Costs of a run, measured on its first documents: what a document and what a copy takes, and how many of them there are in all."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from quchong.decision.classes import CLASS_LIMIT, find_classes, parted
from quchong.engines.local.beginnings import CLOCKS, Beginnings, clocks
from quchong.engines.local.candidates import find_candidates
from quchong.engines.local.corpus import load
from quchong.engines.local.first_stage import first_stage
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import find_pairs
from quchong.engines.local.memory import Room
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.protected import protect
from quchong.engines.local.run import run
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.scores import equal_texts
from quchong.engines.local.table_sizes import TableSizes, table_sizes
from quchong.io.source import Bad
from quchong.kernels.graph import components
from quchong.outputs import OwnFolder
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.relations import EXACT
from quchong.seam import CROWD, KeyJoin
from quchong.work import Work

PAIRS = 40_000
"""Approximate maximum of the candidate pairs that a sample run compares. Candidates are counted first, which compares nothing: of documents
with more pairs fewer are run."""
OF_PAIRS, OF_FOLLOWERS = ("verify", "templates", "write tables"), ("headers", "choose survivors", "passages")
"""Stages whose time grows with the candidate pairs, and with the followers; that of all others grows with the documents."""
FEW, A_FOLLOWER = 100, 5e-4
"""A sample of fewer followers does not tell what one costs with its pairs: then it is A_FOLLOWER seconds."""
CROWDED = 5 * CROWD // 4
"""Documents that are run to measure the pairs of a crowd."""
LEAST = 16
"""Minimum number of documents that are run."""
A_ROW_OF_WORK = 400
"""Bytes of work that a document has beside its text: keys, ids, numbers."""
UNREAD = {EXACT, "field"}
"""Relations, and facts that kept variants, which are decided without word lists: equal texts and slots of templates."""
_NOTHING = np.zeros(len(CLOCKS))


def _no_pairs() -> np.ndarray:
    """Return an empty int64 array."""
    return np.zeros(0, np.int64)


def followers(documents: int, pairs: int) -> float:
    """Return an estimate of how many documents have an earlier candidate, assuming families of equal size.

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
        half, pairs: numbers of pairs of half of them, and of all: candidate pairs, and pairs of exact copies.
        listed: pairs in the table of pairs, for each of these.
        examined: True if the texts of pairs were examined for differences, which word lists are read for.
        most: maximum number of candidates that a document has; 0 for no limit.
        fixed: seconds of each of CLOCKS that a run takes whatever its size (float64).
        a_document, a_follower, a_pair: seconds of each of CLOCKS (float64).
        written, for_followers: bytes of work for each document, and for each follower.
        tables: bytes of the tables of the run folder for each of their rows.
        removed: removed documents, for each follower.
    """

    documents: int
    text: int
    half: int
    pairs: int
    listed: float
    examined: bool
    most: int
    fixed: np.ndarray
    a_document: np.ndarray
    a_follower: np.ndarray
    a_pair: np.ndarray
    written: float
    for_followers: float
    tables: TableSizes
    removed: float

    def pairs_of(self, documents: int) -> int:
        """Return the expected number of pairs (candidates and exact copies) among `documents` documents.

        Copies that lie next to each other make pairs in proportion to the documents, copies that lie anywhere to their square. The shares
        of both follow from the pairs of half of the sample and of all. `most` bounds them.
        """
        n = max(self.documents, 1)
        if documents <= n:
            return self.pairs_nearby(documents)
        anywhere = min(
            max(2 * (self.pairs - 2 * self.half), 0), self.pairs
        )  # the part of them that grows with the square
        times = documents / n
        found = (self.pairs - anywhere) * times + anywhere * times**2
        return round(min(found, documents * self.most) if self.most else found)

    def pairs_nearby(self, documents: int) -> int:
        """Return the number of pairs among `documents` documents if copies lie no farther apart than the sample reaches: the fewest."""
        return round(self.pairs * documents / max(self.documents, 1))

    def seconds(self, documents: int, pairs: int) -> np.ndarray:
        """Return the seconds of a run with this number of documents and pairs, by each of CLOCKS; writing rows and work is not included."""
        spent: np.ndarray = (
            self.a_document * documents + self.a_follower * followers(documents, pairs) + self.a_pair * pairs
        )
        return spent

    def bytes_of_tables(self, documents: int, pairs: int) -> int:
        """Return the estimated bytes of a run folder without its rows, for a number of documents and pairs."""
        return self.tables.folder(documents, int(self.listed * pairs), self.removed * followers(documents, pairs))

    def bytes_written(self, documents: int, pairs: int) -> int:
        """Return the bytes of work that a run writes for this number of documents and pairs."""
        return int(self.written * documents + self.for_followers * followers(documents, pairs))


def measured_costs(inputs: RunInputs, plan: Plan, sample: int, within: Path | None) -> SampleCosts:
    """Measure the costs of a run on its first documents.

    The candidates of all of them are counted. As many of them as have PAIRS pairs are run through all stages, with and without files.

    Args:
        inputs, plan: of the run.
        sample: number of documents, over all sources.
        within: folder for temporary files; None for the system's.

    Cost: a run over the sample twice, or over the documents of PAIRS pairs; a second for 20,000 short texts.
    """
    head = Beginnings(inputs, sample)
    half, whole = _counted(head, plan, sample // 2), _counted(head, plan, sample)
    rows = _to_run(head, plan, half, whole, sample)
    with tempfile.TemporaryDirectory(prefix="quchong-plan-", dir=within) as folder:
        work = Work(OwnFolder.open_path(Path(folder)), kinds=RUN_KINDS)
        first, _ = _run(head, plan, rows, work)  # what every run takes once, such as reading word lists, is in here
        more, outcome = _run(head, plan, rows)  # without files
        tables = table_sizes(outcome, Path(folder))
    following = followers(more.documents, more.pairs)
    if following >= FEW:
        a_follower, a_pair = more.of_followers / following, more.of_pairs / max(more.pairs, 1)
    else:
        a_follower, a_pair = np.full(len(CLOCKS), A_FOLLOWER), _NOTHING
    if not isinstance(rows, int) or rows < sample:  # the few that were run do not show what a document costs
        a_document = whole.of_documents / max(whole.documents, 1)
    else:  # a part without files, as the names of files take longer than what goes into small ones
        less, _ = _run(head, plan, rows // 10)
        a_document = np.maximum(more.of_documents - less.of_documents, 0.0) / max(more.documents - less.documents, 1)
    for_texts = min(work.written, first.text + A_ROW_OF_WORK * first.documents)
    return SampleCosts(
        whole.documents,
        whole.text,
        half.pairs,
        whole.pairs,
        more.listed / max(more.pairs, 1),
        more.examined,
        join.limits.most if isinstance(join := plan.method.candidates, KeyJoin) else 0,
        np.maximum(first.seconds - more.seconds, 0.0),
        a_document + head.seconds / max(head.read, 1),
        a_follower,
        a_pair,
        for_texts / max(first.documents, 1),
        (work.written - for_texts) / max(following, 1.0),
        tables,
        len(outcome.ledger) / max(following, 1.0),
    )


def _to_run(head: Beginnings, plan: Plan, half: _Measured, whole: _Measured, sample: int) -> int | np.ndarray:
    """Return how many sampled documents to run, or a mask of them, so that they have about PAIRS pairs; all if they have fewer.

    Whole families of copies are taken, so that a document has as many pairs as in the sample. A family with more pairs is cut: pairs grow
    with a power of the documents between 1 (copies next to each other) and 2 (copies anywhere), which half of the sample shows.
    """
    if whole.candidates <= PAIRS:
        return sample
    if whole.documents == len(head) and (some := _families(whole)) is not None:
        return some
    if whole.crowded and whole.documents >= CROWDED:
        crowd = _counted(head, plan, CROWDED)
        if crowd.crowded and crowd.candidates <= PAIRS:
            return CROWDED
    power = min(max(math.log2(whole.candidates / max(half.candidates, 1)), 1.0), 2.0)
    rows, seen = sample, whole
    while seen.candidates > PAIRS and rows > LEAST:
        rows = max(int(rows * (PAIRS / seen.candidates) ** (1 / power)) - 1, LEAST)
        seen = _counted(head, plan, rows)
    return rows


def _families(seen: _Measured) -> np.ndarray | None:
    """Return a mask of documents in whole families with about PAIRS pairs, and a proportional number without pairs; None if impossible.

    Returns:
        bool (documents,); None if the families have too many pairs to choose enough of them.
    """
    family = components(seen.documents, seen.left, seen.right)
    pairs = np.bincount(family[seen.left], minlength=seen.documents)
    first = np.unique(family)
    # Families in the order of their first documents; those without pairs come at their place among them.
    enough = int(np.searchsorted(np.cumsum(pairs[first]), PAIRS, side="right"))
    if enough == 0 or pairs[first[:enough]].sum() < PAIRS // 2:
        return None
    chosen: np.ndarray = np.isin(family, first[:enough])
    return chosen


@dataclass(frozen=True, slots=True)
class _Measured:
    """Counts and seconds measured on a sample of documents.

    Attributes:
        documents, text: their number, and bytes of text.
        candidates, equal, listed: candidate pairs, pairs of exact copies, and pairs in the table of pairs.
        of_documents, of_followers, of_pairs: seconds of each of CLOCKS of the stages that grow with the documents (without reading
            files), the followers and the pairs (float64).
        left, right: candidate pairs, as numbers of documents, one for each exact class (int64); empty if documents were run.
        crowded: True if a document is in a crowd.
        examined: True if pairs were examined: near-copies were removed, or kept for other facts than what fills a template.
    """

    documents: int
    text: int
    candidates: int
    equal: int
    listed: int
    of_documents: np.ndarray
    of_followers: np.ndarray
    of_pairs: np.ndarray
    left: np.ndarray = field(default_factory=_no_pairs)
    right: np.ndarray = field(default_factory=_no_pairs)
    crowded: bool = False
    examined: bool = False

    @property
    def pairs(self) -> int:
        """Number of candidate pairs and pairs of exact copies."""
        return self.candidates + self.equal

    @property
    def seconds(self) -> np.ndarray:
        """Seconds of all stages, of each of CLOCKS."""
        spent: np.ndarray = self.of_documents + self.of_followers + self.of_pairs
        return spent


def _run(head: Beginnings, plan: Plan, rows: int | np.ndarray, work: Work | None = None) -> tuple[_Measured, Outcome]:
    """Run the selected documents of the sample through all stages; return the measured counts and seconds, and the outcome."""
    stages, before = Stages(), head.seconds
    outcome = run(head.inputs(rows), plan, stages, room=Room(work=work or Work()))
    spent = {name: np.array([seconds, stages.cpu[name]]) for name, seconds in stages.seconds.items()}
    of_pairs, of_followers = (
        sum((spent.pop(name, _NOTHING) for name in names), _NOTHING) for names in (OF_PAIRS, OF_FOLLOWERS)
    )
    others = sum(spent.values(), _NOTHING) - (head.seconds - before)
    corpus, counts = outcome.corpus, outcome.counts
    text = int(corpus.texts.bytes.sum())
    equal = 0 if outcome.listed is None else pc.sum(pc.equal(outcome.listed["relation"], EXACT)).as_py() or 0
    variants = counts["variants"]
    kinds = {*counts["removed_by_relation"], *variants["kept_by_fact"], *variants["removed_by_fact"]}
    seen = _Measured(
        len(corpus), text, counts["candidates"], equal, counts["pairs"], others, of_followers, of_pairs,
        examined=bool(kinds - UNREAD),
    )  # fmt: skip
    return seen, outcome


def _counted(head: Beginnings, plan: Plan, rows: int) -> _Measured:
    """Count the candidate pairs of the first `rows` documents, without comparing any."""
    stages, start, before = Stages(), clocks(), head.seconds
    bad: list[Bad] = []
    corpus, keys = load(head.inputs(rows), plan, bad, stages)
    corpus = corpus.under(plan, protect(corpus, ()))
    documents, join = corpus.documents, plan.method.candidates
    classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
    classes, _ = first_stage(corpus, plan, classes, stages)
    first = classes.first
    if isinstance(join, KeyJoin) and keys is not None:
        candidates = find_candidates(documents, plan, keys, join.limits, classes, stages)
    else:
        parts = parted(documents, corpus.columns, classes, plan.method.traits.needs)
        _, candidates = find_pairs(corpus, plan, classes, parts, stages)
        first = parts.first
    spent = clocks() - start - (head.seconds - before)
    text, sizes = int(corpus.texts.bytes.sum()), classes.sizes
    equal = int(np.where(sizes > CLASS_LIMIT, sizes - 1, sizes * (sizes - 1) // 2).sum())
    left, right = first[candidates.left], first[candidates.right]
    pairs = len(candidates.left)
    return _Measured(
        len(corpus), text, pairs, equal, pairs, spent, _NOTHING, _NOTHING, left, right, len(candidates.crowded) > 0
    )
