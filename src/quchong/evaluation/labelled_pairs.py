"""Pairs of a run joined with labels: the relation that the run gave to each pair, and whether the pair is a copy by the labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from quchong.errors import InputError, Param
from quchong.evaluation.claims import Claims, looked_up, pairs_within
from quchong.evaluation.labels import CONTAINED, COPIES, DIFFERENT, LABELS, SAME, UNSURE, Truth
from quchong.kernels.graph import components
from quchong.relation_codes import INSIDE
from quchong.tables import REFERENCE_PREFIX

_DIFFERENT, _UNSURE = LABELS.index(DIFFERENT), LABELS.index(UNSURE)


@dataclass(frozen=True, slots=True)
class Placed:
    """Labels for the documents of one run, which are identified by their row.

    Attributes:
        left, right: int64, left < right, sorted: the labelled pairs.
        label: uint8, index in LABELS.
        known: bool per document: True if all its pairs with other known ones are judged; those without a label are different.
        cluster: int64 per document, -1 if unknown; None for labels of pairs.
        unknown: ids that the run does not have. absent: number of labelled pairs left out because of them.
        crowded: bool per document: True beyond the first LARGEST of a true cluster; pairs of such documents are left out.
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
    """Convert labels, which name documents by id, to labels of rows of a run's documents, whose ids in row order are `ids`.

    An id that only the reference corpus has is matched without the prefix that a run gives to ids of references.
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


def check_ids(truth: Truth, ids: Collection[str]) -> None:
    """Raise InputError if a truth has labels, but none of documents with these ids: it belongs to other documents."""
    labelled = list(dict.fromkeys([*truth.left, *truth.right] if truth.cluster is None else truth.cluster))
    known = {one.removeprefix(REFERENCE_PREFIX) for one in ids}
    if (
        not labelled
        or not known
        or any(one in known or one.removeprefix(REFERENCE_PREFIX) in known for one in labelled)
    ):
        return
    raise InputError(
        "no document has an id of {}. An id in the labels: {!r}; an id of a document: {!r}. If the labels have the ids in other "
        "columns, name these columns with {}",
        truth.name or Param("truth"),
        labelled[0],
        min(known),
        Param("truth_keys", "left=A,right=B" if truth.cluster is None else "id=A,cluster=B"),
    )


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
class JudgedPairs:
    """Pairs that count, each with the claim of the run and the label. Arrays have one entry per pair.

    Attributes:
        left, right: int64, row indices of documents, left < right.
        relation: int16, code of the relation that the run lists, -1 if not listed.
        label: uint8, index in LABELS, never `unsure`.
        found, right_pair: bool: True if the run calls the pair copies; True if the labels do.
        group: int64: equal for pairs whose documents are connected by pairs that were found or are right.
        unsure: number of labelled pairs left out as unsure. unjudged: number of pairs that the run found and no label judges.
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


def judge(claims: Claims, truth: Placed, counted: Sequence[str] = COPIES) -> JudgedPairs:
    """Return the pairs that count in an evaluation: labelled ones, and listed ones between documents whose copies are all labelled.

    Pairs of two references are left out, because no run compares them.

    Args:
        counted: the labels that a run should find, `same`, `contained` or both. Pairs with the other label are left
            out, and so are pairs that the run lists in the other relation and the labels call different.
    """
    n = len(claims.ids)
    labelled, listed = truth.left * n + truth.right, claims.left * n + claims.right
    # the union of labelled and listed pairs, each as one number
    left, right = np.divmod(np.union1d(labelled, listed), max(n, 1))
    key = left * n + right
    label = looked_up(labelled, truth.label.astype(np.int16), key)
    relation = looked_up(listed, claims.relation.astype(np.int16), key)
    # between known documents, a pair without a label is a non-copy
    label[(label < 0) & truth.known[left] & truth.known[right]] = _DIFFERENT
    found = np.isin(relation, claims.accepted)
    # pairs of crowded documents and of two references do not count
    out = claims.crowded | truth.crowded
    counts = ~(out[left] | out[right] | (claims.reference[left] & claims.reference[right]))
    unsure, unjudged = int((counts & (label == _UNSURE)).sum()), int((counts & found & (label < 0)).sum())
    counts &= (label >= 0) & (label != _UNSURE)
    # leave out the other kind of copies, by the label and by the run's relation
    for other in set(COPIES) - set(counted):
        inside = (relation >= 0) & (INSIDE[relation] != 0)
        of_other = inside if other == CONTAINED else found & ~inside
        counts &= (label != LABELS.index(other)) & ~(of_other & (label == _DIFFERENT))
    left, right, relation, label, found = (x[counts] for x in (left, right, relation, label, found))
    true = np.isin(label, [LABELS.index(name) for name in counted])
    together = found | true
    # pairs found or right connect their documents; every other pair is a group of its own
    hung = components(n, left[together], right[together])[left]
    group = np.where(together, hung, -1 - np.arange(len(left)))  # on the others nothing hangs
    return JudgedPairs(left, right, relation, label.astype(np.uint8), found, true, group, unsure, unjudged)
