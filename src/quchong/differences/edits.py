"""Edits of all pairs, with what is known of each without reading it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.differences.marks import confused
from quchong.kernels.arrays import Ragged

READ = 16
"""Longer stretches are rewritten passages: no fact of the one side stands against one of the other."""
ANCHORED = 4
"""Equal tokens next to a difference, before and behind it together, without which nothing stands against anything."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of all pairs, one after another.

    Attributes:
        pair: int64. places: (n, 4) int64, tokens of the documents. a, b: tokens on either side.
        before, after: equal tokens next to it; READ where a text begins or ends there.
    """

    pair: np.ndarray
    places: np.ndarray
    a: np.ndarray
    b: np.ndarray
    before: np.ndarray
    after: np.ndarray


def edits_of(docs: Ragged, left: np.ndarray, right: np.ndarray, found: kernels.align.Edits) -> Edits:
    """The edits a kernel found in these pairs of documents."""
    pair = np.repeat(np.arange(len(left)), np.diff(found.offsets))
    places = found.places.astype(np.int64)
    first = np.ones(len(pair), bool)
    first[1:] = pair[1:] != pair[:-1]
    last = np.append(first[1:], True)[: len(pair)]
    n, m = docs.lengths[left][pair], docs.lengths[right][pair]
    before = np.where(first, places[:, 0], places[:, 0] - np.roll(places[:, 1], 1))
    before = np.where(first & ((places[:, 0] == 0) | (places[:, 2] == 0)), READ, before)
    after = np.where(last, n - places[:, 1], np.roll(places[:, 0], -1) - places[:, 1])
    after = np.where(last & ((places[:, 1] == n) | (places[:, 3] == m)), READ, after)
    return Edits(pair, places, places[:, 1] - places[:, 0], places[:, 3] - places[:, 2], before, after)


def noisy(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Mask of the edits that put look-alike or sound-alike characters for one another: one for one, or two for two."""
    out = np.zeros(len(edits.pair), bool)
    at = np.flatnonzero((edits.a == edits.b) & (edits.a >= 1) & (edits.a <= 2))
    p = edits.pair[at]
    i, j = docs.offsets[left[p]] + edits.places[at, 0], docs.offsets[right[p]] + edits.places[at, 2]
    alike = confused(docs.tokens[i], docs.tokens[j])
    two = edits.a[at] == 2
    x, y = docs.tokens[i[two] + 1], docs.tokens[j[two] + 1]
    alike[two] &= confused(x, y) | (x == y)
    out[at] = alike
    return out
