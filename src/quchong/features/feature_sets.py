"""Operations on feature sets: concatenation of batches, document frequencies, idf bands."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.errors import UsageError
from quchong.kernels.arrays import AnyTexts, FeatureSets, Texts
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import prefix_sums

BATCH_BYTES = 16 << 20
"""Bytes of text tokenised at once."""


def batches(texts: AnyTexts, size: int = BATCH_BYTES) -> Iterator[Texts]:
    """Yield the texts in consecutive batches of about `size` bytes; one empty batch if there are no texts."""
    view = texts if isinstance(texts, Texts) else kernels.arrays.texts_of([texts])
    for index in places(view, size):
        yield view.take(index)


def places(texts: Texts, size: int = BATCH_BYTES) -> list[np.ndarray]:
    """Return the indices of texts (int64) in each batch that `batches` yields."""
    piece = np.cumsum(texts.length) // size
    return np.split(np.arange(len(texts)), np.flatnonzero(np.diff(piece)) + 1)


def in_batches(texts: AnyTexts, made: Callable[[Texts], FeatureSets]) -> FeatureSets:
    """Build the sets of all texts batch by batch, so that tokens are never held for all."""
    return concatenate_sets([made(piece) for piece in batches(texts)])


def concatenate_sets(parts: Sequence[FeatureSets]) -> FeatureSets:
    """Concatenate the sets of batches."""
    if len(parts) == 1:
        return parts[0]
    base = np.cumsum([0, *(len(p.values) for p in parts)])
    offsets = [p.offsets[1:] + b for p, b in zip(parts, base[:-1], strict=True)]
    return FeatureSets(
        np.concatenate([p.values for p in parts]),
        np.concatenate([p.weights for p in parts]),
        np.concatenate([[0], *offsets]).astype(np.int64),
    )


def at_least(sets: FeatureSets, size: np.ndarray, least: float) -> FeatureSets:
    """Return the sets with those made empty whose document's `size` is below `least`, so that they match nothing."""
    return sets.select_values(np.repeat(size >= least, sets.lengths))


def occurrences(sets: FeatureSets) -> FeatureSets:
    """Convert multisets to sets: a value that occurs three times becomes three values.

    Jaccard of such sets is the multiset Jaccard (sum of minima / sum of maxima), so that MinHash estimates it.
    """
    count = sets.weights.astype(np.int64)
    starts = prefix_sums(count)
    which = np.arange(starts[-1]) - np.repeat(starts[:-1], count)
    with np.errstate(over="ignore"):
        values = mix64(np.repeat(sets.values, count) + which.astype(np.uint64) * GOLDEN)
    return kernels.sets.feature_sets(values, starts[sets.offsets])


MOST_PARTS = 1 << 16
"""Most values that stand for one weight (`weighing_wide`)."""


def weighing_wide(sets: FeatureSets, weights: np.ndarray) -> FeatureSets:
    """Return the sets with these weights (float64 or uint64, whole numbers), which may exceed 32 bits.

    A weight beyond 32 bits is written as several values, all but the last of the greatest weight, so that sums of lesser weights of two
    sets stay what they are. A weight beyond MOST_PARTS of these is cut there.
    """
    most = np.iinfo(np.uint32).max
    parts = np.clip(np.ceil(weights / most), 1, MOST_PARTS).astype(np.int64)
    if not len(parts) or parts.max() == 1:
        return sets.weighing(weights.astype(np.uint32))
    # Part k of a value has a hash of its own; every set that has the value writes its parts alike.
    starts = prefix_sums(parts)
    which = np.arange(starts[-1]) - np.repeat(starts[:-1], parts)
    part = np.minimum(np.repeat(weights, parts) - which.astype(np.float64) * most, most).astype(np.uint32)
    with np.errstate(over="ignore"):
        again = mix64(np.repeat(sets.values, parts) + which.astype(np.uint64) * GOLDEN)
    values = np.where(which == 0, np.repeat(sets.values, parts), again)
    offsets = starts[sets.offsets]
    order = np.lexsort((values, np.repeat(np.arange(len(sets)), np.diff(offsets))))
    return FeatureSets(values[order], part[order], offsets)


def among(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return a mask of the values that `known` (ascending) contains."""
    if not len(known):
        return np.zeros(len(values), bool)
    place = np.minimum(np.searchsorted(known, values), len(known) - 1)
    mask: np.ndarray = known[place] == values
    return mask


def frequencies(sets: FeatureSets) -> tuple[np.ndarray, np.ndarray, int]:
    """Return distinct features ascending (uint64), their document frequencies (uint32), and the number of documents with a feature."""
    values, count = np.unique(sets.values, return_counts=True)
    return values, count.astype(np.uint32), int((sets.lengths > 0).sum())


def document_frequency(values: np.ndarray, features: np.ndarray, counts: np.ndarray, *, unknown: int = 1) -> np.ndarray:
    """Return the document frequency of each value from a list, int64; `unknown` for a value not listed."""
    if not len(features):
        return np.full(len(values), unknown, np.int64)
    place = np.minimum(np.searchsorted(features, values), len(features) - 1)
    known: np.ndarray = np.where(features[place] == values, counts[place], unknown).astype(np.int64)
    return known


def normalised_idf(frequency: np.ndarray, documents: int) -> np.ndarray:
    """Return ln((N + 1) / df) / ln(N + 1), float64: 1 for a feature of one document, near 0 for one of all."""
    out: np.ndarray = np.log((documents + 1) / np.maximum(frequency, 1)) / math.log(max(documents, 1) + 1)
    return out


def string_hashes(column: pa.Array) -> np.ndarray:
    """Return a hash of each string (uint64, never 0), equal in every batch; 0 for a null. Cost: one hash a distinct string."""
    encoded = pc.dictionary_encode(column.cast(pa.large_string()))
    names = encoded.dictionary.to_pylist()
    hashed = np.array(
        [int.from_bytes(hashlib.blake2b(n.encode(), digest_size=8).digest(), "big") | 1 for n in names] + [0], np.uint64
    )
    out: np.ndarray = hashed[pc.fill_null(encoded.indices, len(names)).to_numpy(zero_copy_only=False)]
    return out


def check_band(low: float, high: float) -> None:
    """Raise UsageError for an invalid band of normalised idf: no feature that two documents share lies in a band whose ends are equal."""
    if not 0 <= low < high <= 1:
        raise UsageError("idf_low must be less than idf_high, both from 0 to 1, got {} and {}", low, high)
