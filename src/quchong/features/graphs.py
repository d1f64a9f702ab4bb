"""Edges between neighbouring words.

Source: Yang 2003.
"""

from __future__ import annotations

import numpy as np

from quchong.features.words import Words
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import prefix_sums


def edges(words: Words, window: int, directed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of words of one sentence less than `window` words apart: uint64 values, int64 offsets of texts.

    With `directed` their order counts. A pair that occurs twice is returned twice. Cost: O(words * window).
    """
    values, sentence, document = words.values, words.sentence, words.document
    made, owner = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for apart in range(1, window):
        near = np.flatnonzero(sentence[apart:] == sentence[:-apart])
        a, b = values[near], values[near + apart]
        if not directed:
            a, b = np.minimum(a, b), np.maximum(a, b)
        with np.errstate(over="ignore"):
            made.append(mix64(mix64(a + GOLDEN) + b))
        owner.append(document[near])
    flat, of = np.concatenate(made), np.concatenate(owner)
    order = np.argsort(of, kind="stable")
    counts = np.bincount(of, minlength=len(words.offsets) - 1)
    return flat[order], prefix_sums(counts)
