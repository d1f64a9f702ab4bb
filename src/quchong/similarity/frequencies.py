"""The relative frequency model: words count where both texts use them about equally often (相对词频).

Source: Shivakumar 1995 (SCAM).
"""

from __future__ import annotations

import math

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import batches_by_cost, positions_in_items
from quchong.similarity.coverage import share

BLOCK = 1 << 21
"""Most values of pairs looked up at once."""


def widest_ratio(epsilon: float) -> float:
    """Return the greatest ratio of two frequencies at which a word counts as equally frequent: x + 1 / x < epsilon."""
    return (epsilon + math.sqrt(epsilon * epsilon - 4)) / 2


def subset_measures(
    sets: FeatureSets, left: np.ndarray, right: np.ndarray, epsilon: float, importance: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of each document's words that the other has: subset(left, right) and subset(right, left), float64.

    subset(R, S) is the sum of q F_R F_S over the words for which F_R / F_S + F_S / F_R < epsilon, by the sum of q F_R^2 over all
    words of R; q is the importance of a word. It may be above 1; 0 where R is empty.

    Args:
        sets: words of documents, ascending; weights are their frequencies.
        left, right: pairs as places in `sets`.
        epsilon: above 2.
        importance: weight of each value of `sets`, equal for equal values; None for 1.

    Cost: a search for each word of the document with fewer; memory 8 bytes a word of all documents, and BLOCK words of pairs.
    """
    # Number the words, so that (document, word) is one ascending integer that binary search finds.
    _, numbered = np.unique(sets.values, return_inverse=True)
    words = int(numbered.max(initial=0)) + 1
    n = len(sets)
    known = np.repeat(np.arange(n), sets.lengths) * words + numbered  # ascending: by document, then word
    frequency = sets.weights.astype(np.float64)
    heavy = np.ones(len(frequency)) if importance is None else importance.astype(np.float64)
    squares = np.concatenate([[0], np.cumsum(heavy * frequency * frequency)])
    norm = squares[sets.offsets[1:]] - squares[sets.offsets[:-1]]
    # Look up the words of the document with fewer words in the other one.
    fewer = sets.lengths[left] <= sets.lengths[right]
    small, large = np.where(fewer, left, right).astype(np.int64), np.where(fewer, right, left).astype(np.int64)
    dot = np.zeros(len(left))
    size = sets.lengths[small]
    # Batches of about BLOCK words bound the memory.
    for piece in batches_by_cost(size, BLOCK):
        count = size[piece]
        pair = np.repeat(piece, count)
        at = positions_in_items(count) + sets.offsets[small[pair]]
        wanted = large[pair] * words + numbered[at]
        place = np.minimum(np.searchsorted(known, wanted), max(0, len(known) - 1))
        both = known[place] == wanted if len(known) else np.zeros(0, bool)
        # A word counts only if both documents use it about equally often.
        a, b = frequency[at[both]], frequency[place[both]]
        close = a / b + b / a < epsilon
        product = (a * b * heavy[at[both]])[close]
        dot += np.bincount(pair[both][close], weights=product, minlength=len(left))
    return share(dot, norm[left]), share(dot, norm[right])
