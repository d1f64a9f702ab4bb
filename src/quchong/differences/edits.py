"""Edits of all pairs as arrays, and what can be computed about each without reading the texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.differences.marks import confused
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs

READ = 16
"""Most tokens of an edit that is read; longer ones are rewritten passages, in which single facts do not correspond."""
ANCHORED = 4
"""Least number of equal tokens before and after an edit together; with fewer, no fact of the edit can conflict."""


COVERED = 0.85
"""Share of both texts in an alignment at or above which differences are reported. A test checks that it is a preset's least."""
NOISY, SLIP, CONFUSED = 3, 3, 4
WORD_TOKEN = 0x80000000
"""Least token that is a word or a figure, as in cpp/text/text.hpp; smaller tokens are characters."""
NUMBER_TOKEN = 0xC0000000
"""Least token that is a figure in digits."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of all pairs, in pair order.

    Attributes:
        pair: int64, pair number of each edit. places: (n, 4) int64, token ranges in both documents. a, b: tokens on either side.
        before, after: number of equal tokens next to the edit; READ where a text begins or ends there.
    """

    pair: np.ndarray
    places: np.ndarray
    a: np.ndarray
    b: np.ndarray
    before: np.ndarray
    after: np.ndarray

    def select(self, mask: np.ndarray) -> Edits:
        """Return the edits selected by a boolean mask; pair numbers stay unchanged."""
        if np.count_nonzero(mask) == len(mask):
            return self
        some = mask.nonzero()[0]  # rows are taken by number several times as fast as by a mask
        return Edits(
            *(values.take(some, 0) for values in (self.pair, self.places, self.a, self.b, self.before, self.after))
        )


def token_sums(docs: Ragged, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return the sum of docs.tokens over each range [first, last), uint64, modulo 2**64.

    Equal tokens in any order have equal sums: two stretches with different sums are no rearrangement of each other.
    """
    lengths = last - first
    ends = lengths.cumsum()
    running = np.zeros((int(ends[-1]) if len(ends) else 0) + 1, np.uint64)
    docs.tokens[places_of(first, lengths)].cumsum(dtype=np.uint64, out=running[1:])
    out: np.ndarray = running[ends] - running[ends - lengths]
    return out


def edits_of(docs: Ragged, left: np.ndarray, right: np.ndarray, found: kernels.align.Edits) -> Edits:
    """Return the edits that the alignment kernel found in these pairs of documents, with their equal neighbours counted."""
    pair = np.arange(len(left)).repeat(found.offsets[1:] - found.offsets[:-1])
    places = found.places.astype(np.int64)
    # Masks of the first and the last edit of each pair.
    first = first_of_runs(pair)
    last = np.append(first[1:], True)[: len(pair)]
    n, m = (docs.lengths[side[pair]] for side in (left, right))
    begin, end = places[:, 0], places[:, 1]
    # Equal tokens since the previous edit of the pair, or since the beginning of the left text; and until the next one, or the end.
    since, until = np.zeros(len(pair), np.int64), n.copy()
    since[1:], until[:-1] = end[:-1], begin[1:]
    since[first], until[last] = 0, n[last]
    # At a text's beginning or end there is nothing to be equal: READ makes such an edit as well anchored as any.
    before = np.where(first & ((begin == 0) | (places[:, 2] == 0)), READ, begin - since)
    after = np.where(last & ((end == n) | (places[:, 3] == m)), READ, until - end)
    return Edits(pair, places, end - begin, places[:, 3] - places[:, 2], before, after)


def cut_edits(
    edits: Edits, some: np.ndarray, pieces: np.ndarray, read: np.ndarray
) -> tuple[Edits, np.ndarray, np.ndarray]:
    """Replace some edits by pieces of them; return the edits and, for each, where it came from.

    Args:
        edits: all edits.
        some: indices of the edits to cut, ascending.
        pieces: int64 (len(some), k, 4), token ranges of the pieces relative to where the edit begins; a piece without tokens is left out.
        read: bool (len(some), k), the pieces that are read like a short edit. The others stay unread: 0 equal neighbours anchor nothing.

    Returns:
        The edits in order; the index of the original edit of each, int64; and a mask, bool (n,), of the pieces of a cut edit, which count
        as replacements even if they have one side only.
    """
    filled = (pieces[:, :, 1] > pieces[:, :, 0]) | (pieces[:, :, 3] > pieces[:, :, 2])
    counts = np.ones(len(edits.pair), np.int64)
    counts[some] = filled.sum(1)
    cut = np.zeros(len(edits.pair), bool)
    cut[some] = True
    of = np.arange(len(edits.pair)).repeat(counts)
    rest = cut[of]
    places, before, after = edits.places[of], edits.before[of], edits.after[of]
    places[rest] = (pieces + edits.places[some][:, None, [0, 0, 2, 2]])[filled]
    before[rest] *= read[filled]
    after[rest] *= read[filled]
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    return Edits(edits.pair[of], places, a, b, before, after), of, rest


def noisy(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Return a mask of the edits that replace characters one for one by characters that look or sound alike.

    An edit of several characters counts if at least two thirds of its changed characters look or sound alike; one is enough in a pair in
    which CONFUSED do, and more than half of all changed ones. In a pair with at least NOISY such edits, other edits of equally many
    characters, up to SLIP, count too, because no table of confusions is complete.
    """
    out = np.zeros(len(edits.pair), bool)
    # Only edits of equally many tokens on both sides can replace characters one for one.
    at = ((edits.a == edits.b) & (edits.a >= 1) & (edits.a <= READ)).nonzero()[0]
    if not len(at):
        return out
    p = edits.pair[at]
    i, j = docs.offsets[left[p]] + edits.places[at, 0], docs.offsets[right[p]] + edits.places[at, 2]
    alike, other = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
    han = np.ones(len(at), bool)
    # Compare the k-th tokens of all edits at once: there are at most READ rounds, however many edits.
    for k in range(int(edits.a[at].max(initial=0))):
        some = (edits.a[at] > k).nonzero()[0]
        x, y = docs.tokens[i[some] + k], docs.tokens[j[some] + k]
        confusable = confused(x, y)
        alike[some] += confusable & (x != y)
        other[some] += ~confusable & (x != y)
        han[some] &= (x < WORD_TOKEN) & (y < WORD_TOKEN)
    # Confusable characters must be two thirds of the changed ones.
    out[at] = (alike > 0) & (2 * other <= alike) & han
    sums = [np.bincount(p[han], some[han], len(left)) for some in (alike, other)]
    out[at] |= (alike > 0) & han & ((sums[0] >= CONFUSED) & (sums[0] > sums[1]))[p]
    # In pairs that are noisy already, short edits of unlisted characters are slips too, unless these are the majority.
    often = np.bincount(edits.pair[out], minlength=len(left)) >= NOISY
    slips = np.bincount(p[han], minlength=len(left)) <= 2 * np.bincount(edits.pair[out], minlength=len(left))
    out[at] |= han & (edits.a[at] <= SLIP) & (often & slips)[p]
    return out
