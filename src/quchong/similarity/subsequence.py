"""The longest common subsequence of two token sequences (最长公共子序列), with rows of bits held as Python integers.

Source: Hyyro 2004.
"""

from __future__ import annotations

import numpy as np

from quchong.kernels.arrays import Ragged


def common_subsequence(left: np.ndarray, right: np.ndarray) -> int:
    """Return the length of the longest common subsequence of two arrays of tokens (uint32); 0 if either is empty.

    Exact. Cost: len(left) * len(right) / 64 steps on what is left without equal ends and tokens that only one side has:
    0.2 ms for two unrelated articles of 900 characters, 1 s for two texts of 100,000. Memory: the distinct tokens times
    len(left) / 8 bytes at most.

    >>> import numpy as np
    >>> common_subsequence(np.array([1, 2, 3, 2, 4, 1, 2]), np.array([2, 4, 3, 1, 2, 1]))
    4
    """
    # Equal ends belong to a longest common subsequence, and tokens of one side only belong to none: drop both first.
    ahead = _equal_ahead(left, right)
    left, right = left[ahead:], right[ahead:]
    behind = _equal_ahead(left[::-1], right[::-1])
    left, right = left[: len(left) - behind], right[: len(right) - behind]
    left, right = left[np.isin(left, right)], right[np.isin(right, left)]
    if len(left) > len(right):
        left, right = right, left
    return ahead + behind + _rows_of_bits(left.tolist(), right.tolist())


def common_subsequences(docs: Ragged, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the length of the longest common subsequence of each pair of documents, int64."""
    bounds = docs.offsets
    found = (
        common_subsequence(docs.tokens[bounds[a] : bounds[a + 1]], docs.tokens[bounds[b] : bounds[b + 1]])
        for a, b in zip(left.tolist(), right.tolist(), strict=True)
    )
    return np.fromiter(found, np.int64, len(left))


def _equal_ahead(left: np.ndarray, right: np.ndarray) -> int:
    n = min(len(left), len(right))
    differs = np.flatnonzero(left[:n] != right[:n])
    return int(differs[0]) if len(differs) else n


def _rows_of_bits(left: list[int], right: list[int]) -> int:
    """Return the length of the longest common subsequence, by one addition of whole rows of bits for each token of `right`.

    A 0 in bit i of a row means: with left[i] the longest common subsequence grows by 1.
    """
    places: dict[int, int] = {}
    for i, token in enumerate(left):
        places[token] = places.get(token, 0) | 1 << i
    full = (1 << len(left)) - 1
    row = full
    for token in right:
        met = row & places[token]
        row = ((row + met) | (row - met)) & full
    return len(left) - row.bit_count()
