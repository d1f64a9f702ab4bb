"""Scoring of candidate pairs, with further pairs for documents in a crowd."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.documents import pair_codes
from quchong.decision.examination import in_components
from quchong.decision.expansion import ClassPairs, numbers_of_lists
from quchong.decision.following import ROUNDS, to_follow
from quchong.decision.templates import settled
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.examine import Examiner
from quchong.engines.local.examined_parts import RememberedExaminations
from quchong.engines.local.examining import Examining
from quchong.engines.local.group_scores import Examinations
from quchong.engines.local.headers import with_rests, with_rests_of
from quchong.engines.local.memory import Room
from quchong.engines.local.scores import score
from quchong.engines.local.templates import Templates
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.tables import SAME_FIELDS, SAME_PAYLOAD


def score_crowds(
    corpus: Corpus,
    plan: Plan,
    parts: Classes,
    candidates: Candidates,
    stages: Stages,
    room: Room | None = None,
    beside: Examining | None = None,
    known: Examinations | None = None,
) -> ClassPairs:
    """Score all candidate pairs, and further pairs of crowded documents (`quchong.decision.following`).

    A document is in a crowd if it may share keys with more others than it was compared with. Without a crowd this is `score`. With one, the
    differences that decide who is removed are examined at once, because crowds follow survivors while pairs are still being found; the
    pairs stay open, and what was found is remembered in `known` (None: only here). Pairs get what is left of their texts without headers
    that many documents share (`quchong.engines.local.headers`). Candidate pairs that parts of the run have scored are taken from
    `room.scores`; the processes `beside` are started meanwhile.
    """
    n, room = len(parts.first), room or Room()
    work, keeper = room.work, room.keeper
    if beside is not None:
        beside.begin(len(candidates.left))
    found = score(corpus, plan, parts, candidates, stages, work, keeper=keeper, scores=room.scores)
    # Records on one template meet by what fills its slots, and are told apart by it.
    templates = Templates.find(corpus, plan, parts, candidates, found, stages)
    found = templates.with_frames(templates.told_apart(found))
    tried = np.sort(pair_codes(candidates.left, candidates.right, n))
    left, right, tried = _new(*templates.meetings(), tried, n)
    if len(left):
        more = score(corpus, plan, parts, Candidates(left, right, 0, 0), stages, work, "met", keeper)
        found = _together(found, templates.told_apart(more))
    # Records that fill all slots of one alike are one record with slips: they are scored again, to be listed and examined anyway.
    left, right = templates.same_fields()
    if len(left):
        codes = np.sort(pair_codes(left, right, n))
        found = _without(found, codes, n)
        more = score(
            corpus, plan, parts, Candidates(left, right, 0, 0), stages, work, "alike", keeper, facts=SAME_FIELDS
        )
        found = _together(found, more)
        tried = _merged(tried, codes)
    # Records that say the same on two templates are copies, however little else they share: they are scored again, to be listed anyway.
    left, right = templates.same_payloads(plan.templates == "payload")
    if len(left):
        codes = np.sort(pair_codes(left, right, n))
        found = _without(found, codes, n)
        more = score(
            corpus, plan, parts, Candidates(left, right, 0, 0), stages, work, "payloads", keeper, facts=SAME_PAYLOAD
        )
        found = _together(found, settled(more, np.ones(len(more.left), bool), SAME_PAYLOAD))
        tried = _merged(tried, codes)
    # Headers are found before crowds follow survivors, so that pairs that a shared header decides are not examined for that.
    found = with_rests(corpus, plan, parts, found, stages)
    if not len(candidates.crowded):
        return found
    crowded = np.zeros(n, bool)
    crowded[candidates.crowded] = True
    known = RememberedExaminations(n) if known is None else known
    examiner = Examiner(corpus, plan, parts, stages, work, keeper, "crowd-examined", known=known, beside=beside)
    # Each round compares crowded documents with the survivors that the pairs found so far suggest, and ends when none is new.
    for number in range(ROUNDS):
        with stages.stage("verify"):
            examine = None if found.open is None else partial(examiner.examine, found)
            left, right = to_follow(corpus.documents, plan, parts, found, crowded, examine)
            left, right, tried = _new(left, right, tried, n)
        if not len(left):
            break
        more = score(corpus, plan, parts, Candidates(left, right, 0, 0), stages, work, f"followed-{number}", keeper)
        found = _together(found, with_rests_of(corpus, plan, parts, templates.told_apart(more), found.headers, stages))
        # A component without a new pair suggests the survivors that it suggested before.
        fresh = np.zeros(n, bool)
        fresh[more.left] = fresh[more.right] = True
        crowded &= in_components(n, found, fresh)
    return found


def _new(
    left: np.ndarray, right: np.ndarray, tried: np.ndarray, documents: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs that are not among the codes `tried`, and `tried` with their codes added, sorted."""
    codes = pair_codes(left, right, documents)
    # A code is new if the search for it ends at another value.
    new = np.ones(len(codes), bool)
    if len(tried):
        new = tried[np.minimum(np.searchsorted(tried, codes), len(tried) - 1)] != codes
    return left[new], right[new], _merged(tried, np.sort(codes[new]))


def _merged(tried: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return two sorted arrays of codes merged into one."""
    return np.sort(np.concatenate([tried, codes]), kind="stable")


def _without(found: ClassPairs, codes: np.ndarray, documents: int) -> ClassPairs:
    """Return the pairs whose codes are not among the sorted `codes`."""
    mine = pair_codes(found.left, found.right, documents)
    stays = codes[np.minimum(np.searchsorted(codes, mine), len(codes) - 1)] != mine
    if stays.all():
        return found
    return replace(
        found, left=found.left[stays], right=found.right[stays], list_of=numbers_of_lists(found)[stays],
        measures={name: values[stays] for name, values in found.measures.items()},
        open=None if found.open is None else found.open[stays],
    )  # fmt: skip


def _together(found: ClassPairs, more: ClassPairs) -> ClassPairs:
    """Return the pairs of `found`, followed by the pairs of `more`; other counts are those of `found`."""
    before = sum(map(len, found.differences or ()))
    lists = more.differences if found.differences is None else [*found.differences, *(more.differences or ())]
    list_of = open_ = None
    if found.list_of is not None or more.list_of is not None:
        own, others = numbers_of_lists(found), numbers_of_lists(more)
        list_of = np.concatenate([own, np.where(others < 0, -1, others + before)])
    if found.open is not None and more.open is not None:
        open_ = np.concatenate([found.open, more.open])
    return replace(
        found,
        left=np.concatenate([found.left, more.left]),
        right=np.concatenate([found.right, more.right]),
        measures={name: np.concatenate([values, more.measures[name]]) for name, values in found.measures.items()},
        candidates=found.candidates + more.candidates,
        differences=lists,
        list_of=list_of,
        open=open_,
    )
