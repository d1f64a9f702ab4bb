"""Shares of roundups that the documents contained in them have together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import ordered

MOST_PARTS = 32
"""Number of parts of one document that are compared with each other."""


def shares_held(
    documents: DocumentColumns,
    text: np.ndarray,
    size: int,
    parts: tuple[np.ndarray, np.ndarray, np.ndarray],
    listed: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> np.ndarray:
    """Return for each text the least share of it that its parts have together, float64 (size,); 0 for texts without parts.

    What two parts have in common is counted once: each part adds its share of the whole, less all that it shares with the parts before
    it. By the inequality of Bonferroni the sum is at most the share of their union, as far as the pairs of parts are listed: a pair that
    is not listed shares less than the floor of the run. Of several reference documents, which are never compared, the first counts.

    Args:
        documents: columns of the documents.
        text: number of the text of each document, -1 for those in no pair of part and whole. size: number of texts.
        parts: text of the whole, text of the part, and share of the whole found in the part, for each pair of documents.
        listed: left and right document of each listed pair, and the share of each found in the other.

    Cost: O(listed pairs), and sorting of the parts of each text; the longest MOST_PARTS parts of a text count.
    """
    held = np.zeros(size)
    whole, part, share = parts
    if not len(whole):
        return held
    # (1) One share for each pair of texts, the largest; parts of one whole by length, then id.
    code, at = np.unique(whole * size + part, return_inverse=True)
    added = np.zeros(len(code))
    np.maximum.at(added, at, share)
    whole, part = code // size, code % size
    docs = np.flatnonzero(text >= 0)
    tokens, rank = np.zeros(size, np.int64), np.full(size, np.iinfo(np.int64).max)
    tokens[text[docs]] = documents.tokens[docs]
    np.minimum.at(rank, text[docs], documents.id_rank[docs])
    order = ordered(whole, -tokens[part], rank[part])
    whole, part, added = whole[order], part[order], added[order]
    few = positions_in_items(_counts(whole)) < MOST_PARTS
    whole, part, added = whole[few], part[few], added[few]
    # (2) All pairs of parts of one whole, as an earlier and a later one, and the tokens that both share.
    counts = _counts(whole)
    before = positions_in_items(counts)
    later = np.repeat(np.arange(len(whole)), before)
    earlier = later - 1 - positions_in_items(before[before > 0])
    shared = _tokens_shared(documents, text, size, listed)(part[earlier], part[later])
    own = np.zeros(size, bool)
    own[text[docs[~documents.reference[docs]]]] = True
    shared[~own[part[earlier]] & ~own[part[later]]] = np.inf
    # (3) Each part adds what none before it has.
    twice = np.bincount(later, weights=shared, minlength=len(whole)) / tokens[whole]
    held += np.bincount(whole, weights=np.maximum(added - twice, 0), minlength=size)
    return np.minimum(held, 1.0)


def _counts(sorted_values: np.ndarray) -> np.ndarray:
    """Return the length of each run of equal values, int64."""
    starts = np.flatnonzero(first_of_runs(sorted_values))
    return np.diff(np.append(starts, len(sorted_values)))


def _tokens_shared(
    documents: DocumentColumns, text: np.ndarray, size: int, listed: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a function that gives the tokens which pairs of texts share, float64; 0 for pairs that are not listed."""
    left, right, share_left, share_right = listed
    some = np.flatnonzero((text[left] >= 0) & (text[right] >= 0) & (text[left] != text[right]))
    left, right = left[some], right[some]
    shared = np.maximum(share_left[some] * documents.tokens[left], share_right[some] * documents.tokens[right])
    codes = pair_codes(text[left], text[right], size)
    order = ordered(codes, -shared)
    first = order[first_of_runs(codes[order])] if len(order) else order
    known, tokens = codes[first], shared[first]

    def look_up(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        asked = pair_codes(one, other, size)
        if not len(known):
            return np.zeros(len(asked))
        place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        return np.where(known[place] == asked, tokens[place], 0.0)

    return look_up
