"""Candidates of methods that find them themselves (`quchong.seam.Finder`)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.engines.local.candidates import Candidates, Classes
from quchong.engines.local.corpus import Corpus
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Finder


def find_own(
    corpus: Corpus, plan: Plan, finder: Finder, classes: Classes, parts: Classes, codes: np.ndarray | None,
    priority: np.ndarray, stages: Stages,
) -> tuple[Plan, Candidates]:  # fmt: skip
    """Hands the method one document per part of an exact class (`parted`), best by policy first, and takes the parts that meet.

    Parts of one class are copies, and no candidates. Texts too short to be compared beyond equality are left out. Returns the
    plan too: its method may have been fitted on these texts.
    """
    first = parts.first
    with stages.stage("candidates", len(first)):
        best = np.minimum.reduceat(priority[parts.members], parts.offsets[:-1]) if len(first) else first
        order = np.argsort(best, kind="stable")
        order = order[~corpus.unscored[first[order]]]
        docs = first[order]
        references = int((docs < corpus.references).sum())
        documents = corpus.documents(docs, plan.method.traits.needs)
        method = finder.fitted(documents, plan.workers)
        scope = None if codes is None else codes[docs].astype(np.uint64)
        met = method.meet(documents, scope, references, plan.workers)
        left, right = met.left, met.right
        if plan.only_against:
            across = left < references
            left, right = left[across], right[across]
        left, right = order[left], order[right]
        apart = classes.node[first[left]] != classes.node[first[right]]
        left, right = left[apart], right[apart]
    found = Candidates(np.minimum(left, right), np.maximum(left, right), 0, 0, met.bounded)
    return replace(plan, method=method), found
