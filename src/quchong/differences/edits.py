"""Edits of all pairs, with what is known of each without reading it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.differences.marks import confused
from quchong.kernels.arrays import Ragged, places_of

READ = 16
"""Longer stretches are rewritten passages: no fact of the one side stands against one of the other."""
ANCHORED = 4
"""Equal tokens next to a difference, before and behind it together, without which nothing stands against anything."""


NOISY, SLIP = 3, 3
WORD_TOKEN = 0x80000000
"""Tokens from here on are words and figures, as in cpp/text/text.hpp."""
NUMBER_TOKEN = 0xC0000000
"""Tokens from here on are figures in digits."""


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

    def where(self, mask: np.ndarray) -> Edits:
        """The edits of a mask; pairs keep their numbers."""
        if mask.all():
            return self
        some = np.flatnonzero(mask)  # rows are taken by number several times as fast as by a mask
        return Edits(
            *(values.take(some, 0) for values in (self.pair, self.places, self.a, self.b, self.before, self.after))
        )


def token_sums(docs: Ragged, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Sums of docs.tokens from each place to another (not included), uint64, modulo 2**64.

    The same tokens in any order have the same sum: where two stretches differ in it, neither is the other in another order.
    """
    lengths = last - first
    ends = np.cumsum(lengths)
    tokens = docs.tokens[places_of(first, lengths)]
    running = np.concatenate([np.zeros(1, np.uint64), np.cumsum(tokens, dtype=np.uint64)])
    out: np.ndarray = running[ends] - running[ends - lengths]
    return out


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
    """Mask of the edits that put look-alike or sound-alike characters for one another, one for one.

    Of several characters in a row most are so; in a pair with at least NOISY such edits every other edit of as many characters
    for as many, up to SLIP, is a slip too: no table of confusions is complete.
    """
    out = np.zeros(len(edits.pair), bool)
    at = np.flatnonzero((edits.a == edits.b) & (edits.a >= 1) & (edits.a <= READ))
    p = edits.pair[at]
    i, j = docs.offsets[left[p]] + edits.places[at, 0], docs.offsets[right[p]] + edits.places[at, 2]
    alike, other = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
    han = np.ones(len(at), bool)
    for k in range(int(edits.a[at].max(initial=0))):
        some = np.flatnonzero(edits.a[at] > k)
        x, y = docs.tokens[i[some] + k], docs.tokens[j[some] + k]
        confusable = confused(x, y)
        alike[some] += confusable & (x != y)
        other[some] += ~confusable & (x != y)
        han[some] &= (x < WORD_TOKEN) & (y < WORD_TOKEN)
    out[at] = (alike > 0) & (2 * other <= alike) & han
    often = np.bincount(edits.pair[out], minlength=len(left)) >= NOISY
    slips = np.bincount(p[han], minlength=len(left)) <= 2 * np.bincount(edits.pair[out], minlength=len(left))
    out[at] |= han & (edits.a[at] <= SLIP) & (often & slips)[p]
    return out
