"""A run and a truth put together: pairs with what the run says and what is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quchong.engines.local.ids import REFERENCE_PREFIX
from quchong.evaluation.claims import Claims, looked_up, pairs_within
from quchong.evaluation.labels import CONTAINED, COPIES, DIFFERENT, LABELS, SAME, UNSURE, Truth
from quchong.kernels.graph import components
from quchong.tables import CONTAINED_IN, CONTAINS, RELATIONS

_DIFFERENT, _UNSURE = LABELS.index(DIFFERENT), LABELS.index(UNSURE)
_INSIDE = tuple(RELATIONS.index(name) for name in (CONTAINS, CONTAINED_IN))


@dataclass(frozen=True, slots=True)
class Placed:
    """A truth over the documents of one run, which are named by their places.

    Attributes:
        left, right: int64, left < right, sorted: the pairs that have a label.
        label: uint8, places in LABELS.
        known: bool a document: whether all its pairs with other known ones are judged; those without a label are different.
        cluster: int64 a document, -1 where none is known; None for a truth of pairs.
        unknown: ids the run does not have. absent: labelled pairs that are therefore left out.
        crowded: bool a document: beyond the first LARGEST of a true cluster, so that its pairs are left out.
    """

    left: np.ndarray
    right: np.ndarray
    label: np.ndarray
    known: np.ndarray
    cluster: np.ndarray | None
    unknown: list[str]
    absent: int
    crowded: np.ndarray


def placed(truth: Truth, ids: list[str]) -> Placed:
    """The truth over the documents with these ids, in this order.

    An id that only the corpus compared against has names its document there, without what a run sets before it.
    """
    place = {one: i for i, one in enumerate(ids)}
    for name, i in list(place.items()):
        if name.startswith(REFERENCE_PREFIX):
            place.setdefault(name.removeprefix(REFERENCE_PREFIX), i)
    if truth.cluster is not None:
        return _placed_clusters(truth, truth.cluster, ids, place)
    unknown = sorted({one for one in (*truth.left, *truth.right) if one not in place})
    here = [
        k for k, pair in enumerate(zip(truth.left, truth.right, strict=True)) if pair[0] in place and pair[1] in place
    ]
    one = np.array([place[truth.left[k]] for k in here], np.int64)
    two = np.array([place[truth.right[k]] for k in here], np.int64)
    left, right = np.minimum(one, two), np.maximum(one, two)
    order = np.lexsort((right, left))
    label = truth.label[np.array(here, np.int64)]
    known = np.full(len(ids), truth.complete)
    return Placed(left[order], right[order], label[order], known, None, unknown, len(truth) - len(here), ~known & False)


def _placed_clusters(truth: Truth, of: dict[str, str], ids: list[str], place: dict[str, int]) -> Placed:
    names = {name: i for i, name in enumerate(dict.fromkeys(of.values()))}
    cluster = np.full(len(ids), -1, np.int64)
    unknown = []
    for one, name in of.items():
        if one in place:
            cluster[place[one]] = names[name]
        else:
            unknown.append(one)
    if truth.complete:  # a document that is not listed is alone
        cluster = np.where(cluster < 0, len(names) + np.arange(len(ids)), cluster)
    left, right, beyond = pairs_within(cluster, ids)
    order = np.lexsort((right, left))
    label = np.full(len(left), LABELS.index(SAME), np.uint8)
    return Placed(left[order], right[order], label, cluster >= 0, cluster, sorted(unknown), 0, beyond)


@dataclass(frozen=True, slots=True)
class Judged:
    """The pairs that count, each with what the run says and what is true. Arrays have one entry a pair.

    Attributes:
        left, right: int64, places of documents, left < right.
        relation: int16, place in RELATIONS as the run lists it, -1 where it does not.
        label: uint8, place in LABELS, never `unsure`.
        found, right_pair: bool: the run calls the pair copies; the truth does.
        group: int64: equal for pairs whose documents hang together by pairs that were found or are right.
        unsure: labelled pairs left out as nobody could tell. unjudged: pairs the run found that the truth says nothing of.
    """

    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray
    label: np.ndarray
    found: np.ndarray
    right_pair: np.ndarray
    group: np.ndarray
    unsure: int
    unjudged: int

    def __len__(self) -> int:
        return len(self.left)


def judge(claims: Claims, truth: Placed, counted: Sequence[str] = COPIES) -> Judged:
    """Every pair that has a label, and every listed pair between documents all of whose pairs are judged. Two documents of the corpus
    compared against are none: no run looks at them.

    Args:
        counted: the labels a run is to find, `same`, `contained` or both. Pairs of the other one count neither way, and neither do
            pairs the run lists in that relation alone where the truth calls them different.
    """
    n = len(claims.ids)
    labelled, listed = truth.left * n + truth.right, claims.left * n + claims.right
    left, right = np.divmod(np.union1d(labelled, listed), max(n, 1))
    key = left * n + right
    label = looked_up(labelled, truth.label.astype(np.int16), key)
    relation = looked_up(listed, claims.relation.astype(np.int16), key)
    label[(label < 0) & truth.known[left] & truth.known[right]] = _DIFFERENT
    found = np.isin(relation, claims.accepted)
    out = claims.crowded | truth.crowded
    counts = ~(out[left] | out[right] | (claims.reference[left] & claims.reference[right]))
    unsure, unjudged = int((counts & (label == _UNSURE)).sum()), int((counts & found & (label < 0)).sum())
    counts &= (label >= 0) & (label != _UNSURE)
    for other in set(COPIES) - set(counted):
        of_other = np.isin(relation, _INSIDE) if other == CONTAINED else found & ~np.isin(relation, _INSIDE)
        counts &= (label != LABELS.index(other)) & ~(of_other & (label == _DIFFERENT))
    left, right, relation, label, found = (x[counts] for x in (left, right, relation, label, found))
    true = np.isin(label, [LABELS.index(name) for name in counted])
    together = found | true
    hung = components(n, left[together], right[together])[left]
    group = np.where(together, hung, -1 - np.arange(len(left)))  # on the others nothing hangs
    return Judged(left, right, relation, label.astype(np.uint8), found, true, group, unsure, unjudged)
