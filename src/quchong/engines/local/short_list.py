"""Decisions on a short list of documents: the stages of a run up to the choice of survivors, without its reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from quchong.decision.classes import find_classes
from quchong.decision.expansion import expand
from quchong.decision.frozen import with_fields
from quchong.decision.survivors import fates
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.crowds import score_crowds
from quchong.engines.local.examine import Examiner
from quchong.engines.local.examined_parts import RememberedExaminations
from quchong.engines.local.first_stage import first_stage
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import candidate_pairs
from quchong.engines.local.scores import equal_texts
from quchong.engines.local.text_store import TextKeeper
from quchong.io.bad_records import BadRecords
from quchong.io.source import Bad
from quchong.plan.plan import Plan
from quchong.progress import UnmeasuredStages
from quchong.relation_codes import NAMES, mirrored
from quchong.relations import EXACT


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """Removed row of the input, with the kept row for which it was removed and its relation to that.

    `survivor` is None if a filter removed the row without naming a survivor (two-stage without `confirm`).
    """

    row: int
    survivor: int | None
    relation: str


@dataclass(frozen=True, slots=True)
class ShortDecision:
    """The removed rows of a short list, ascending, and the records that could not be read."""

    removed: tuple[RemovedRow, ...]
    bad: Sequence[Bad]


def decide_rows(inputs: RunInputs, plan: Plan) -> ShortDecision:
    """Decide which rows of one source are removed, as a run over it does (`quchong.engines.local.run`).

    A run also makes a ledger with passages, tables, alarms and figures of its cost, which take most of the time for a hundred documents.
    Here are the calls of its stages and no more. Nothing is stored, measured or logged. tests/promises/test_distinct_and_run_agree.py
    compares both.
    """
    stages, bad = UnmeasuredStages(), BadRecords()
    corpus, keys = load(inputs, plan, bad, stages, TextKeeper(None, None))
    bad.finish()
    if not len(corpus):
        return ShortDecision((), bad)
    corpus = corpus.under(plan, np.zeros(len(corpus), bool))
    # Exact classes and the filter of stage 1, then candidate pairs.
    documents, join = corpus.documents, plan.method.candidates
    classes, stage1 = first_stage(
        corpus, plan, find_classes(documents, partial(equal_texts, corpus, plan), join.cap), stages
    )
    fitted, parts, candidates = candidate_pairs(corpus, plan, keys, classes, stages)
    plan = replace(plan, method=with_fields(plan.method, fitted))
    # Scores, templates and headers, and the differences on which a decision depends; then the decisions.
    corpus = corpus.with_unseen(parts.contains(candidates.unseen))
    known = RememberedExaminations(len(parts.first))
    found = score_crowds(corpus, plan, parts, candidates, stages, known=known)
    if found.open is not None and found.open.any():
        found = Examiner(corpus, plan, parts, stages, known=known).with_deciding(classes, found)
    pairs = expand(corpus.documents, plan, classes, parts, found)
    fate = fates(corpus.documents, pairs, plan, stage1.unconfirmed)
    # Documents are rows that could be read: name them by their rows again.
    removed = np.flatnonzero(fate.removed)
    relation = np.full(len(removed), EXACT, object)
    by_pair = np.flatnonzero(fate.pair[removed] >= 0)
    which = fate.pair[removed[by_pair]]
    relation[by_pair] = NAMES[mirrored(pairs.relation[which], pairs.left[which] != removed[by_pair])]
    return ShortDecision(_rows(corpus, removed, fate.survivor[removed], relation), bad)


def _rows(corpus: Corpus, removed: np.ndarray, survivor: np.ndarray, relation: np.ndarray) -> tuple[RemovedRow, ...]:
    """Return removed documents by their rows, ascending."""
    rows = corpus.row[removed].tolist()
    kept = [None if one == own else int(corpus.row[one]) for one, own in zip(survivor, removed, strict=True)]
    return tuple(sorted(map(RemovedRow, rows, kept, relation.tolist()), key=lambda one: one.row))
