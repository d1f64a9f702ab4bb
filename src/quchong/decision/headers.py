"""Search for headers that many documents share: which documents are suspects, and with which others each is compared.

A suspect is contained in many longer documents, or is the shortest of several documents of like size that are mostly equal. If these differ
from each other, and have what they share with it at one end, it is a header (`quchong.similarity.header_counting`, docs/decisions/0316).
"""

from __future__ import annotations

import numpy as np

from quchong.decision.expansion import ClassPairs
from quchong.kernels.graph import components
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import distinct, ordered
from quchong.seam import Documents, Measures, Method, Rule
from quchong.similarity.header_counting import CARRIERS, ENOUGH, FAR_LONGER, LONGER, NOTICED
from quchong.similarity.headers import RUN, Headed, measure_rests, with_headers

COPIES = 0.6
"""Containment of two documents in each other, at or above which they are one carrier, as are all that such pairs connect."""
ONE_TEXT = 0.8
"""Containment of two suspects in each other, at or above which only the shorter one is compared."""


def looks_for_headers(rule: Rule) -> bool:
    """Return True if a rule reads what is left of texts without headers (`rest_left`, `rest_right`)."""
    return bool(getattr(rule, "headers", False))


def least_inside(method: Method) -> float:
    """Return the containment at or above which the method lists a pair."""
    least: float = method.rule.test.floor_containment
    return least


def header_suspects(found: ClassPairs, rank: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of a document that may be a mere header (suspect) and one that contains it (carrier), two int64 arrays.

    Suspects come from longer documents that contain them, and one from each cluster of documents of like size.

    Args:
        found: scored pairs of classes.
        rank: int64, the rank of each class by the id of its first document.
        least: share of a suspect that a carrier has at least.

    Cost: O(pairs), and sorting of the pairs of suspects.
    """
    suspect, carrier = _contained_suspects(found, rank, least)
    own, others = _like_suspects(found, rank)
    new = ~np.isin(own, suspect)
    return np.concatenate([suspect, own[new]]), np.concatenate([carrier, others[new]])


def _like_suspects(found: ClassPairs, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of suspect and carrier from clusters of mostly equal documents: the shortest one with at most CARRIERS others.

    Carriers are the other documents of the cluster, and those that contain the shortest one.
    """
    m, a, b = found.measures, found.left, found.right
    share = [m[f"containment_{side}"] for side in ("left", "right")]
    copies = np.minimum(*share) >= COPIES
    size = np.zeros(len(rank), np.int64)
    for side, one in (("left", a), ("right", b)):
        size[one[copies]] = m[f"tokens_{side}"][copies]
    cluster = components(len(rank), a[copies], b[copies])
    docs = np.flatnonzero(size >= RUN)
    # Of each cluster the shortest document, the first by its id among equals.
    order = docs[ordered(cluster[docs], size[docs], rank[docs])]
    new = first_of_runs(cluster[order])
    shortest = np.full(len(rank), -1)
    shortest[cluster[order[new]]] = order[new]
    own, rest = np.zeros(len(rank), bool), order[~new]
    own[order[new]] = True
    # Other documents of the cluster, then documents that contain the shortest one.
    left, right = (np.flatnonzero(own[(a, b)[i]] & ~copies & (share[i] >= COPIES)) for i in (0, 1))
    suspect = np.concatenate([shortest[cluster[rest]], a[left], b[right]])
    carrier = np.concatenate([rest, b[left], a[right]])
    some = np.flatnonzero(np.bincount(suspect, minlength=len(rank))[suspect] >= NOTICED)
    some = some[ordered(rank[suspect[some]], rank[carrier[some]])]
    counts = np.diff(np.append(np.flatnonzero(first_of_runs(suspect[some])), len(some)))
    some = some[positions_in_items(counts) < CARRIERS]
    return suspect[some], carrier[some]


def _contained_suspects(found: ClassPairs, rank: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of suspect and carrier: documents that many longer ones contain, with these longer ones."""
    m, a, b = found.measures, found.left, found.right
    tokens = [m[f"tokens_{side}"].astype(np.int64) for side in ("left", "right")]
    share = [m[f"containment_{side}"] for side in ("left", "right")]
    # (1) Documents and the longer ones that contain them, of each cluster of copies one: the shortest of those that are far longer, else
    # the longest.
    left_in, right_in = (
        np.flatnonzero((share[i] >= least) & (tokens[i] >= RUN) & (tokens[1 - i] >= LONGER * tokens[i])) for i in (0, 1)
    )
    document, carrier = np.concatenate([a[left_in], b[right_in]]), np.concatenate([b[left_in], a[right_in]])
    many = np.bincount(document, minlength=len(rank)) >= ENOUGH
    some = np.flatnonzero(many[document])
    if not len(some):
        return document[some], carrier[some]
    own = np.concatenate([tokens[0][left_in], tokens[1][right_in]])[some]
    size = np.concatenate([tokens[1][left_in], tokens[0][right_in]])[some]
    document, carrier = document[some], carrier[some]
    copies = np.minimum(*share) >= COPIES
    cluster = components(len(rank), a[copies], b[copies])[carrier]
    far = size >= FAR_LONGER * own
    order = ordered(rank[document], ~far, np.where(far, size, -size), rank[carrier])
    by_cluster = order[ordered(rank[document[order]], cluster[order])]
    first = by_cluster[first_of_runs(document[by_cluster], cluster[by_cluster])]
    chosen = np.zeros(len(document), bool)
    chosen[first] = True
    order = order[chosen[order]]
    document, carrier = document[order], carrier[order]
    suspect = np.bincount(document, minlength=len(rank)) >= ENOUGH
    # (2) Of two suspects that are mostly one text, the longer one is left out: in a family of small documents with one header few are left.
    both = np.flatnonzero(suspect[a] & suspect[b] & (np.minimum(*share) >= ONE_TEXT))
    longer_left = (tokens[0][both] > tokens[1][both]) | (
        (tokens[0][both] == tokens[1][both]) & (rank[a[both]] > rank[b[both]])
    )
    suspect[np.where(longer_left, a[both], b[both])] = False
    some = np.flatnonzero(suspect[document])
    document, carrier = document[some], carrier[some]
    if not len(document):
        return document, carrier
    counts = np.diff(np.append(np.flatnonzero(first_of_runs(document)), len(document)))
    few = positions_in_items(counts) < CARRIERS
    return document[few], carrier[few]


def inside_pairs(measures: Measures, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return two masks of pairs: at least the share `least` of the left text is in the right one, and of the right text in the left one."""
    left, right = (measures[f"containment_{side}"] >= least for side in ("left", "right"))
    return left, right


def rests_of_pairs(
    method: Method, documents: Documents, headers: np.ndarray, left: np.ndarray, right: np.ndarray, measures: Measures,
    workers: int | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return the measures `rest_left` and `rest_right` of scored pairs, given the shingles of the headers of a corpus.

    A document of an index is compared so with those found for it, with the headers of `quchong.decision.frozen.FrozenStatistics`.
    """
    least = least_inside(method)
    inside = inside_pairs(measures, least)
    headed = np.zeros(len(documents), bool)
    some = distinct(np.concatenate([left[inside[0]], right[inside[1]]]))
    headed[some] = with_headers(method.form, documents.take(some), headers, workers)
    return measure_rests(method.form, documents, Headed(headers, headed, least), left, right, measures, workers)
