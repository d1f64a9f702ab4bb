"""Prefix and positional bounds of the exact set join (前缀过滤, 位置过滤).

Source: Xiao 2008 (PPJoin). For a join on many machines: `prefix_tokens` returns the tokens under which a record is sent, `passes_position`
applies the positional filter to the pairs that share one. On one machine `quchong.kernels.join.join_sets` does both; filters and exact
count of given pairs are `quchong.kernels.join.screen_pairs`.

All bounds are whole numbers, exact for the comparison shared / (a + b - shared) >= threshold of float64: rounding is
monotone, so none of them needs an epsilon, and 0.8 of 5 tokens are 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items


class PrefixTokens(NamedTuple):
    """Tokens of prefixes, one a row, by document and position: document (int64), token (uint64), position from 1 (int64)."""

    document: np.ndarray
    values: np.ndarray
    position: np.ndarray


def _least(guess: np.ndarray, size: np.ndarray, threshold: float, *, overlap: bool = False) -> np.ndarray:
    """Return the least m from 1 on for which m / size, or with `overlap` m / (size - m), reaches the threshold.

    `guess` may differ from it by rounding.
    """

    def enough(m: np.ndarray) -> np.ndarray:
        reached: np.ndarray = m / (size - m if overlap else size) >= threshold
        return reached

    out: np.ndarray = np.maximum(guess, 1)
    while (low := (out > 1) & enough(out - 1)).any():
        out = out - low
    while (high := ~enough(out)).any():
        out = out + high
    return out


def least_share(threshold: float, size: np.ndarray) -> np.ndarray:
    """Return ceil(threshold * size), int64: the least size of a similar record, which is also the least overlap with it; at least 1."""
    n = np.asarray(size, np.int64)
    return _least(np.ceil(threshold * n).astype(np.int64), n, threshold)


def least_overlap(threshold: float, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return ceil(t / (1 + t) (a + b)), int64: the least overlap of two similar records of sizes a and b; at least 1."""
    both = np.asarray(a, np.int64) + np.asarray(b, np.int64)
    guess = np.ceil(threshold / (1 + threshold) * both).astype(np.int64)
    return _least(guess, both, threshold, overlap=True)


def probing_prefix(threshold: float, size: np.ndarray) -> np.ndarray:
    """Return the prefix length |x| - ceil(t |x|) + 1, int64: similar records share a token within prefixes of this length."""
    out: np.ndarray = np.asarray(size, np.int64) - least_share(threshold, size) + 1
    return out


def passes_position(
    threshold: float, left_size: np.ndarray, left_position: np.ndarray, right_size: np.ndarray,
    right_position: np.ndarray, before: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the pairs that can still be similar, given a common token at these positions and `before` earlier ones.

    Positions count from 1.
    """
    behind = np.minimum(left_size - left_position, right_size - right_position)
    mask: np.ndarray = before + 1 + behind >= least_overlap(threshold, left_size, right_size)
    return mask


def prefix_tokens(sets: FeatureSets, frequency: np.ndarray, threshold: float) -> PrefixTokens:
    """Return the probing prefix of every set, in the order of document frequency, ties by token.

    Args:
        frequency: document frequency of each value of `sets`, equal for equal values.

    Cost: one sort of the values.
    """
    lengths = sets.lengths
    document = sets.document
    order = np.lexsort((sets.values, frequency, document))
    position = positions_in_items(lengths) + 1
    some = np.flatnonzero(lengths > 0)
    length = np.zeros(len(lengths), np.int64)
    length[some] = probing_prefix(threshold, lengths[some])
    keep = position <= np.repeat(length, lengths)
    return PrefixTokens(document[keep], sets.values[order][keep], position[keep])
