"""Decision which documents are kept, from pairs of documents alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from quchong.decision.best_of_clusters import best_of_clusters
from quchong.decision.differing import fills_otherwise
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.pairs import DocumentPairs
from quchong.decision.roundups import Roundups, find_roundups
from quchong.plan.plan import Plan
from quchong.policy.survivors import arcs, decide
from quchong.relation_codes import INSIDE, RANK, removing
from quchong.tables import FIRST, ORIGINAL, OVERRULED, OVERTURNED, ROUNDUP, TOP


@dataclass(frozen=True, slots=True)
class Fate:
    """Result of the decision for each document: removed or kept, and the survivor.

    Attributes:
        removed: bool. survivor: int64, the document itself if it is kept, or was removed without a survivor (`unconfirmed`).
        pair: int64, index of the pair that decided the removal; -1 if there is none.
        overruled: bool, removed although the policy prefers it to its survivor, in which it is contained.
        first: bool, kept although contained in a later document, because `earliest` protects the first publication.
        overturned: bool, kept because a person overturned its removal; None if no removal was overturned.
        original: bool, contained in a kept roundup or forward: kept although it is, or removed for it if the plan removes such documents.
        roundup: bool, kept roundups of such originals, and roundups that were removed for an original.
        held: float64, share of a roundup that its originals have together; None if the plan removes no roundup.
        cluster: int64, survivor of the cluster of which a document is kept as one of the best, -1 for all others; None if the plan keeps
            one document of each cluster.
    """

    removed: np.ndarray
    survivor: np.ndarray
    pair: np.ndarray
    overruled: np.ndarray
    first: np.ndarray
    overturned: np.ndarray | None = None
    original: np.ndarray | None = None
    roundup: np.ndarray | None = None
    held: np.ndarray | None = None
    cluster: np.ndarray | None = None

    def policy_of(self, docs: np.ndarray) -> pa.Array:
        """Return for each document why policy or a reviewer kept it, in the words of FATES; "" if neither did."""
        masks = (self.overturned, self.top, self.overruled, self.first, self.original, self.roundup)
        some = [np.zeros(len(docs), bool) if mask is None else mask[docs] for mask in masks]
        found = np.select(some, [OVERTURNED, TOP, OVERRULED, FIRST, ORIGINAL, ROUNDUP], "")
        return pa.array(found, pa.string())

    @property
    def top(self) -> np.ndarray | None:
        """Mask of the documents that are kept as one of the best of a cluster; None if the plan keeps one document of each."""
        return None if self.cluster is None else self.cluster >= 0

    @property
    def unconfirmed(self) -> np.ndarray:
        """Mask of the documents that a filter removed although no equal text came before; they have no survivor."""
        mask: np.ndarray = self.removed & (self.survivor == np.arange(len(self.removed)))
        return mask


def fates(documents: DocumentColumns, pairs: DocumentPairs, plan: Plan, unconfirmed: np.ndarray) -> Fate:
    """Decide every document from the pairs alone, so that a saved table of pairs can be decided again.

    `documents.priority` decides. `documents.preference` gives whether the policy was followed, and which documents time protects: see
    `arcs`.

    Documents that a filter removed `unconfirmed` (mask) occur in no pair and are removed. Pairs that a person set apart (`documents.apart`)
    remove nothing.
    """
    priority, preference, relations = documents.priority, documents.preference, plan.removing
    reference, protected = documents.reference, documents.protected
    roundups = roundups_of(documents, plan, pairs)
    # (1) Turn pairs into arcs from loser to winner, and drop arcs that may remove nothing.
    loser, winner, pair = arcs(
        pairs.left, pairs.right, pairs.relation, priority, frozenset(relations), reference, preference.published,
        *((None, None) if plan.roundups == "whole" else (roundups.spared, roundups.turned)),
    )  # fmt: skip
    free = ~protected[loser]  # a protected document is never removed, so that its arcs decide nothing
    free &= ~fills_otherwise(pairs.measures, len(pairs))[pair]
    if documents.apart is not None:
        free &= ~np.isin(pair_codes(loser, winner, len(documents)), documents.apart)
    loser, winner, pair = loser[free], winner[free], pair[free]
    # (2) Decide. Relation and containment choose the survivor among several kept winners.
    inside = pairs.measures
    containment = np.where(
        loser == pairs.left[pair], inside["containment_left"][pair], inside["containment_right"][pair]
    )
    rank = RANK[pairs.relation[pair]]
    decision = decide(len(documents), loser, winner, priority, protected | reference, rank, containment)
    # (3) Note where containment overruled the policy: the removed document was preferred to its survivor.
    removed = ~decision.stays | unconfirmed
    overruled = removed & (preference.rank < preference.rank[decision.survivor]) & ~reference[decision.survivor]
    first = _first(documents, pairs, relations) & ~removed & ~protected & ~reference
    original, roundup = _originals(documents, plan, pairs, roundups, decision.survivor, removed)
    by = np.where(decision.arc >= 0, pair[decision.arc] if len(pair) else -1, -1)
    gone = np.flatnonzero(by >= 0)
    turned = gone[roundups.turned[by[gone]] & roundups.roundup[gone] & (INSIDE[pairs.relation[by[gone]]] != 0)]
    roundup[turned] = True
    overruled &= ~((original | roundup) & removed)
    fate = Fate(
        removed,
        decision.survivor,
        by,
        overruled,
        first,
        documents.overturned,
        original & ~first,
        roundup & ~first & ~original,
        roundups.held,
    )
    return _with_best(documents, plan, fate)


def _with_best(documents: DocumentColumns, plan: Plan, fate: Fate) -> Fate:
    """Return the fate of every document with the best removed ones of each cluster kept, as the plan asks for.

    A survivor that is a reference keeps none beside it, and a roundup that was removed for its originals is no copy of any of them.
    """
    if plan.keep_per_cluster < 2:
        return fate
    members = fate.removed & ~fate.unconfirmed & ~documents.reference[fate.survivor]
    if fate.roundup is not None:
        members &= ~fate.roundup
    top = best_of_clusters(fate.survivor, members, documents.priority, plan.keep_per_cluster)
    cluster = np.full(len(documents), -1, np.int64)
    cluster[top] = fate.survivor[top]
    stays, survivor, pair = cluster >= 0, fate.survivor.copy(), fate.pair.copy()
    survivor[top], pair[top] = top, -1
    return replace(
        fate, removed=fate.removed & ~stays, survivor=survivor, pair=pair, overruled=fate.overruled & ~stays,
        original=None if fate.original is None else fate.original & ~stays, cluster=cluster,
    )  # fmt: skip


def cut_pairs(
    documents: DocumentColumns, plan: Plan, pairs: DocumentPairs, fate: Fate
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of a removed roundup and a document whose text is cut out of it, two int64 arrays; empty if none is cut.

    The others are the kept documents that a roundup is listed with, and the removed roundups that the policy prefers to it, so that no two
    roundups keep the same text.
    """
    if plan.roundups != "cut" or fate.roundup is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    gone, priority = fate.roundup & fate.removed, documents.priority
    left, right = (
        np.concatenate(ends).astype(np.int64) for ends in ((pairs.left, pairs.right), (pairs.right, pairs.left))
    )
    some = gone[left] & (~fate.removed[right] | (gone[right] & (priority[right] < priority[left])))
    return left[some], right[some]


def roundups_of(documents: DocumentColumns, plan: Plan, pairs: DocumentPairs) -> Roundups:
    """Return the roundups among the documents of the pairs."""
    share_left, share_right = (pairs.measures[f"containment_{side}"] for side in ("left", "right"))
    apart, rule = fills_otherwise(pairs.measures, len(pairs)), plan.method.rule
    return find_roundups(documents, rule, plan.roundups, pairs.left, pairs.right, share_left, share_right, apart)


def _originals(
    documents: DocumentColumns, plan: Plan, pairs: DocumentPairs, roundups: Roundups, survivor: np.ndarray, removed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return two masks of documents: those whose removal a roundup that contains them affects, and these roundups."""
    original, roundup = np.zeros(len(documents), bool), np.zeros(len(documents), bool)
    if not np.count_nonzero(roundups.spared):
        return original, roundup
    inside = np.where(removing(plan.removing), INSIDE, 0)[pairs.relation]
    some = np.flatnonzero((inside != 0) & roundups.spared)
    ends = (pairs.left[some], pairs.right[some])
    part, whole = (np.where(inside[some] > 0, a, b) for a, b in (ends, ends[::-1]))
    met = removed[part] & (survivor[part] == whole) if plan.roundups == "whole" else ~removed[part] & ~removed[whole]
    part, whole = part[met], whole[met]
    original[part] = ~(documents.protected | documents.reference)[part]
    roundup[whole] = roundups.roundup[whole]
    return original, roundup


def _first(documents: DocumentColumns, pairs: DocumentPairs, relations: tuple[str, ...]) -> np.ndarray:
    """Return a mask of the documents that the policy protects because they are contained in one published later."""
    mask, published, reference = np.zeros(len(documents), bool), documents.preference.published, documents.reference
    if published is None:
        return mask
    which = np.where(removing(relations), INSIDE, 0)[pairs.relation]
    for side, inside, outside in ((1, pairs.left, pairs.right), (-1, pairs.right, pairs.left)):
        some = which == side
        inside, outside = inside[some], outside[some]
        mask[inside[(published[inside] < published[outside]) & ~reference[outside]]] = True
    return mask
