"""Selection of the N best documents of each cluster, which are kept in addition to its survivor."""

from __future__ import annotations

import numpy as np

from quchong.candidates.nearest import places_among
from quchong.kernels.sorting import ordered


def best_of_clusters(survivor: np.ndarray, members: np.ndarray, priority: np.ndarray, n: int) -> np.ndarray:
    """Return the removed documents that are kept in addition to the survivors, at most n - 1 for each cluster; int64, ascending.

    The survivor is one of the `n`; the others are the `n - 1` members of its cluster that the policy prefers. No document depends on
    other clusters, so that a component alone gives the same answer as the whole corpus.

    Args:
        survivor: int64 (documents,), the survivor for which each document was removed.
        members: bool (documents,), the removed documents that may be kept.
        priority: int64 (documents,), smaller is better; no two are equal.
        n: documents of a cluster to keep; 1 keeps the survivor alone.

    Cost: O(members log members).
    """
    docs = np.flatnonzero(members)
    if n < 2 or not len(docs):
        return docs[:0]
    cluster = survivor[docs]
    place, _ = places_among(ordered(cluster, priority[docs]), cluster)
    chosen: np.ndarray = docs[place < n - 1]
    return chosen
