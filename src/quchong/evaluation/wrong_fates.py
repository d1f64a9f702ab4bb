"""Documents wrongly removed and wrongly kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.evaluation.claims import Claims
from quchong.evaluation.labelled_pairs import JudgedPairs, Placed
from quchong.evaluation.labels import CONTAINED, DIFFERENT, LABELS

_CONTAINED, _DIFFERENT = LABELS.index(CONTAINED), LABELS.index(DIFFERENT)


@dataclass(frozen=True, slots=True)
class Fates:
    """Removed and kept documents, judged by the labels. All arrays are row indices of documents, int64, ascending.

    Attributes:
        wrongly_removed: removed documents of which no kept document is a copy.
        wrongly_kept: kept documents of which another kept document is a copy, or contains them. Of documents that are all copies of
            each other one has to be kept, and is not listed.
        judged_removed: removed documents that the labels can judge. judged_kept: kept documents that they can judge.
    """

    wrongly_removed: np.ndarray
    wrongly_kept: np.ndarray
    judged_removed: np.ndarray
    judged_kept: np.ndarray


def fates_judged(claims: Claims, truth: Placed, judged: JudgedPairs) -> Fates:
    """Judge removals and survivors by the labels.

    A removal is right if a kept document is the same, or contains it. Of a pair labelled `contained`, the text with
    fewer tokens counts as the contained one. If not all pairs are judged, a removal is judged only if its pair with
    its survivor has a label, or if it is the same as a kept document. The choice of the survivor among several copies
    is not judged.
    """
    removed, n = claims.removed, len(claims.ids)
    # every pair in both directions, so that a is in turn each of its documents
    a, b = (np.concatenate(pair) for pair in ((judged.left, judged.right), (judged.right, judged.left)))
    label, true = np.tile(judged.label, 2), np.tile(judged.right_pair, 2)
    covers = true & ((label != _CONTAINED) | (claims.tokens[a] <= claims.tokens[b]))  # a may go for b
    kept_cover = np.zeros(n, bool)
    kept_cover[a[covers & ~removed[b]]] = True
    if truth.cluster is not None:
        kept_cover |= _kept_beside(truth.cluster, removed)
    told = np.zeros(n, bool)  # its pair with its survivor has a label
    told[a[(claims.survivor[a] == b) & removed[a]]] = True
    # a removal can be judged by a label with its survivor, or because a kept document covers it
    can_tell = removed & (truth.known | told | kept_cover)
    labelled = np.zeros(n, bool)
    labelled[a] = True
    # a document that cannot be removed is never wrongly kept
    kept = ~removed & (truth.known | labelled) & ~claims.fixed
    wrong = np.zeros(n, bool)
    wrong[_superfluous(claims, a, b, covers & ~removed[a] & ~removed[b])] = True
    if truth.cluster is not None and truth.crowded.any():
        wrong |= _beyond_the_first(truth, claims)
    return Fates(
        np.flatnonzero(can_tell & ~kept_cover),
        np.flatnonzero(wrong & kept),
        np.flatnonzero(can_tell),
        np.flatnonzero(kept),
    )


def _kept_beside(cluster: np.ndarray, removed: np.ndarray) -> np.ndarray:
    """Return a mask of the documents whose true cluster has at least one kept document."""
    stays = np.zeros(int(cluster.max(initial=-1)) + 1, bool)
    stays[cluster[~removed & (cluster >= 0)]] = True
    beside: np.ndarray = np.append(stays, False)[cluster]
    return beside


def _beyond_the_first(truth: Placed, claims: Claims) -> np.ndarray:
    """Return a mask of the kept documents in a very large true cluster, of which another document is kept, that no counted pair covers."""
    assert truth.cluster is not None
    order = np.lexsort((truth.crowded, truth.cluster))
    order = order[(truth.cluster[order] >= 0) & ~claims.removed[order]]
    later = np.zeros(len(claims.ids), bool)
    later[order[1:]] = truth.cluster[order[1:]] == truth.cluster[order[:-1]]
    late: np.ndarray = later & truth.crowded
    return late


def _superfluous(claims: Claims, a: np.ndarray, b: np.ndarray, mask: np.ndarray) -> list[int]:
    """Return the kept documents that another kept one makes superfluous, by the true pairs in `mask`.

    Documents are visited in the order in which they may survive: fixed ones first, then the longest, then the best by
    policy.
    """
    partners: dict[int, list[int]] = {}
    for one, other in zip(a[mask].tolist(), b[mask].tolist(), strict=True):
        partners.setdefault(one, []).append(other)
    order = sorted(
        partners.keys() | {other for others in partners.values() for other in others},
        key=lambda i: (not claims.fixed[i], -int(claims.tokens[i]), int(claims.priority[i])),
    )
    stays: set[int] = set()
    gone: list[int] = []
    for one in order:
        if claims.fixed[one] or not stays.intersection(partners.get(one, ())):
            stays.add(one)
        else:
            gone.append(one)
    return gone
