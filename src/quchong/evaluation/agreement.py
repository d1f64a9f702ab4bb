"""Agreement of two clusterings of the same documents: B-cubed and the adjusted Rand index.

Source: Bagga 1998 (B-cubed), Hubert 1985 (the adjusted Rand index).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Agreement:
    """Measures of agreement between a clustering and the true one.

    Attributes:
        documents: number of documents that both name.
        precision, recall, f1: B-cubed: the share of a document's cluster that is right and the share of its true cluster that was
            found, averaged over documents; and their harmonic mean.
        adjusted_rand: 1 for equal clusterings, 0 for agreement expected by chance, may be negative.
    """

    documents: int
    precision: float | None
    recall: float | None
    f1: float | None
    adjusted_rand: float | None


def agreement(found: np.ndarray, true: np.ndarray) -> Agreement:
    """Compute B-cubed and the adjusted Rand index of two clusterings.

    Args:
        found, true: one number per document, equal for documents of one cluster.

    Returns:
        The measures; each is None if there is no document. Two clusterings that both have only single documents, or
        both have one cluster of all, are equal: 1.

    Cost: O(n log n).

    >>> import numpy as np
    >>> agreement(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])).recall
    0.75
    """
    n = len(found)
    if not n:
        return Agreement(0, None, None, None, None)
    a, b = (np.unique(x, return_inverse=True)[1].astype(np.int64) for x in (found, true))
    size_a, size_b = np.bincount(a), np.bincount(b)
    # contingency table: its cells that are not empty, and the documents in each
    cell, both = np.unique(a * len(size_b) + b, return_counts=True)
    square = both.astype(float) ** 2
    precision = float((square / size_a[cell // len(size_b)]).sum() / n)
    recall = float((square / size_b[cell % len(size_b)]).sum() / n)
    return Agreement(
        n, precision, recall, 2 * precision * recall / (precision + recall), _rand(n, both, size_a, size_b)
    )


def _rand(n: int, both: np.ndarray, size_a: np.ndarray, size_b: np.ndarray) -> float:
    """Compute the adjusted Rand index from cluster sizes and overlaps; pairs are counted as Python ints, which do not overflow."""

    def pairs(sizes: np.ndarray) -> int:
        return sum(int(s) * (int(s) - 1) // 2 for s in sizes.tolist())

    together, in_a, in_b, all_pairs = pairs(both), pairs(size_a), pairs(size_b), n * (n - 1) // 2
    if in_a == in_b == together:  # equal, be they all alone or all in one
        return 1.0
    chance = in_a * in_b / all_pairs
    return (together - chance) / ((in_a + in_b) / 2 - chance)
