"""Scoring of candidate pairs, with further pairs for documents in a crowd."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.documents import pair_codes
from quchong.decision.expansion import ClassPairs
from quchong.decision.following import ROUNDS, to_follow
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import score
from quchong.engines.local.text_store import FoundKeeper
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.work import Work


def score_crowds(
    corpus: Corpus,
    plan: Plan,
    parts: Classes,
    candidates: Candidates,
    stages: Stages,
    work: Work | None = None,
    keeper: FoundKeeper | None = None,
) -> ClassPairs:
    """Score all candidate pairs, and the further pairs of documents in a crowd (`quchong.decision.following`).

    A document is in a crowd if it shares keys with too many others to be compared with all. Without a crowd this is `score`.
    """
    found = score(corpus, plan, parts, candidates, stages, work, keeper=keeper)
    if not len(candidates.crowded):
        return found
    n = len(parts.first)
    crowded = np.zeros(n, bool)
    crowded[candidates.crowded] = True
    tried = np.sort(pair_codes(candidates.left, candidates.right, n))
    # Each round compares crowded documents with the survivors that the pairs found so far suggest, and ends when none is new.
    for number in range(ROUNDS):
        with stages.stage("verify"):
            left, right = to_follow(corpus.documents, plan, parts, found, crowded)
            codes = pair_codes(left, right, n)
            # `tried` is sorted: a code is new if the search for it ends at another value.
            new = tried[np.minimum(np.searchsorted(tried, codes), len(tried) - 1)] != codes
            left, right = left[new], right[new]
            tried = np.sort(np.concatenate([tried, codes[new]]))
        if not len(left):
            break
        more = Candidates(left, right, 0, 0)
        found = _together(found, score(corpus, plan, parts, more, stages, work, f"followed-{number}", keeper))
    return found


def _together(found: ClassPairs, more: ClassPairs) -> ClassPairs:
    """Return the pairs of `found`, followed by the pairs of `more`; other counts are those of `found`."""
    lists = None if found.differences is None else [*found.differences, *(more.differences or ())]
    return replace(
        found,
        left=np.concatenate([found.left, more.left]),
        right=np.concatenate([found.right, more.right]),
        measures={name: np.concatenate([values, more.measures[name]]) for name, values in found.measures.items()},
        candidates=found.candidates + more.candidates,
        differences=lists,
    )
