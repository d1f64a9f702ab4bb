"""Shares of roundups that the documents contained in them have together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import ordered

MOST_PARTS = 32
"""Number of parts of one document that are compared with each other."""


@dataclass(frozen=True, slots=True)
class ListedPairs:
    """Pairs of documents with the share of each that is found in the other.

    Attributes:
        left, right: documents. share_left, share_right: float64.
    """

    left: np.ndarray
    right: np.ndarray
    share_left: np.ndarray
    share_right: np.ndarray


def shares_held(
    documents: DocumentColumns, text: np.ndarray, size: int, parts: ListedPairs, listed: ListedPairs
) -> np.ndarray:  # fmt: skip
    """Return for each text a lower bound of the share that its parts cover together, float64 (size,); 0 for texts without parts.

    What two parts have in common is counted once: each part adds its share of the whole, less all that it shares with the parts before
    it. By the inequality of Bonferroni the sum is at most the share of their union, as far as the pairs of parts are listed: a pair that
    is not listed shares less than the floor of the run. Of several reference documents, which are never compared, the first counts.

    Args:
        documents: columns of the documents.
        text: number of the text of each document, -1 for those in no pair of part and whole. size: number of texts.
        parts: pairs of a whole (left) and a part of it (right), as numbers of texts.
        listed: all listed pairs.

    Cost: O(listed pairs), and sorting of the parts of each text; the longest MOST_PARTS parts of a text count.
    """
    held = np.zeros(size)
    if not len(parts.left):
        return held
    # (1) One pair for each whole and part; the features of a part as a share of those of the whole; parts by length, then id.
    code, at = np.unique(parts.left * size + parts.right, return_inverse=True)
    added, extent = np.zeros(len(code)), np.zeros(len(code))
    np.maximum.at(added, at, parts.share_left)
    np.maximum.at(extent, at, parts.share_left / parts.share_right)
    whole, part = code // size, code % size
    docs = np.flatnonzero(text >= 0)
    tokens, rank = np.zeros(size, np.int64), np.full(size, np.iinfo(np.int64).max)
    tokens[text[docs]] = documents.tokens[docs]
    np.minimum.at(rank, text[docs], documents.id_rank[docs])
    order = ordered(whole, -tokens[part], rank[part])
    order = order[positions_in_items(_counts(whole[order])) < MOST_PARTS]
    whole, part, added, extent = whole[order], part[order], added[order], extent[order]
    # (2) All pairs of parts of one whole, as an earlier and a later one, and what both share as a share of the whole.
    before = positions_in_items(_counts(whole))
    later = np.repeat(np.arange(len(whole)), before)
    earlier = later - 1 - positions_in_items(before[before > 0])
    of_earlier, of_later = _shares_between(text, size, listed, part[earlier], part[later])
    shared = np.maximum(of_earlier * extent[earlier], of_later * extent[later])
    own = np.zeros(size, bool)
    own[text[docs[~documents.reference[docs]]]] = True
    shared[~own[part[earlier]] & ~own[part[later]]] = np.inf
    # (3) Each part adds what none before it has.
    twice = np.bincount(later, weights=shared, minlength=len(whole))
    held += np.bincount(whole, weights=np.maximum(added - twice, 0), minlength=size)
    return np.minimum(held, 1.0)


def _counts(sorted_values: np.ndarray) -> np.ndarray:
    """Return the length of each run of equal values in a sorted array, int64."""
    starts = np.flatnonzero(first_of_runs(sorted_values))
    return np.diff(np.append(starts, len(sorted_values)))


def _shares_between(
    text: np.ndarray, size: int, listed: ListedPairs, one: np.ndarray, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each pair the share of text `one` that is in `other`, and the reverse, float64; 0 for pairs that are not listed."""
    some = np.flatnonzero((text[listed.left] >= 0) & (text[listed.right] >= 0))
    left, right = text[listed.left[some]], text[listed.right[some]]
    codes, at = np.unique(pair_codes(left, right, size), return_inverse=True)
    # Of each pair of texts the larger shares, first of the text with the smaller number.
    shares = np.zeros((2, len(codes)))
    turned = (left > right).astype(np.int64)
    np.maximum.at(shares, (turned, at), listed.share_left[some])
    np.maximum.at(shares, (1 - turned, at), listed.share_right[some])
    asked = pair_codes(one, other, size)
    if not len(codes):
        return np.zeros(len(asked)), np.zeros(len(asked))
    place = np.minimum(np.searchsorted(codes, asked), len(codes) - 1)
    known, turned = codes[place] == asked, (one > other).astype(np.int64)
    return shares[turned, place] * known, shares[1 - turned, place] * known
