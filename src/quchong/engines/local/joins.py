"""Candidate pairs of a corpus by the join of its method: set joins, Hamming joins and searches here, the key join in `candidates`."""

from __future__ import annotations

from typing import Any

import numpy as np

from quchong.candidates.set_join import met_by
from quchong.candidates.signature_join import near_signatures
from quchong.decision.classes import Classes, parted
from quchong.decision.frozen import fitted_fields
from quchong.engines.local.candidates import Candidates, find_candidates
from quchong.engines.local.corpus import Corpus
from quchong.kernels.sketch import Signatures
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Documents, HammingJoin, Join, KeyJoin, Keys, Meetings, Method, Search, SetJoin, with_statistics


def meet(
    join: Join, documents: Documents, scope: np.ndarray | None = None, references: int = 0, workers: int | None = None
) -> Meetings:
    """Return the candidate pairs among documents that are all on this machine.

    Args:
        join: kind of join; not a `KeyJoin`, whose keys the engine makes while it reads.
        documents: the documents, the best by policy first.
        scope: scope number of each document (uint64); only documents with equal numbers are paired.
        references: number of reference documents, which come first and are not paired with each other.

    Raises:
        TypeError: `join` is a `KeyJoin`.
    """
    match join:
        case SetJoin(meet=None):
            lying, back = _lying(documents)
            sets = join.sets(lying, workers).take(back)
            if join.noise is not None and join.noise.noise is not None:
                sets = join.noise.noise.without(sets, documents.column("site"))
            return met_by(sets, join.limits, scope, references, workers)
        case SetJoin(meet=search) | Search(meet=search) if search is not None:
            return search(documents, scope, references, workers)
        case HammingJoin():
            return near_signatures(join, _signed(join, documents, workers), scope, references, workers)
        case _:
            raise TypeError(f"{type(join).__name__} is joined while documents are read")


def _signed(join: HammingJoin, documents: Documents, workers: int | None) -> Signatures:
    """Return the signatures of documents, in the order given; they are computed in the order of storage."""
    lying, back = _lying(documents)
    signed: Signatures = join.sign(lying, workers)
    return signed.take(back)


def _lying(documents: Documents) -> tuple[Documents, np.ndarray]:
    """Sort documents by the memory address of their texts; return them, and the position of each input document among them."""
    order = ordered(documents.texts.address)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return documents.take(order), back


def counted_method(corpus: Corpus, plan: Plan, docs: np.ndarray) -> Method:
    """Return the plan's method with its statistics counted on the documents `docs`, one for each compared part."""
    return with_statistics(
        plan.method, corpus.take(np.sort(docs), plan.method.traits.needs), plan.workers
    )  # as texts lie


def find_pairs(
    corpus: Corpus, plan: Plan, classes: Classes, parts: Classes, stages: Stages
) -> tuple[Method, Candidates]:
    """Return the fitted method, and the candidate pairs among the parts of exact classes (one document stands for each part).

    Parts of one class are copies of each other and never candidates. Texts too short to be compared beyond equality are left out.
    The method is returned because it may have counted statistics on these texts.
    """
    first, known = parts.first, corpus.documents
    with stages.stage("candidates", len(first)):
        # Order the parts by the best document of each under the policy, without those too short to score.
        best = np.minimum.reduceat(known.priority[parts.members], parts.offsets[:-1]) if len(first) else first
        order = ordered(best)
        order = order[~known.unscored[first[order]]]
        docs = first[order]
        references = int((docs < known.references).sum())
        documents = corpus.take(docs, plan.method.traits.needs)
        method = counted_method(corpus, plan, docs)
        # Join the documents; pairs are indices in `documents`.
        codes = known.scope.codes
        scope = None if codes is None else codes[docs].astype(np.uint64)
        met = meet(method.candidates, documents, scope, references, plan.workers)
        left, right = met.left, met.right
        if plan.only_against:
            across = left < references
            left, right = left[across], right[across]
        # Convert indices to parts, and drop pairs of two parts of one exact class.
        left, right = order[left], order[right]
        apart = classes.node[first[left]] != classes.node[first[right]]
        left, right = left[apart], right[apart]
    unseen = np.zeros(0, np.int64) if met.unseen is None else order[met.unseen]
    found = Candidates(np.minimum(left, right), np.maximum(left, right), 0, 0, met.bounded, unseen=np.sort(unseen))
    return method, found


def candidate_pairs(
    corpus: Corpus, plan: Plan, keys: Keys | None, classes: Classes, stages: Stages
) -> tuple[dict[str, Any], Classes, Candidates]:
    """Return the statistics that the method counted, the parts of the exact classes that are paired, and the candidate pairs of parts.

    Args:
        corpus: all documents, under the plan.
        plan: of the run; its method says the join.
        keys: keys of the documents for a key join, which were made while they were read; None for the other joins.
        classes: exact classes that the first stage left.
        stages: record of times.

    Returns:
        fields of the method by name (`quchong.decision.frozen.with_fields`), empty for a key join; parts; candidates.
    """
    join = plan.method.candidates
    if isinstance(join, KeyJoin) and keys is not None:
        return {}, classes, find_candidates(corpus.documents, plan, keys, join.limits, classes, stages)
    parts = parted(corpus.documents, corpus.columns, classes, plan.method.traits.needs)
    method, candidates = find_pairs(corpus, plan, classes, parts, stages)
    return fitted_fields(plan.method, method), parts, candidates
