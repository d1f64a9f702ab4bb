"""Pairs of wide signatures within a Hamming distance: equal blocks of bits are keys.

Source: Manku 2007, with one block more than bits may differ: of two signatures within the distance one block at least is equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from quchong import kernels
from quchong.candidates.keyed import rows_as_keys
from quchong.candidates.nearest import places_among
from quchong.candidates.set_join import ANY, capped_note
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sets import meet_sets
from quchong.kernels.sketch import Signatures
from quchong.kernels.sorting import distinct
from quchong.languages import Message
from quchong.seam import HammingJoin, Meetings

PAIRS = 16_000_000
"""Most pairs compared at once, 24 bytes each."""
LISTED = 4096
"""Most signatures with an equal block that are compared, the best by policy first."""


def block_keys(words: np.ndarray, blocks: int) -> np.ndarray:
    """Return a key (uint64) for each of `blocks` consecutive bit blocks of each signature: shape (signatures, blocks).

    Args:
        words: uint64 (signatures, words), the low word first.
        blocks: 1 or more, at most the bits of a signature.
    """
    n = len(words)
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<u8").view(np.uint8), axis=1, bitorder="little")
    cuts = [round(i * bits.shape[1] / blocks) for i in range(blocks + 1)]
    out = np.empty((n, blocks), np.uint64)
    with np.errstate(over="ignore"):
        for i, (start, end) in enumerate(pairwise(cuts)):
            padded = np.zeros((n, -(-(end - start) // 64) * 64), np.uint8)
            padded[:, : end - start] = bits[:, start:end]
            key = np.full(n, np.uint64(i + 1) * GOLDEN)
            for word in np.packbits(padded, axis=1, bitorder="little").view("<u8").T:
                key = mix64(key ^ word)
            out[:, i] = key
    return out


def near_wide_signatures(
    join: HammingJoin, signed: Signatures, scope: np.ndarray | None, references: int, workers: int | None = None
) -> Meetings:
    """Find the pairs of signatures of any width within the distance, as `quchong.candidates.signature_join.near_signatures` does.

    Every pair within the distance is found, unless a list of equal blocks is longer than LISTED, which a note reports. Cost: distance + 1
    keys a signature and the pairs that have one in common; memory 16 bytes a key, and 24 a pair of a batch.
    """
    keys = rows_as_keys(block_keys(signed.words, join.distance + 1), signed.defined)
    sets = kernels.sets.feature_sets(*keys, workers=workers)
    lefts, rights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    capped = largest = crowded = 0
    for start, end in _pieces(sets, LISTED):
        some = FeatureSets(sets.values[: sets.offsets[end]], sets.weights[: sets.offsets[end]], sets.offsets[: end + 1])
        met = meet_sets(
            some,
            ANY,
            cap=LISTED,
            scope=None if scope is None else scope[:end],
            references=max(start, min(end, references)),
            workers=workers,
        )
        near = signed.distances(met.left, met.right, workers) <= join.distance
        left, right = met.left[near], met.right[near]  # by right, then left
        kept = np.arange(len(right)) - np.searchsorted(right, right) < join.cap
        lefts.append(left[kept])
        rights.append(right[kept])
        capped, largest, crowded = met.capped, met.largest, crowded + len(distinct(right[~kept]))
    notes = []
    if crowded:
        message = Message(
            "{:,} texts differ by at most {} bits from more than {} other texts. Each was compared with only "
            "some of them; the policy (--keep) chose which",
            crowded,
            join.distance,
            join.cap,
        )
        notes.append((message, {"documents": crowded, "cap": join.cap}))
    listed = capped_note(capped, largest, LISTED, what=Message("blocks of bits"))
    return Meetings(np.concatenate(lefts), np.concatenate(rights), (*notes, *listed), ~signed.defined)


def _pieces(sets: FeatureSets, cap: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of batches of documents with at most PAIRS candidate pairs; a batch of one document may exceed it."""
    n = len(sets)
    before = np.arange(n, dtype=np.int64)
    if n * (n - 1) // 2 > PAIRS:
        order = np.argsort(sets.values, kind="stable")
        place, _ = places_among(order, sets.values)
        place = np.minimum(place, cap)
        total = prefix_sums(place)
        before = np.minimum(before, total[sets.offsets[1:]] - total[sets.offsets[:-1]])
    piece = np.cumsum(before) // PAIRS
    cuts = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), n]
    yield from pairwise(cuts)
