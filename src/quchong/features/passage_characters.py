"""Conversion of passages in tokens to passages in characters, and beginnings of words."""

from __future__ import annotations

import numpy as np

from quchong.features.feature_sets import among
from quchong.features.text_offsets import place_keys
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Tokenised, TokenNames
from quchong.seam import Spans


def spans_of(
    found: TokenNames | Tokenised, left: np.ndarray, right: np.ndarray, offsets: np.ndarray, runs: np.ndarray
) -> Spans:
    """Convert equal sequences of tokens (`runs`) to exact passages of pairs, with offsets in characters.

    Args:
        found: the texts' tokens with their places.
        left, right: pairs as indices into the texts.
        offsets, runs: runs of pair i are runs[offsets[i]:offsets[i + 1]]: left place, right place, length in tokens.
    """
    pair = np.repeat(np.arange(len(left)), np.diff(offsets))
    run = runs.astype(np.int64)
    a, b, length = whole_numbers(
        found, found.docs.offsets[left[pair]] + run[:, 0], found.docs.offsets[right[pair]] + run[:, 1], run[:, 2]
    )
    kept = length > 0
    pair, a, b, last = pair[kept], a[kept], b[kept], length[kept] - 1
    offsets = prefix_sums(np.bincount(pair, minlength=len(left)))
    places = np.stack([found.start[a], found.end[a + last], found.start[b], found.end[b + last]], axis=1).astype(
        np.int64
    )
    order = np.lexsort((*places.T[::-1], pair))
    return Spans.from_offsets(offsets, places[order])


def ends_of_characters(found: TokenNames | Tokenised) -> np.ndarray:
    """Return a mask of the tokens, and of the end, before which a character of the text ends.

    It is False inside one character or number that became several tokens, as 二十三 becomes 2 and 3.
    """
    out = np.ones(len(found.start) + 1, bool)
    out[1:-1] = (found.start[1:] != found.start[:-1]) | (found.end[1:] != found.end[:-1])
    out[found.docs.offsets] = True
    return out


def whole_numbers(
    found: TokenNames | Tokenised, a: np.ndarray, b: np.ndarray, length: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Trim passages (start in a, start in b, length) at ends that fall inside a character in either text; return the trimmed arrays.

    二十三 and 二十一 have the digit 2 in common, which no span of characters is. Length 0: nothing is left.
    """
    ends = ends_of_characters(found)
    a, b, length = a.copy(), b.copy(), length.copy()
    while (parted := (length > 0) & ~(ends[a] & ends[b])).any():
        a, b, length = a + parted, b + parted, length - parted
    while (parted := (length > 0) & ~(ends[a + length] & ends[b + length])).any():
        length = length - parted
    return a, b, length


def joined_runs(offsets: np.ndarray, runs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge passages (`runs`) that continue each other in both texts; those of a pair are sorted by left position."""
    if not len(runs):
        return offsets, runs
    run, pair = runs.astype(np.int64), np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    goes_on = (pair[1:] == pair[:-1]) & (run[1:, :2] == run[:-1, :2] + run[:-1, 2:]).all(axis=1)
    first = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    out = np.column_stack([run[first, :2], np.add.reduceat(run[:, 2], first)])
    counts = np.bincount(pair[first], minlength=len(offsets) - 1)
    return prefix_sums(counts), out


def word_starts(characters: TokenNames | Tokenised, words: TokenNames | Tokenised) -> np.ndarray:
    """Return 1 for each character at which a word begins (uint8), by the offsets of both kinds of tokens.

    A character of a script without spaces is a word.
    """
    keys, begins = (place_keys(found.start, found.docs.lengths) for found in (characters, words))
    return among(keys, begins).astype(np.uint8)
