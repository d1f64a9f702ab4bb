"""Candidates by several sets of a document, of which any one may make a pair: titles, or else keywords (标题匹配, 关键词匹配)."""

from __future__ import annotations

import numpy as np

from quchong.candidates.postings import Lookup, Represented
from quchong.kernels.arrays import FeatureSets, places_of
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.postings import DocumentSizes, SelectedCandidates
from quchong.kernels.sorting import distinct
from quchong.seam import Documents, UnitedSets

KINDS = 3
"""Most sets of a document: their sizes are packed in one number."""
_SHIFT = 16
_ODD = np.uint64(0x9E3779B97F4A7C15)


def united_sets(
    join: UnitedSets, documents: Documents, scope: np.ndarray | None, workers: int | None = None
) -> tuple[FeatureSets, DocumentSizes]:
    """Return the sets of each document as one set, and their sizes packed in one number.

    Values of different sets differ, and have the number of their set, from 1, as weight.
    """
    parts = join.sets(documents, workers)
    assert len(parts) <= KINDS
    n = len(documents)
    lengths = [np.minimum(part.lengths, (1 << _SHIFT) - 1) for part in parts]
    offsets = prefix_sums(np.sum(lengths, axis=0, dtype=np.int64) if n else np.zeros(0, np.int64))
    values, kinds = np.empty(offsets[-1], np.uint64), np.empty(offsets[-1], np.uint32)
    start = offsets[:-1].copy()
    for k, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        to = places_of(start, length)
        with np.errstate(over="ignore"):
            values[to] = mix64(part.values[places_of(part.offsets[:-1], length)] + np.uint64(k + 1) * _ODD)
        kinds[to] = k + 1
        start += length
    # Values ascend in a set; the kinds follow them.
    order = np.lexsort((values, np.repeat(np.arange(n), np.diff(offsets))))
    packed = sum(length.astype(np.int64) << (_SHIFT * k) for k, length in enumerate(lengths))
    sets = FeatureSets(values[order], kinds[order], offsets)
    return sets, DocumentSizes.from_columns(np.asarray(packed, np.int64).astype(np.float64), scope=scope)


def united_candidates(
    join: UnitedSets, documents: Represented, looked: Lookup, before: np.ndarray | None, references: int
) -> SelectedCandidates:
    """Return the candidates of each document: the first `most` earlier documents of which one united set is enough alike.

    Args:
        join: the join. documents: those that ask. looked: the lists of all their keys.
        before: for each of them, only documents with lesser numbers are met; None for all.
        references: documents below this number are not paired with each other.

    Cost: linear in the lists, each read up to the cap.
    """
    lists = looked.lists
    length = np.minimum(np.diff(lists.offsets), join.cap)
    met = lists.documents[places_of(lists.offsets[:-1], length)].astype(np.int64)
    owner = np.repeat(np.arange(len(documents)), np.diff(documents.offsets))
    asking, kind = np.repeat(owner, length), np.repeat(documents.weights.astype(np.int64), length)
    keep = looked.sizes.scope[met] == documents.sizes.scope[asking]
    if before is not None:
        keep &= met < before[asking]
        keep &= (met >= references) | (before[asking] >= references)
    asking, met, kind = asking[keep], met[keep], kind[keep]
    # Count the common values of each pair and kind, and divide them by the sizes.
    every = len(looked.sizes.size) + 1
    codes, shared = np.unique((asking * every + met) * (KINDS + 1) + kind, return_counts=True)
    pair, kind = np.divmod(codes, KINDS + 1)
    one, other = np.divmod(pair, every)
    own, theirs = (sizes.astype(np.int64) for sizes in (documents.sizes.size[one], looked.sizes.size[other]))
    a, b = ((sizes >> (_SHIFT * (kind - 1))) & ((1 << _SHIFT) - 1) for sizes in (own, theirs))
    dice, least = np.array((False, *join.dice))[kind], np.array((0.0, *join.least))[kind]
    size = np.where(dice, (a + b) / 2, np.minimum(a, b))
    chosen = distinct(pair[shared >= least * size - 1e-9])
    one, other = np.divmod(chosen, every)
    few = np.arange(len(one)) - np.searchsorted(one, one) < (join.most or len(one) + 1)
    bounded = np.zeros(len(documents), bool)
    bounded[one[~few]] = True
    one, other = one[few], other[few]
    return SelectedCandidates(
        other.astype(np.uint32),
        one.astype(np.uint32),
        np.ones(len(one), np.uint64),
        bounded,
        np.zeros(len(documents), bool),
    )
