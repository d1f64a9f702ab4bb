"""Verification of a share of a run's candidate pairs by one part, when all parts have read theirs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from quchong.decision.classes import find_classes
from quchong.decision.frozen import with_fields
from quchong.decision.reviewed import apply
from quchong.engines.local.corpus import load
from quchong.engines.local.examine import Examiner
from quchong.engines.local.examined_parts import PairExaminations
from quchong.engines.local.first_stage import first_stage
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import candidate_pairs
from quchong.engines.local.memory import Room
from quchong.engines.local.part_shares import PartNumber
from quchong.engines.local.protected import protect
from quchong.engines.local.scored_parts import EXAMINATIONS, VERIFIED, OwnGroups
from quchong.engines.local.scores import equal_texts, score
from quchong.engines.local.text_store import TextKeeper
from quchong.io.bad_records import BadRecords
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work


def verify_part(
    inputs: RunInputs, plan: Plan, part: PartNumber, work: Work, stages: Stages, memory: int | None = None
) -> int:
    """Score a part's share of the candidate pairs into its work, and return the number of all candidate pairs.

    Each part finds all candidate pairs by itself, from what all parts have read, and compares the texts of every N-th group of them. Groups
    that an interrupted process stored are not scored again.

    Args:
        inputs: sources that all parts have read (`quchong.engines.local.read_parts`).
        plan: of the run.
        part: which groups are scored.
        work: of the part.
        stages: record of times.
        memory: limit in bytes; None for half of the machine's memory.
    """
    room = Room(memory, work=work)
    with stages.watching(), room.spilling(stages):
        corpus, keys = load(inputs, plan, BadRecords(), stages, TextKeeper(room.work.folder, room.texts))
        corpus = replace(corpus, documents=apply(corpus.documents, inputs.reviewed))
        corpus = corpus.under(plan, protect(corpus, inputs.protected))
        documents, join = corpus.documents, plan.method.candidates
        with stages.stage("exact copies", len(corpus)):
            classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
        classes, _ = first_stage(corpus, plan, classes, stages)
        fitted, parts, candidates = candidate_pairs(corpus, plan, keys, classes, stages)
        plan = replace(plan, method=with_fields(plan.method, fitted))
        keys, mine = None, OwnGroups(part)
        corpus = corpus.with_unseen(parts.contains(candidates.unseen))
        found = score(corpus, plan, parts, candidates, stages, work, scores=mine)
        if found.open is not None:
            # Which pairs decide is known only when all are scored: all open ones are examined.
            some = np.flatnonzero(found.open)
            told = Examiner(corpus, plan, parts, stages, work).examine(found, some)
            work.store(EXAMINATIONS, PairExaminations.of_pairs(found, some, told).values())
    work.store(VERIFIED, (mine.pairs, mine.groups))
    return mine.pairs
