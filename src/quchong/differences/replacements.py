"""Edits that may put another content word in the place of one, found by their tokens alone."""

from __future__ import annotations

import numpy as np

from quchong.differences.edits import ANCHORED, NUMBER_TOKEN, WORD_TOKEN, Edits, token_sums
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct

REPLACED = 8
"""Most tokens of either side."""
SCATTERED = 5
"""Number of different characters replaced one by one from which on a pair is a noisy copy, in which a single character is no word."""
FEW, FOR_EACH = 4, 64
"""Different replacements of a pair that are read at most: FEW, and one more for each so many tokens; with more a text is rewritten."""


def replacements(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Return a mask of the edits in which words may be replaced by others: short, anchored, in pairs with few replacements that differ.

    Cost: linear in the edits.
    """
    out = np.zeros(len(edits.pair), bool)
    at = np.flatnonzero(
        (edits.a > 0) & (edits.b > 0) & (edits.a <= REPLACED) & (edits.b <= REPLACED)
        & (edits.before + edits.after >= ANCHORED)
    )  # fmt: skip
    pair = edits.pair[at]
    pairs = len(left)
    counts = np.bincount(pair, minlength=pairs)
    limit = FEW + np.minimum(docs.lengths[left], docs.lengths[right]) // FOR_EACH
    # Count different replacements only where all of them are too many: one word may be replaced ten times.
    many = counts[pair] > np.minimum(limit, SCATTERED - 1)[pair]
    some = at[many]
    x, y = docs.offsets[left[edits.pair[some]]], docs.offsets[right[edits.pair[some]]]
    a, b, c, d = edits.places[some].T
    sums = [token_sums(docs, x + a, x + b), token_sums(docs, y + c, y + d)]
    number = (sums[0] * np.uint64(0x9E3779B97F4A7C15)) ^ sums[1]
    single = (edits.a[some] == 1) & (edits.b[some] == 1)
    # One number a replacement: the pair above, a hash of both sides below it, and whether it is of single tokens last.
    keys = distinct(edits.pair[some].astype(np.uint64) << np.uint64(32) | (number >> np.uint64(33)) << np.uint64(1) | single)
    counts = np.where(counts > np.minimum(limit, SCATTERED - 1), 0, counts)
    counts += np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=pairs)
    scattered = np.bincount((keys[(keys & np.uint64(1)) == 1] >> np.uint64(32)).astype(np.int64), minlength=pairs) >= SCATTERED
    # In a noisy copy a single character is no word, and a Latin word is a misspelling.
    first = docs.tokens[docs.offsets[left[pair]] + edits.places[at, 0]]
    alone = (edits.a[at] == 1) & (edits.b[at] == 1) & (first < WORD_TOKEN)
    out[at] = (counts <= limit)[pair] & ~(scattered[pair] & alone) & (first < NUMBER_TOKEN)
    return out
