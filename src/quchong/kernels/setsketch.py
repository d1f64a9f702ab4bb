"""Argument checks in front of shingle sets and MinHash values of sets; twins: `quchong.kernels.reference.setsketch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels.dispatch import Ragged, _check_ngram, _ragged, threads_of
from quchong.kernels.sets import FeatureSets

if TYPE_CHECKING:
    from quchong.kernels.dispatch import I64, U32, U64


def ragged_shingles(docs: Ragged, ngram: int, workers: int | None = None) -> tuple[U64, I64]:
    """Hashes of all shingles of every document in order (uint64), and int64 offsets; for `feature_sets`.

    A document shorter than `ngram` is one shingle, an empty one has none. Cost: O(tokens * ngram), 8 bytes a shingle.
    """
    _check_ngram(ngram)
    values, offsets = _quchong.ragged_shingles(*_ragged(docs), ngram, threads_of(workers))
    return values, offsets


def set_mins(sets: FeatureSets, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) signatures: the least of each of `num_perm` functions over each set (Broder 1997).

    Values are taken as hashes: they must be well mixed. Weights do not count. An empty set is all 2**32 - 1: leave such out
    of any comparison. The functions are those of `k_mins`. Cost: O(values * num_perm).
    """
    if not 1 <= num_perm <= 4096 or not 0 <= seed < 2**64:
        raise ValueError(f"num_perm must be 1 to 4096 and the seed below 2**64, got {num_perm} and {seed}")
    values, offsets = np.ascontiguousarray(sets.values, np.uint64), np.ascontiguousarray(sets.offsets, np.int64)
    flat = _quchong.set_mins(values, offsets, num_perm, seed, threads_of(workers))
    return flat.reshape(-1, num_perm)  # type: ignore[no-any-return]
